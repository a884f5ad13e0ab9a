#pragma once
#include "graph/noun.h"
#include "graph/parts/amounts_over_time.h"
#include "graph/visual.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::graph {
/// What a series is drawn of: a panel for each aggregation that is no stack's, or the panels of two runs in turn.
class SeriesData {
public:
    explicit SeriesData(const Store& store);
    /// What changed: the panels of both runs, the earlier one's first. Its times are moved so that both runs begin at once.
    SeriesData(const Store& before, const Store& after);

    bool compares() const { return m_compares; }
    bool empty() const;
    bool isSlight() const; ///< there are too few moments for a line
    const std::vector<AmountsOverTime>& panels() const { return m_panels; }
    /// How many aggregations are shown; one of two runs counts once.
    std::size_t aggregations() const { return m_compares ? m_aggregations : m_panels.size(); }
    std::int64_t started() const { return m_started; } ///< ns, CLOCK_MONOTONIC; of two runs the later one's
    std::int64_t last() const;                         ///< the same, of the end of the last interval; later than started()
    Extents extents() const;

    /// What a value is: "calls", "bytes", "avg of arg0".
    std::string what(const AmountsOverTime& panel) const;
    std::string valueText(const AmountsOverTime& panel, double value) const;
    std::string amountText(const AmountsOverTime& panel, double value) const; ///< the same with the noun of what is counted
    Table table() const;

private:
    Noun m_noun;
    std::int64_t m_started = 0;
    std::vector<AmountsOverTime> m_panels;
    std::vector<std::string> m_keyNames;
    bool m_compares = false;
    std::size_t m_aggregations = 0; ///< of both runs, where two are compared
};
/// Whether a series shows an aggregation.
bool isForSeries(const record::Aggregation& aggregation);
} // namespace dscope::graph
