#include "graph/layouts/routed_drawing.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <limits>
namespace dscope::graph {
namespace {
constexpr double kLargest = 1.5, kLabel = 12;
constexpr int kPieces = 12; // of a segment of a curve
/// A curve as straight pieces. Source: Bernstein's form of a cubic Bezier curve.
std::vector<Point> flattened(const std::vector<Point>& curve)
{
    std::vector<Point> out{curve.front()};
    for (std::size_t at = 0; at + 3 < curve.size(); at += 3)
        for (int i = 1; i <= kPieces; ++i) {
            const double t = static_cast<double>(i) / kPieces, u = 1 - t;
            const double a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
            out.push_back({a * curve[at].x + b * curve[at + 1].x + c * curve[at + 2].x + d * curve[at + 3].x,
                a * curve[at].y + b * curve[at + 1].y + c * curve[at + 2].y + d * curve[at + 3].y});
        }
    return out;
}
/// Whether a line comes into a box.
bool passes(const std::vector<Point>& line, const Box& box)
{
    for (std::size_t i = 1; i < line.size(); ++i) {
        const auto &a = line[i - 1], &b = line[i];
        if (std::max(a.x, b.x) < box.x || std::min(a.x, b.x) > box.x + box.width || std::max(a.y, b.y) < box.y
            || std::min(a.y, b.y) > box.y + box.height)
            continue;
        // Corners on both sides of the piece, or on it.
        const auto side = [&](double x, double y) { return (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x); };
        const double s1 = side(box.x, box.y), s2 = side(box.x + box.width, box.y), s3 = side(box.x, box.y + box.height),
                     s4 = side(box.x + box.width, box.y + box.height);
        if (std::min({s1, s2, s3, s4}) <= 0 && std::max({s1, s2, s3, s4}) >= 0) return true;
    }
    return false;
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
    m_lines.push_back(flattened(points));
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
    m_labels.push_back({m_lines.size() - 1, printable(look.label)});
}
/// On the line where it is far from both ends, else farther along it, else beside it.
std::optional<Box> RoutedDrawing::roomFor(const Page& page, const Label& label, double width, double height) const
{
    const auto& own = m_lines[label.line];
    const auto isFree = [&](const Box& room, bool isBeside) {
        if (room.x < 0 || room.y < 0 || (page.fit() && room.x + room.width > page.content().x + page.content().width)) return false;
        if (std::any_of(m_taken.begin(), m_taken.end(), [&](const Box& b) { return meet(room, b); })) return false;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
            if ((isBeside || i != label.line) && passes(m_lines[i], room)) return false;
        return true;
    };
    constexpr double kGap = 3, kAlong[]{0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74};
    for (const bool isBeside : {false, true})
        for (const double along : kAlong) {
            const auto last = own.size() - 1, at = static_cast<std::size_t>(along * static_cast<double>(last));
            const Point p = own[at], next = own[std::min(at + 1, last)];
            if (!isBeside) {
                const Box room{p.x - width / 2, p.y - height / 2, width, height, 0};
                if (isFree(room, false)) return room;
                continue;
            }
            // To the sides of a steep line, above and below a flat one.
            const bool isSteep = std::abs(next.y - p.y) > std::abs(next.x - p.x);
            for (const double side : {1.0, -1.0}) {
                const double dx = isSteep ? side * (width / 2 + kGap) : 0, dy = isSteep ? 0 : side * (height / 2 + kGap);
                for (const double more : {0.0, height / 2, height}) { // a slanting line comes nearer at a corner
                    const Box room{p.x + dx + (isSteep ? side * more : 0) - width / 2, p.y + dy + (isSteep ? 0 : side * more) - height / 2,
                        width, height, 0};
                    if (isFree(room, true)) return room;
                }
            }
        }
    return std::nullopt;
}
void RoutedDrawing::drawLabels(Page& page)
{
    const double size = kLabel * m_scale, height = size * 1.3;
    struct Placed {
        Box room;
        const std::string* text;
    };
    std::vector<Placed> placed;
    for (auto label = m_labels.rbegin(); label != m_labels.rend(); ++label) {
        const auto room = roomFor(page, *label, textWidth(label->text, size) + 4, height);
        if (!room) continue;
        m_taken.push_back(*room);
        placed.push_back({*room, &label->text});
    }
    for (const auto& [room, text] : placed) {
        page.box(Role::Ground, room);
        page.text(Role::Note, {room.x + room.width / 2, room.y + 1.06 * size}, *text, {.size = size, .anchor = Anchor::Middle});
    }
    m_labels.clear();
}
} // namespace dscope::graph
