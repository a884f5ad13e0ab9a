#pragma once
#include "graph/figure.h"
#include "graph/parts/histogram_data.h"
#include "graph/visual.h"
#include <span>
#include <vector>
namespace dscope::graph {
/// Lengths of histograms, in px at a page's scale of 1.
struct HistogramLengths {
    static constexpr double kTickRoom = 18, kLeastForTwo = 130, kLowPanel = 70;
    static constexpr double kLowestSection = 130, kLowestPanel = 76, kTallestPanel = 150, kAxisHeight = 62, kSectionGap = 18;
    static constexpr double kLowArea = 190; // of content, below which words give way to the plot
    static constexpr double kRoomForSide = 700, kPercentileHead = 22;
};
/// Where the bars of one distribution are drawn: the plot, and the buckets from its left to its right edge.
struct BucketScale {
    Box plot;
    int first = 0, last = 0;
    double slot() const { return plot.width / (last - first + 1); } ///< px of a bucket
    double x(int bucket) const { return plot.x + slot() * (bucket - first); }
    ValueScale values = ValueScale::Linear;
    /// px of a bar of so many, where `most` are as high as the plot. By a logarithmic scale, whose lower end is a half, 1 is seen.
    double height(double count, double most) const;
};

/// What a group of distributions has of a page.
struct HistogramRoom {
    Box area;
    double scale = 1;   ///< the page's
    bool isLow = false; ///< the page's content is lower than kLowArea
};
/// One distribution with the whole area for itself.
struct HistogramAlone {
    bool hasSide = false; ///< percentiles and legend stand at the right
    BucketScale scale;
    std::vector<double> ticks; ///< of the axis of counts: numbers of values, ascending; the last as high as the plot
};
HistogramAlone histogramAlone(
    const HistogramData& data, const DistributionGroup& group, const HistogramRoom& room, const LayoutOptions& options);

/// Where the panels of a group are, one below the other above an axis that they share. Lengths are px.
struct HistogramPanels {
    double left = 0;       ///< of the plots; names stand at the left where there is room, so that bars have the height of their panel
    bool hasSide = false;  ///< percentiles stand at the right
    bool hasNames = false; ///< at the left of the plots, not above them
    double axis = 0;
    std::size_t shown = 0;                         ///< panels that fit
    double panel = 0;                              ///< height of one
    double sideX = 0, sideStep = 0;                ///< columns of percentiles
    std::vector<std::size_t> percentiles{0, 1, 2}; ///< that are told beside: of kPercentiles
    BucketScale scale;
};
HistogramPanels histogramPanels(
    const HistogramData& data, const DistributionGroup& group, const HistogramRoom& room, const LayoutOptions& options);
/// A group with its panels in the order that is asked for: by name those that are shown, the largest.
DistributionGroup histogramOrder(const DistributionGroup& group, const LayoutOptions& options);

/// The groups that have members, with the buckets that figures on a common scale show.
std::vector<DistributionGroup> shownGroups(const std::vector<DistributionGroup>& groups, const LayoutOptions& options);
/// How many groups fit, one below the other, into a page whose content has that height; at least 1.
std::size_t fittingGroups(std::size_t groups, double height, double scale);
/// The heights, in px, of as many groups one below the other: each has the more the more members it has.
std::vector<double> groupHeights(std::span<const DistributionGroup> groups, double height, double scale, const LayoutOptions& options);
} // namespace dscope::graph
