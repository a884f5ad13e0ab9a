#pragma once
#include "graph/page.h"
#include "graph/units.h"
#include <vector>
namespace dscope::graph {
/// A round number of nanoseconds, about the `wanted`th part of `whole`.
std::int64_t timeStep(std::int64_t whole, std::size_t wanted);
/// Where a moment is on a plot whose left edge is `from` and whose right edge is `to`.
struct TimeScale {
    Box plot;
    std::int64_t from = 0, to = 1; ///< ns; from < to
    double x(std::int64_t at) const { return plot.x + plot.width * static_cast<double>(at - from) / static_cast<double>(to - from); }
};
/// Where a time axis has its labels; none where another plot has them.
enum class TimeLabels : std::uint8_t { Above, Below, None };
/// Lines through the plot at round times; its left edge is `since` ns behind what is called 0.
void drawTimeAxis(Page& page, const TimeScale& scale, TimeLabels labels, double size = 12, std::int64_t since = 0);
/// Round steps from 0, or from below it, to the first at or above `high`, about `wanted` of them; in powers of 1,024 where
/// bytes are measured.
std::vector<double> valueTicks(double low, double high, int wanted, Unit unit);
} // namespace dscope::graph
