#include "gui/figure_search.h"
#include "engine/record/folded.h"
#include "gui/texts.h"
#include "gui/tongue.h"
#include <QCoreApplication>
#include <QLocale>
#include <QRegularExpression>
namespace dscope::gui {
namespace {
struct SearchWords {
    Q_DECLARE_TR_FUNCTIONS(FigureSearch)
};
/// A frame's name without the mark of its kind.
std::string_view withoutMark(std::string_view name) { return name.substr(0, name.size() - record::markSize(name)); }
} // namespace

graph::NameTest nameTest(const QString& text)
{
    QRegularExpression expression(text, QRegularExpression::CaseInsensitiveOption);
    if (!expression.isValid()) expression.setPattern(QRegularExpression::escape(text));
    expression.optimize(); // now, not on several threads at once
    return [expression](std::string_view name) { return expression.match(fromView(name)).hasMatch(); };
}

std::vector<std::size_t> matchesOf(const graph::Figure& figure, const QString& text)
{
    std::vector<std::size_t> found;
    if (text.isEmpty()) return found;

    const auto test = nameTest(text);
    for (std::size_t i = 0; i < figure.items.size(); ++i) {
        const auto& item = figure.items[i];
        if (!std::holds_alternative<graph::Box>(item.shape) || item.tip.empty()) continue;
        const auto& name = item.node ? figure.tree[item.node->value].name : item.tip;
        if (!name.empty() && test(name)) found.push_back(i);
    }
    return found;
}

bool isSameFunction(const QString& a, const QString& b)
{
    const auto one = a.toStdString(), other = b.toStdString();
    return withoutMark(one) == withoutMark(other);
}

std::vector<std::size_t> itemsOf(const graph::Figure& figure, const QString& function)
{
    std::vector<std::size_t> found;
    const auto name = function.toStdString();
    if (name.empty()) return found;
    for (std::size_t i = 0; i < figure.items.size(); ++i) {
        const auto& item = figure.items[i];
        if (!std::holds_alternative<graph::Box>(item.shape) || item.tip.empty()) continue;
        if (item.role != graph::Role::Frame && item.role != graph::Role::Node) continue;
        const auto& its = item.node ? figure.tree[item.node->value].name : item.key;
        if (!its.empty() && withoutMark(its) == withoutMark(name)) found.push_back(i);
    }
    return found;
}

QString foundText(const std::vector<Found>& found)
{
    const auto tongue = tongueOfWindow();
    std::size_t marks = 0;
    QStringList shares;
    for (const auto& f : found) {
        marks += f.items.size();
        if (!f.share || f.share->value <= 0) continue;
        const auto number = QLocale().toString(f.share->value * 100, 'f', f.share->value < 0.001 ? 3 : 1) + QStringLiteral(" %");
        shares << QString::fromStdString(f.share->text(number.toStdString()));
    }
    shares.removeDuplicates(); // a flame graph and an icicle are of the same stacks
    const bool isHidden = marks == 0 && !shares.isEmpty();
    shares.prepend(
        isHidden ? SearchWords::tr("too narrow to be drawn") : SearchWords::tr("%1 found").arg(QLocale().toString(qulonglong(marks))));
    return shares.join(QStringLiteral(" · "));
}
} // namespace dscope::gui
