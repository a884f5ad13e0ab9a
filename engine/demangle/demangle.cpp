#include "engine/demangle/demangle.h"
#include "engine/demangle/d.h"
#include "engine/demangle/itanium.h"
#include "engine/demangle/rust.h"
#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
namespace dscope::demangle {
namespace {
constexpr std::size_t kLongestSymbol = 4096;

std::optional<std::string> demangledCpp(std::string_view symbol)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> name(
        abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
    // The library of an older compiler knows less.
    return status == 0 && name ? std::optional<std::string>(name.get()) : demangledItanium(symbol);
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
