#pragma once
#include "engine/record/record.h"
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>
/// Folded text, the form in which profilers exchange stacks: a line "root;caller;callee 42" for each stack. This is the only
/// place that joins frames by ';' or splits at it; StackCounts (engine/text) writes with it and graph::Stacks reads with it.
/// Source: github.com/brendangregg/FlameGraph, stackcollapse-perf.pl for the marks behind names.
namespace dscope::record {
constexpr char kFrameSeparator = ';';
/// A frame of folded text.
struct FoldedFrame {
    std::string_view word;                   ///< as it is spelled, with its mark
    std::string_view name;                   ///< without the mark of its kind
    Frame::Kind kind = Frame::Kind::Unknown; ///< Kernel or Jit when a mark says so
    bool inlined = false;                    ///< "_[i]" is part of the name: an inlined call is not a call of the function
};
/// A frame that is to be written as folded text.
struct NamedFrame {
    std::string_view name;
    Frame::Kind kind = Frame::Kind::Unknown;
    bool inlined = false;
};
/// The frame that `word`, the text between two separators, stands for: "_[k]" behind a name marks the kernel's code, "_[j]"
/// generated code, "_[i]" an inlined call.
FoldedFrame foldedFrame(std::string_view word);
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
/// `frame` as a word of folded text: ';' in its name becomes ':', and a suffix tells its kind.
std::string foldedWord(const NamedFrame& frame);
/// `stacks` with `root` as the outermost frame of each.
FoldedStacks below(const NamedFrame& root, const FoldedStacks& stacks);
/// `stacks` in records of at most `most` bytes of text each, as far as no single line is longer; none of no lines. Nothing is copied.
std::vector<FoldedStacks> inParts(const FoldedStacks& stacks, std::size_t most);
/// All that measure the same in one record, in their order: what a stream has said in several. A record that is alone is not copied.
std::vector<FoldedStacks> byMeasure(const std::vector<FoldedStacks>& all);
/// The heaviest of the stacks, in their order: as many as `most` bytes hold of stacks of average length.
FoldedStacks heaviest(const FoldedStacks& stacks, std::size_t most);
/// Bytes of the text that the stacks are when written.
std::size_t textSize(const FoldedStacks& stacks);
} // namespace dscope::record
