#pragma once
#include "engine/record/record.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::format {
/// What bars are measured against: the sum of all buckets, or the largest (option aggzoom).
enum class Scale : std::uint8_t { Sum, Largest };
/// A bucket that is shown, by what stands before its bar: "32", "< 0", ">= 100".
struct ShownBucket {
    std::string label;
    std::int64_t count = 0;
};
/// Those of one row of quantize, lquantize or llquantize: from one before the first that counts to one after the last.
std::vector<ShownBucket> shownBuckets(const record::Aggregation& aggregation, const std::vector<std::int64_t>& data);
/// A count as normalize() asks for it; a divisor of 0 counts as 1.
std::int64_t normalized(std::int64_t count, std::int64_t divisor);
/// The chart of one row of quantize, lquantize or llquantize, as dtrace draws it: a newline, the heading, one line a
/// bucket from one before the first that counts to one after the last.
/// `divisor` is normalize()'s.
/// Source: the Dynamic Tracing Guide, "Aggregations"; bars are round(40 * |count| / total) long, 20 to each side when
/// there are counts of both signs.
std::string chart(
    const record::Aggregation& aggregation, const std::vector<std::int64_t>& data, std::int64_t divisor, Scale scale = Scale::Sum);

/// What bars are measured against, and to which sides they go.
struct Bars {
    long double total = 0;
    bool positives = false, negatives = false;
    void add(std::int64_t count, Scale scale);
    /// "|@@@@        12       \n"
    std::string line(std::int64_t count, std::int64_t divisor) const;
};
} // namespace dscope::format
