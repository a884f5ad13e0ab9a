#include "graph/distribution.h"
#include "graph/keys.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
namespace dscope::graph {
namespace {
constexpr double kPlainBelow = 100'000; // 16,384 says more than 16.4k

bool isPlain(double value) { return std::abs(value) < kPlainBelow; }
/// In full where `plain`: bounds that stand together are either all in full, or all short.
std::string bound(double value, const Measure& measure, bool plain)
{
    // Bounds of one axis have digits alike: "2.1 s" beside "33.6 ms".
    constexpr double kSecond = 1e9, kMinutes = 99.5 * kSecond;
    const double time = std::abs(value * measure.scale);
    if (measure.unit == Unit::Nanoseconds && time >= 0.9995 * kSecond && time < kMinutes) {
        const double seconds = value * measure.scale / kSecond;
        return formatDecimal(seconds, seconds == std::floor(seconds) ? 0 : 1) + " s";
    }
    if (measure.unit == Unit::None && plain) return formatGrouped(static_cast<std::int64_t>(value));
    return measure.format(value);
}
DistributionGroup& groupFor(std::vector<DistributionGroup>& groups, const record::Aggregation& a, const Measure& measure)
{
    for (auto& g : groups)
        if (record::sameBuckets(g.shape, a) && g.measure == measure) return g;
    auto& g = groups.emplace_back();
    g.shape = a;
    g.measure = measure;
    return g;
}
void findEnds(DistributionGroup& group)
{
    std::vector<std::size_t> all(group.members.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    group.first = 0;
    group.last = record::bucketCount(group.shape) - 1;
    group.showOnly(all);
}
void arrange(DistributionGroup& group)
{
    std::sort(group.members.begin(), group.members.end(), [](const auto& a, const auto& b) {
        if (a.values.total != b.values.total) return a.values.total > b.values.total;
        return a.aggregation != b.aggregation ? a.aggregation < b.aggregation : a.values.keys < b.values.keys;
    });
    findEnds(group);
}
/// By name of the aggregation.
std::map<std::string, std::shared_ptr<RunScatter>> scattersOf(const Store& before, const Store& after)
{
    std::map<std::string, std::shared_ptr<RunScatter>> out;
    for (const auto* side : {&before, &after}) {
        const auto& runs = side->runs();
        std::map<std::string, std::map<std::string, std::vector<double>>> things;
        for (std::size_t run = 0; run < runs.size(); ++run)
            for (const auto& group : distributionsOf(*runs[run]))
                for (const auto& member : group.members) {
                    const auto add = [&](const std::string& thing, double value) {
                        auto& values = things[member.aggregation][thing];
                        values.resize(runs.size());
                        values[run] += value;
                    };
                    add(member.values.thing({}), member.values.total);
                    for (const auto& [bucket, count] : member.values.counts)
                        add(member.values.thing(bucket), count);
                }
        for (const auto& [aggregation, all] : things) {
            auto& scatter = out[aggregation];
            if (!scatter) scatter = std::make_shared<RunScatter>();
            for (const auto& [thing, values] : all)
                scatter->add(thing, values, true);
        }
    }
    return out;
}
} // namespace

Change Distribution::change(int bucket) const
{
    const auto now = counts.find(bucket), old = countsBefore.find(bucket);
    const double was = old == countsBefore.end() ? 0 : old->second, is = now == counts.end() ? 0 : now->second;
    return countChange(was, is, 1, deviations, scatter ? scatter->variance(thing(bucket), was, is) : 0);
}
Change Distribution::changeInAll() const
{
    return countChange(totalBefore, total, 1, deviations, scatter ? scatter->variance(thing({}), totalBefore, total) : 0);
}
std::string Distribution::thing(std::optional<int> bucket) const
{
    return label() + (bucket ? '\n' + std::to_string(*bucket) : std::string());
}
Noise Distribution::noise() const { return {Noise::Of::Counts, deviations, scatter.get()}; }
int Distribution::reached(const std::map<int, double>& counts, double least)
{
    double sum = 0;
    for (const auto& [bucket, count] : counts) {
        sum += count;
        if (sum >= least) return bucket;
    }
    return counts.empty() ? 0 : counts.rbegin()->first;
}
std::string Distribution::label() const
{
    std::string out;
    for (const auto& key : keys)
        out += (out.empty() ? "" : ", ") + key;
    return out;
}
void DistributionGroup::showOnly(std::span<const std::size_t> which)
{
    int low = record::bucketCount(shape), high = -1;
    for (const auto i : which)
        if (const auto& counts = members[i].values.counts; !counts.empty()) {
            low = std::min(low, counts.begin()->first);
            high = std::max(high, counts.rbegin()->first);
        }
    if (high < low) return;
    first = std::max(first, low - 1);
    last = std::min(last, high + 1);
}
bool DistributionGroup::hatched(int bucket) const
{
    if (shape.function == record::Aggregator::Quantize) return false;
    const auto r = record::bucketRange(shape, bucket);
    return !r.low || !r.high;
}
std::string DistributionGroup::edge(int bucket) const
{
    const auto r = record::bucketRange(shape, bucket);
    if (!r.low) return {};
    const auto lowest = record::bucketRange(shape, first), highest = record::bucketRange(shape, last);
    const auto least = lowest.low ? lowest.low : lowest.high, most = highest.high ? highest.high : highest.low;
    return bound(static_cast<double>(*r.low), measure,
        isPlain(static_cast<double>(least.value_or(0))) && isPlain(static_cast<double>(most.value_or(0))));
}
std::string DistributionGroup::range(int bucket) const
{
    const auto r = record::bucketRange(shape, bucket);
    if (!r.low && !r.high) return said("any");
    const double low = r.low ? static_cast<double>(*r.low) : 0, high = r.high ? static_cast<double>(*r.high) : 0;
    if (!r.low) return "< " + bound(high + 1, measure, isPlain(high + 1));
    if (!r.high) return "\u2265 " + bound(low, measure, isPlain(low));
    if (low == high) return bound(low, measure, isPlain(low));
    const bool plain = isPlain(low) && isPlain(high);
    if (measure.unit == Unit::None) return bound(low, measure, plain) + " \u2013 " + bound(high, measure, plain);
    return formatRange(low * measure.scale, (high + 1) * measure.scale, measure.unit);
}
std::string questionOf(const DistributionGroup& g, std::string_view call, Over over)
{
    const std::string of = call.empty() ? std::string() : printable(call) + "(2)";
    const bool isOverTime = over == Over::Time;
    if (g.measure.unit == Unit::Nanoseconds) {
        if (of.empty()) return isOverTime ? said("How long does it take over time?") : said("How long does it take?");
        return said(isOverTime ? "How long does %1 take over time?" : "How long does %1 take?", of);
    }
    if (g.measure.unit == Unit::Bytes) {
        if (of.empty()) return isOverTime ? said("How large over time?") : said("How large?");
        return said(isOverTime ? "How large is each %1 over time?" : "How large is each %1?", of);
    }
    if (g.shape.value.empty() || isLiteral(g.shape.value))
        return isOverTime ? said("How the values are distributed over time") : said("How the values are distributed");
    return said(isOverTime ? "How %1 is distributed over time" : "How %1 is distributed", printable(g.shape.value));
}
std::string questionOf(std::span<const DistributionGroup> groups, std::string_view call, Over over)
{
    std::set<std::string> questions, aggregations;
    for (const auto& group : groups)
        for (const auto& member : group.members) {
            questions.insert(questionOf(group, call, over));
            aggregations.insert(member.aggregation);
        }
    if (questions.size() < 2) return questionOf(groups.front(), call, over);
    const auto number = formatGrouped(static_cast<std::int64_t>(aggregations.size()));
    const bool isOverTime = over == Over::Time;
    if (call.empty()) return said(isOverTime ? "%1 distributions over time" : "%1 distributions", number);
    return said(isOverTime ? "%1 distributions of %2 over time" : "%1 distributions of %2", number, printable(call) + "(2)");
}
std::map<std::string, double> valuesOf(std::span<const DistributionGroup> groups)
{
    std::map<std::string, double> out;
    for (const auto& group : groups)
        for (const auto& member : group.members)
            out[member.aggregation] += member.values.total;
    return out;
}
std::map<std::string, double> valuesBefore(std::span<const DistributionGroup> groups)
{
    std::map<std::string, double> out;
    for (const auto& group : groups)
        for (const auto& member : group.members)
            out[member.aggregation] += member.values.totalBefore;
    return out;
}
std::string bucketsKey(const record::Aggregation& aggregation)
{
    std::string key = aggregation.name + '/' + std::to_string(static_cast<int>(aggregation.function));
    for (const auto parameter : aggregation.parameters)
        key += '/' + std::to_string(parameter);
    for (const auto bound : aggregation.bounds)
        key += '/' + std::to_string(bound);
    return key;
}
std::vector<DistributionGroup> distributionsOf(const Store& store)
{
    std::vector<DistributionGroup> groups;
    const auto& all = store.program().aggregations;
    for (std::uint32_t id = 0; id < all.size(); ++id) {
        const auto& a = all[id];
        if (!isQuantized(a.function)) continue;
        auto& group = groupFor(groups, a, store.measure(a));
        const auto& entry = store.shown(AggregationId{id});
        const auto own = std::make_shared<const record::Aggregation>(a);
        for (const auto& row : entry.rows) {
            DistributionGroup::Member m{a.name, {keyTexts(a, row.key, store), {}, 0}, 0, own};
            for (std::size_t i = 0; i + 1 < row.data.size(); i += 2) {
                const auto bucket = static_cast<int>(row.data[i]);
                const auto exact = divided(row.data[i + 1], std::max<std::int64_t>(entry.divisor, 1));
                if (row.data[i + 1] != 0) m.values.exact[bucket] += exact;
                const double count = static_cast<double>(row.data[i + 1]) / static_cast<double>(std::max<std::int64_t>(entry.divisor, 1));
                if (count <= 0) continue;
                m.values.counts[bucket] += count;
                m.values.total += count;
            }
            group.total += m.values.total;
            if (m.values.total > 0)
                group.members.push_back(std::move(m));
            else
                group.below.push_back(std::move(m));
        }
    }
    for (auto& g : groups)
        arrange(g);
    return groups;
}
std::vector<DistributionGroup> distributionsOf(const Store& before, const Store& after)
{
    auto groups = distributionsOf(after);
    for (auto& old : distributionsOf(before)) {
        auto& group = groupFor(groups, old.shape, old.measure);
        for (auto& was : old.members) {
            auto same = std::find_if(group.members.begin(), group.members.end(),
                [&](const auto& m) { return m.aggregation == was.aggregation && m.values.keys == was.values.keys; });
            if (same == group.members.end())
                same = group.members.insert(same, DistributionGroup::Member{was.aggregation, {was.values.keys, {}, 0}, 0, was.own});
            for (const auto& [bucket, count] : was.values.counts)
                same->values.counts.try_emplace(bucket, 0);
            same->values.countsBefore = std::move(was.values.counts);
            same->values.exactBefore = std::move(was.values.exact);
            same->values.totalBefore = was.values.total;
        }
        arrange(group);
    }

    std::size_t buckets = 0;
    for (const auto& g : groups)
        for (const auto& m : g.members)
            buckets += m.values.counts.size();
    const auto scatters = scattersOf(before, after);
    for (auto& g : groups)
        for (auto& m : g.members) {
            m.values.deviations = deviationsAmong(buckets);
            if (const auto scatter = scatters.find(m.aggregation); scatter != scatters.end()) m.values.scatter = scatter->second;
        }
    return groups;
}
} // namespace dscope::graph
