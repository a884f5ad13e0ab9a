#pragma once
#include "graph/distribution.h"
#include "graph/noun.h"
#include "graph/page.h"
#include "graph/parts/histogram_layout.h"
#include <string>
#include <utility>
namespace dscope::graph {
/// Draws the parts of a histogram of one distribution.
class HistogramPainter {
public:
    struct Words {
        Noun noun;             ///< what is counted: "calls"
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
} // namespace dscope::graph
