#pragma once
#include "graph/distribution.h"
#include "graph/figure.h"
#include "graph/visual.h"
#include <cstdint>
#include <vector>
namespace dscope::graph {
/// Lengths of curves of shares, in px at a page's scale of 1.
struct EcdfLengths {
    static constexpr double kAxisLeft = 62, kSectionGap = 20, kLowPage = 200;
    static constexpr double kLeast = 84, kLeastForTwo = 140; // height of content, of one run and of two
    static constexpr double kText = 13, kPanelGap = 26, kPanelHead = 38, kPanelAxis = 30;
};
/// Members by index, the weightiest first, and among those that have a name the one of EcdfData::highestOf(), which a title may speak of; by
/// name those that are shown.
std::vector<std::size_t> ecdfOrder(const DistributionGroup& group, const LayoutOptions& options);

/// Where the lines of one run and their names are.
struct EcdfSheet {
    Box plot;
    std::vector<std::size_t> order;                       ///< as ecdfOrder() gives it
    std::size_t named = 0;                                ///< lines that have a name and a hue: the first of `order`
    std::size_t top = 0;                                  ///< lines that are drawn; those after the named ones in grey
    bool isLow = false;                                   ///< the page is: names are at the lines alone
    bool hasSide = false;                                 ///< names and percentiles stand at the right
    double side = 0;                                      ///< px, how wide they are there
    double names = 0;                                     ///< px, how high they are below the axis; 0: they aren't there
    double axis = 0;                                      ///< px, of what is below the plot
    bool hasRest() const { return named < order.size(); } ///< lines without a name
};
/// `isLow`: the page's content is lower than kLowPage.
EcdfSheet ecdfSheet(const DistributionGroup& group, const Box& area, double scale, bool isLow, const LayoutOptions& options);

/// The panels of two runs: one a key, in columns, above axes of the same values. Lengths are px.
struct EcdfPanels {
    std::size_t shown = 0, columns = 1;
    double left = 0;   ///< of the axis of shares, which the first column has
    double width = 0;  ///< of a plot
    double height = 0; ///< of a panel and what is between it and the next
    double gap = 0;    ///< between columns
    /// Whether the panel `i` is the last one of its column, which has the axis of values.
    bool isLowest(std::size_t i) const { return i + columns >= shown; }
    bool isFirst(std::size_t i) const { return i % columns == 0; } ///< of its row
    Box at(std::size_t i, const Box& area, double scale) const;    ///< of the panel
};
/// `most`: panels.
EcdfPanels ecdfPanels(std::size_t most, const Box& area, double scale, const LayoutOptions& options);

/// How many groups fit, one below the other, into a page whose content has that height; at least 1.
std::size_t fittingEcdfs(std::size_t groups, double height, double scale);
enum class EcdfRuns : std::uint8_t { One, Two };
/// The height, in px, of each of as many groups in `content`; on a page that grows what the lines of one run need, or the panels of two,
/// which are `members`.
double ecdfHeight(std::size_t groups, std::size_t members, const Box& content, EcdfRuns runs, const LayoutOptions& options);
} // namespace dscope::graph
