#include "gui/command_palette.h"
#include <QAction>
#include <QCoreApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>
namespace dscope::gui {
CommandPalette::CommandPalette(const QList<std::pair<QString, QAction*>>& places, QWidget* parent)
    : QDialog(parent), m_filter(new QLineEdit), m_list(new QTreeWidget)
{
    setWindowTitle(tr("Commands"));
    resize(560, 420);
    m_filter->setPlaceholderText(tr("What to do"));
    m_filter->setAccessibleName(tr("Filter"));
    m_list->setColumnCount(2);
    m_list->header()->hide();
    m_list->header()->setStretchLastSection(false);
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setAccessibleName(windowTitle());
    for (const auto& [place, action] : places) {
        auto name = action->text().remove(QChar('&'));
        if (!place.isEmpty()) name = place + QStringLiteral(" › ") + name;
        auto* row = new QTreeWidgetItem(m_list, {name, action->shortcut().toString(QKeySequence::NativeText)});
        row->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        row->setDisabled(!action->isEnabled());
        m_actions << action;
    }

    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    auto* all = new QVBoxLayout(this);
    all->addWidget(m_filter);
    all->addWidget(m_list, 1);
    connect(m_filter, &QLineEdit::textChanged, this, &CommandPalette::narrow);
    connect(m_filter, &QLineEdit::returnPressed, this, &CommandPalette::perform);
    connect(m_list, &QTreeWidget::itemActivated, this, &CommandPalette::perform);
    m_filter->installEventFilter(this);
    m_filter->setFocus();
    narrow({});
}

/// Up and down walk the list while the filter has the keyboard.
bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::KeyPress) return QDialog::eventFilter(watched, event);
    const auto key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Up && key != Qt::Key_Down && key != Qt::Key_PageUp && key != Qt::Key_PageDown)
        return QDialog::eventFilter(watched, event);
    QCoreApplication::sendEvent(m_list, event);
    return true;
}

/// Leaves the rows that have all words of the text, in any order.
void CommandPalette::narrow(const QString& text)
{
    const auto words = text.split(QChar(' '), Qt::SkipEmptyParts);
    QTreeWidgetItem* first = nullptr;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i) {
        auto* row = m_list->topLevelItem(i);
        const bool matches = std::all_of(
            words.begin(), words.end(), [row](const QString& word) { return row->text(0).contains(word, Qt::CaseInsensitive); });
        row->setHidden(!matches);
        if (matches && !row->isDisabled() && !first) first = row;
    }
    m_list->setCurrentItem(first);
}

void CommandPalette::perform()
{
    const auto* row = m_list->currentItem();
    if (!row || row->isHidden() || row->isDisabled()) return;
    auto* action = m_actions[m_list->indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(row))];
    accept();
    // It may open a dialog of its own: this one is gone then.
    QTimer::singleShot(0, action, [action] { action->trigger(); });
}
} // namespace dscope::gui
