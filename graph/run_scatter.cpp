#include "graph/run_scatter.h"
#include "graph/difference.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <set>
#include <vector>
namespace dscope::graph {
void RunScatter::add(const std::string& thing, std::span<const double> values, bool isCount)
{
    const auto runs = values.size();
    m_runs = std::max(m_runs, runs);
    if (runs < 2) return;
    double mean = 0, variance = 0;
    for (const double value : values)
        mean += value / static_cast<double>(runs);
    for (const double value : values)
        variance += (value - mean) * (value - mean) / static_cast<double>(runs - 1);
    const double excess = variance - (isCount ? std::abs(mean) : 0);
    for (auto* sums : {&m_things[thing], &m_all}) {
        sums->excess += excess;
        sums->squares += mean * mean;
        sums->fourths += mean * mean * mean * mean;
    }
}
double RunScatter::freedom() const
{
    return m_all.fourths > 0 ? m_all.squares * m_all.squares / m_all.fourths * static_cast<double>(m_runs - 1) : 1;
}
double RunScatter::variance(const std::string& thing, double before, double after) const
{
    if (!isKnown()) return 0;
    const auto own = m_things.find(thing);
    // What few runs say of their variance is uncertain: Student's distribution is so much wider than the normal one at three deviations.
    // Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5, the first term.
    constexpr double kDeviations = 3;
    const double wider = 1 + (kDeviations * kDeviations + 1) / (4 * freedom());
    const double ratio = std::max(m_all.ratio() * wider * wider, own == m_things.end() ? 0.0 : own->second.ratio());
    // Of a sum of n runs n times that of one, of which the mean is the n-th part; of a mean the n-th part.
    return ratio * (before * before + after * after) / static_cast<double>(m_runs);
}
double RunScatter::relative() const { return std::sqrt(m_all.ratio()); }

RunScatter stackScatterOf(const Store& before, const Store& after)
{
    RunScatter out;
    for (const auto* side : {&before, &after}) {
        const auto& runs = side->runs();
        std::map<std::string, std::vector<double>> things;
        bool isCount = true;
        for (std::size_t run = 0; run < runs.size(); ++run) {
            const auto stacks = stacksOf(*runs[run]);
            isCount = stacks->measure().isCount;
            Frames frames;
            std::set<std::uint32_t> seen; // recursion counts once
            stacks->each(frames, [&](std::span<const StackStep> steps, std::int64_t value) {
                seen.clear();
                for (const auto& step : steps)
                    if (seen.insert(step.frame).second) {
                        auto& values = things[frames[step.frame].name];
                        values.resize(runs.size());
                        values[run] += static_cast<double>(value);
                    }
            });
        }
        for (const auto& [name, values] : things)
            out.add(name, values, isCount);
    }
    return out;
}
Noise::Noise(Of kind, double apart, const RunScatter* scatter) : of(kind), deviations(apart)
{
    if (scatter && scatter->isKnown()) likeRuns = scatter->relative();
}
bool Noise::operator==(const Noise& other) const
{
    const auto shown = [](const Noise& n) {
        return std::tuple(n.of, formatFixed(n.of == Of::Counts ? n.deviations : 0, 1), n.likeRuns ? formatFixed(100 * *n.likeRuns, 1) : "");
    };
    return shown(*this) == shown(other);
}
std::string Noise::text() const
{
    const auto text = of == Of::Counts ? countNoise(deviations) : of == Of::Values ? valueNoise() : valueNoiseInWhole();
    return likeRuns ? text + said(", like runs differ by %1", formatShare(*likeRuns, 1)) : text;
}
} // namespace dscope::graph
