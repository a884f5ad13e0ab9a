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

std::string foldedWord(const NamedFrame& frame)
{
    std::string word(frame.name);
    std::replace(word.begin(), word.end(), kFrameSeparator, ':');
    const auto mark = frame.inlined         ? kInlinedMark
        : frame.kind == Frame::Kind::Kernel ? kKernelMark
        : frame.kind == Frame::Kind::Jit    ? kJitMark
                                            : "";
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

FoldedStacks below(const NamedFrame& root, const FoldedStacks& stacks)
{
    const auto word = foldedWord(root);
    std::size_t size = 0;
    for (const auto& line : stacks.lines)
        size += word.size() + 1 + line.stack.size();

    auto text = std::make_shared<std::string>();
    text->reserve(size); // so that what lines point into stays where it is
    std::vector<FoldedLines::Line> lines;
    lines.reserve(stacks.lines.size());
    for (const auto& line : stacks.lines) {
        const auto begin = text->size();
        text->append(word).append(1, kFrameSeparator).append(line.stack);
        lines.push_back({std::string_view(*text).substr(begin), line.value});
    }
    return {FoldedLines(std::move(lines), std::move(text)), stacks.noun, stacks.unit};
}

std::vector<FoldedStacks> inParts(const FoldedStacks& stacks, std::size_t most)
{
    std::vector<FoldedStacks> parts;
    const auto lines = stacks.lines.all();
    for (std::size_t from = 0, to = 0; from < lines.size(); from = to) {
        std::size_t size = 0;
        do
            size += lines[to++].stack.size() + kValueBytes;
        while (to < lines.size() && size + lines[to].stack.size() + kValueBytes <= most);
        parts.push_back({stacks.lines.part(from, to - from), stacks.noun, stacks.unit});
    }
    return parts;
}

std::vector<FoldedStacks> byMeasure(const std::vector<FoldedStacks>& all)
{
    std::vector<std::vector<FoldedStacks>> groups;
    for (const auto& stacks : all) {
        const auto measuresTheSame
            = [&](const auto& group) { return group.front().noun == stacks.noun && group.front().unit == stacks.unit; };
        const auto group = std::find_if(groups.begin(), groups.end(), measuresTheSame);
        (group == groups.end() ? groups.emplace_back() : *group).push_back(stacks);
    }
    std::vector<FoldedStacks> out;
    for (auto& group : groups) {
        auto joined = group.front();
        if (group.size() > 1) {
            std::vector<FoldedLines::Line> lines;
            for (const auto& stacks : group)
                lines.insert(lines.end(), stacks.lines.begin(), stacks.lines.end());
            joined.lines = FoldedLines(std::move(lines), std::make_shared<std::vector<FoldedStacks>>(std::move(group)));
        }
        out.push_back(std::move(joined));
    }
    return out;
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
