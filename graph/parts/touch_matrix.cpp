#include "graph/parts/touch_matrix.h"
#include "graph/key_columns.h"
#include "graph/ranking.h"
#include "graph/shared_folders.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr double kLowestCell = 1.6, kTallestCell = 2.6, kNarrowest = 5, kWidest = 12, kRoomy = 9, kPad = 0.8; // of the smallest text
constexpr double kMostNames = 0.36;                                                                           // of the width
constexpr std::size_t kMostNodes = 2'000, kMostColumns = 60, kFewestColumns = 3;

/// The nodes of a side that are shown, and which of them a node is in: the last for those that have no room.
struct Side {
    std::vector<std::size_t> order;
    std::size_t own = 0; ///< with a row or column of their own
    std::vector<std::size_t> places;

    Side(const std::vector<Touches::Node>& nodes, std::size_t most) : order(byWeight(nodes)), places(nodes.size())
    {
        most = std::max<std::size_t>(most, 2);
        own = order.size() <= most ? order.size() : most - 1;
        for (std::size_t i = 0; i < order.size(); ++i)
            places[order[i]] = std::min(i, own);
    }

    std::size_t size() const { return own + (own < order.size() ? 1 : 0); }

    std::string label(const std::vector<std::string>& names, std::size_t at) const
    {
        return at < own ? names[order[at]] : said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(order.size() - own)));
    }
};
std::vector<std::string> namesOf(const std::vector<Touches::Node>& nodes)
{
    std::vector<std::string> out;
    for (const auto& node : nodes)
        out.push_back(shownName(node.name));
    return out;
}

double widestNameOf(const std::vector<std::string>& names, double size)
{
    double widest = 0;
    for (const auto& name : names)
        widest = std::max(widest, textWidth(name, size));
    return widest;
}
} // namespace

std::optional<double> drawTouchMatrix(Page& page, const Touches& touches, const Box& area, const MatrixWords& words)
{
    const bool isTurned = touches.nodes[1].size() > touches.nodes[0].size(); // the second name has the rows
    const auto& rowNodes = touches.nodes[isTurned ? 1 : 0];
    const auto& columnNodes = touches.nodes[isTurned ? 0 : 1];
    const double size = page.smallest(), head = 3.4 * size, pad = kPad * size;
    const auto rowNames = namesOf(rowNodes), columnNames = namesOf(columnNodes);
    auto shownRows = rowNames; // in little room without the folders that all share
    if (widestNameOf(shownRows, size) > kMostNames * area.width) shownRows = withoutSharedFolders(std::move(shownRows));
    double labels = widestNameOf(shownRows, size), values = 0;
    const double names = widestNameOf(columnNames, size);
    for (const auto& link : touches.links.front())
        values = std::max(values, textWidth(words.value(link.weight), size));
    labels = std::min(labels, kMostNames * area.width);
    double cell
        = std::clamp(std::max(values, names) + pad, std::max(kNarrowest * size, values + pad), std::max(kWidest * size, values + pad));
    const double sums = std::max(values, textWidth(words.value(words.total), size)) + 2 * pad;
    const auto fitting = [](double room, double each) { return static_cast<std::size_t>(std::max(0.0, std::floor(room / each))); };
    const auto across = fitting(area.width - labels - pad - sums, cell), down = fitting(area.height - head, kLowestCell * size);
    if (across < kFewestColumns || (page.fit() && down < 2)) return std::nullopt;
    const Side columns(columnNodes, std::min(kMostColumns, across));
    const Side rows(rowNodes, page.fit() ? down : kMostNodes);
    // What the page has beyond that makes cells wider, where all columns are there.
    if (page.fit())
        cell = std::clamp((area.width - labels - pad - sums) / static_cast<double>(columns.size()), cell, std::max(cell, kRoomy * size));
    const double row = std::clamp(
        (area.height - head) / static_cast<double>(std::max<std::size_t>(rows.size(), 1)), kLowestCell * size, kTallestCell * size);

    struct Cell {
        Number weight;
        std::size_t relations = 0, link = 0;
    };

    std::map<std::pair<std::size_t, std::size_t>, Cell> cells;
    std::vector<double> rowSums(rows.size()), columnSums(columns.size());
    const auto& links = touches.links.front();
    for (std::size_t i = 0; i < links.size(); ++i) {
        const auto r = rows.places[isTurned ? links[i].to : links[i].from], c = columns.places[isTurned ? links[i].from : links[i].to];
        auto& own = cells[{r, c}];
        own.weight += links[i].weight;
        own.link = i;
        ++own.relations;
        rowSums[r] += links[i].weight;
        columnSums[c] += links[i].weight;
    }

    double most = 1;
    for (const auto& [at, own] : cells)
        most = std::max<double>(most, own.weight);

    const double left = area.x + labels + pad, top = area.y + head, base = 0.36 * size;
    const auto middle = [&](std::size_t c) { return left + cell * (static_cast<double>(c) + 0.5); };
    const double sumsRight = left + cell * static_cast<double>(columns.size()) + sums;
    page.text(Role::Axis, {left - pad, area.y + size}, printable(keyTitle(touches.titles[isTurned ? 1 : 0])) + " \u2193",
        {.size = size, .bold = true, .anchor = Anchor::End, .maxWidth = labels});
    page.text(Role::Axis, {left, area.y + size}, printable(keyTitle(touches.titles[isTurned ? 0 : 1])) + " \u2192",
        {.size = size, .bold = true, .maxWidth = std::max(sumsRight - left - 3 * size, size)});
    page.text(Role::Axis, {sumsRight, area.y + 2.6 * size}, said("all"), {.size = size, .anchor = Anchor::End});
    for (std::size_t c = 0; c < columns.size(); ++c)
        page.text(c < columns.own ? Role::Label : Role::Note, {middle(c), area.y + 2.6 * size}, columns.label(columnNames, c),
            {.size = size, .anchor = Anchor::Middle, .maxWidth = cell - 0.5 * size, .middle = true});
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const double y = top + row * static_cast<double>(r);
        page.text(r < rows.own ? Role::Label : Role::Note, {left - pad, y + row / 2 + base}, rows.label(shownRows, r),
            {.size = size, .anchor = Anchor::End, .maxWidth = labels + 1, .middle = true});
        page.text(Role::Note, {sumsRight, y + row / 2 + base}, words.value(rowSums[r]), {.size = size, .anchor = Anchor::End});
        if (r > 0) page.path(Role::Grid, {{left, y}, {sumsRight, y}});
    }

    for (const auto& [at, own] : cells) {
        const auto& [r, c] = at;
        const Box box{left + cell * static_cast<double>(c) + 1, top + row * static_cast<double>(r) + 1, cell - 2, row - 2, 2};
        const double level = most > 1 ? std::clamp(std::log(std::max<double>(own.weight, 1)) / std::log(most), 0.0, 1.0) : 1;
        Item& item = page.box(Role::Node, box);
        item.level = level;
        item.key = rows.label(rowNames, r);
        item.tip = columns.label(columnNames, c) + " \u00b7 " + rows.label(rowNames, r) + '\n' + words.value(own.weight) + ", "
            + formatShare(own.weight, words.total);
        if (own.relations > 1) item.tip += '\n' + said("%1 relations", formatGrouped(static_cast<std::int64_t>(own.relations)));
        item.data = {{"value", plainNumber(own.weight)}};
        if (own.relations == 1) item.row = Row{static_cast<std::uint32_t>(own.link)};
        page.text(Role::Node, {middle(c), box.y + box.height / 2 + base}, words.value(own.weight),
                {.size = size, .anchor = Anchor::Middle, .maxWidth = box.width})
            .level
            = level;
    }
    return top + row * static_cast<double>(rows.size());
}
} // namespace dscope::graph
