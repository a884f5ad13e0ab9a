#pragma once
#include "graph/noun.h"
#include "graph/page.h"
#include "graph/parts/share_curve.h"
#include <string>
#include <vector>
namespace dscope::graph {
/// Where curves of shares are drawn: values to the right, the share of all below them upwards.
class SharePlot {
public:
    SharePlot(Page& page, const DistributionGroup& group, const Box& plot);

    /// Lines through the plot and, left of it, as many of the shares as have room.
    void drawShares() const;
    void drawGrid() const; ///< the lines alone
    /// Below the plot; `title` below that, where it is not empty. `gap`: px that labels may go beyond the plot.
    void drawValues(std::string_view title, double gap) const;

    struct Look {
        Role role = Role::Series;
        Shade shade = Shade::Plain;
        double hue = -1;
        double width = 0; ///< px; 0: what the role has
    };
    /// `tip`: of the line. Dots with what is known there, where these have room; `noun`: of what is counted.
    enum class Dots : std::uint8_t { Drawn, None };
    void draw(const ShareCurve& curve, const Look& look, const std::string& name, const Noun& noun, Dots dots) const;
    /// The areas between two curves, from where they cross to where they cross again: with the colour of what grew, or of what shrank,
    /// where they are farther apart than by `chance`.
    void drawBetween(const ShareCurve& before, const ShareCurve& after, double chance) const;
    std::vector<Point> pointsOf(const ShareCurve& curve) const; ///< px
    double heightOf(double share) const;                        ///< px above the plot's lower edge

private:
    std::vector<double> shares() const;
    void drawArea(const ShareCurve& before, const ShareCurve& after, double chance, const std::vector<Point>& upper,
        const std::vector<Point>& lower) const;
    Page& m_page;
    const DistributionGroup& m_group;
    Box m_plot;
    SpreadAxis m_axis;
    double m_nines = 0; ///< of a logarithmic scale of what is above: how many powers of ten the plot's height has
};
} // namespace dscope::graph
