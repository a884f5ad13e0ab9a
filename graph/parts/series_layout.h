#pragma once
#include "graph/parts/series_data.h"
#include "graph/time_axis.h"
#include "graph/value_axis.h"
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
/// Lengths of a series, in px at a page's scale of 1.
struct SeriesLengths {
    static constexpr double kLowestPanel = 130, kPanelGap = 26, kTimeAxis = 30, kHead = 30; // a panel's heading
    static constexpr double kText = 13, kLineGap = 1.35;                                    // of the text's size, from line to line
};
/// How the panels of a series share a page.
struct SeriesSheet {
    double height = 0;    ///< px, of a panel
    std::size_t most = 1; ///< lines of a panel
    double labels = 0;    ///< px: room at the right for the names of lines
};
/// How many panels fit into a page whose content has that height; at least 1.
std::size_t fittingPanels(double height, double scale);
/// Lays out the panels, of which there is one at least, below one another in `content`.
SeriesSheet seriesSheet(std::span<const AmountsOverTime* const> panels, const Box& content, double scale, const LayoutOptions& options);

/// The line of all other keys when it is not drawn.
struct LargeRest {
    std::string label;
    double most = 0;
};
/// What is left of all keys as one line, where its scale would leave no room for the lines that have a name: it is taken out.
std::optional<LargeRest> withoutLargeRest(std::vector<DrawnLine>& lines);

/// Where the name of a line is, right of the plot.
struct SeriesLabel {
    const DrawnLine* line = nullptr;
    double end = 0; ///< y where the line ends
    double at = 0;  ///< y of its name's middle
};
/// The names of lines in the order in which the lines end. Where lines end apart a name is beside its line's end; where they end
/// together, as at 0, the names are around it, the line that was highest first. `step`: px from name to name.
std::vector<SeriesLabel> seriesLabels(const std::vector<DrawnLine>& lines, const Box& plot, double step, const ValueAxis& axis);

/// A second name of a line.
struct SeriesPeak {
    const DrawnLine* line = nullptr;
    Box box;
};
/// The names, in text of `size` px, of lines that end far below their highest step: there, where they cover nothing.
std::vector<SeriesPeak> seriesPeaks(
    const AmountsOverTime& panel, const std::vector<DrawnLine>& lines, const TimeScale& time, const ValueAxis& axis, double size);
} // namespace dscope::graph
