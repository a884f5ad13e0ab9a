#include "graph/process_inside.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
namespace dscope::graph {
namespace {
constexpr std::size_t kMostArgumentLetters = 120; // of arguments

std::string lineOf(const Process& process, std::int64_t now, Privacy privacy)
{
    std::string text = printable(process.name());
    if (privacy == Privacy::Open) {
        auto arguments = printable(process.arguments());
        if (arguments.size() > kMostArgumentLetters) {
            std::size_t end = kMostArgumentLetters;
            while (end > 0 && (static_cast<unsigned char>(arguments[end]) & 0xC0) == 0x80) // within a character
                --end;
            arguments = arguments.substr(0, end) + "\u2026";
        }
        if (!arguments.empty()) text += ' ' + arguments;
    }
    text += kMiddleDot + said("pid %1", std::to_string(process.pid));
    if (process.hasTimes) text += kMiddleDot + formatDuration(static_cast<double>(process.duration(now)));
    if (const auto end = process.endText(); !end.empty()) text += kMiddleDot + end;
    return text;
}
} // namespace

std::string insideOf(std::span<const Process> all, std::span<const std::vector<std::size_t>> children, const ShownProcess& node,
    std::int64_t now, Privacy privacy)
{
    const bool isGroup = node.rest || node.members.size() > 1;
    if (!isGroup && node.below == 0) return {};
    struct Open {
        std::size_t process, depth;
    };

    std::vector<Open> open;
    const auto push = [&](const std::vector<std::size_t>& processes, std::size_t depth) {
        for (auto p = processes.rbegin(); p != processes.rend(); ++p)
            open.push_back({*p, depth});
    };

    push(isGroup ? node.members : children[node.members.front()], 0);
    std::string out;
    std::size_t lines = 0, missing = 0;
    while (!open.empty()) {
        const auto [process, depth] = open.back();
        open.pop_back();
        push(children[process], depth + 1);
        if (lines >= kMostInside) {
            ++missing;
            continue;
        }
        out += (lines++ == 0 ? "" : "\n") + std::string(depth, '\t') + lineOf(all[process], now, privacy);
    }
    if (missing > 0) out += '\n' + said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(missing)));
    return out;
}
} // namespace dscope::graph
