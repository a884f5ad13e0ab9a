#include "graph/difference.h"
#include "graph/page.h"
#include "graph/tongue.h"
#include <utility>
/// Legends of comparisons of two runs.
namespace dscope::graph {
std::vector<LegendEntry> changeLegend(Role role, std::string noise)
{
    // As Change::level() has three times as much and a third: the ends of the ramp, which few marks have, would be those of no mark that is
    // seen.
    return {
        {role, Shade::Plain, 0.85, said("grew")}, {role, Shade::Plain, 0.15, said("shrank")}, {role, Shade::Unknown, -1, std::move(noise)}};
}
std::vector<LegendEntry> changeScale(Role role, std::string noise)
{
    std::vector<LegendEntry> out;
    for (const double side : {1.0, -1.0})
        for (int step = 1; step <= 3; ++step) {
            LegendEntry entry{role, Shade::Plain, 0.5 + side * step / 6, side > 0 ? said("grew") : said("shrank")};
            if (step > 1) entry.label = said("from %1", changeAtLevel(0.5 + side * (step - 0.5) / 6).text());
            entry.isFine = step != 2; // the middle one is what most marks have
            if (step == 2) entry.brief = side > 0 ? said("grew") : said("shrank");
            out.push_back(std::move(entry));
        }
    out.push_back({role, Shade::Unknown, -1, std::move(noise)});
    return out;
}
std::vector<LegendEntry> changeLegendOfBars(std::string noise)
{
    auto legend = changeScale(Role::Bar, std::move(noise));
    legend.push_back({Role::Bar, Shade::Dashed, -1, said("before")});
    return legend;
}
} // namespace dscope::graph
