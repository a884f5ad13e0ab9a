#include "engine/demangle/rust_text.h"
#include <algorithm>
namespace dscope::demangle {
void appendUtf8(std::string& out, std::uint32_t c)
{
    const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (c < 0x80)
        put(c);
    else if (c < 0x800)
        put(0xc0 | c >> 6), put(0x80 | (c & 0x3f));
    else if (c < 0x10000)
        put(0xe0 | c >> 12), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
    else
        put(0xf0 | c >> 18), put(0x80 | (c >> 12 & 0x3f)), put(0x80 | (c >> 6 & 0x3f)), put(0x80 | (c & 0x3f));
}

std::optional<std::string> punycode(std::string_view text)
{
    std::u32string out;
    if (const auto delimiter = text.rfind('_'); delimiter != std::string_view::npos) {
        out.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(delimiter));
        text.remove_prefix(delimiter + 1);
    }

    std::uint64_t n = 0x80, i = 0, bias = 72;
    bool first = true;
    while (!text.empty()) {
        const auto before = i;
        std::uint64_t weight = 1;
        for (std::uint64_t k = 36;; k += 36) {
            if (text.empty()) return std::nullopt;
            const char c = text.front();
            text.remove_prefix(1);
            const int digit = c >= 'a' && c <= 'z' ? c - 'a' : c >= '0' && c <= '9' ? c - '0' + 26 : -1;
            if (digit < 0 || weight > 0xffffffff) return std::nullopt;
            i += static_cast<std::uint64_t>(digit) * weight;
            const auto t = k <= bias ? 1 : std::min<std::uint64_t>(k - bias, 26);
            if (static_cast<std::uint64_t>(digit) < t) break;
            weight *= 36 - t;
        }
        const auto count = out.size() + 1;
        auto delta = first ? (i - before) / 700 : (i - before) / 2;
        first = false;
        delta += delta / count;
        std::uint64_t k = 0;
        for (; delta > 455; k += 36)
            delta /= 35;
        bias = k + 36 * delta / (delta + 38);
        n += i / count;
        i %= count;
        if (!isCharacter(static_cast<std::uint32_t>(std::min<std::uint64_t>(n, 0x110000)))) return std::nullopt;
        out.insert(out.begin() + static_cast<std::ptrdiff_t>(i), static_cast<char32_t>(n));
        ++i;
    }

    std::string utf8;
    for (const auto c : out)
        appendUtf8(utf8, c);
    return utf8;
}
} // namespace dscope::demangle
