#include "graph/layouts/axes.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
std::vector<double> countTicks(double most, int wanted)
{
    const double rough = std::max(most, 1.0) / std::max(wanted, 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double round : {1.0, 2.0, 2.5, 5.0})
        if (round * power >= rough) {
            step = round * power;
            break;
        }
    step = std::max(1.0, std::ceil(step));
    std::vector<double> ticks{0};
    while (ticks.back() < most)
        ticks.push_back(step * static_cast<double>(ticks.size()));
    return ticks;
}
std::vector<std::size_t> keptLabels(std::span<const double> at, std::span<const double> widths, double gap)
{
    for (std::size_t every = 1; every < at.size(); ++every) {
        bool touching = false;
        for (std::size_t i = every; i < at.size() && !touching; i += every)
            touching = at[i] - widths[i] / 2 < at[i - every] + widths[i - every] / 2 + gap;
        if (touching) continue;
        std::vector<std::size_t> kept;
        for (std::size_t i = 0; i < at.size(); i += every)
            kept.push_back(i);
        return kept;
    }
    return at.empty() ? std::vector<std::size_t>{} : std::vector<std::size_t>{0};
}
} // namespace dscope::graph
