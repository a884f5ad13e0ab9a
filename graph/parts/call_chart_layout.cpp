#include "graph/parts/call_chart_layout.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kTallestRow = 36, kLowestRow = 16, kScreenRow = 18;
constexpr double kSliver = 1; // px: what is narrower is drawn with its neighbours
constexpr std::size_t kMostBars = 10'000, kMostStrips = 8;
constexpr double kReadable = 0.9; // of the calls: with so many labelled, the time needs no more room

double lowestRow(const CallSheet& sheet) { return kLowestRow * sheet.scale + 1; }

double rowsOf(std::span<const CallLane> lanes, std::uint32_t levels)
{
    double rows = 0;
    for (const auto& lane : lanes)
        rows += std::min(lane.depth, levels);
    return rows;
}
} // namespace

CallLevels callLevels(std::span<const CallLane> lanes, const CallSheet& sheet)
{
    CallLevels out;
    out.threads = lanes.size();
    for (const auto& lane : lanes)
        out.deepest = std::max(out.deepest, lane.depth);
    const double room = sheet.area.height - sheet.axisHeight();
    const auto heightOf = [&](std::size_t threads, double rows) {
        return static_cast<double>(threads) * (sheet.headHeight() + sheet.laneGap()) + rows * lowestRow(sheet);
    };
    const auto needed = [&](std::uint32_t levels) { return heightOf(out.threads, rowsOf(lanes.first(out.threads), levels)); };
    if (sheet.fits) {
        constexpr std::uint32_t kLeastLevels = 3;
        double rows = 0; // of the threads so far: there may be very many
        for (out.threads = 0; out.threads < lanes.size(); ++out.threads) {
            rows += std::min(lanes[out.threads].depth, kLeastLevels);
            if (out.threads > 0 && heightOf(out.threads + 1, rows) > room) break;
        }
        while (out.levels < out.deepest && needed(out.levels + 1) <= room)
            ++out.levels;
    } else {
        out.levels = out.deepest;
    }
    out.rows = rowsOf(lanes.first(out.threads), out.levels);
    return out;
}

std::size_t callStrips(
    const Calls& calls, std::span<const CallLane> lanes, const CallSpan& span, const CallLevels& levels, const CallSheet& sheet)
{
    const double lowest = sheet.axisHeight() + static_cast<double>(levels.threads) * (sheet.headHeight() + sheet.laneGap())
        + levels.rows * kScreenRow * sheet.scale;
    const auto room = static_cast<std::size_t>(std::max(sheet.area.height / lowest, 1.0));
    const auto most = std::min({room, kMostStrips, static_cast<std::size_t>(span.to - span.from)});

    std::vector<std::int64_t> lengths;
    for (const auto& lane : lanes)
        for (auto i = lane.first; i < lane.end; ++i)
            if (const auto& c = calls.calls[i]; span.shows(c) && c.end > c.start) lengths.push_back(c.end - c.start);
    if (lengths.empty()) return 1;
    const auto shortest = lengths.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(lengths.size()) * (1 - kReadable));
    std::nth_element(lengths.begin(), shortest, lengths.end());
    const double needed
        = kNarrowestCallLabel * static_cast<double>(span.to - span.from) / (static_cast<double>(*shortest) * sheet.area.width);
    return needed >= static_cast<double>(most) ? std::max<std::size_t>(most, 1)
                                               : static_cast<std::size_t>(std::max(std::ceil(needed), 1.0));
}

CallChartLayout::CallChartLayout(const Calls& calls, std::vector<CallLane> lanes, const CallSpan& span, const CallLevels& levels,
    const CallSheet& sheet, std::size_t strips)
    : m_calls(calls), m_lanes(std::move(lanes)), m_span(span), m_levels(levels), m_sheet(sheet), m_strips(strips)
{
    const auto count = static_cast<double>(strips), threads = static_cast<double>(m_lanes.size());
    const double heads = count * (sheet.axisHeight() + threads * (sheet.headHeight() + sheet.laneGap()))
        - (m_lanes.size() > 1 ? 0.0 : (count - 1) * sheet.headHeight());
    m_row = sheet.isScreen || !sheet.fits ? kScreenRow * sheet.scale
                                          : std::clamp(std::floor((sheet.area.height - heads) / std::max(levels.rows * count, 1.0)),
                                              lowestRow(sheet), kTallestRow * sheet.scale);

    const auto whole = static_cast<double>(span.to - span.from);
    for (double sliver = kSliver * (whole / count / sheet.area.width);; sliver *= 2) {
        m_bars.clear();
        std::size_t all = 0;
        for (std::size_t strip = 0; strip < strips; ++strip)
            for (const auto& lane : m_lanes) {
                m_bars.push_back(callBars(calls, lane, seen(strip), levels.levels, sliver));
                all += m_bars.back().size();
            }
        if (all <= kMostBars || sliver > whole) break;
    }
}

std::int64_t CallChartLayout::edge(std::size_t strip) const
{
    const auto whole = static_cast<double>(m_span.to - m_span.from);
    return strip == m_strips ? m_span.to
                             : m_span.from + static_cast<std::int64_t>(whole / static_cast<double>(m_strips) * static_cast<double>(strip));
}

/// The last call may lie on the very end.
CallSpan CallChartLayout::seen(std::size_t strip) const
{
    const auto to = edge(strip + 1);
    return {edge(strip), to == m_calls.to ? to + 1 : to};
}

TimeScale CallChartLayout::time(std::size_t strip, double y) const
{
    const auto threads = static_cast<double>(m_lanes.size());
    const double height
        = (hasHeads(strip) ? threads * m_sheet.headHeight() : 0.0) + (threads - 1) * m_sheet.laneGap() + m_levels.rows * m_row;
    const Box& area = m_sheet.area;
    return {{area.x, y, area.width, std::min(height, m_sheet.fits ? area.y + area.height - y : height), 0}, edge(strip), edge(strip + 1)};
}
} // namespace dscope::graph
