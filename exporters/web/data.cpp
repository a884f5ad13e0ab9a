#include "exporters/web/data.h"
#include "engine/base/base64.h"
#include "graph/stacks.h"
#include <algorithm>
#include <deque>
#include <tuple>
#include <zlib.h>
namespace dscope::exporters {
namespace {
constexpr std::size_t kLarge = std::size_t{8} << 20;    // characters of room: less, and it is a file that has to be quick
constexpr std::size_t kMostText = std::size_t{4} << 20; // bytes of folded text in one of that kind
constexpr std::size_t kPacked = 8;                      // how many times smaller folded text becomes, at least
constexpr std::size_t kLeastText = 4096;                // less says nothing

std::string deflated(const std::string& text, int level)
{
    uLongf size = ::compressBound(text.size());
    std::string out(size, '\0');
    ::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(), level);
    out.resize(size);
    return out;
}
/// A part of the stacks: all of them or, when they are more than `most` bytes, the heaviest of about a quarter of that, because
/// nobody waits for the rest to be packed.
DataPart folded(const record::FoldedStacks& stacks, bool isBefore, std::size_t most)
{
    const bool isLarge = record::textSize(stacks) > most;
    const auto kept = isLarge ? record::heaviest(stacks, most / 4) : stacks;
    std::string text;
    text.reserve(record::textSize(kept));
    for (const auto& line : kept.lines)
        text.append(line.stack).append(" ").append(std::to_string(line.value)).append("\n");
    return {isBefore ? "before" : "after", "folded", base64(deflated(text, isLarge ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION)),
        stacks.lines.size() - kept.lines.size()};
}
std::size_t sizeOf(const std::vector<DataPart>& parts)
{
    std::size_t size = 0;
    for (const auto& part : parts)
        size += part.base64.size();
    return size;
}
} // namespace

std::vector<DataPart> dataOf(const std::vector<Run>& runs, const graph::Visual& visual, std::size_t room)
{
    std::vector<DataPart> parts;
    const std::size_t most = room < kLarge ? kMostText : room * kPacked;
    bool whole = true;
    for (const auto& run : runs) {
        whole = whole && !run.recording.empty();
        if (!whole) break;
        parts.push_back({run.isBefore ? "before" : "after", "recording", base64(run.recording), 0});
        if (!run.stacks.lines.empty()) parts.push_back(folded(run.stacks, run.isBefore, most));
    }
    if (whole && sizeOf(parts) <= room) return parts;
    parts.clear();
    const auto stacks = visual.stacks();
    if (!stacks) return parts;
    const auto texts = std::make_shared<std::deque<std::string>>();
    std::vector<record::FoldedLines::Line> lines;
    stacks->eachLine([&](std::string_view stack, std::int64_t value) { lines.push_back({texts->emplace_back(stack), value}); });
    const record::FoldedStacks all{record::FoldedLines(std::move(lines), texts), stacks->measure().noun};
    for (std::size_t text = std::min(most, room * kPacked); text >= kLeastText; text /= 4) {
        auto part = folded(all, false, text);
        if (part.base64.size() > room) continue;
        parts.push_back(std::move(part));
        break;
    }
    return parts;
}
} // namespace dscope::exporters
