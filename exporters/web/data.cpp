#include "exporters/web/data.h"
#include "engine/base/base64.h"
#include <algorithm>
#include <tuple>
#include <zlib.h>
namespace dscope::exporters {
namespace {
constexpr std::size_t kLarge = std::size_t{8} << 20;    // characters of room: less, and it is a file that has to be quick
constexpr std::size_t kMostText = std::size_t{4} << 20; // bytes of folded text in one of that kind
constexpr std::size_t kPacked = 8;                      // how many times smaller folded text becomes, at least
constexpr std::size_t kLeastText = 4096;                // less says nothing
constexpr std::size_t kValueBytes = 8;                  // of a value with its blank and line end

std::string deflated(const std::string& text, int level)
{
    uLongf size = ::compressBound(text.size());
    std::string out(size, '\0');
    ::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(), level);
    out.resize(size);
    return out;
}
/// A part of `lines`: all of them or, when they are more than `most` bytes, the
/// heaviest of about a quarter of that, because nobody waits for the rest to be packed.
DataPart folded(std::vector<record::FoldedStacks::Line> lines, bool isBefore, std::size_t most)
{
    using Line = record::FoldedStacks::Line;
    std::size_t bytes = 0;
    for (const auto& line : lines)
        bytes += line.stack.size() + kValueBytes;
    const auto all = lines.size();
    if (bytes > most) {
        const auto kept = static_cast<std::size_t>(static_cast<double>(all) * (static_cast<double>(most) / 4 / static_cast<double>(bytes)));
        const auto heavier = [](const Line& a, const Line& b) { return a.value != b.value ? a.value > b.value : a.stack < b.stack; };
        std::partial_sort(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(kept), lines.end(), heavier);
        lines.resize(kept);
    }
    std::string text;
    text.reserve(std::min(bytes, most));
    for (const auto& line : lines)
        text.append(line.stack).append(" ").append(std::to_string(line.value)).append("\n");
    return {isBefore ? "before" : "after", "folded", base64(deflated(text, bytes > most ? Z_BEST_SPEED : Z_DEFAULT_COMPRESSION)),
        all - lines.size()};
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
        if (run.stacks && !run.stacks->lines.empty()) parts.push_back(folded(run.stacks->lines, run.isBefore, most));
    }
    if (whole && sizeOf(parts) <= room) return parts;
    parts.clear();
    if (!visual.hasFolded()) return parts;
    const auto stacks = *visual.folded();
    for (std::size_t text = std::min(most, room * kPacked); text >= kLeastText; text /= 4) {
        auto part = folded(stacks.lines, false, text);
        if (part.base64.size() > room) continue;
        parts.push_back(std::move(part));
        break;
    }
    return parts;
}
} // namespace dscope::exporters
