#pragma once
#include "graph/distribution.h"
#include "graph/firing_counts.h"
#include "graph/metrics.h"
#include "graph/noun.h"
#include "graph/visual.h"
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
/// The percentiles that histograms tell: the share of all values below, and its name.
constexpr std::array<std::pair<double, const char*>, 4> kPercentiles{{{0.5, "p50"}, {0.9, "p90"}, {0.99, "p99"}, {0.999, "p99.9"}}};
/// "1,234", "123k": a number of values.
std::string countText(double count);
/// "8.2 – 16.4 µs": the bucket in which a share 0..1 of the values is reached.
std::string percentileText(const DistributionGroup& group, const Distribution& values, double share);
/// The first and the last bucket that the table has of a distribution, with a row for each between them.
std::pair<int, int> bucketSpan(const Distribution& values);

/// What histograms are drawn of: the distributions of one run, or of two bucket by bucket. Those that can share an axis are a group.
class HistogramData {
public:
    explicit HistogramData(const Store& store);
    HistogramData(const Store& before, const Store& after); ///< what changed

    bool compares() const { return m_compares; }
    bool empty() const; ///< no group has a member
    const std::vector<DistributionGroup>& groups() const { return m_groups; }
    const Noun& noun() const { return m_noun; } ///< of what is counted in a panel: "values", "calls"
    std::size_t panels() const;                 ///< of all groups
    Noun nounOfTotal() const { return m_firings.noun(m_noun); }
    double total() const; ///< of all panels, what several of them count once; of two runs the later one's
    double totalBefore() const;
    std::string panelName(const DistributionGroup::Member& member) const; ///< empty for the only distribution, without keys
    double mostOf(const Distribution& values) const;                      ///< in a bucket, in either run
    std::string noise() const;                                            ///< what is said of differences that may be chance
    Extents extents() const;
    Table table() const;
    std::vector<Metric> metrics() const; ///< of one run; empty where two are compared
    /// `most`: distributions.
    Digest digest(std::size_t most) const;

private:
    HistogramData(const Store& store, std::vector<DistributionGroup> groups);
    void addRows(Table& table, const DistributionGroup& group, const DistributionGroup::Member& member) const;

    Noun m_noun;
    FiringCounts m_firings;
    std::vector<DistributionGroup> m_groups;
    std::vector<std::string> m_keyNames;
    bool m_several = false; ///< aggregations: panels are called by these, too
    bool m_compares = false;
};
} // namespace dscope::graph
