#include "engine/symbols/demangle.h"
#include "engine/symbols/demangle_rust.h"
#include <array>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
namespace dscope::symbols {
namespace {
constexpr std::size_t kLongest = 4096;

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
        if (rest.starts_with(word)) return rest.substr(word.size()).starts_with("::") || (rest.size() > word.size() && rest[word.size()] == ' ');
    return false;
}

/// Where the name begins in "return-type name": behind the last space outside all brackets and before `operator`.
std::size_t nameStart(std::string_view text)
{
    std::string open;
    std::size_t start = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        if (text.substr(at).starts_with("operator") && (at == 0 || !isWord(text[at - 1])) && at + 8 < text.size() && !isWord(text[at + 8])) {
            if (open.empty()) return start;
            at += 7;
            while (at + 1 < text.size() && (text[at + 1] == '<' || text[at + 1] == '>' || text[at + 1] == '-' || text[at + 1] == '=')) ++at;
            continue;
        }
        if (c == '<' || c == '(' || c == '{' || c == '[') open += c;
        else if (c == '>') {
            if (open.ends_with('<')) open.pop_back();
        } else if (c == ')' || c == '}' || c == ']') {
            const char partner = c == ')' ? '(' : c == '}' ? '{' : '[';
            while (open.ends_with('<') && open.back() != partner) open.pop_back();
            if (open.ends_with(partner)) open.pop_back();
        } else if (c == ' ' && open.empty() && !(at > 0 && text[at - 1] == ')' && qualifiesScope(text.substr(at + 1)))) start = at + 1;
    }
    return start;
}
} // namespace

std::string withoutSignature(std::string_view declaration)
{
    std::string_view text = declaration, clones, thunk;
    if (const auto clone = text.find(" [clone "); clone != std::string_view::npos) {
        clones = text.substr(clone);
        text = text.substr(0, clone);
    }
    // "vtable for", "guard variable for", "typeinfo name for" and their kin name data.
    static constexpr std::array<std::string_view, 12> kData{"vtable for ", "VTT for ", "typeinfo for ", "typeinfo name for ", "typeinfo fn for ",
        "construction vtable for ", "guard variable for ", "reference temporary #", "TLS init function for ", "TLS wrapper function for ",
        "template parameter object for ", "initializer for module "};
    for (const auto prefix : kData)
        if (text.starts_with(prefix)) return std::string(declaration);
    for (const std::string_view kind : {"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to "})
        if (text.starts_with(kind)) {
            thunk = kind;
            text.remove_prefix(kind.size());
        }
    while (ends(text, " const") || ends(text, " volatile") || ends(text, " &&") || ends(text, " &") || ends(text, " noexcept")) { }
    if (!text.ends_with(')')) return std::string(declaration);
    auto open = openingOf(text);
    if (open == std::string_view::npos || open == 0) return std::string(declaration);
    if (text[open - 1] == ')') {
        // A function that returns a pointer to a function: "void (*f<int>(int))(char)".
        const auto inner = openingOf(text.substr(0, open));
        if (inner != std::string_view::npos && inner + 2 < open && (text[inner + 1] == '*' || text[inner + 1] == '&'))
            return std::string(thunk) + withoutSignature(text.substr(inner + 2, open - inner - 3)) + std::string(clones);
    }
    text = text.substr(0, open);
    text = text.substr(nameStart(text));
    if (text.empty()) return std::string(declaration);
    return std::string(thunk) + std::string(text) + std::string(clones);
}

std::string demangled(std::string_view symbol, Signature signature)
{
    if (symbol.size() < 3 || symbol.size() > kLongest || symbol[0] != '_') return std::string(symbol);
    if (symbol[1] == 'R') return demangledRustV0(symbol).value_or(std::string(symbol));
    if (symbol[1] != 'Z') return std::string(symbol);
    if (auto rust = demangledRustLegacy(symbol)) return *std::move(rust);
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
    if (status != 0 || !name) return std::string(symbol);
    return signature == Signature::Kept ? std::string(name.get()) : withoutSignature(name.get());
}
} // namespace dscope::symbols
