#include "graph/parts/call_lanes.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <charconv>
namespace dscope::graph {
std::vector<CallLane> callLanes(const Calls& all, const CallSpan& span)
{
    std::vector<CallLane> lanes;
    const auto& calls = all.calls;
    for (std::size_t at = 0; at < calls.size();) {
        CallLane lane{calls[at].thread, at, at, 0, 0};
        for (; lane.end < calls.size() && calls[lane.end].thread == lane.thread; ++lane.end)
            if (span.shows(calls[lane.end])) {
                lane.depth = std::max(lane.depth, calls[lane.end].depth + 1);
                ++lane.calls;
            }
        at = lane.end;
        if (lane.calls > 0) lanes.push_back(lane);
    }
    return lanes;
}

std::vector<CallBar> callBars(const Calls& all, const CallLane& lane, const CallSpan& span, std::uint32_t levels, double sliver)
{
    std::vector<CallBar> out;
    std::vector<std::ptrdiff_t> last(levels, -1); ///< the bar at the end of each level
    for (auto i = lane.first; i < lane.end; ++i) {
        const auto& c = all.calls[i];
        if (c.depth >= levels || !span.shows(c)) continue;
        const bool thin = static_cast<double>(c.end - c.start) < sliver;
        if (thin && last[c.depth] >= 0) {
            auto& bar = out[static_cast<std::size_t>(last[c.depth])];
            const auto& own = all.calls[bar.call];
            const bool run = bar.calls > 1 || static_cast<double>(own.end - own.start) < sliver;
            if (run && static_cast<double>(c.start - bar.end) < sliver) {
                bar.end = std::max(bar.end, c.end);
                ++bar.calls;
                continue;
            }
        }
        last[c.depth] = static_cast<std::ptrdiff_t>(out.size());
        out.push_back({i, 1, c.start, c.end});
    }
    return out;
}

std::string CallNames::lane(std::size_t thread) const
{
    const auto& t = m_calls.threads[thread];
    if (!isTimed()) return "CPU " + std::to_string(t.tid);
    std::string text = !t.name.empty() ? t.name + (t.pid < record::kFirstNoThread ? ' ' + std::to_string(t.pid) : std::string())
        : t.pid == 0 && !t.own.empty() ? ""
                                       : said("pid %1", std::to_string(t.pid));
    if (t.own.empty()) return t.tid != t.pid ? said("%1, thread %2", text, std::to_string(t.tid)) : text;
    text += (text.empty() ? "" : ", ") + t.own;
    if (t.pid != 0 && t.tid < record::kFirstNoThread) text += ' ' + std::to_string(t.tid);
    return text;
}

std::string CallNames::duration(const Call& c) const
{
    if (!isTimed()) return said("lines %1 to %2", std::to_string(c.start), std::to_string(c.end));
    const std::string text = formatDuration(static_cast<double>(c.end - c.start));
    return c.begun && c.ended ? text : said("more than %1", text);
}

std::string CallNames::key(const CallBar& bar) const
{
    const auto since = [&](std::int64_t at) { return std::to_string(at - m_calls.from); };
    return (bar.calls > 1 ? formatGrouped(static_cast<std::int64_t>(bar.calls)) + " calls" : m_calls.names[m_calls.calls[bar.call].name])
        + " @" + since(bar.start) + '-' + since(bar.end) + (isTimed() ? " ns" : "");
}

std::optional<CallSpan> CallNames::span(std::string_view key) const
{
    CallSpan found{0, 0};
    const auto at = key.rfind(" @");
    if (at != std::string_view::npos) {
        const auto* end = key.data() + key.size();
        const auto from = std::from_chars(key.data() + at + 2, end, found.from);
        if (from.ec != std::errc() || from.ptr == end || *from.ptr != '-') return std::nullopt;
        if (std::from_chars(from.ptr + 1, end, found.to).ec != std::errc()) return std::nullopt;
        if (found.from < 0 || found.to < found.from || found.to > m_calls.to - m_calls.from) return std::nullopt;
        found = {found.from + m_calls.from, found.to + m_calls.from};
    } else {
        const Call* longest = nullptr;
        for (const auto& c : m_calls.calls)
            if (m_calls.names[c.name] == key && (!longest || c.end - c.start > longest->end - longest->start)) longest = &c;
        if (!longest) return std::nullopt;
        found = {longest->start, longest->end};
    }
    const auto around = std::max<std::int64_t>((found.to - found.from) / 50, 1);
    return CallSpan{std::max(found.from - around, m_calls.from), std::min(found.to + around, m_calls.to)};
}
} // namespace dscope::graph
