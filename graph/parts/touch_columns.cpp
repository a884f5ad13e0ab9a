#include "graph/parts/touch_columns.h"
#include "graph/font_metrics.h"
#include "graph/shared_folders.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kLeastNode = 22, kNodeGap = 7, kNarrowestColumn = 70, kWidestColumn = 330, kTallestNode = 90;
constexpr double kText = 13, kAroundText = 34, kLeastBetween = 0.2; // px at scale 1: of boxes; of the width
constexpr std::size_t kMostRows = 400;                              // of a page that grows
// Of columns below one another, px at scale 1: a node's height, the room between two columns, links, and from how wide nodes on they stand
// beside each other; of the width, the longest name; and how
// high a page is where columns beside each other have room for more names.
constexpr double kRowOfNodes = 22, kLeastDrop = 20, kMostDrop = 110, kWidestLink = 8, kReadableColumn = 110, kLongestAcross = 0.5,
                 kLowForColumns = 230;

using Ends = std::pair<std::size_t, std::size_t>;
using Flow = std::map<Ends, double>; ///< what passes between places of two columns

std::string moreOf(std::size_t nodes) { return said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(nodes))); }
std::string briefMoreOf(std::size_t nodes) { return '+' + formatGrouped(static_cast<std::int64_t>(nodes)); }

/// Of a path that is wider than `room` px as many of its last parts as have room, else the name itself.
std::string pathEnd(const std::string& name, double room, double size)
{
    if (textWidth(name, size) <= room) return name;
    for (auto slash = name.find('/', 1); slash != std::string::npos; slash = name.find('/', slash + 1))
        if (auto end = std::string(kEllipsis) + name.substr(slash); end.size() > kEllipsis.size() + 1 && textWidth(end, size) <= room)
            return end;
    return name;
}

class Layout {
public:
    Layout(const Touches& touches, const TouchRoom& room)
        : m_touches(touches), m_room(room), m_isDown(room.direction == RankDirection::Down), m_least(kLeastNode * room.scale),
          m_gap(kNodeGap * room.scale)
    {
        const auto count = static_cast<double>(touches.nodes.size());
        m_out.direction = room.direction;
        m_out.start = m_isDown ? room.area.y : room.area.x;
        if (m_isDown) {
            m_out.box = kRowOfNodes * room.scale;
            m_out.between = std::min((room.area.height - m_out.box * count) / std::max(count - 1, 1.0), kMostDrop * room.scale);
            m_height = room.area.width;
            return;
        }
        m_out.box = std::clamp(room.area.width / (count * 1.9), kNarrowestColumn * room.scale, kWidestColumn * room.scale);
        m_out.between = (room.area.width - m_out.box * count) / std::max(count - 1, 1.0);
        std::size_t longest = 0;
        for (const auto& nodes : touches.nodes)
            longest = std::max(longest, nodes.size());
        m_height = room.area.height;
        if (!room.isFixed) m_height = std::max(m_height, static_cast<double>(std::min(longest, kMostRows)) * (m_least + m_gap));
    }

    TouchColumns run()
    {
        fold();
        if (m_isDown) {
            setLengths();
        } else {
            setWidths();
            setHeights();
        }
        for (std::size_t c = 0; c < m_out.places.size(); ++c)
            stack(c);
        for (std::size_t c = 0; c < m_flows.size(); ++c)
            route(c);
        return std::move(m_out);
    }

private:
    void fold();
    void setWidths();
    void setLengths();
    std::size_t ownOf(const std::vector<Touches::Node>& nodes, const std::vector<std::size_t>& order) const;
    std::string nameAcross(const std::string& name) const;
    double neededAcross(const std::string& name, double weight) const;
    void shortenNames(std::vector<TouchColumns::Place>& column) const;
    void setHeights();
    std::vector<std::size_t> orderOf(std::size_t column) const;
    void stack(std::size_t column);
    void route(std::size_t column);

    const Touches& m_touches;
    const TouchRoom& m_room;
    bool m_isDown;
    double m_least, m_gap, m_height = 0; ///< along
    double m_tall = 0;                   ///< px that the fullest column takes
    double m_scale = 1;                  ///< px for a unit of weight
    TouchColumns m_out;
    std::vector<Flow> m_flows; ///< by column: to the next
};

/// How many nodes have a place of their own.
std::size_t Layout::ownOf(const std::vector<Touches::Node>& nodes, const std::vector<std::size_t>& order) const
{
    if (!m_isDown) {
        const auto fitting = static_cast<std::size_t>(std::max(2.0, std::floor((m_height + m_gap) / (m_least + m_gap))));
        return order.size() <= fitting ? order.size() : fitting - 1;
    }
    double used = 0, rest = m_room.total;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& node = nodes[order[i]];
        used += neededAcross(shownName(node.name), node.weight) + (i > 0 ? m_gap : 0);
        rest -= node.weight;
        const auto more = order.size() - i - 1;
        const double folded = more > 0 ? neededAcross(briefMoreOf(more), rest) + m_gap : 0;
        if (used + folded > m_height && i > 0) return i;
    }
    return order.size();
}

/// The weightiest nodes of each column have a place of their own; the others have one together.
void Layout::fold()
{
    std::vector<std::vector<std::size_t>> placeOf; // by column and node
    for (const auto& nodes : m_touches.nodes) {
        const auto order = byWeight(nodes);
        const std::size_t own = ownOf(nodes, order);
        auto& column = m_out.places.emplace_back();
        auto& where = placeOf.emplace_back(nodes.size());
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto rest = order.size() - own;
            if (i < own) column.push_back({.label = shownName(nodes[order[i]].name)});
            if (i == own) column.push_back({.label = moreOf(rest), .folded = rest});
            where[order[i]] = std::min(i, own);
            column[where[order[i]]].weight += nodes[order[i]].weight;
        }
    }

    for (std::size_t c = 0; c < m_touches.links.size(); ++c) {
        auto& flow = m_flows.emplace_back();
        for (const auto& link : m_touches.links[c])
            flow[{placeOf[c][link.from], placeOf[c + 1][link.to]}] += link.weight;
    }
}

/// Where boxes are too narrow for their names, these are without the folders that all of a column share, and boxes wider: links need
/// little.
void Layout::setWidths()
{
    const double size = kText * m_room.scale, around = kAroundText * m_room.scale;
    const auto needed = [&] {
        double widest = 0;
        for (const auto& column : m_out.places)
            for (const auto& place : column)
                widest = std::max(widest, textWidth(place.name, size) + textWidth(m_room.value(place.weight), size) + around);
        return widest;
    };
    for (auto& column : m_out.places)
        for (auto& place : column)
            place.name = place.label;
    if (needed() <= m_out.box) return;
    for (auto& column : m_out.places)
        shortenNames(column);
    const auto count = static_cast<double>(m_out.places.size());
    const double most = (m_room.area.width - (count - 1) * kLeastBetween * m_room.area.width) / count;
    m_out.box = std::max(m_out.box, std::min(needed(), most));
    for (auto& column : m_out.places)
        for (auto& place : column)
            place.name = pathEnd(place.name, m_out.box - textWidth(m_room.value(place.weight), size) - around, size);
    m_out.between = (m_room.area.width - m_out.box * count) / std::max(count - 1, 1.0);
}

/// Names without the folders that all of their column share.
void Layout::shortenNames(std::vector<TouchColumns::Place>& column) const
{
    std::vector<std::string> names;
    for (const auto& place : column)
        names.push_back(place.name);
    names = withoutSharedFolders(std::move(names));
    for (std::size_t i = 0; i < column.size(); ++i)
        column[i].name = std::move(names[i]);
}

/// A name in a column that lies on its side.
std::string Layout::nameAcross(const std::string& name) const
{
    return pathEnd(name, 0.6 * kLongestAcross * m_height, kText * m_room.scale);
}

double Layout::neededAcross(const std::string& name, double weight) const
{
    const double size = kText * m_room.scale;
    const double needed = textWidth(nameAcross(name), size) + textWidth(m_room.value(weight), size) + kAroundText * m_room.scale;
    return std::min(needed, kLongestAcross * m_height);
}

/// Places that lie side by side are as wide as their text; what is left they have by weight.
void Layout::setLengths()
{
    m_tall = m_height;
    for (auto& column : m_out.places) {
        double used = m_gap * static_cast<double>(column.size() - 1), weights = 0;
        for (auto& place : column) {
            place.name = place.folded > 1 ? briefMoreOf(place.folded) : nameAcross(place.label);
            place.length = neededAcross(place.name, place.weight);
            used += place.length;
            weights += place.weight;
        }
        const double spare = m_height - used;
        for (auto& place : column)
            place.length += spare < 0 ? spare / static_cast<double>(column.size()) : spare * place.weight / std::max(weights, 1e-9);
    }
    double most = 1e-9;
    for (const auto& flow : m_flows)
        for (const auto& [ends, weight] : flow)
            most = std::max(most, weight);
    m_scale = kWidestLink * m_room.scale / most;
}

/// Heights by weight, but none below what a line of text needs; few nodes don't fill the page.
void Layout::setHeights()
{
    std::size_t most = 1;
    for (const auto& column : m_out.places)
        most = std::max(most, column.size());
    m_tall = std::min(m_height, kTallestNode * m_room.scale * static_cast<double>(most));

    m_scale = 1e300;
    for (const auto& column : m_out.places) {
        const double room = m_tall - m_gap * static_cast<double>(column.size() - 1);
        double low = 0, high = room / std::max(m_room.total, 1e-9);
        for (int i = 0; i < 50; ++i) {
            const double middle = (low + high) / 2;
            double sum = 0;
            for (const auto& p : column)
                sum += std::max(m_least, p.weight * middle);
            (sum <= room ? low : high) = middle;
        }
        m_scale = std::min(m_scale, low);
    }
    for (auto& column : m_out.places)
        for (auto& p : column)
            p.length = std::max(m_least, p.weight * m_scale);
}

/// The places of a column from top to bottom: each near to what leads to it, so that few links cross.
std::vector<std::size_t> Layout::orderOf(std::size_t column) const
{
    const auto& places = m_out.places[column];
    std::vector<std::size_t> order(places.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    if (column == 0) return order;

    std::vector<double> sum(places.size());
    for (const auto& [ends, weight] : m_flows[column - 1]) {
        const auto& from = m_out.places[column - 1][ends.first];
        sum[ends.second] += weight * (from.at + from.length / 2);
    }
    const auto pull = [&](std::size_t i) { return places[i].folded > 1 ? 1e12 : sum[i] / places[i].weight; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return pull(a) < pull(b); });
    return order;
}

void Layout::stack(std::size_t column)
{
    auto& places = m_out.places[column];
    double used = -m_gap;
    for (const auto& p : places)
        used += p.length + m_gap;
    const bool isMoved = m_room.isFixed && column > 0;
    double at = (m_isDown ? m_room.area.x : m_room.area.y) + (isMoved ? std::max(0.0, std::min(m_tall - used, m_tall * 0.25) / 2) : 0);
    for (const auto i : orderOf(column)) {
        places[i].at = at;
        at += places[i].length + m_gap;
    }
}

/// Where on the sides of its places a link begins and ends: by the height of its other end.
void Layout::route(std::size_t column)
{
    const auto &left = m_out.places[column], &right = m_out.places[column + 1];
    auto& routes = m_out.routes.emplace_back();
    for (const auto& [ends, weight] : m_flows[column])
        routes.push_back({ends.first, ends.second, weight, 0, 0, std::max(weight * m_scale, 1.0)});

    using Route = TouchColumns::Route;
    std::vector<double> taken(left.size()); // weight of the routes so far
    std::stable_sort(routes.begin(), routes.end(), [&](const Route& a, const Route& b) { return right[a.to].at < right[b.to].at; });
    for (auto& r : routes) {
        const auto& p = left[r.from];
        r.fromAt = p.at + p.length * (taken[r.from] + r.weight / 2) / p.weight;
        taken[r.from] += r.weight;
    }

    taken.assign(right.size(), 0);
    std::stable_sort(routes.begin(), routes.end(), [&](const Route& a, const Route& b) { return left[a.from].at < left[b.from].at; });
    for (auto& r : routes) {
        const auto& p = right[r.to];
        r.toAt = p.at + p.length * (taken[r.to] + r.weight / 2) / p.weight;
        taken[r.to] += r.weight;
    }

    std::stable_sort(routes.begin(), routes.end(), [](const Route& a, const Route& b) { return a.weight > b.weight; });
    const auto shown = std::min(routes.size(), m_room.mostRoutes);
    m_out.hiddenRoutes += routes.size() - shown;
    routes.resize(shown);
}
} // namespace

Box TouchColumns::boxOf(std::size_t column, const Place& place) const
{
    constexpr double kRound = 3;
    if (direction == RankDirection::Down) return {place.at, near(column), place.length, box, kRound};
    return {near(column), place.at, box, place.length, kRound};
}

std::vector<Point> TouchColumns::curveOf(std::size_t column, const Route& route) const
{
    const double from = near(column) + box, to = near(column + 1), middle = (from + to) / 2;
    if (direction == RankDirection::Down) return {{route.fromAt, from}, {route.fromAt, middle}, {route.toAt, middle}, {route.toAt, to}};
    return {{from, route.fromAt}, {middle, route.fromAt}, {middle, route.toAt}, {to, route.toAt}};
}

bool areTouchesDownwards(std::size_t columns, const Box& area, double scale)
{
    const auto count = static_cast<double>(columns);
    const double beside = area.width * (1 - (count - 1) * kLeastBetween) / count;
    const double drop = (area.height - count * kRowOfNodes * scale) / std::max(count - 1, 1.0);
    return columns > 2 && beside < kReadableColumn * scale && drop >= kLeastDrop * scale && area.height < kLowForColumns * scale;
}

TouchColumns touchColumns(const Touches& touches, const TouchRoom& room) { return Layout(touches, room).run(); }
} // namespace dscope::graph
