#pragma once
#include "gui/feed.h"
#include <QDateTime>
#include <QTreeWidget>
#include <deque>
namespace dscope::gui {
/// The runs of this window, the newest first: each with what it has shown, so that it can be looked at again, compared and kept.
class RunHistory : public QTreeWidget {
    Q_OBJECT
public:
    /// A run that has ended.
    struct Run {
        QString program, command, output;
        QString name; ///< of its file, or what else the window calls it
        QDateTime when;
        std::shared_ptr<const Snapshot> snapshot;
    };
    explicit RunHistory(QWidget* parent = nullptr);
    void add(Run run);
    const Run& at(int place) const { return m_runs[static_cast<std::size_t>(place)]; } ///< 0: the newest
    int count() const { return static_cast<int>(m_runs.size()); }
    static constexpr std::size_t kKept = 12; ///< older ones are forgotten: each may be large

Q_SIGNALS:
    void chosen(int place);
    void compareAsked(int before, int after);
    void keepAsked(int place); ///< in a file

protected:
    void contextMenuEvent(QContextMenuEvent*) override;
    void paintEvent(QPaintEvent*) override;

private:
    std::deque<Run> m_runs;
};
} // namespace dscope::gui
