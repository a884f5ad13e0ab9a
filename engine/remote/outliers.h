#pragma once
#include "engine/record/record.h"
#include <string>
#include <vector>
namespace dscope::remote {
/// What a run on one host says: its program first.
struct HostRecords {
    std::string host;
    const std::vector<record::Record>* records = nullptr;
};
/// A host that differs from the others in one of their numbers.
struct Outlier {
    std::string host;
    std::string what; ///< "p99 of @lat", "@calls a second", "share of mix in @"
    double value = 0, middle = 0; ///< of this host, and of the middle one of all
    bool isShare = false;
    double score = 0; ///< how far it is out: deviations of the middle half
    std::uint32_t aggregation = 0;
    /// "web17: p99 of @lat is 32 times that of the middle host", "web17: share of mix in @ is 61 %, on the middle host 2 %"
    std::string text() const;
};
/// The fewest hosts of which one can be told from the others.
constexpr std::size_t kFewestHosts = 5;
/// Of each aggregation, over all its keys: how much came in a second, the mean or extreme, the median and the 99th percentile; of stacks each
/// innermost function's share. Hosts are outliers that are more than five deviations from the median (the deviation that of the middle half of
/// the hosts), and twice or half of it, or ten points of share; the farthest first, and one of each
/// host's numbers of an aggregation. Of fewer than kFewestHosts none is.
/// Source: Iglewicz and Hoaglin, How to Detect and Handle Outliers (1993), the modified z-score;
/// theirs is 3.5, of which one of some hundred hosts is found by chance.
std::vector<Outlier> outliers(const std::vector<HostRecords>& hosts);
} // namespace dscope::remote
