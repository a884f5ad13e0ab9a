#include "engine/remote/outliers.h"
#include "engine/record/buckets.h"
#include "engine/record/value.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
namespace dscope::remote {
namespace {
using record::Aggregator;
constexpr double kFarthest = 5, kOfNormal = 0.6745; ///< see outliers()
constexpr double kLeastSpread = 0.1;                ///< of logarithms to base 2: hosts that agree to 7 % agree
constexpr double kLeastShareSpread = 0.01, kLeastShare = 0.1;
constexpr double kSecond = 1e9;
/// The numbers of one kind, by host.
struct Sample {
    std::uint32_t aggregation = 0;
    bool isShare = false;
    std::map<std::size_t, double> byHost;
};
using Samples = std::map<std::string, Sample>; ///< by what they are

/// What of an aggregation came in on a host, over all keys.
struct Sums {
    double total = 0, values = 0;
    std::optional<double> extreme;
    std::map<int, double> buckets;
};
Sums sumsOf(const record::Aggregation& aggregation, const record::AggregationRows& rows)
{
    Sums sums;
    for (const auto& row : rows.rows) {
        const auto at = [&](std::size_t i) { return i < row.data.size() ? static_cast<double>(row.data[i]) : 0; };
        switch (aggregation.function) {
        case Aggregator::Count:
        case Aggregator::Sum: sums.total += at(0); break;
        case Aggregator::Min: sums.extreme = std::min(sums.extreme.value_or(at(0)), at(0)); break;
        case Aggregator::Max: sums.extreme = std::max(sums.extreme.value_or(at(0)), at(0)); break;
        case Aggregator::Avg:
        case Aggregator::Stddev:
            sums.values += at(0);
            sums.total += at(1);
            break;
        case Aggregator::Quantize:
        case Aggregator::Lquantize:
        case Aggregator::Llquantize:
        case Aggregator::Ranges:
            for (std::size_t i = 0; i + 1 < row.data.size(); i += 2)
                sums.buckets[static_cast<int>(row.data[i])] += at(i + 1);
            break;
        }
    }
    return sums;
}
std::optional<double> percentileOf(const record::Aggregation& aggregation, const std::map<int, double>& buckets, double share)
{
    double all = 0, before = 0;
    for (const auto& [bucket, count] : buckets)
        all += count;
    for (const auto& [bucket, count] : buckets) {
        before += count;
        if (before >= share * all && all > 0) return static_cast<double>(record::bucketWeight(aggregation, bucket));
    }
    return std::nullopt;
}

/// Adds what one host says.
class Reading {
public:
    Reading(std::size_t host, Samples& samples) : m_host(host), m_samples(samples) { }
    void read(const std::vector<record::Record>& records)
    {
        const record::Program* program = nullptr;
        std::map<std::uint32_t, std::string> innermost; // by stack
        std::map<std::uint32_t, const record::AggregationRows*> last;
        for (const auto& record : records) {
            if (const auto* begin = std::get_if<record::Program>(&record)) program = begin;
            if (const auto* stack = std::get_if<record::StackDef>(&record); stack && !stack->frames.empty())
                innermost[stack->id.value] = stack->frames[0].function;
            if (const auto* rows = std::get_if<record::AggregationRows>(&record)) last[rows->aggregation.value] = rows;
        }
        for (const auto& [id, rows] : last) {
            const auto& aggregation = program->aggregations[id];
            m_aggregation = id;
            const auto seconds = static_cast<double>(rows->when.count() - program->started) / kSecond;
            readSums(aggregation, sumsOf(aggregation, *rows), seconds);
            readShares(aggregation, *rows, innermost);
        }
    }

private:
    void add(const std::string& what, double value, bool isShare = false)
    {
        auto& sample = m_samples[what];
        sample.aggregation = m_aggregation;
        sample.isShare = isShare;
        sample.byHost[m_host] = value;
    }

    void readSums(const record::Aggregation& aggregation, const Sums& sums, double seconds)
    {
        const auto name = "@" + aggregation.name;
        switch (aggregation.function) {
        case Aggregator::Count:
        case Aggregator::Sum:
            // 1: what did not come at all is little, and how long a moment was says nothing.
            add(name + " a second", (sums.total + 1) / std::max(seconds, 1.0));
            break;
        case Aggregator::Min:
        case Aggregator::Max:
            if (sums.extreme) add(name, *sums.extreme);
            break;
        case Aggregator::Avg:
        case Aggregator::Stddev:
            if (sums.values > 0) add("mean of " + name, sums.total / sums.values);
            break;
        case Aggregator::Quantize:
        case Aggregator::Lquantize:
        case Aggregator::Llquantize:
        case Aggregator::Ranges:
            for (const auto& [word, share] : {std::pair{"median of ", 0.5}, std::pair{"p99 of ", 0.99}})
                if (const auto value = percentileOf(aggregation, sums.buckets, share)) add(word + name, *value);
            break;
        }
    }

    void readShares(
        const record::Aggregation& aggregation, const record::AggregationRows& rows, const std::map<std::uint32_t, std::string>& innermost)
    {
        if (aggregation.function != Aggregator::Count && aggregation.function != Aggregator::Sum) return;
        const auto field = std::find_if(aggregation.keys.begin(), aggregation.keys.end(),
            [](const record::Field& key) { return key.kind == record::FieldKind::Stack || key.kind == record::FieldKind::UserStack; });
        if (field == aggregation.keys.end()) return;
        std::map<std::string, double> byFunction;
        double all = 0;
        for (const auto& row : rows.rows) {
            const auto name = innermost.find(record::stackOf(*field, row.key).value);
            if (row.data.empty() || name == innermost.end()) continue;
            all += static_cast<double>(row.data[0]);
            if (!name->second.empty()) byFunction[name->second] += static_cast<double>(row.data[0]);
        }
        for (const auto& [function, amount] : byFunction)
            if (all > 0) add("share of " + function + " in @" + aggregation.name, amount / all, true);
    }

    std::size_t m_host;
    std::uint32_t m_aggregation = 0;
    Samples& m_samples;
};

double medianOf(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    const auto upper = *middle;
    return values.size() % 2 == 1 ? upper : (upper + *std::max_element(values.begin(), middle)) / 2;
}

void judge(const std::string& what, Sample sample, const std::vector<HostRecords>& hosts, std::vector<Outlier>& out)
{
    // Where a function was not seen its share is none.
    if (sample.isShare)
        for (std::size_t i = 0; i < hosts.size(); ++i)
            sample.byHost.try_emplace(i, 0.0);
    if (sample.byHost.size() < kFewestHosts) return;
    std::vector<double> places;
    for (const auto& [host, value] : sample.byHost) {
        if (value < 0 || (value == 0 && !sample.isShare)) return; // such numbers have no ratios
        places.push_back(sample.isShare ? value : std::log2(value));
    }

    const auto middle = medianOf(places);
    std::vector<double> distances;
    distances.reserve(places.size());
    for (const auto place : places)
        distances.push_back(std::abs(place - middle));
    const auto spread = std::max(medianOf(distances), sample.isShare ? kLeastShareSpread : kLeastSpread);
    auto at = places.begin();
    for (const auto& [host, value] : sample.byHost) {
        const auto distance = std::abs(*at++ - middle);
        const auto score = kOfNormal * distance / spread;
        if (score <= kFarthest || distance < (sample.isShare ? kLeastShare : 1)) continue;
        out.push_back(
            {hosts[host].host, what, value, sample.isShare ? middle : std::exp2(middle), sample.isShare, score, sample.aggregation});
    }
}
} // namespace

std::vector<Outlier> outliers(const std::vector<HostRecords>& hosts)
{
    std::vector<Outlier> out;
    if (hosts.size() < kFewestHosts) return out;
    Samples samples;
    for (std::size_t i = 0; i < hosts.size(); ++i)
        Reading(i, samples).read(*hosts[i].records);
    for (auto& [what, sample] : samples)
        judge(what, std::move(sample), hosts, out);
    std::stable_sort(out.begin(), out.end(), [](const Outlier& a, const Outlier& b) { return a.score > b.score; });
    // A median and a percentile, or a share and what the others lack by it, say one thing.
    std::set<std::pair<std::string, std::uint32_t>> known;
    std::erase_if(out, [&](const Outlier& one) { return !known.emplace(one.host, one.aggregation).second; });
    return out;
}

std::string Outlier::text() const
{
    std::array<char, 96> text{};
    constexpr double kPercent = 100;
    if (isShare)
        std::snprintf(text.data(), text.size(), " is %.0f %%, on the middle host %.0f %%", value * kPercent, middle * kPercent);
    else
        std::snprintf(text.data(), text.size(), " is %.3g times that of the middle host", value / middle);
    return host + ": " + what + text.data();
}
} // namespace dscope::remote
