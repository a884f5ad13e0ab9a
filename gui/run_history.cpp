#include "gui/run_history.h"
#include "gui/style.h"
#include <QContextMenuEvent>
#include <QMenu>
#include <QPainter>
#include <utility>
namespace dscope::gui {
namespace {
QString titleOf(const RunHistory::Run& run)
{
    for (const auto& view : run.snapshot->views)
        if (!view.title.isEmpty()) return view.title;
    return run.program.section(QChar('\n'), 0, 0, QString::SectionSkipEmpty);
}
} // namespace

RunHistory::RunHistory(QWidget* parent) : QTreeWidget(parent)
{
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(8);
    setFrameShape(QFrame::NoFrame);
    setObjectName(QStringLiteral("probes")); // looks like the list of probes
    setAccessibleName(tr("Runs"));
    const auto choose = [this](QTreeWidgetItem* item) { Q_EMIT chosen(indexOfTopLevelItem(item)); };
    connect(this, &QTreeWidget::itemClicked, this, choose);
    connect(this, &QTreeWidget::itemActivated, this, choose);
}

void RunHistory::add(Run run)
{
    auto* item = new QTreeWidgetItem({tr("%1  %2").arg(run.when.toString(QStringLiteral("HH:mm:ss")), titleOf(run))});
    item->setToolTip(
        0, plainTip(run.command.isEmpty() ? run.program : tr("Command: %1").arg(run.command) + QStringLiteral("\n\n") + run.program));
    insertTopLevelItem(0, item);
    setCurrentItem(item);
    m_runs.push_front(std::move(run));
    while (m_runs.size() > kKept) {
        m_runs.pop_back();
        delete takeTopLevelItem(topLevelItemCount() - 1);
    }
}

void RunHistory::paintEvent(QPaintEvent* e)
{
    QTreeWidget::paintEvent(e);
    if (!m_runs.empty()) return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(16, 6, -12, -6), Qt::TextWordWrap | Qt::AlignLeft,
        tr("Runs are kept here: a click shows one again, its menu compares and saves."));
}

void RunHistory::contextMenuEvent(QContextMenuEvent* e)
{
    auto* item = e->reason() == QContextMenuEvent::Keyboard ? currentItem() : itemAt(e->pos());
    const int place = item ? indexOfTopLevelItem(item) : -1;
    if (place < 0) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Show it again"), this, [this, place] { Q_EMIT chosen(place); });
    // The older of two is what the newer is compared with.
    if (place > 0) menu->addAction(tr("What has changed from it to the newest"), this, [this, place] { Q_EMIT compareAsked(place, 0); });
    if (place + 1 < count())
        menu->addAction(tr("What has changed to it from the one before"), this, [this, place] { Q_EMIT compareAsked(place + 1, place); });
    menu->addSeparator();
    menu->addAction(tr("Save as a recording…"), this, [this, place] { Q_EMIT keepAsked(place); });
    menu->popup(e->reason() == QContextMenuEvent::Keyboard ? mapToGlobal(visualItemRect(item).center()) : e->globalPos());
}
} // namespace dscope::gui
