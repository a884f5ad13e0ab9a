#include "engine/demangle/rust.h"
#include "engine/demangle/rust_text.h"
#include <algorithm>
#include <charconv>
namespace dscope::demangle {
namespace {
/// One path element of a legacy symbol: escapes such as $LT$ are resolved, `..` becomes `::`.
/// Source: rustc compiler/rustc_symbol_mangling/src/legacy.rs, sanitize()
void appendLegacy(std::string& out, std::string_view s)
{
    struct Escape {
        std::string_view code;
        char character;
    };

    static constexpr Escape kEscapes[]
        = {{"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'}, {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}};
    if (s.starts_with("_$")) s.remove_prefix(1);
    while (!s.empty()) {
        if (constexpr std::string_view kArrow = ".$GT$"; s.starts_with(kArrow)) {
            out += "->"; // "." stands for "-" as well
            s.remove_prefix(kArrow.size());
            continue;
        }
        if (s.starts_with("..")) {
            out += "::";
            s.remove_prefix(2);
            continue;
        }
        const auto end = s.front() == '$' ? s.find('$', 1) : std::string_view::npos;
        if (end == std::string_view::npos) {
            out += s.front();
            s.remove_prefix(1);
            continue;
        }
        const auto code = s.substr(1, end - 1);
        const auto* known = std::find_if(std::begin(kEscapes), std::end(kEscapes), [code](const Escape& e) { return e.code == code; });
        std::uint32_t c = 0;
        if (known != std::end(kEscapes))
            out += known->character;
        else if (code.starts_with('u') && code.size() > 1 && code.size() < 8
            && std::from_chars(code.data() + 1, code.data() + code.size(), c, 16).ptr == code.data() + code.size() && isCharacter(c))
            appendUtf8(out, c);
        else {
            out += s; // not one of rustc's
            return;
        }
        s.remove_prefix(end + 1);
    }
}
} // namespace

std::optional<std::string> demangledRustLegacy(std::string_view symbol)
{
    if (!symbol.starts_with("_ZN")) return std::nullopt;
    auto rest = symbol.substr(3);
    std::string out;
    bool hashed = false;
    while (!rest.empty() && rest.front() != 'E') {
        std::size_t length = 0;
        const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
        if (error != std::errc{}) return std::nullopt;
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (length == 0 || length > rest.size()) return std::nullopt;
        const auto element = rest.substr(0, length);
        rest.remove_prefix(length);
        hashed = length == 17 && element[0] == 'h' && std::all_of(element.begin() + 1, element.end(), isHex) && rest.starts_with('E');
        if (hashed) break;
        if (!out.empty()) out += "::";
        appendLegacy(out, element);
    }
    if (!hashed || out.empty()) return std::nullopt;
    rest.remove_prefix(1);
    if (!rest.empty() && rest.front() != '.') return std::nullopt;
    return out += suffixWorthKeeping(rest);
}
} // namespace dscope::demangle
