#include "graph/parts/time_headline.h"
#include "graph/difference.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <numeric>
namespace dscope::graph {
namespace {
constexpr double kPeak = 4, kShortest = 0.2, kOneSecond = 1e9;
constexpr double kFewestSlow = 30, kMostOfSlow = 0.5;
constexpr double kClump = 10; ///< events of a burst that count as one: what programs do comes several at a time, not one by one by chance
using Interval = AmountsOverTime::Interval;

double lengthOf(const Interval& interval) { return static_cast<double>(interval.to - interval.from); }
std::string after(std::int64_t moment, std::int64_t started)
{
    return formatDuration(static_cast<double>(std::max<std::int64_t>(moment - started, 0)));
}

/// The shortest stretch of intervals that has half of all amounts or more.
struct Burst {
    std::int64_t from = 0, to = 0; ///< ns
    double share = 0;              ///< of all that it has
    std::size_t first = 0, last = 0;
    std::string length() const { return formatDuration(static_cast<double>(to - from)); }
};
std::optional<Burst> burstOf(const std::vector<Interval>& intervals, const std::vector<double>& amounts)
{
    double whole = 0;
    for (const double amount : amounts)
        whole += amount;
    if (whole <= 0) return std::nullopt;
    std::optional<Burst> best;
    double sum = 0;
    std::size_t first = 0;
    for (std::size_t last = 0; last < amounts.size(); ++last) {
        sum += amounts[last];
        while (first < last && sum - amounts[first] >= whole / 2)
            sum -= amounts[first++];
        if (sum < whole / 2) continue;
        const Burst one{intervals[first].from, intervals[last].to, sum / whole, first, last};
        if (!best || one.to - one.from < best->to - best->from) best = one;
    }
    const auto time = intervals.back().to - intervals.front().from;
    return best && static_cast<double>(best->to - best->from) <= kShortest * static_cast<double>(time) ? best : std::nullopt;
}

/// The most that comes before or after a burst in as long a time.
double mostBeside(const Burst& burst, const std::vector<Interval>& intervals, const std::vector<double>& amounts)
{
    double most = 0, sum = 0;
    std::size_t first = 0;
    for (std::size_t last = 0; last < amounts.size(); ++last) {
        if (last >= burst.first && last <= burst.last) {
            first = last + 1;
            sum = 0;
            continue;
        }
        sum += amounts[last];
        while (first < last && intervals[last].to - intervals[first].from > burst.to - burst.from)
            sum -= amounts[first++];
        most = std::max(most, sum);
    }
    return most;
}
/// Whether a burst is more than the largest of as many others as there may be, by more than chance.
bool isAhead(const Burst& burst, const AmountsOverTime& amounts, const std::vector<double>& values)
{
    const double whole = std::accumulate(values.begin(), values.end(), 0.0), own = burst.share * whole,
                 next = mostBeside(burst, amounts.intervals, values);
    if (amounts.shape.function == record::Aggregator::Sum) return valueChange(next, own, 1, whole).told;
    const auto others = values.size() / (burst.last - burst.first + 1);
    return whole >= kClump * kFewestCounted && countChange(next / kClump, own / kClump, 1, deviationsAmong(others)).told;
}

double medianOf(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}
/// Where the one peak of `values` is, which is kPeak times their median or more.
std::optional<std::size_t> peakOf(const std::vector<double>& values)
{
    const auto at = static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
    const double peak = values[at], median = medianOf(values);
    if (median <= 0 || peak < kPeak * median) return std::nullopt;
    std::size_t high = 0, together = 1;
    for (const double value : values)
        if (value >= peak / 2) ++high;
    for (auto i = at; i > 0 && values[i - 1] >= peak / 2; --i)
        ++together;
    for (auto i = at + 1; i < values.size() && values[i] >= peak / 2; ++i)
        ++together;
    return high == together ? std::optional(at) : std::nullopt;
}

/// `sentence`: of what, the peak, after what time, and how many times the median it is.
Claim peakClaim(const char* sentence, const std::string& what, const std::string& value, const std::string& when, double times)
{
    return {said(sentence, what, value, when, formatCompact(std::floor(times))), {said("peak of %1 after %2", value, when)}};
}
constexpr const char *kPeakOfCounts = toSay("%1 peak at %2 after %3, %4 times the median"),
                     *kPeakOfValues = toSay("%1: peak of %2 after %3, %4 times the median");

Claim ofSums(const AmountsOverTime& amounts, std::int64_t started, const std::string& what)
{
    const bool isCount = amounts.shape.function != record::Aggregator::Sum;
    const auto drawn = drawnAmounts(amounts);
    const auto& intervals = drawn.intervals;
    std::vector<double> rates(intervals.size(), 0.0), counts(intervals.size(), 0.0);
    for (const auto& line : drawn.lines)
        for (const auto& [at, value] : line.values) {
            if (value < 0) return {};
            rates[at] += value;
        }
    if (amounts.total <= 0 || (isCount && amounts.total < kFewestCounted)) return {};
    for (std::size_t i = 0; i < rates.size(); ++i)
        counts[i] = rates[i] * lengthOf(intervals[i]) / kOneSecond;

    const Ranking ranking{amounts.shape, amounts.measure, {}, amounts.total};
    if (const auto at = intervals.size() < kFewestIntervals ? std::nullopt : peakOf(rates)) {
        const double median = medianOf(rates);
        const bool isTold
            = !isCount || countChange(median * lengthOf(intervals[*at]) / kOneSecond, counts[*at], 1, deviationsAmong(rates.size())).told;
        const std::string value = (isCount ? formatCompact(std::round(rates[*at])) : ranking.valueText(rates[*at])) + " / s";
        if (isTold)
            return peakClaim(
                isCount ? kPeakOfCounts : kPeakOfValues, what, value, after(intervals[*at].from, started), rates[*at] / median);
    }
    const bool isMostlyQuiet = intervals.size() >= kFewestIntervals && medianOf(rates) <= 0;
    if (const auto burst = isMostlyQuiet ? burstOf(intervals, counts) : std::nullopt; burst && isAhead(*burst, drawn, counts)) {
        const auto share = capital(shareInTitle(burst->share));
        return {said("%1 of all %2 came within %3, after %4", share, what, burst->length(), after(burst->from, started)),
            {said("%1 within %2", share, burst->length())}};
    }
    auto keys = ranking;
    for (const auto& line : amounts.lines)
        keys.lines.push_back({line.keys, line.weight});
    return headlineOf(keys, what);
}
/// All values of a panel, whenever they came.
DistributionGroup distributionOf(const HeatPanel& panel)
{
    DistributionGroup group = panel.of;
    auto& values = group.members.emplace_back().values;
    values.total = panel.total;
    for (const auto& [at, count] : panel.counts)
        values.counts[at.second] += count;
    return group;
}

bool isOfAmounts(const DistributionGroup& group) { return group.measure.unit == Unit::Nanoseconds || group.measure.unit == Unit::Bytes; }

/// When the slow ones came.
Claim burstClaim(const HeatPanel& panel, std::int64_t started, const std::string& noun)
{
    const auto group = distributionOf(panel);
    const auto& values = group.members.front().values;
    if (values.total < kFewestCounted || panel.times.size() < kFewestIntervals || !isOfAmounts(group)) return {};
    const int slow = values.percentile(0.99);
    std::vector<Interval> intervals;
    for (const auto& [from, to] : panel.times)
        intervals.push_back({from, to});
    std::vector<double> slowOnes(intervals.size(), 0.0), others(intervals.size(), 0.0);
    double slowTotal = 0;
    for (const auto& [at, count] : panel.counts) {
        (at.second >= slow ? slowOnes : others)[at.first] += count;
        if (at.second >= slow) slowTotal += count;
    }
    const auto low = record::bucketRange(group.shape, slow).low;
    const auto burst = slowTotal >= kFewestSlow && low && slow > values.percentile(0.5) ? burstOf(intervals, slowOnes) : std::nullopt;
    if (!burst) return {};
    double within = 0;
    for (auto i = burst->first; i <= burst->last; ++i)
        within += others[i];
    const double share = within / (values.total - slowTotal);
    if (share > burst->share / 2) return {};
    const auto most = shareInTitle(burst->share), least = group.measure.format(static_cast<double>(*low));
    return {said("%1 of the %2 of %3 or more came within %4, after %5", most, noun, least, burst->length(), after(burst->from, started)),
        {said("%1 or more: %2 in %3", least, most, burst->length())}};
}

/// Whose the slow ones are. `together`: all panels as one.
PanelClaim slowKeyClaim(std::span<const HeatPanel> panels, const HeatPanel& together, const std::string& noun)
{
    const auto group = distributionOf(together);
    const auto& values = group.members.front().values;
    const int slow = values.percentile(0.99);
    const auto low = record::bucketRange(group.shape, slow).low;
    if (values.total < kFewestCounted || !isOfAmounts(group) || !low || slow <= values.percentile(0.5)) return {};
    const auto slowOf = [&](const HeatPanel& panel) {
        double sum = 0;
        for (const auto& [at, count] : panel.counts)
            if (at.second >= slow) sum += count;
        return sum;
    };
    const double all = slowOf(together);
    const auto most
        = std::max_element(panels.begin(), panels.end(), [&](const HeatPanel& a, const HeatPanel& b) { return slowOf(a) < slowOf(b); });
    const double own = slowOf(*most), others = together.total - all;
    if (all < kFewestSlow || own < kMostOfSlow * all || most->name.empty() || others <= 0) return {};
    if ((most->total - own) / others > own / all / 2) return {}; // it has most of everything
    const auto share = shareInTitle(own / all), least = group.measure.format(static_cast<double>(*low));
    return {{said("%1 has %2 of the %3 of %4 or more", most->name, share, noun, least),
                {said("%1: %2 of %3 or more", most->name, share, least)}},
        static_cast<std::size_t>(most - panels.begin())};
}

/// Panels as one; none where their buckets or columns are not the same.
std::optional<HeatPanel> asOne(std::span<const HeatPanel> panels)
{
    HeatPanel out = panels.front();
    for (const auto& panel : panels.subspan(1)) {
        if (!out.hasBucketsOf(panel) || out.times != panel.times) return std::nullopt;
        for (const auto& [at, count] : panel.counts)
            out.add(at.first, at.second, count);
    }
    return out;
}
} // namespace

Claim headlineOf(const AmountsOverTime& amounts, std::int64_t started, const std::string& what)
{
    if (addsUp(amounts.shape)) return ofSums(amounts, started, what);
    if (amounts.shape.function != record::Aggregator::Avg || amounts.lines.size() != 1) return {};
    std::vector<double> values;
    for (const auto& [at, value] : amounts.lines.front().values)
        values.push_back(value);
    if (values.size() < kFewestIntervals || *std::min_element(values.begin(), values.end()) < 0) return {};
    const auto at = peakOf(values);
    if (!at) return {};
    const auto& interval = amounts.intervals[amounts.lines.front().values[*at].first];
    const auto value = Ranking{amounts.shape, amounts.measure, {}, 0}.valueText(values[*at]);
    return peakClaim(kPeakOfValues, what, value, after(interval.from, started), values[*at] / medianOf(values));
}

Claim headlineOf(const HeatPanel& whole, std::int64_t started, const std::string& noun)
{
    const auto panel = whole.drawn();
    if (auto burst = burstClaim(panel, started, noun); !burst.empty()) return burst;
    const auto group = distributionOf(panel);
    return headlineOf(std::span(&group, 1), noun);
}

PanelClaim headlineOf(std::span<const HeatPanel> panels, std::int64_t started, const std::string& noun)
{
    if (panels.empty()) return {};
    if (panels.size() == 1) return {headlineOf(panels.front(), started, noun)};
    const auto together = asOne(panels);
    if (!together) return {};
    const auto drawn = together->drawn();
    if (auto burst = burstClaim(drawn, started, noun); !burst.empty()) return {std::move(burst)};
    if (auto slow = slowKeyClaim(panels, *together, noun); !slow.claim.empty()) return slow;
    Ranking keys{together->of.shape, {Unit::Count, 1}, {}, together->total};
    keys.shape.function = record::Aggregator::Count;
    for (const auto& panel : panels)
        keys.lines.push_back({panel.keys, panel.total});
    if (auto most = headlineOf(keys, noun); !most.empty()) {
        const auto largest
            = std::max_element(panels.begin(), panels.end(), [](const HeatPanel& a, const HeatPanel& b) { return a.total < b.total; });
        return {std::move(most), static_cast<std::size_t>(largest - panels.begin())};
    }
    const auto group = distributionOf(drawn);
    return {headlineOf(std::span(&group, 1), noun)};
}
} // namespace dscope::graph
