#pragma once
#include "graph/firing_counts.h"
#include "graph/noun.h"
#include "graph/parts/heat_panel.h"
#include "graph/visual.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::graph {
/// Of Extents::values, where figures have common colours; no aggregation is called so.
constexpr std::string_view kHeatCells = "/cells";   ///< what comes into a cell in a second
constexpr std::string_view kHeatColumn = "/column"; ///< ns, the length of a column

/// What a heat map is drawn of: a panel for each key of each distribution; of a program without one, when in each second it took
/// samples.
class HeatmapData {
public:
    explicit HeatmapData(const Store& store);

    const std::vector<HeatPanel>& panels() const { return m_panels; } ///< the largest first
    bool empty() const { return m_panels.empty(); }
    bool isOfOffsets() const { return m_offsets; }     ///< rows are offsets within a second
    const Noun& noun() const { return m_noun; }        ///< of what is counted in a panel: "values", "calls"
    Noun nounOfTotal() const { return m_firings.noun(m_noun); }
    double total() const { return m_total; } ///< of all panels, what several of them count once
    /// Whether they are of several distributions, so that a panel's share of all is none.
    bool areSeveral() const { return m_firings.areSeveral(); }
    std::int64_t started() const { return m_started; } ///< ns, CLOCK_MONOTONIC
    std::int64_t last() const { return m_last; }       ///< the same, of the end of the last column; later than started()
    /// ns, of a column of the first panel, of which there must be one.
    double usualLength() const { return m_panels.front().usualLength(); }
    /// The largest panels, `most` at most, of which the last is all others that have its buckets. `claimed`: one that the title is about,
    /// which takes the place of the smallest of those that stand alone.
    std::vector<HeatPanel> chosen(std::size_t most, std::optional<std::size_t> claimed = {}) const;
    Extents extents() const;
    Table table() const;

private:
    double mostPerSecond() const;

    Noun m_noun;
    FiringCounts m_firings;
    std::int64_t m_started = 0, m_last = 1;
    std::vector<HeatPanel> m_panels;
    std::vector<std::string> m_keyNames;
    double m_total = 0;
    bool m_several = false, m_offsets = false;
};
/// A number of values, which is not whole where panels of uneven columns are compared.
std::string heatCount(double count);
} // namespace dscope::graph
