#include "graph/parts/time_headline.h"
#include "graph/difference.h"
#include "graph/ranking.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
namespace dscope::graph {
namespace {
constexpr double kPeak = 4, kShortest = 0.2, kSecond = 1e9;
constexpr double kFewestSlow = 30;
using Interval = AmountsOverTime::Interval;

double lengthOf(const Interval& interval) { return static_cast<double>(interval.to - interval.from); }
std::string after(std::int64_t moment, std::int64_t started)
{
    return " after " + formatDuration(static_cast<double>(std::max<std::int64_t>(moment - started, 0)));
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

/// `times`: the median.
Claim peakClaim(const std::string& begin, const std::string& value, const std::string& where, double times)
{
    return {begin + value + where + ", " + formatCompact(std::floor(times)) + " times the median", {"peak of " + value + where}};
}

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
        counts[i] = rates[i] * lengthOf(intervals[i]) / kSecond;

    const Ranking ranking{amounts.shape, amounts.measure, {}, amounts.total};
    if (const auto at = intervals.size() < kFewestIntervals ? std::nullopt : peakOf(rates)) {
        const double median = medianOf(rates);
        const bool isTold
            = !isCount || countChange(median * lengthOf(intervals[*at]) / kSecond, counts[*at], 1, deviationsAmong(rates.size())).told;
        const std::string value = (isCount ? formatCompact(std::round(rates[*at])) : ranking.valueText(rates[*at])) + " / s";
        const auto begin = what + (isCount ? " peak at " : ": peak of ");
        if (isTold) return peakClaim(begin, value, after(intervals[*at].from, started), rates[*at] / median);
    }
    const bool isMostlyQuiet = intervals.size() >= kFewestIntervals && medianOf(rates) <= 0;
    if (const auto burst = isMostlyQuiet ? burstOf(intervals, counts) : std::nullopt) {
        const auto share = shareInTitle(burst->share);
        return {share + " of all " + what + " came within " + burst->length() + ',' + after(burst->from, started),
            {share + " within " + burst->length()}};
    }
    auto keys = ranking;
    for (const auto& line : amounts.lines)
        keys.lines.push_back({line.keys, line.weight});
    return headlineOf(keys, what);
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
    return peakClaim(what + ": peak of ", value, after(interval.from, started), values[*at] / medianOf(values));
}

Claim headlineOf(const HeatPanel& whole, std::int64_t started, const std::string& noun)
{
    const auto panel = whole.drawn();
    DistributionGroup group = panel.of;
    auto& values = group.members.emplace_back().values;
    values.total = panel.total;
    for (const auto& [at, count] : panel.counts)
        values.counts[at.second] += count;
    const bool isTime = group.measure.unit == Unit::Nanoseconds;
    auto plain = headlineOf(std::span(&group, 1), noun);
    if (values.total < kFewestCounted || panel.times.size() < kFewestIntervals || (!isTime && group.measure.unit != Unit::Bytes))
        return plain;

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
    if (!burst) return plain;
    double within = 0;
    for (auto i = burst->first; i <= burst->last; ++i)
        within += others[i];
    const double share = within / (values.total - slowTotal);
    if (share > burst->share / 2) return plain;
    const auto most = shareInTitle(burst->share), least = group.measure.format(static_cast<double>(*low));
    return {most + " of the " + noun + " of " + least + " or more came within " + burst->length() + ',' + after(burst->from, started),
        {least + " or more: " + most + " in " + burst->length()}};
}
} // namespace dscope::graph
