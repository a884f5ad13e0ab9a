#include "engine/record/folded.h"
#include <algorithm>
namespace dscope::record {
namespace {
constexpr std::size_t kValueBytes = 8; // of a value with its blank and line end
constexpr std::string_view kKernelMark = "_[k]", kJitMark = "_[j]", kInlinedMark = "_[i]";
} // namespace

FoldedFrame foldedFrame(std::string_view word)
{
    FoldedFrame frame{word, word};
    if (!word.ends_with(']')) return frame;
    if (word.ends_with(kKernelMark))
        frame.kind = Frame::Kind::Kernel;
    else if (word.ends_with(kJitMark))
        frame.kind = Frame::Kind::Jit;
    if (frame.kind != Frame::Kind::Unknown) frame.name.remove_suffix(kKernelMark.size());
    frame.inlined = word.ends_with(kInlinedMark);
    return frame;
}

std::vector<std::string_view> framesOf(std::string_view path)
{
    std::vector<std::string_view> frames;
    if (!path.empty()) eachFrame(path, [&](std::string_view word) { frames.push_back(word); });
    return frames;
}

void appendFrame(std::string& path, std::string_view word)
{
    if (!path.empty()) path += kFrameSeparator;
    path += word;
}

std::string foldedWord(std::string_view name, Frame::Kind kind, bool inlined)
{
    std::string word(name);
    std::replace(word.begin(), word.end(), kFrameSeparator, ':');
    const auto mark = inlined ? kInlinedMark : kind == Frame::Kind::Kernel ? kKernelMark : kind == Frame::Kind::Jit ? kJitMark : "";
    if (word.find(mark) == std::string::npos) word += mark;
    return word;
}

std::size_t textSize(const FoldedStacks& stacks)
{
    std::size_t size = 0;
    for (const auto& line : stacks.lines)
        size += line.stack.size() + kValueBytes;
    return size;
}

FoldedStacks heaviest(const FoldedStacks& stacks, std::size_t most)
{
    const auto lines = stacks.lines.all();
    const auto size = textSize(stacks);
    if (size <= most) return stacks;
    std::vector<std::uint32_t> order(lines.size());
    for (std::uint32_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const auto kept
        = static_cast<std::ptrdiff_t>(static_cast<double>(order.size()) * (static_cast<double>(most) / static_cast<double>(size)));
    std::nth_element(order.begin(), order.begin() + kept, order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return lines[a].value != lines[b].value ? lines[a].value > lines[b].value : lines[a].stack < lines[b].stack;
    });
    order.resize(static_cast<std::size_t>(kept));
    std::sort(order.begin(), order.end());
    std::vector<FoldedLines::Line> chosen;
    for (const auto i : order)
        chosen.push_back(lines[i]);
    // The lines that are left out share what keeps these.
    return {FoldedLines(std::move(chosen), std::make_shared<FoldedLines>(stacks.lines)), stacks.noun, stacks.unit};
}
} // namespace dscope::record
