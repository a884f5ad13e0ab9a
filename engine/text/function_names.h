#pragma once
#include "engine/record/frame_list.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
/// The one reader of functions as tools print them: importers of text call it, and cut no name themselves.
namespace dscope::text {
/// What a format writes around names of functions. Only that is looked for, since names hold much of it, too: an operator+, "f (x.js:12)".
struct NameHints {
    enum class Offset : std::uint8_t { None, Hexadecimal, Decimal };
    Offset offset = Offset::Hexadecimal; ///< "+0x1c", or bpftrace's "+28"
    bool hasModule = false;              ///< DTrace's "libc.so.6`read"
    bool hasPlace = false;               ///< dscope's and bpftrace's " (mix.c:31)", perf's and dscope's " (inlined)"
    bool hasMark = false;                ///< "_[k]", "_[j]", "_[i]", as FlameGraph's folders write kinds of frames
};

/// What was printed of a function, taken apart. Two functions have different names, but for those that differ in their parameters alone.
/// Views point into what was read.
struct FunctionName {
    /// As a live run of dscope names it: demangled, without parameters. Whatever else tells functions apart is in it: arguments of
    /// templates, operators, lambdas with their numbers, receivers, traits, labels, clones that do something else. Empty: the text is.
    std::string name;
    std::string clone;                ///< "[clone .cold]": which copy or part of the function it is (engine/demangle/declaration.h)
    std::string_view module;          ///< "libc.so.6"; empty: none was told
    std::string_view descriptor = {}; ///< "(ILjava/lang/String;)V" of a method of Java: see OverloadedMethods
    std::optional<std::uint64_t> offset = {};
    std::string_view file = {}; ///< of the source; empty: none was told
    std::uint32_t line = 0;     ///< of `file`, from 1; 0: none was told
    record::Frame::Kind kind = record::Frame::Kind::Unknown;
    bool inlined = false; ///< into its caller
};
FunctionName readFunctionName(std::string_view printed, NameHints hints = {});
/// The same where one text may name several functions: generated code of Java is "outer->inner", what was inlined behind the method that
/// it was inlined into. The outermost is first. Source: github.com/jvm-profiling-tools/perf-map-agent, option "unfoldall"
std::vector<FunctionName> readFunctionNames(std::string_view printed, NameHints hints = {});

/// Methods of Java that have one name and several descriptors. An import that saw all names asks it whether a descriptor goes, as the
/// parameters of other languages do, or stays in the name, since overloads would merge.
class OverloadedMethods {
public:
    /// What is without a descriptor counts for nothing.
    void add(std::string_view name, std::string_view descriptor);
    bool has(std::string_view name) const;

private:
    struct Seen {
        std::string descriptor; ///< that was seen first
        bool hasOthers = false;
    };
    std::unordered_map<std::string, Seen> m_methods; ///< by name
};

/// The name alone, where it is a part of `function`.
std::string_view withoutParameters(std::string_view function);
/// The function of "F::operator< (this=0x7ff) at n.cc:8", as gdb prints frames: what stands before the arguments, without parameters.
std::string_view withoutArguments(std::string_view frame);
/// Without "+0x1c" at its end.
std::string_view withoutOffset(std::string_view function);
struct JavaMethod {
    std::string_view name, descriptor;
};
/// The methods of "La/Outer;::run->La/Inner;::get". What is no such name is alone: "operator->", "<fn(u32) -> u64 as Map>::map".
std::vector<JavaMethod> javaMethods(std::string_view function);
} // namespace dscope::text
