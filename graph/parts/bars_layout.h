#pragma once
#include "graph/parts/bars_data.h"
#include "graph/value_axis.h"
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
/// Lengths of bars, in px at a page's scale of 1.
struct BarLengths {
    static constexpr double kTallestRow = 64, kLowestRow = 19, kHead = 30, kGap = 14; // a section's heading, and what follows it
    static constexpr double kScale = 1.6;                                             // of the smallest text: below bars with a scale
};
/// Where a ranking is drawn, and which of its lines in which order.
struct BarSection {
    std::size_t which = 0; ///< ranking
    double head = 0;       ///< px, the upper end of its heading; where there is none, of its area
    Box area;              ///< of the bars; it has no height
    double row = 0;        ///< px, of a bar, the same in all sections
    double labels = 0;     ///< px, of the keys' column, likewise
    std::vector<std::size_t> lines;
    std::vector<std::string> names; ///< of the lines, as their keys are shown: without shared folders where the page is narrow
};
/// What is drawn of the data, below one another.
struct BarSheet {
    std::vector<BarSection> sections;
    bool hasHeads = false; ///< each section has a heading
    double bottom = 0;     ///< px, where the last one ends
};
/// How many of so many sections fit into a page whose content has that height; at least one, if there are any.
std::size_t fittingSections(std::size_t sections, double height, double scale, const LayoutOptions& options);
/// Lays out the rankings at `which` in `content`.
BarSheet barSheet(const BarsData& data, std::span<const std::size_t> which, const Box& content, double scale, const LayoutOptions& options);
/// px, of the labels and numbers beside bars of that height.
double barTextSize(double row, double scale);

/// How long bars are, and where between keys and numbers.
class BarScale {
public:
    BarScale(const BarsData& data, const BarSection& section, double scale, const LayoutOptions& options);
    bool isLogarithmic() const { return m_axis.isLogarithmic(); }
    bool hasNegative() const { return m_range.low < 0; }
    double left() const { return m_left; } ///< px, the low end
    double zero() const { return m_zero; } ///< px, where bars begin
    double at(double value) const;         ///< px
    /// Where a bar begins and how long it is, px.
    std::pair<double, double> span(double value) const;
    const std::vector<double>& ticks() const { return m_axis.ticks(); }                ///< in the measure's unit
    double atTick(double tick) const { return m_left + m_room * m_axis.atTick(tick); } ///< px

private:
    ValueRange m_range;
    double m_left = 0, m_room = 0, m_zero = 0;
    ValueAxis m_axis;
};
} // namespace dscope::graph
