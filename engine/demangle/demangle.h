#pragma once
#include <string>
#include <string_view>
namespace dscope::demangle {
/// Whether the name of a function of C++ or D shows what it takes and returns.
enum class Signature { Dropped, Kept };
/// A C++ (Itanium ABI), Rust (legacy and v0) or D symbol as its author wrote it; anything else unchanged, so are symbols
/// too long or too nested to be taken apart safely. Template arguments stay; the parameter list, the qualifiers behind
/// it and a template's return type go unless kept ("ns::f<int>", not "void ns::f<int>(int) const"). Clone suffixes
/// ("[clone .cold]") stay.
std::string demangled(std::string_view symbol, Signature signature = Signature::Dropped);
/// The name within a demangled C++ declaration.
std::string withoutSignature(std::string_view declaration);
} // namespace dscope::demangle
