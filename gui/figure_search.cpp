#include "gui/figure_search.h"
#include <QRegularExpression>
#include <algorithm>
#include <cstdlib>
#include <unordered_set>
namespace dscope::gui {
namespace {
double totalOf(const graph::Item& item)
{
    for (const auto& [name, value] : item.data)
        if (name == "total") return std::strtod(value.c_str(), nullptr);
    return 0;
}
bool isWithin(std::string_view path, const std::unordered_set<std::string_view>& paths)
{
    for (auto end = path.rfind(';'); end != std::string_view::npos; end = end == 0 ? std::string_view::npos : path.rfind(';', end - 1))
        if (paths.contains(path.substr(0, end))) return true;
    return false;
}
std::optional<double> shareOf(const graph::Figure& figure, const std::vector<std::size_t>& items)
{
    std::unordered_set<std::string_view> paths;
    for (const auto i : items)
        if (figure.items[i].role == graph::Role::Frame) paths.insert(figure.items[i].key);
    double whole = 0, matched = 0;
    for (const auto& item : figure.items)
        if (item.role == graph::Role::Frame && std::holds_alternative<graph::Box>(item.shape)) whole = std::max(whole, totalOf(item));
    if (whole <= 0) return std::nullopt;
    for (const auto i : items)
        if (const auto& item = figure.items[i]; item.role == graph::Role::Frame && !isWithin(item.key, paths)) matched += totalOf(item);
    return std::min(1.0, matched / whole);
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
        std::string_view what = item.tip;
        if (item.role == graph::Role::Frame) what = what.substr(0, what.find('\n'));
        if (expression.match(QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size()))).hasMatch()) found.items.push_back(i);
    }
    found.share = shareOf(figure, found.items);
    return found;
}
} // namespace dscope::gui
