#include "gui/selection_bar.h"
#include "graph/units.h"
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
namespace dscope::gui {
SelectionBar::SelectionBar(QWidget* parent) : QFrame(parent), m_row(new QHBoxLayout(this))
{
    m_row->setContentsMargins(16, 6, 12, 0);
    m_row->setSpacing(6);
    auto* head = new QLabel(tr("Shown:"));
    head->setTextFormat(Qt::PlainText);
    m_row->addWidget(head);
    m_row->addStretch();
    hide();
}

void SelectionBar::add(const QString& text, const Selection& without)
{
    auto* chip = new QToolButton;
    chip->setObjectName(QStringLiteral("chip"));
    chip->setText(text + QStringLiteral("  \u00d7"));
    chip->setToolTip(tr("Click to take this away"));
    chip->setCursor(Qt::PointingHandCursor);
    connect(chip, &QToolButton::clicked, this, [this, without] { Q_EMIT wanted(without); });
    m_row->insertWidget(m_row->count() - 1, chip);
}

void SelectionBar::show(const Selection& selection, std::int64_t started)
{
    for (auto* chip : findChildren<QToolButton*>())
        delete chip;
    if (selection.time) {
        auto without = selection;
        without.time.reset();
        const auto moment = [&](std::int64_t at) {
            return QString::fromStdString(graph::formatMoment(at - started, (selection.time->to - selection.time->from) / 10 + 1));
        };
        add(tr("%1 to %2").arg(moment(selection.time->from), moment(selection.time->to)), without);
    }
    for (const auto& name : selection.functions) {
        auto without = selection;
        without.functions.removeAll(name);
        add(tr("with %1").arg(name), without);
    }
    for (const auto& name : selection.without) {
        auto less = selection;
        less.without.removeAll(name);
        add(tr("without %1").arg(name), less);
    }
    for (const auto& key : selection.keys) {
        auto less = selection;
        std::erase(less.keys, key);
        add(tr("%1 is %2").arg(QString::fromStdString(key.expression), QString::fromStdString(key.value)), less);
    }
    setVisible(!selection.isAll());
}

QStringList SelectionBar::chips() const
{
    QStringList all;
    for (const auto* chip : findChildren<QToolButton*>())
        all << chip->text().section(QStringLiteral("  "), 0, 0);
    return all;
}
} // namespace dscope::gui
