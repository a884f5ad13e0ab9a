#include "gui/selection_bar.h"
#include "graph/units.h"
#include "gui/tongue.h"
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <vector>
namespace dscope::gui {
SelectionBar::SelectionBar(QWidget* parent)
    : QFrame(parent), m_row(new QHBoxLayout(this)), m_eventHead(new QLabel(tr("E&vent:"))), m_events(new QComboBox)
{
    m_row->setContentsMargins(16, 6, 12, 0);
    m_row->setSpacing(6);
    m_eventHead->setTextFormat(Qt::PlainText);
    m_row->addWidget(m_eventHead);
    m_eventHead->setBuddy(m_events);
    m_events->setToolTip(tr("Which of the recorded events flame graphs and other views of stacks show"));
    m_row->addWidget(m_events);
    m_head = new QLabel(tr("Shown:"));
    m_head->setTextFormat(Qt::PlainText);
    m_row->addWidget(m_head);
    m_row->addStretch();
    connect(m_events, &QComboBox::activated, this, [this](int index) {
        auto chosen = m_selection;
        chosen.event = index == 0 ? QString() : m_events->itemText(index);
        Q_EMIT wanted(chosen);
    });
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

namespace {
/// A part of a selection as a text, and the selection without it.
struct Chip {
    QString text;
    Selection without;
};
std::vector<Chip> chipsOf(const Selection& selection, std::int64_t started)
{
    std::vector<Chip> all;
    const auto add = [&](const QString& text, auto takeAway) {
        all.push_back({text, selection});
        takeAway(all.back().without);
    };
    if (selection.time) {
        const auto tongue = tongueOfWindow();
        std::int64_t step = 1; // a hundredth of the stretch or less, in whole decimals
        while (step * 1000 <= selection.time->to - selection.time->from)
            step *= 10;
        const auto moment = [&](std::int64_t at) { return QString::fromStdString(graph::formatMoment(at - started, step)); };
        add(SelectionBar::tr("%1 to %2").arg(moment(selection.time->from), moment(selection.time->to)),
            [](Selection& left) { left.time.reset(); });
    }
    for (const auto& name : selection.functions)
        add(SelectionBar::tr("with %1").arg(name), [&](Selection& left) { left.functions.removeAll(name); });
    for (const auto& name : selection.without)
        add(SelectionBar::tr("without %1").arg(name), [&](Selection& left) { left.without.removeAll(name); });
    for (const auto& key : selection.keys)
        add(SelectionBar::tr("%1 is %2").arg(QString::fromStdString(key.expression), QString::fromStdString(key.value)),
            [&](Selection& left) { std::erase(left.keys, key); });
    return all;
}
} // namespace

QStringList SelectionBar::textsOf(const Selection& selection, std::int64_t started)
{
    QStringList all;
    for (const auto& chip : chipsOf(selection, started))
        all << chip.text;
    return all;
}

void SelectionBar::offer(const QStringList& events, const QString& shown)
{
    const QSignalBlocker quiet(m_events);
    m_events->clear();
    m_events->addItems(events);
    m_events->setCurrentIndex(std::max(0, static_cast<int>(events.indexOf(shown))));
    m_eventHead->setVisible(events.size() > 1);
    m_events->setVisible(events.size() > 1);
}

void SelectionBar::show(const Selection& selection, std::int64_t started, const QStringList& events)
{
    m_selection = selection;
    for (auto* chip : findChildren<QToolButton*>())
        delete chip;
    const auto chips = chipsOf(selection, started);
    for (const auto& chip : chips)
        add(chip.text, chip.without);
    m_head->setVisible(!chips.empty());
    offer(events, selection.event);
    setVisible(!chips.empty() || events.size() > 1);
}

QStringList SelectionBar::chips() const
{
    QStringList all;
    for (const auto* chip : findChildren<QToolButton*>())
        all << chip->text().section(QStringLiteral("  "), 0, 0);
    return all;
}
} // namespace dscope::gui
