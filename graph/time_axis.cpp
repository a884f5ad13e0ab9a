#include "graph/time_axis.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kRoomForLabel = 90;
constexpr std::size_t kMostTicks = 8;

/// The smallest of 1, 2, 2.5, 5 and 10 powers of ten that is at least `rough`.
double roundStep(double rough)
{
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (const double round : {1.0, 2.0, 2.5, 5.0})
        if (round * power >= rough) return round * power;
    return 10 * power;
}
} // namespace

std::int64_t timeStep(std::int64_t whole, std::size_t wanted)
{
    const double least = static_cast<double>(whole) / static_cast<double>(wanted);
    double unit = 1;
    while (unit * 10 <= least)
        unit *= 10;
    for (const double factor : {1.0, 2.0, 5.0, 10.0})
        if (unit * factor >= least) return static_cast<std::int64_t>(unit * factor);
    return static_cast<std::int64_t>(unit * 10);
}
void drawTimeAxis(Page& page, const TimeScale& scale, TimeLabels labels, double size, std::int64_t since)
{
    const auto& plot = scale.plot;
    page.timePlot({plot, scale.from, scale.to});
    const bool below = labels == TimeLabels::Below;
    const auto step = timeStep(scale.to - scale.from,
        static_cast<std::size_t>(std::clamp(plot.width / (kRoomForLabel * size / 12), 2.0, static_cast<double>(kMostTicks))));
    for (std::int64_t at = (since + step - 1) / step * step; at <= since + (scale.to - scale.from); at += step) {
        const double x = scale.x(scale.from + (at - since));
        page.path(Role::Grid, {{x, plot.y}, {x, plot.y + plot.height + (below ? 5 : 0)}});
        if (labels == TimeLabels::None) continue;
        const bool atBegin = at == 0 || x - plot.x < 20;
        const bool atEnd = plot.x + plot.width - x < 40;
        const auto anchor = atEnd ? Anchor::End : atBegin ? Anchor::Start : Anchor::Middle;
        auto& label = page.text(Role::Tick, {x, below ? plot.y + plot.height + 8 + size : plot.y - 8},
            at == 0 ? "0" : formatMoment(at, step), {.size = size, .anchor = anchor});
        label.data = {{"at-ns", std::to_string(at)}};
    }
}
std::vector<double> valueTicks(double low, double high, int wanted, Unit unit)
{
    high = std::max(high, 0.0);
    low = std::min(low, 0.0);
    const double span = high > low ? high - low : 1;
    double base = 1;
    if (unit == Unit::Bytes)
        while (base * 1024 <= span)
            base *= 1024;
    double step = roundStep(span / base / std::max(wanted, 1)) * base;
    if (unit == Unit::Count || (unit == Unit::Bytes && base == 1)) step = std::max(1.0, std::ceil(step));
    std::vector<double> ticks;
    for (double i = std::floor(low / step); ticks.empty() || ticks.back() < high; ++i)
        ticks.push_back(i * step);
    return ticks;
}
} // namespace dscope::graph
