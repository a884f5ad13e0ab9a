#include "gui/run_history.h"
#include "gui/style.h"
#include <QContextMenuEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QStyledItemDelegate>
#include <utility>
namespace dscope::gui {
namespace {
QString titleOf(const RunHistory::Run& run)
{
    if (!run.title.isEmpty()) return run.title;
    if ((run.isTraced || run.snapshot->isImported) && !run.name.isEmpty()) return run.name; // of other tools a view says "Flame graph"
    for (const auto& view : run.snapshot->views)
        if (!view.title.isEmpty()) return view.title;
    return run.program.section(QChar('\n'), 0, 0, QString::SectionSkipEmpty);
}
QString textOf(const QDateTime& when, const QString& title)
{
    return RunHistory::tr("%1  %2").arg(when.toString(QStringLiteral("HH:mm:ss")), title);
}
} // namespace

/// Of a line only the name is edited, not the time.
class RunHistory::Naming final : public QStyledItemDelegate {
public:
    explicit Naming(RunHistory* runs) : QStyledItemDelegate(runs), m_runs(runs) { }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override
    {
        if (auto* line = qobject_cast<QLineEdit*>(editor)) {
            line->setText(titleOf(m_runs->at(place(index))));
            line->selectAll();
        }
    }
    void setModelData(QWidget* editor, QAbstractItemModel*, const QModelIndex& index) const override
    {
        if (const auto* line = qobject_cast<QLineEdit*>(editor)) Q_EMIT m_runs->renamed(place(index), line->text().trimmed());
    }

private:
    int place(const QModelIndex& index) const { return index.row() - static_cast<int>(m_runs->m_live.size()); }
    RunHistory* m_runs;
};

RunHistory::RunHistory(QWidget* parent) : QTreeWidget(parent)
{
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setIndentation(8);
    setFrameShape(QFrame::NoFrame);
    setObjectName(QStringLiteral("probes")); // looks like the list of probes
    setAccessibleName(tr("Runs"));
    setItemDelegate(new Naming(this));
    setEditTriggers(EditKeyPressed);
    const auto choose = [this](QTreeWidgetItem* item) {
        if (const int place = placeOf(item); place >= 0)
            Q_EMIT chosen(place);
        else
            Q_EMIT liveChosen(liveOf(item).number);
    };
    connect(this, &QTreeWidget::itemClicked, this, choose);
    connect(this, &QTreeWidget::itemActivated, this, choose);
}

const RunHistory::Live& RunHistory::liveOf(const QTreeWidgetItem* item) const
{
    return m_live[static_cast<std::size_t>(indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(item)))];
}

void RunHistory::add(Run run)
{
    auto* item = new QTreeWidgetItem({textOf(run.when, titleOf(run))});
    item->setFlags(item->flags() | Qt::ItemIsEditable);
    item->setToolTip(
        0, plainTip(run.command.isEmpty() ? run.program : tr("Command: %1").arg(run.command) + QStringLiteral("\n\n") + run.program));
    insertTopLevelItem(static_cast<int>(m_live.size()), item);
    setCurrentItem(item);
    m_runs.push_front(std::move(run));
    while (m_runs.size() > kKept) {
        m_runs.pop_back();
        delete takeTopLevelItem(topLevelItemCount() - 1);
    }
}

void RunHistory::setLive(const std::vector<Live>& runs)
{
    if (runs == m_live) return;
    const bool wasOnLive = currentItem() && placeOf(currentItem()) < 0;
    QTreeWidgetItem* shown = nullptr;
    for (std::size_t i = 0; i < m_live.size(); ++i)
        delete takeTopLevelItem(0);
    m_live = runs;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto& run = runs[i];
        auto* item = new QTreeWidgetItem({QStringLiteral("\u25cf ") + textOf(run.when, run.name)});
        auto font = item->font(0);
        font.setBold(run.isShown);
        item->setFont(0, font);
        item->setForeground(0, palette().color(QPalette::BrightText));
        item->setToolTip(0, run.isShown ? tr("This run goes on, and is on show") : tr("This run goes on: a click shows it, Del stops it"));
        insertTopLevelItem(static_cast<int>(i), item);
        if (run.isShown) shown = item;
    }
    if (shown)
        setCurrentItem(shown);
    else if (wasOnLive)
        selectionModel()->clear(); // it is not in the list any more, and its neighbour is another run
}

void RunHistory::rename(int place, const QString& title)
{
    if (place < 0 || place >= count()) return;
    auto& run = m_runs[static_cast<std::size_t>(place)];
    run.title = title;
    item(place)->setText(0, textOf(run.when, titleOf(run)));
}

void RunHistory::paintEvent(QPaintEvent* e)
{
    QTreeWidget::paintEvent(e);
    if (!m_runs.empty() || !m_live.empty()) return;
    QPainter painter(viewport());
    painter.setPen(palette().color(QPalette::PlaceholderText));
    painter.drawText(viewport()->rect().adjusted(16, 6, -12, -6), Qt::TextWordWrap | Qt::AlignLeft,
        tr("Runs are kept here: a click shows one again, its menu compares and saves."));
}

void RunHistory::keyPressEvent(QKeyEvent* e)
{
    if (e->key() == Qt::Key_Delete && currentItem() && placeOf(currentItem()) < 0) {
        Q_EMIT stopAsked(liveOf(currentItem()).number);
        return;
    }
    QTreeWidget::keyPressEvent(e);
}

void RunHistory::contextMenuEvent(QContextMenuEvent* e)
{
    auto* item = e->reason() == QContextMenuEvent::Keyboard ? currentItem() : itemAt(e->pos());
    if (!item) return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto at = e->reason() == QContextMenuEvent::Keyboard ? mapToGlobal(visualItemRect(item).center()) : e->globalPos();
    const int place = placeOf(item);
    if (place < 0) {
        const auto number = liveOf(item).number;
        menu->addAction(tr("Show it"), this, [this, number] { Q_EMIT liveChosen(number); });
        menu->addAction(tr("Stop it"), QKeySequence(Qt::Key_Delete), this, [this, number] { Q_EMIT stopAsked(number); });
        menu->popup(at);
        return;
    }
    menu->addAction(tr("Show it again"), this, [this, place] { Q_EMIT chosen(place); });
    menu->addAction(tr("Name it…"), QKeySequence(Qt::Key_F2), this, [this, place] { editItem(this->item(place)); });
    // The older of two is what the newer is compared with.
    if (place > 0) menu->addAction(tr("What has changed from it to the newest"), this, [this, place] { Q_EMIT compareAsked(place, 0); });
    if (place + 1 < count())
        menu->addAction(tr("What has changed to it from the one before"), this, [this, place] { Q_EMIT compareAsked(place + 1, place); });
    menu->addSeparator();
    menu->addAction(tr("Save as a recording…"), this, [this, place] { Q_EMIT keepAsked(place); });
    menu->popup(at);
}
} // namespace dscope::gui
