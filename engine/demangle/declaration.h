#pragma once
#include <string>
#include <string_view>
namespace dscope::demangle {
/// A function as a demangler, a compiler or a runtime printed it, taken apart.
struct Declaration {
    /// Without the list of parameters that ends it and what C++ writes around that: the result's type, "const", "requires ...". Parentheses
    /// within a name stay: "std::function<void (int)>::operator()", "main.(*T).Get", "<F as Handler<(A,B)>>::call". What has no such list
    /// at its end is the name as it is, and so is what is not C++, D, C# or Java: Swift's "closure #1 () -> () in f()", "get(index:)".
    std::string name;
    /// Which copy or part of the function it is: "[clone .constprop.0] [clone .cold]", as GNU's demanglers write it. Copies that do
    /// something else, or that are of a function of the same name in another file, differ by their names: "f [clone ._omp_fn.0]".
    std::string clone;
};
/// Takes linear time. Texts longer than kLongestDeclaration are a name as they are.
Declaration declarationOf(std::string_view printed);
inline constexpr std::size_t kLongestDeclaration = std::size_t{64} << 10;
/// The name within a demangled declaration.
std::string withoutSignature(std::string_view declaration);
} // namespace dscope::demangle
