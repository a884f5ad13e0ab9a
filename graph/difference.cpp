#include "graph/difference.h"
#include "graph/units.h"
#include <algorithm>
#include <cctype>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kDeviations = 2, kLeastShare = 0.05, kManyTimes = 10;
}
double Change::level() const
{
    if (!told) return -1;
    const double sum = std::abs(before) + std::abs(after);
    const double part = sum > 0 ? std::clamp((after - before) / sum, -1.0, 1.0) : 0;
    // By the root, so that a tenth more is seen and twice as much is not yet the end of the ramp.
    return 0.5 + 0.5 * std::copysign(std::sqrt(std::abs(part)), part);
}
std::string Change::text() const
{
    if (before == after) return "\u00b10 %";
    if (before == 0) return "new";
    if (after == 0) return "gone";
    const double ratio = after / before;
    if (ratio >= kManyTimes) return "\u00d7" + formatCompact(std::round(ratio));
    const double percent = (ratio - 1) * 100;
    const std::string digits = formatFixed(std::abs(percent), std::abs(percent) < 9.95 ? 1 : 0);
    return (percent < 0 ? "\u2212" : "+") + digits + " %";
}
Change countChange(double before, double after, double scale)
{
    const double scaled = before * scale;
    return {scaled, after, std::abs(after - scaled) > kDeviations * std::sqrt(std::max(after + scale * scaled, 0.0))};
}
Change valueChange(double before, double after, double scale)
{
    const double scaled = before * scale;
    return {scaled, after, scaled != after && std::abs(after - scaled) >= kLeastShare * std::max(std::abs(after), std::abs(scaled))};
}
std::string noiseText(bool counts) { return counts ? "may be chance (within 2\u03c3)" : "less than 5 % of change"; }
std::string changedTitle(std::string title)
{
    // A name in capitals stays one.
    if (title.size() > 1 && !std::isupper(static_cast<unsigned char>(title[1])))
        title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    return "What changed: " + title;
}
} // namespace dscope::graph
