#pragma once
#include "engine/record/record.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>
/// Folded text, the form in which profilers exchange stacks: a line "root;caller;callee 42" for each stack. This is the only
/// place that joins frames by ';' or splits at it; StackCounts (engine/text) writes with it and graph::Stacks reads with it.
/// Source: github.com/brendangregg/FlameGraph, stackcollapse-perf.pl for the marks behind names.
namespace dscope::record {
/// An option of an imported program: its firings' times are numbers of lines, because the text tells no times.
constexpr std::string_view kTimesAreLines = "_lines";
/// Lines of folded text ("root;caller;callee" and a value) and what keeps them: copies share it. Text that was imported may
/// be mapped and very large, so it is taken apart only where somebody looks (engine/record/folded.h, graph::Stacks).
class FoldedLines {
public:
    struct Line {
        std::string_view stack;                 ///< frames from the root, joined by ';'
        std::int64_t value = 0;
        bool operator==(const Line&) const = default;
    };
    FoldedLines() = default;
    /// `text` keeps what the lines point into.
    FoldedLines(std::vector<Line> lines, std::shared_ptr<const void> text)
    {
        struct Kept {
            std::vector<Line> lines;
            std::shared_ptr<const void> text;
        };
        auto kept = std::make_shared<const Kept>(Kept{std::move(lines), std::move(text)});
        m_lines = kept->lines;
        m_kept = std::move(kept);
    }
    std::span<const Line> all() const { return m_lines; }
    /// Lines `from` and the `count` - 1 behind it, which share what keeps them.
    FoldedLines part(std::size_t from, std::size_t count) const
    {
        FoldedLines out(*this);
        out.m_lines = m_lines.subspan(from, count);
        return out;
    }
    auto begin() const { return m_lines.begin(); }
    auto end() const { return m_lines.end(); }
    std::size_t size() const { return m_lines.size(); }
    bool empty() const { return m_lines.empty(); }
    bool operator==(const FoldedLines& o) const { return std::equal(begin(), end(), o.begin(), o.end()); }

private:
    std::span<const Line> m_lines;
    std::shared_ptr<const void> m_kept;
};
/// What the values of folded stacks are; time is in nanoseconds.
enum class StackUnit : std::uint8_t { Count, Time, Bytes };
/// Stacks that another tool counted: sums that do not change any more. They stand beside the records, not among them.
struct FoldedStacks {
    FoldedLines lines;                          ///< no empty stack, values of more than 0; their sum is at most INT64_MAX
    std::string noun;                           ///< what is counted, plural: "samples", "calls", "cycles"
    StackUnit unit = StackUnit::Count;
    bool operator==(const FoldedStacks&) const = default;
};
constexpr char kFrameSeparator = ';';
/// A frame of folded text.
struct FoldedFrame {
    std::string_view word;                   ///< as it is spelled, with its mark
    std::string_view name;                   ///< without the mark of its kind
    Frame::Kind kind = Frame::Kind::Unknown; ///< Kernel or Jit when a mark says so
    bool inlined = false;                    ///< "_[i]" is part of the name: an inlined call is not a call of the function
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
/// `name` as a word of folded text: a separator within it becomes ':'.
std::string foldedWord(std::string_view name, Frame::Kind kind = Frame::Kind::Unknown, bool inlined = false);
/// The heaviest of the stacks, in their order: as many as `most` bytes hold of stacks of average length.
FoldedStacks heaviest(const FoldedStacks& stacks, std::size_t most);
/// Bytes of the text that the stacks are when written.
std::size_t textSize(const FoldedStacks& stacks);
} // namespace dscope::record
