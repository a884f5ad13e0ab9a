#pragma once
#include <string>
#include <string_view>
#include <vector>
/// Names of functions as compilers, demanglers and virtual machines spell them, and what of them tells most in little room.
namespace dscope::graph {
/// A name taken apart at its scopes: of C and C++, Rust, Go, Java, D, and those that JavaScript's and Python's virtual machines
/// write. What cannot be taken apart is a function without scopes.
struct FunctionName {
    /// A part of the name between two separators.
    struct Part {
        std::string name;      ///< without arguments: "vector", "(*Server)", "<Vec as Drop>", "{lambda#1}", "operator<<"
        std::string whole;     ///< with what stands in angle brackets: "vector<int, std::allocator<int> >"
        std::string separator; ///< in front of it: "::", "." or "/"
    };
    std::vector<Part> parts; ///< from the outside in; the last is the function
    /// The first of the parts without which the function's own name says nothing: the class of operator(), the function around a
    /// closure. Less than parts.size().
    std::size_t telling = 0;
};
/// Sources: the Itanium C++ ABI's demangled names as libiberty and LLVM print them; Rust's legacy and v0 symbol names (RFC 2603);
/// the Go linker's names (cmd/internal/objabi); java.lang.Class.getName() and the JVM's internal names; D's ABI, "Name Mangling".
FunctionName functionName(std::string_view name);
/// Forms of a name, the longest first, each shorter than the one before: as it is; without return type, parameters and what the
/// compiler appended; without what stands in angle brackets; then one scope less each time from the outside, with "…" for it; at
/// last the function alone. Never empty; every form has the function in it.
std::vector<std::string> nameForms(std::string_view name);
/// Without the mark of the frame's kind that folded text puts at the end of names: "_[k]" (kernel), "_[j]" (generated code), "_[i]"
/// (inlined),
/// "_[w]" (of the thread that woke this one). Source: FlameGraph's stackcollapse-perf.pl, flamegraph.pl. nameForms() and functionName()
/// leave it out.
std::string_view withoutMark(std::string_view name);
/// Of a frame of which no function is known, "libz.so.1+0xaa60" or "0x7f00aa60", where its address begins: at "+0x" or "0x". npos where
/// `frame` names a function.
std::size_t addressIn(std::string_view frame);
} // namespace dscope::graph
