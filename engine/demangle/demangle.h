#pragma once
#include "engine/demangle/declaration.h"
#include <optional>
#include <string>
#include <string_view>
namespace dscope::demangle {
/// Whether the name of a function of C++ or D shows what it takes and returns.
enum class Signature { Dropped, Kept };
/// A C++ (Itanium ABI), Rust (legacy and v0) or D symbol as its author wrote it; anything else unchanged, so are symbols
/// too long or too nested to be taken apart safely. Template arguments stay; the parameter list, the qualifiers behind
/// it, a template's return type and which copy of the function it is go unless kept ("ns::f<int>", not "void ns::f<int>(int) const
/// [clone .cold]").
std::string demangled(std::string_view symbol, Signature signature = Signature::Dropped);
/// The same without the signature, taken apart; none: it is no such symbol.
std::optional<Declaration> demangledDeclaration(std::string_view symbol);
} // namespace dscope::demangle
