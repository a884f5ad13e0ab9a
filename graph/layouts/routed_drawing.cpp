#include "graph/layouts/routed_drawing.h"
#include "graph/text.h"
#include <algorithm>
#include <limits>
namespace dscope::graph {
namespace {
constexpr double kLargest = 1.5, kLabel = 12;
Point middleOf(const std::vector<Point>& curve)
{
    // Of the segment in the middle: its own middle. Source: de Casteljau.
    const std::size_t segments = (curve.size() - 1) / 3, at = segments / 2 * 3;
    const auto &a = curve[at], &b = curve[at + 1], &c = curve[at + 2], &d = curve[at + 3];
    return {(a.x + 3 * b.x + 3 * c.x + d.x) / 8, (a.y + 3 * b.y + 3 * c.y + d.y) / 8};
}
bool meet(const Box& a, const Box& b) { return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height; }
} // namespace

RoutedDrawing::RoutedDrawing(const Page& page, const Routed& routed, std::span<const NodeSize> sizes) : m_routed(routed), m_sizes(sizes)
{
    constexpr double kFar = std::numeric_limits<double>::max();
    m_low = {kFar, kFar};
    m_high = {-kFar, -kFar};
    const auto reach = [&](double x, double y) {
        m_low = {std::min(m_low.x, x), std::min(m_low.y, y)};
        m_high = {std::max(m_high.x, x), std::max(m_high.y, y)};
    };

    for (std::size_t i = 0; i < sizes.size(); ++i) {
        reach(routed.centres[i].x - sizes[i].width / 2, routed.centres[i].y - sizes[i].height / 2);
        reach(routed.centres[i].x + sizes[i].width / 2, routed.centres[i].y + sizes[i].height / 2);
    }

    for (const auto& route : routed.routes)
        for (const auto& p : route)
            reach(p.x, p.y);
    const Box& area = page.content();
    const double width = std::max(m_high.x - m_low.x, 1.0), height = std::max(m_high.y - m_low.y, 1.0);
    m_left = area.x;
    m_top = area.y;
    if (page.fit()) {
        m_scale = std::min({kLargest * std::max(page.scale(), 1.0), area.width / width, area.height / height});
        m_left += (area.width - m_scale * width) / 2;
        m_top += (area.height - m_scale * height) / 2;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i)
        m_taken.push_back(box(i));
}
Box RoutedDrawing::box(std::size_t node) const
{
    const auto& size = m_sizes[node];
    const Point corner = place({m_routed.centres[node].x - size.width / 2, m_routed.centres[node].y - size.height / 2});
    return {corner.x, corner.y, size.width * m_scale, size.height * m_scale, 4 * m_scale};
}
void RoutedDrawing::drawEdge(Page& page, std::size_t edge, const Look& look)
{
    if (edge >= m_routed.routes.size() || m_routed.routes[edge].size() < 4) return;
    std::vector<Point> points;
    for (const auto& p : m_routed.routes[edge])
        points.push_back(place(p));
    const Point middle = middleOf(points);
    Item& line = page.path(Role::Edge, std::move(points), look.shade);
    auto& path = std::get<Path>(line.shape);
    path.bezier = true;
    path.arrow = look.arrow;
    path.width = look.width;
    line.level = look.level;
    line.tip = look.tip;
    if (!look.value.empty()) line.data = {{"value", look.value}};
    const double size = kLabel * m_scale;
    if (look.label.empty() || size < page.smallest() * 0.999) return;
    const std::string label = printable(look.label);
    const double width = textWidth(label, size);
    const Box room{middle.x - width / 2 - 2, middle.y - size * 0.7, width + 4, size * 1.3, 0};
    if (std::any_of(m_taken.begin(), m_taken.end(), [&](const Box& b) { return meet(room, b); })) return;
    if (room.x < 0 || room.y < 0 || (page.fit() && room.x + room.width > page.content().x + page.content().width)) return;
    m_taken.push_back(room);
    m_labels.push_back({room, {middle.x, middle.y + size * 0.36}, label});
}
void RoutedDrawing::drawLabels(Page& page)
{
    for (const auto& [room, at, text] : m_labels) {
        page.box(Role::Ground, room);
        page.text(Role::Note, at, text, {.size = kLabel * m_scale, .anchor = Anchor::Middle});
    }
    m_labels.clear();
}
} // namespace dscope::graph
