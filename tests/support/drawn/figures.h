#pragma once
#include "graph/figure.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>
/// What must hold of every figure, whatever it shows: its words can be read.
namespace dscope::test {
inline graph::Box boundsOf(const graph::Text& t)
{
    const double left = t.anchor == graph::Anchor::Start ? 0 : t.anchor == graph::Anchor::Middle ? t.width / 2 : t.width;
    return {t.at.x - left, t.at.y - t.size * 0.74, t.width, t.size * 0.94, 0}; // from the height of capitals to that of descenders
}
inline bool meet(const graph::Box& a, const graph::Box& b)
{
    constexpr double kSlack = 0.6;
    return a.x + kSlack < b.x + b.width && b.x + kSlack < a.x + a.width && a.y + kSlack < b.y + b.height && b.y + kSlack < a.y + a.height;
}
inline bool within(const graph::Box& inner, const graph::Box& outer)
{
    constexpr double kSlack = 1;
    return inner.x >= outer.x - kSlack && inner.y >= outer.y - kSlack && inner.x + inner.width <= outer.x + outer.width + kSlack
        && inner.y + inner.height <= outer.y + outer.height + kSlack;
}
/// Empty when no text covers another, none leaves the page, none says it is as wide as it is not, and the label of a
/// frame, node or cell is inside a mark of its role; else what is wrong.
inline std::string unreadable(const graph::Figure& figure)
{
    std::vector<std::pair<graph::Box, const graph::Item*>> texts;
    std::map<graph::Role, std::vector<graph::Box>> marks;
    for (const auto& item : figure.items) {
        if (const auto* box = std::get_if<graph::Box>(&item.shape)) marks[item.role].push_back(*box);
        const auto* t = std::get_if<graph::Text>(&item.shape);
        if (!t) continue;
        const double width = graph::textWidth(t->text, t->size, {.bold = t->bold, .mono = t->mono});
        if (std::abs(width - t->width) > 0.5) return "another width than told: " + t->text;
        texts.emplace_back(boundsOf(*t), &item);
        if (!within(texts.back().first, {0, 0, figure.width, figure.height, 0})) return "leaves the page: " + t->text;
    }
    std::sort(texts.begin(), texts.end(), [](const auto& a, const auto& b) { return a.first.y < b.first.y; });
    const auto said = [](const graph::Item* item) { return std::get<graph::Text>(item->shape).text; };
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (std::size_t k = i + 1; k < texts.size() && texts[k].first.y < texts[i].first.y + texts[i].first.height; ++k)
            if (meet(texts[i].first, texts[k].first)) return "\"" + said(texts[i].second) + "\" meets \"" + said(texts[k].second) + '"';
    for (const auto& [box, item] : texts) {
        const auto role = item->role;
        if (role != graph::Role::Frame && role != graph::Role::Node && role != graph::Role::Cell) continue;
        const auto& own = marks[role];
        if (std::none_of(own.begin(), own.end(), [&, b = box](const graph::Box& mark) { return within(b, mark); }))
            return "outside of every mark: " + said(item);
    }
    return {};
}
/// Sizes of paper and screen that every view must be readable on.
inline std::vector<std::pair<double, double>> sizes() { return {{1600, 900}, {1200, 900}, {794, 1123}, {1123, 794}, {325, 300}}; }
} // namespace dscope::test
