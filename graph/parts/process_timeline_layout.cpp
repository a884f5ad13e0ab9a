#include "graph/parts/process_timeline_layout.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>
namespace dscope::graph {
namespace {
constexpr double kLowestBar = 16, kTallestBar = 26, kRowOfScreen = 16; // px at scale 1
constexpr double kBand = 56;                                           // px at scale 1
constexpr std::size_t kFewestForBand = 4;
constexpr double kLeastPart = 0.05; // of all the time: what a step of the critical path takes that has a row before anything else

/// As few rows as its bars need to stand beside one another: each goes to the first row that is free again.
std::vector<TimelineRow> lanesOf(const ProcessTimelineData& data, const ShownProcess& node)
{
    const auto& family = data.family();
    auto members = node.members;
    std::stable_sort(
        members.begin(), members.end(), [&](std::size_t a, std::size_t b) { return family.all[a].firstSeen < family.all[b].firstSeen; });
    std::vector<TimelineRow> out;
    std::vector<std::int64_t> ends;
    for (const auto i : members) {
        const auto& p = family.all[i];
        std::size_t lane = 0;
        while (lane < ends.size() && ends[lane] > p.firstSeen)
            ++lane;
        if (lane == ends.size()) {
            ends.push_back(0);
            out.push_back({node, {}, lane == 0});
        }
        ends[lane] = data.endOf(i);
        out[lane].bars.push_back(i);
    }
    return out;
}
} // namespace

std::size_t processesOf(const std::vector<TimelineRow>& rows)
{
    std::size_t all = 0;
    for (const auto& row : rows)
        all += row.bars.size();
    return all;
}

std::vector<TimelineRow> timelineRows(const ProcessTimelineData& data, std::size_t most)
{
    const auto& family = data.family();
    std::vector<TimelineRow> out;
    if (data.order().size() <= most) {
        for (const auto i : data.order())
            out.push_back({data.alone(i), {i}});
        return out;
    }

    std::vector<ShownProcess> rows;
    FoldLimits limits;
    limits.children = static_cast<std::size_t>(-1);
    limits.path = family.path.processes;
    rows = foldProcesses(family.all, family.shown, family.now, limits);

    // A group stands for the processes below its members, too: these have rows of their own.
    const auto least = kLeastPart * static_cast<double>(data.last() - data.first());
    const auto isCritical = [&](const ShownProcess& row) { return row.critical && static_cast<double>(row.duration) >= least; };
    if (rows.size() > most) {
        std::stable_sort(rows.begin(), rows.end(), [&](const ShownProcess& a, const ShownProcess& b) {
            return isCritical(a) != isCritical(b) ? isCritical(a) : a.duration > b.duration;
        });
        rows.resize(most);
    }

    const auto begins = [&](const ShownProcess& row) { return family.all[row.members.front()].firstSeen; };
    std::stable_sort(rows.begin(), rows.end(), [&](const ShownProcess& a, const ShownProcess& b) { return begins(a) < begins(b); });
    // What room is left goes to groups whose bars would cover one another, the dearest first.
    std::vector<std::vector<TimelineRow>> lanes;
    std::vector<std::size_t> dearest(rows.size());
    std::iota(dearest.begin(), dearest.end(), std::size_t{0});
    std::stable_sort(dearest.begin(), dearest.end(), [&](std::size_t a, std::size_t b) { return rows[a].duration > rows[b].duration; });
    for (const auto& row : rows)
        lanes.push_back({{row, row.members}});
    auto left = most - std::min(most, rows.size());
    for (const auto at : dearest) {
        auto apart = lanesOf(data, rows[at]);
        if (apart.size() < 2 || apart.size() - 1 > left) continue;
        left -= apart.size() - 1;
        lanes[at] = std::move(apart);
    }
    // And then to groups whose members all have room for a row of their own.
    std::vector<std::vector<TimelineRow>> blocks;
    for (const auto at : dearest) {
        auto& of = lanes[at];
        const auto& members = rows[at].members;
        if (members.size() < 2 || members.size() - of.size() > left) continue;
        left -= members.size() - of.size();
        for (const auto i : members)
            blocks.push_back({{data.alone(i), {i}}});
        of.clear();
    }
    for (auto& of : lanes)
        if (!of.empty()) blocks.push_back(std::move(of));
    std::stable_sort(blocks.begin(), blocks.end(), [&](const auto& a, const auto& b) {
        const auto first = a.front().node.members.front(), second = b.front().node.members.front();
        return std::pair(family.all[first].firstSeen, first) < std::pair(family.all[second].firstSeen, second);
    });
    for (auto& of : blocks)
        out.insert(out.end(), std::make_move_iterator(of.begin()), std::make_move_iterator(of.end()));
    return out;
}

TimelineRoom timelineRoom(const ProcessTimelineData& data, const Box& content, double k, const LayoutOptions& options)
{
    const bool hasBand = !options.forScreen && data.order().size() >= kFewestForBand && content.height >= TimelineLengths::kRoomForBand * k;
    return {content.height, hasBand ? kBand * k : 0, k};
}

double TimelineRoom::row(std::size_t count, const LayoutOptions& options) const
{
    const double even = std::floor((height - TimelineLengths::kAxis * scale - band) / static_cast<double>(std::max<std::size_t>(count, 1)));
    return options.forScreen ? kRowOfScreen : std::clamp(even, kLowestBar * scale, kTallestBar * scale);
}

std::size_t TimelineRoom::fitting(double row) const
{
    return static_cast<std::size_t>(std::max(1.0, std::floor((height - band - TimelineLengths::kAxis * scale) / row)));
}
} // namespace dscope::graph
