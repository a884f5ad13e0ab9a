#pragma once
#include "graph/page.h"
#include "graph/parts/ecdf_data.h"
#include "graph/parts/ecdf_layout.h"
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
class SharePlot;
/// Draws the distributions of a group, which must have one: of one run all lines on one plot, the weightiest with a name; of two runs
/// a panel a key.
class EcdfPainter {
public:
    /// `call`: the system call whose time is shown; empty: none.
    EcdfPainter(Page& page, const EcdfData& data, std::string call) : m_page(page), m_data(data), m_call(std::move(call)) { }
    void draw(const DistributionGroup& group, const Box& area);

private:
    /// A line that has a name.
    struct NamedCurve {
        std::size_t member = 0; ///< index
        double hue = -1;
    };
    void drawTogether(const DistributionGroup& group, const Box& area);
    std::vector<NamedCurve> drawLines(
        const SharePlot& plot, const DistributionGroup& group, const EcdfSheet& sheet, const std::optional<Box>& taken);
    double drawNames(const DistributionGroup& group, const std::vector<NamedCurve>& lines, const Box& area);
    void drawPanels(const DistributionGroup& group, const Box& area);
    void drawPanel(const DistributionGroup& group, const EcdfData::Member& member, const Box& area, bool hasAxis, bool hasShares);
    void sayRest(const DistributionGroup& group, const std::vector<std::size_t>& order, std::size_t from, const Point& at, double width,
        const std::string& what);

    Page& m_page;
    const EcdfData& m_data;
    std::string m_call;
};
} // namespace dscope::graph
