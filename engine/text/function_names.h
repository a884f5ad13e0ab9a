#pragma once
#include <string_view>
#include <vector>
/// The name of a function where a tool printed more than that.
namespace dscope::text {
/// Without the list of parameters that ends it, and without what C++ puts around that: the type of the result, "const", "[clone .cold]".
/// Parentheses within a name stay: "std::function<void (int)>::operator()", "(anonymous namespace)::f", "main.(*T).Get",
/// "<F as Handler<(A,B)>>::call". A name without such a list stays as it is.
std::string_view withoutParameters(std::string_view function);
/// The function of "F::operator< (this=0x7ff) at n.cc:8", as gdb prints frames: what stands before the arguments, without parameters.
std::string_view withoutArguments(std::string_view frame);
/// Without "+0x1c" at its end.
std::string_view withoutOffset(std::string_view function);
/// The methods of "La/Outer;::run->La/Inner;::get", as perf-map-agent names generated code of Java, the outermost first, without their
/// signatures. What is no such name is alone: "operator->", "<fn(u32) -> u64 as Map>::map".
/// Source: github.com/jvm-profiling-tools/perf-map-agent, option "unfoldall"
std::vector<std::string_view> javaMethods(std::string_view function);
} // namespace dscope::text
