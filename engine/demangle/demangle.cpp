#include "engine/demangle/demangle.h"
#include "engine/demangle/d.h"
#include "engine/demangle/itanium.h"
#include "engine/demangle/rust.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cxxabi.h>
#include <memory>
namespace dscope::demangle {
namespace {
constexpr std::size_t kLongestSymbol = 4096;

constexpr std::size_t kLongestName = std::size_t{64} << 10;

/// How often a symbol refers to something that is spelled elsewhere; expansions of packs repeat more. Source: Itanium C++ ABI, 5.1
int referencesIn(std::string_view symbol)
{
    constexpr int kExpansion = 8;
    int count = 0;
    for (std::size_t i = 0; i + 1 < symbol.size(); ++i) {
        const char next = symbol[i + 1];
        const bool isDigit = next == '_' || (next >= '0' && next <= '9');
        if ((symbol[i] == 'S' && (isDigit || (next >= 'A' && next <= 'Z'))) || (symbol[i] == 'T' && (isDigit || next == 'L'))) ++count;
        if ((symbol[i] == 'D' || symbol[i] == 's') && next == 'p') count += kExpansion;
    }
    return count;
}

/// Within a conversion to a type, arguments of a template that is a parameter are read twice, each time with those within.
bool readsTwice(std::string_view symbol)
{
    constexpr int kMost = 8;
    int count = 0;
    for (auto at = symbol.find("cv"); at != std::string_view::npos; at = symbol.find("_I", at + 1))
        ++count;
    return count > kMost;
}

/// The run time library's demangler has no bounds: substitutions that double take it any time and memory. What may do so is read by our
/// own first, which has.
std::optional<std::string> demangledCpp(std::string_view symbol)
{
    constexpr int kFewReferences = 16;
    constexpr std::size_t kShort = 512;
    std::optional<ItaniumName> own;
    if (referencesIn(symbol) > kFewReferences || symbol.size() > kShort || readsTwice(symbol)) {
        own = readItanium(symbol);
        if (own->isTooMuch || !own->text || readsTwice(symbol)) return std::move(own->text);
    }
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
    if (status == 0 && name && std::strlen(name.get()) <= kLongestName) return std::string(name.get());
    // The library of an older compiler knows less.
    return own ? std::move(own->text) : demangledItanium(symbol);
}

/// Of a symbol without a version. In C++ the signature is there, in other languages `signature` says it.
std::optional<std::string> spelled(std::string_view symbol, Signature signature)
{
    if (symbol.size() < 3 || symbol.size() > kLongestSymbol || symbol[0] != '_') return {};
    if (symbol[1] == 'D') return demangledD(symbol, signature);
    if (symbol[1] == 'R') return demangledRustV0(symbol);
    if (symbol[1] != 'Z') return {};
    auto rust = demangledRustLegacy(symbol);
    return rust ? rust : demangledCpp(symbol);
}

/// What linkers put behind symbols: "@plt", "@GLIBCXX_3.4", "@@GLIBCXX_3.4.11".
std::string_view behindSymbol(std::string_view symbol) { return symbol.substr(std::min(symbol.find('@'), symbol.size())); }
bool isCpp(std::string_view symbol) { return symbol.starts_with("_Z") && !demangledRustLegacy(symbol); }
} // namespace

std::string demangled(std::string_view symbol, Signature signature)
{
    if (signature == Signature::Dropped) {
        auto is = demangledDeclaration(symbol);
        return is ? std::move(is->name) : std::string(symbol);
    }
    const auto end = behindSymbol(symbol);
    auto whole = spelled(symbol.substr(0, symbol.size() - end.size()), signature);
    return whole ? whole->append(end) : std::string(symbol);
}

std::optional<Declaration> demangledDeclaration(std::string_view symbol)
{
    const auto end = behindSymbol(symbol);
    const auto alone = symbol.substr(0, symbol.size() - end.size());
    auto whole = spelled(alone, Signature::Dropped);
    if (!whole) return {};
    auto is = isCpp(alone) ? declarationOf(*whole) : Declaration{*std::move(whole), {}};
    is.name += end;
    return is;
}
} // namespace dscope::demangle
