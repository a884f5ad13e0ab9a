#include "gui/figure_search.h"
#include <QRegularExpression>
#include <algorithm>
#include <cstdlib>
#include <tuple>
namespace dscope::gui {
namespace {
double totalOf(const graph::Item& item)
{
    for (const auto& [name, value] : item.data)
        if (name == "total") return std::strtod(value.c_str(), nullptr);
    return 0;
}
struct Part {
    const graph::Box* box = nullptr;
    double total = 0;
};
/// What the parts stand for, those that lie above or below another once. A frame's place says what it is a part of; names
/// do not where callers and callees are merged.
double together(std::vector<Part> parts)
{
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::tuple(a.box->x, -a.box->width, -a.total) < std::tuple(b.box->x, -b.box->width, -b.total);
    });
    double end = -1, sum = 0;
    for (const auto& part : parts) {
        if (part.box->x < end - 0.05) continue;
        sum += part.total;
        end = part.box->x + part.box->width;
    }
    return sum;
}
QString nameOf(const graph::Item& item) { return QString::fromStdString(item.tip.substr(0, item.tip.find('\n'))); }
/// None where there is no whole, or where both callers and callees match: the same stack may be among both.
std::optional<Found::Share> shareOf(const graph::Figure& figure, const std::vector<std::size_t>& items)
{
    Part root;
    QString whole;
    for (const auto& item : figure.items)
        if (const auto* box = std::get_if<graph::Box>(&item.shape); box && item.role == graph::Role::Frame)
            if (const double total = totalOf(item); total > root.total) {
                root = {box, total};
                whole = nameOf(item);
            }
    if (root.total <= 0) return std::nullopt;
    std::vector<Part> above, below;
    for (const auto i : items) {
        const auto& item = figure.items[i];
        const auto* box = std::get_if<graph::Box>(&item.shape);
        if (item.role != graph::Role::Frame || !box) continue;
        if (box == root.box) return Found::Share{1.0, whole};
        (box->y < root.box->y ? above : below).push_back({box, totalOf(item)});
    }
    if (!above.empty() && !below.empty()) return std::nullopt;
    return Found::Share{std::min(1.0, together(above.empty() ? below : above) / root.total), whole};
}
} // namespace

Found matchesOf(const graph::Figure& figure, const QString& text)
{
    Found found;
    if (text.isEmpty()) return found;
    QRegularExpression expression(text, QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) expression.setPattern(QRegularExpression::escape(text));
    for (std::size_t i = 0; i < figure.items.size(); ++i) {
        const auto& item = figure.items[i];
        if (!std::holds_alternative<graph::Box>(item.shape) || item.tip.empty()) continue;
        const auto what = item.role == graph::Role::Frame ? nameOf(item) : QString::fromStdString(item.tip);
        if (expression.match(what).hasMatch()) found.items.push_back(i);
    }
    found.share = shareOf(figure, found.items);
    return found;
}
} // namespace dscope::gui
