#include "engine/demangle/demangle.h"
#include "engine/demangle/d.h"
#include "engine/demangle/rust.h"
#include <array>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
namespace dscope::demangle {
namespace {
constexpr std::size_t kLongestSymbol = 4096;

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }
bool ends(std::string_view& text, std::string_view tail)
{
    if (!text.ends_with(tail)) return false;
    text.remove_suffix(tail.size());
    return true;
}

/// Where the parenthesis is that the one at the end closes, or npos.
std::size_t openingOf(std::string_view text)
{
    int depth = 0;
    for (auto at = text.size(); at-- > 0;) {
        if (text[at] == ')') ++depth;
        if (text[at] == '(' && --depth == 0) return at;
    }
    return std::string_view::npos;
}

/// Qualifiers of a member function within a name: "f() const::{lambda()#1}".
bool qualifiesScope(std::string_view rest)
{
    for (const std::string_view word : {"const", "volatile", "&&", "&"})
        if (rest.starts_with(word))
            return rest.substr(word.size()).starts_with("::") || (rest.size() > word.size() && rest[word.size()] == ' ');
    return false;
}

/// Length of the operator's name behind `operator`, with the blank that keeps `operator< <int>` apart; npos for a
/// conversion, which reaches to the end.
std::size_t operatorLength(std::string_view rest)
{
    static constexpr std::array<std::string_view, 25> kLong{"<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "==", "!=", "->", "&&",
        "||", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<", ">"};
    static constexpr std::array<std::string_view, 6> kWords{" new[]", " delete[]", " new", " delete", " co_await", "\"\" "};
    std::size_t length = 0;
    for (const auto word : kWords)
        if (rest.starts_with(word)) return word.size();
    if (rest.starts_with(' ')) return std::string_view::npos;
    for (const auto symbol : kLong)
        if (length == 0 && rest.starts_with(symbol)) length = symbol.size();
    return rest.substr(length).starts_with(" <") ? length + 1 : length;
}

/// Where the name begins in "return-type name": behind the last space outside all brackets that is not part of it.
std::size_t nameStart(std::string_view text)
{
    constexpr std::string_view kOperator = "operator";
    std::string open;
    std::size_t start = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (c == 'o' && text.substr(at).starts_with(kOperator) && (at == 0 || !isWord(text[at - 1]))) {
            const auto rest = text.substr(at + kOperator.size());
            if (!rest.empty() && !isWord(rest[0])) {
                const auto length = operatorLength(rest);
                if (length == std::string_view::npos && open.empty()) return start;
                at += kOperator.size() - 1 + (length == std::string_view::npos ? 0 : length);
            }
        } else if (c == '<' || c == '(' || c == '{' || c == '[')
            open += c;
        else if (c == '>') {
            if (open.ends_with('<')) open.pop_back();
        } else if (c == ')' || c == '}' || c == ']') {
            const char partner = c == ')' ? '(' : c == '}' ? '{' : '[';
            while (open.ends_with('<'))
                open.pop_back();
            if (open.ends_with(partner)) open.pop_back();
        } else if (c == ' ' && open.empty() && !(at > 0 && text[at - 1] == ')' && qualifiesScope(text.substr(at + 1))))
            start = at + 1;
    }
    return start;
}

/// What the function is in "(*&f<int>(int))", the declarator of one that returns a pointer or reference to a function or
/// an array; empty when the group at the end of `text` is something else.
std::string_view declarator(std::string_view text)
{
    const auto open = openingOf(text);
    if (!text.ends_with(')') || open == std::string_view::npos || open + 2 >= text.size()) return {};
    auto inner = text.substr(open + 1, text.size() - open - 2);
    if (inner[0] != '*' && inner[0] != '&') return {};
    inner.remove_prefix(std::min(inner.find_first_not_of("*&"), inner.size()));
    return inner;
}
} // namespace

std::string withoutSignature(std::string_view declaration)
{
    std::string_view text = declaration, clones, thunk;
    if (const auto clone = text.find(" [clone "); clone != std::string_view::npos) {
        clones = text.substr(clone);
        text = text.substr(0, clone);
    }

    // "vtable for", "guard variable for", "typeinfo name for" and the like name data.
    static constexpr std::array<std::string_view, 12> kData{"vtable for ", "VTT for ", "typeinfo for ", "typeinfo name for ",
        "typeinfo fn for ", "construction vtable for ", "guard variable for ", "reference temporary #", "TLS init function for ",
        "TLS wrapper function for ", "template parameter object for ", "initializer for module "};
    for (const auto prefix : kData)
        if (text.starts_with(prefix)) return std::string(declaration);
    for (const std::string_view kind :
        {"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ", "transaction clone for "})
        if (text.starts_with(kind)) {
            thunk = kind;
            text.remove_prefix(kind.size());
        }
    while (ends(text, " const") || ends(text, " volatile") || ends(text, " &&") || ends(text, " &") || ends(text, " noexcept")) { }
    const auto inside = [&](std::string_view inner) { return std::string(thunk) + withoutSignature(inner) + std::string(clones); };
    if (text.ends_with(']'))
        if (const auto array = text.rfind(") ["); array != std::string_view::npos)
            if (const auto inner = declarator(text.substr(0, array + 1)); !inner.empty()) return inside(inner);
    if (!text.ends_with(')')) return std::string(declaration);
    const auto open = openingOf(text);
    if (open == std::string_view::npos || open == 0) return std::string(declaration);
    if (const auto inner = declarator(text.substr(0, open)); !inner.empty()) return inside(inner);
    text = text.substr(0, open);
    text = text.substr(nameStart(text));
    if (text.empty()) return std::string(declaration);
    return std::string(thunk) + std::string(text) + std::string(clones);
}

std::string demangled(std::string_view symbol, Signature signature)
{
    if (symbol.size() < 3 || symbol.size() > kLongestSymbol || symbol[0] != '_') return std::string(symbol);
    if (symbol[1] == 'D') return demangledD(symbol, signature).value_or(std::string(symbol));
    if (symbol[1] == 'R') return demangledRustV0(symbol).value_or(std::string(symbol));
    if (symbol[1] != 'Z') return std::string(symbol);
    if (auto rust = demangledRustLegacy(symbol)) return *std::move(rust);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || !name) return std::string(symbol);
    return signature == Signature::Kept ? std::string(name.get()) : withoutSignature(name.get());
}
} // namespace dscope::demangle
