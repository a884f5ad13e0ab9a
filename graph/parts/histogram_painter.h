#pragma once
#include "graph/distribution.h"
#include "graph/page.h"
#include <array>
#include <string>
#include <utility>
namespace dscope::graph {
/// The percentiles that histograms tell: the share of all values below, and its name.
constexpr std::array<std::pair<double, const char*>, 4> kPercentiles{{{0.5, "p50"}, {0.9, "p90"}, {0.99, "p99"}, {0.999, "p99.9"}}};
/// "1,234", "123k": a number of values.
std::string countText(double count);
/// "8.2 – 16.4 µs": the bucket in which a share 0..1 of the values is reached.
std::string percentileText(const DistributionGroup& group, const Distribution& values, double share);

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

/// Draws the parts of a histogram of one distribution.
class HistogramPainter {
public:
    struct Words {
        std::string noun;      ///< what is counted: "calls"
        std::string call;      ///< the system call whose time is shown; empty: none
        std::string noise;     ///< what is said of differences that may be chance
        bool compares = false; ///< two runs
    };
    HistogramPainter(Page& page, Words words) : m_page(page), m_words(std::move(words)) { }

    /// `most`: the count that is as high as the plot. `row`: the table's row of the first bar.
    void drawBars(const DistributionGroup& group, const Distribution& values, const std::string& name, const BucketScale& scale,
        double most, std::uint32_t row) const;
    /// Whether the bars have the page for themselves: their numbers are then larger.
    enum class Panel : std::uint8_t { Alone, OfSeveral };
    /// Numbers above the bars, each on a patch of ground, so that no line runs through them: draw them last.
    void drawCounts(const Distribution& values, const BucketScale& scale, double most, Panel panel) const;
    void drawAxis(const DistributionGroup& group, const BucketScale& scale) const;
    std::string axisName(const DistributionGroup& group) const; ///< what is measured: "time in the call"
    /// The cumulative line.
    void drawShare(const Distribution& values, const BucketScale& scale) const;
    /// Percentiles and legend beside the plot, as far as there is room.
    void drawSide(const DistributionGroup& group, const Distribution& values, const Box& side) const;

private:
    static bool isPower(const DistributionGroup& group, int bucket);
    bool drawSeparators(const DistributionGroup& group, const BucketScale& scale) const;
    std::string axisTitle(const DistributionGroup& group) const;
    Page& m_page;
    Words m_words;
};
/// How many rows of the table a distribution has: from its first to its last bucket.
std::uint32_t bucketRows(const Distribution& values);
} // namespace dscope::graph
