#include "graph/difference.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cctype>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kChance = 0.0455 /* beyond 2 sigma */, kLeastShare = 0.05, kLeastOfWhole = 0.005, kManyTimes = 10;
}
double Change::level() const
{
    if (!told) return -1;
    const double sum = std::abs(before) + std::abs(after);
    const double part = sum > 0 ? std::clamp((after - before) / sum, -1.0, 1.0) : 0;
    // By the root, so that a tenth more is seen and twice as much is not yet the end of the ramp.
    return 0.5 + 0.5 * std::copysign(std::sqrt(std::abs(part)), part);
}
Change changeAtLevel(double level)
{
    const double root = 2 * (level - 0.5), part = std::copysign(root * root, root);
    return {1 - part, 1 + part, true};
}
std::string Change::text() const
{
    if (before == after) return "\u00b10 %";
    if (before == 0) return said("new");
    if (after == 0) return said("gone");
    const double ratio = after / before;
    if (ratio >= kManyTimes) return "\u00d7" + formatCompact(std::round(ratio));
    const double percent = (ratio - 1) * 100;
    const std::string digits = formatDecimal(std::abs(percent), std::abs(percent) < 9.95 ? 1 : 0);
    return (percent < 0 ? "\u2212" : "+") + digits + " %";
}
double deviationsAmong(std::size_t comparisons)
{
    if (comparisons <= 1) return 2;
    const double chance = kChance / static_cast<double>(comparisons);
    double low = 2, high = 10;
    for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        (std::erfc(middle / std::sqrt(2.0)) > chance ? low : high) = middle;
    }
    return std::round(low * 100) / 100;
}
Change countChange(double before, double after, double scale, double deviations, double variance)
{
    const double scaled = before * scale;
    return {scaled, after, std::abs(after - scaled) > deviations * std::sqrt(std::max(scale * (after + before), 0.0) + variance)};
}
Change valueChange(double before, double after, double scale, double whole, double noise)
{
    const double scaled = before * scale, far = std::abs(after - scaled);
    return {scaled, after, far > noise && far >= kLeastShare * std::max(std::abs(after), std::abs(scaled)) && far >= kLeastOfWhole * whole};
}
std::string countNoise(double deviations) { return said("may be chance (within %1σ)", formatDecimal(deviations, deviations == 2 ? 0 : 1)); }
std::string valueNoise() { return said("less than 5 % of change"); }
std::string valueNoiseInWhole() { return said("less than 5 % of change, or 0.5 % of all"); }
std::string changedTitle(std::string title)
{
    // A name in capitals stays one.
    if (Tongue::initials() == Tongue::Initials::Small && title.size() > 1 && !std::isupper(static_cast<unsigned char>(title[1])))
        title[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(title[0])));
    return said("What changed: %1", title);
}
std::string changedTotal(double before, double after, std::string_view what)
{
    if (before <= 0 || after <= 0 || before == after) return {};
    const auto change = Change{before, after, true}.text();
    return ' ' + (what.empty() ? said("(%1 in all)", change) : said("(%1 %2 in all)", change, what));
}
std::vector<std::string> changedTitles(const std::string& title, double before, double after, std::string_view what)
{
    const auto total = changedTotal(before, after, what);
    std::vector<std::string> forms{changedTitle(title) + total};
    if (!total.empty()) {
        forms.push_back(said("What changed") + total);
        forms.push_back(said("What changed") + changedTotal(before, after, {}));
    }
    return forms;
}
} // namespace dscope::graph
