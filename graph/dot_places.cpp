#include "graph/dot_places.h"
#include "graph/units.h"
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kPerInch = 72, kArrow = 8;
std::string at(Point p) { return formatFixed(p.x, 2) + ',' + formatFixed(-p.y, 2); }
} // namespace

void placeAt(Digraph::Node& node, Point centre, double width, double height)
{
    node.attributes.emplace_back("width", formatFixed(width / kPerInch, 3));
    node.attributes.emplace_back("height", formatFixed(height / kPerInch, 3));
    node.attributes.emplace_back("pos", at(centre));
}
void routeAlong(Digraph::Edge& edge, const std::vector<Point>& curve)
{
    if (curve.size() < 4) return;
    const auto tip = curve.back(), before = curve[curve.size() - 2];
    const double length = std::hypot(tip.x - before.x, tip.y - before.y);
    const double share = length > kArrow ? kArrow / length : 0.5;
    std::string pos = "e," + at(tip);
    for (std::size_t i = 0; i < curve.size(); ++i)
        pos += ' ' + at(i + 1 < curve.size() ? curve[i] : Point{tip.x + (before.x - tip.x) * share, tip.y + (before.y - tip.y) * share});
    edge.attributes.emplace_back("pos", pos);
}
} // namespace dscope::graph
