#include "exporters/web/data.h"
#include "engine/base/base64.h"
#include <algorithm>
#include <zlib.h>
namespace dscope::exporters {
namespace {
std::string deflated(const std::string& text)
{
    uLongf size = ::compressBound(text.size());
    std::string out(size, '\0');
    ::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
    out.resize(size);
    return out;
}
template <typename Lines> DataPart folded(const Lines& lines, bool isBefore)
{
    std::string text;
    for (const auto& [stack, value] : lines)
        text.append(stack).append(" ").append(std::to_string(value)).append("\n");
    return {isBefore ? "before" : "after", "folded", base64(deflated(text))};
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
    // A megabyte of text deflates to a few percent at best: what is twenty times too large need not be tried.
    bool fits = true;
    for (const auto& run : runs) {
        fits = fits && !run.recording.empty();
        if (!fits) break;
        parts.push_back({run.isBefore ? "before" : "after", "recording", base64(run.recording)});
        if (!run.stacks || run.stacks->lines.empty()) continue;
        std::size_t bytes = 0;
        for (const auto& line : run.stacks->lines)
            bytes += line.stack.size() + 8;
        fits = bytes / 20 < room;
        if (fits) parts.push_back(folded(run.stacks->lines, run.isBefore));
    }
    if (fits && sizeOf(parts) <= room) return parts;
    parts.clear();
    if (!visual.hasFolded()) return parts;
    auto lines = *visual.folded();
    const auto all = lines.size();
    std::stable_sort(lines.begin(), lines.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    std::size_t bytes = 0, most = 0;
    while (most < lines.size() && bytes / 20 < room)
        bytes += lines[most++].first.size() + 8;
    lines.resize(most);
    while (!lines.empty()) {
        auto part = folded(lines, false);
        part.leftOut = all - lines.size();
        if (part.base64.size() <= room) return {std::move(part)};
        lines.resize(lines.size() * room / part.base64.size() * 9 / 10);
    }
    return parts;
}
} // namespace dscope::exporters
