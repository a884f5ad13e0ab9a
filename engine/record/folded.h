#pragma once
#include "engine/record/record.h"
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>
/// Folded text, the form in which profilers exchange stacks: a line "root;caller;callee 42" for each stack. This is the only
/// place that joins frames by ';' or splits at it, and that knows the marks which stand for facts there.
/// Source: github.com/brendangregg/FlameGraph, stackcollapse-perf.pl for the marks behind names.
namespace dscope::record {
constexpr char kFrameSeparator = ';';
/// The frame that `word`, the text between two separators, stands for: "module`name", and behind that "_[k]" for the kernel's code, "_[j]"
/// for generated code, "_[i]" for an inlined call.
NamedFrame namedFrame(std::string_view word);
/// How many bytes at the end of `word` are such a mark.
std::size_t markSize(std::string_view word);
/// `frame` as a word of folded text: ';' in it becomes ':', and a mark says its kind where the module does not.
std::string foldedWord(const NamedFrame& frame);
/// Whether a module's name says that it is the kernel or a part of it, as dtrace and its relatives spell them.
bool isKernelModule(std::string_view module);
/// Takes the first frame off `stack`: the text before its first separator.
inline std::string_view takeFrame(std::string_view& stack)
{
    const auto end = stack.find(kFrameSeparator);
    const auto word = stack.substr(0, end);
    stack.remove_prefix(end == std::string_view::npos ? stack.size() : end + 1);
    return word;
}
/// Hands every word of `stack` to `deliver`, from the root. An empty stack has one empty frame.
template <typename Deliver> void eachFrame(std::string_view stack, Deliver deliver)
{
    for (bool more = true; more;) {
        more = stack.find(kFrameSeparator) != std::string_view::npos;
        deliver(takeFrame(stack));
    }
}
/// The last frame of `stack`.
inline std::string_view lastFrame(std::string_view stack) { return stack.substr(stack.rfind(kFrameSeparator) + 1); }
/// The frames of a path as a user types it (--focus) or a figure keeps it; none of an empty path.
std::vector<std::string_view> framesOf(std::string_view path);
/// Puts a frame behind those of `path`.
void appendFrame(std::string& path, std::string_view word);
} // namespace dscope::record
