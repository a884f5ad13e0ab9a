#pragma once
#include "gui/feed.h"
#include <QDateTime>
#include <QTreeWidget>
#include <deque>
#include <vector>
namespace dscope::gui {
/// The runs of this window: those that go on, with a mark, then those that have ended, the newest first, each with what it has shown, so
/// that it can be looked at again, named (F2), compared and kept.
class RunHistory : public QTreeWidget {
    Q_OBJECT
public:
    /// A run that has ended.
    struct Run {
        QString program, command, output;
        QString name;  ///< of its file, or what else the window calls it
        QString title; ///< what a person calls it; empty: as the window or its views
        QStringList arguments;
        QDateTime when;
        std::shared_ptr<const Snapshot> snapshot;
        bool isTraced
            = false; ///< by this window, which has called it by its question; else it is of a file, which says less than its views
    };
    /// A run that goes on.
    struct Live {
        int number = 0; ///< no other's in this window
        QString name;
        QDateTime when;
        bool isShown = false; ///< its pictures are on show
        bool operator==(const Live&) const = default;
    };
    explicit RunHistory(QWidget* parent = nullptr);
    void add(Run run);
    /// A line for each run that goes on, the newest first.
    void setLive(const std::vector<Live>& runs);
    const std::vector<Live>& live() const { return m_live; }
    const Run& at(int place) const { return m_runs[static_cast<std::size_t>(place)]; } ///< 0: the newest
    int count() const { return static_cast<int>(m_runs.size()); }
    /// Calls a run so; empty: as before.
    void rename(int place, const QString& title);
    /// The item of a run that has ended, and of one that goes on.
    QTreeWidgetItem* item(int place) const { return topLevelItem(static_cast<int>(m_live.size()) + place); }
    QTreeWidgetItem* liveItem(int place) const { return topLevelItem(place); }
    static constexpr std::size_t kKept = 12; ///< older ones are forgotten: each may be large

Q_SIGNALS:
    void chosen(int place);
    void liveChosen(int number);
    void stopAsked(int number); ///< of a run that goes on
    void renamed(int place, const QString& title);
    void compareAsked(int before, int after);
    void keepAsked(int place); ///< in a file

protected:
    void contextMenuEvent(QContextMenuEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void paintEvent(QPaintEvent*) override;

private:
    class Naming;
    /// Of the runs that have ended; less than 0: it goes on.
    int placeOf(const QTreeWidgetItem* item) const { return indexOfTopLevelItem(const_cast<QTreeWidgetItem*>(item)) - static_cast<int>(m_live.size()); }
    const Live& liveOf(const QTreeWidgetItem* item) const;
    std::deque<Run> m_runs;
    std::vector<Live> m_live;
};
} // namespace dscope::gui
