#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "exporters/web/data.h"
#include "graph/store.h"
#include "graph/visual.h"
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>
#endif
#include "gui/advice.h"
#include "gui/selection.h"
#include <QDateTime>
#include <QObject>
#include <QSemaphore>
#include <QString>
#include <QStringList>
#include <QThread>
namespace dscope::gui {
/// What a run looked like at one moment: visuals are snapshots of the store and may be drawn on any thread.
struct Snapshot {
    struct View {
        graph::ViewFacts facts;
        QString title;
        std::shared_ptr<const graph::Visual> visual;
        Selection ignored; ///< what of the selection this view can't obey: it shows the run as if that were not chosen
        bool isOld = false; ///< the visual is of an earlier snapshot, because nobody saw the view then
    };
    std::vector<View> views;                   ///< in the order of their rank; the kinds that fit the program
    std::size_t madeViews = 0;                 ///< of them: made for this snapshot; the others are as they were when somebody saw them
    std::shared_ptr<const graph::Table> table; ///< of the view "table", its first rows; null when it doesn't fit
    std::size_t tableRows = 0;                 ///< how many there are in all
    bool hasNewestRows = false;                ///< of what is printed the table has the newest, for the run goes on
    QStringList distributions;                 ///< columns of the table whose cells are a distribution each
    /// Of a finished run with stacks, its first rows: each function with what it took by itself and in all, and their shares; else null.
    std::shared_ptr<const graph::Table> functions;
    std::size_t functionRows = 0;
    QString output;                              ///< text printed since the snapshot before; of very much, the end
    std::uint64_t linesLeftOut = 0;              ///< that were printed before `output`, and since the snapshot before
    QString source, name, command;               ///< of the program: its text, file, what -c ran
    QString host, kernel;                        ///< where it was recorded; may be empty
    QDateTime began;                             ///< not valid: the recording does not tell
    QStringList findings;                        ///< of a finished run, what stands out in its views: a sentence each
    QString runName;                             ///< what somebody has called the run; mostly empty
    QStringList arguments;                       ///< $1 ...
    bool isImported = false;                     ///< another tool's text: `source` is no D program
    QStringList events;                          ///< that imported stacks count, the one that is shown first; most have one or none
    QStringList keys;                            ///< of its aggregations, those that a selection can ask for by value
    std::size_t probes = 0;                      ///< that the program has enabled so far; 0 for imported text
    QString where;                               ///< host, kernel, version and command, a line each: for an export's metadata
    std::vector<record::Diagnostic> diagnostics; ///< that came since the snapshot before
    std::uint64_t records = 0, drops = 0;
    Losses losses;               ///< `drops` by kind
    graph::Store::Bounds bounds; ///< what memory had no room for
    qint64 duration = 0;         ///< ns from the start of tracing to the newest record
    bool finished = false;
    QString trouble; ///< why the stream ended early; empty when it did not
    /// The whole run once it has finished, for figures that open again; null before.
    std::shared_ptr<const exporters::Run> run;
    bool cut = false;              ///< a recording that ends in the middle
    bool isCompared = false;       ///< the views tell what changed from one run to another
    Selection selection;           ///< what of the run the views show
    std::int64_t started = 0;      ///< of the whole run: ns, CLOCK_MONOTONIC
    std::vector<std::string> said; ///< what each figure says of it: of runs of many hosts, how complete it is
    /// Whether the stream has said anything: one that ends at once has snapshots, too.
    bool hasBegun() const { return !source.isEmpty() || records > 0; }
};

/// Reads a record stream on a thread of its own, from a recording, from other tools' text or from `dscope --stream`, and
/// tells of it ten times a second or a little more, less often when there is much to tell, never faster than it is listened
/// to. The window's thread only ever receives finished snapshots.
class Feed : public QObject {
    Q_OBJECT
public:
    /// Takes over the descriptor. `recordTo`: a copy of every record goes there too; empty: none.
    Feed(int fd, QString recordTo, QObject* parent = nullptr);
    /// Where a descriptor has the runs of many hosts, as `dscope --collect --stream` sends them: again and again all that is known.
    enum class Collected : std::uint8_t { No, Yes };
    Feed(int fd, Collected collected, QObject* parent = nullptr) : QObject(parent), m_fd(fd), m_isCollected(collected == Collected::Yes) { }
    /// Another tool's trace text, or a figure, as `dscope --import` reads it.
    explicit Feed(QString foreign, QObject* parent = nullptr);
    /// What changed from one finished run to another.
    Feed(std::shared_ptr<const exporters::KeptRun> before, std::shared_ptr<const exporters::KeptRun> after, QObject* parent = nullptr);
    /// A part of a finished run: `whole` is what it has shown.
    Feed(std::shared_ptr<const Snapshot> whole, Selection selection, QObject* parent = nullptr);
    ~Feed() override;
    /// How the feed reads what a run names: where files of source are here, and where debug files are (symbols::DebugPlaces). Before
    /// start().
    struct Places {
        std::function<std::string(const std::string&)> sourceHere; ///< null: where they are named
        std::string debugFolders;                                  ///< empty: where they usually are
    };
    void readFrom(Places places) { m_places = std::move(places); }
    void start();
    bool hasStarted() const { return m_thread != nullptr; }
    /// The last snapshot was shown: the next one may come.
    void shown() { m_waiting = false; }
    /// Somebody will call drawn(): the tables of imported text, which read all stacks once more, wait for the picture. Before start().
    void drawPictureFirst() { m_isPictureFirst = true; }
    /// The picture of the last snapshot is drawn, or it has none.
    void drawn() { m_drawn.release(); }
    /// What somebody sees of a run that goes on.
    struct Seen {
        std::set<std::string, std::less<>> views; ///< by name, without the table
        bool isTable = false;
    };
    /// From now on, while the run goes on, snapshots make only this anew. What comes into sight comes with a snapshot at once. A run that
    /// has ended has all of it.
    void see(Seen seen);

Q_SIGNALS:
    void progressed(std::shared_ptr<const dscope::gui::Snapshot> snapshot);

private:
    void read();
    void compare();
    void select();
    void collect();
    std::optional<Seen> seen();
    std::unique_ptr<QThread> m_thread;
    std::shared_ptr<const exporters::KeptRun> m_before, m_after;
    std::shared_ptr<const Snapshot> m_whole;
    Selection m_selection;
    int m_fd = -1;
    bool m_isCollected = false;
    Places m_places;
    QString m_foreign, m_recordTo;
    bool m_isPictureFirst = false;
    QSemaphore m_drawn; ///< what drawn() gives, and the end
    std::mutex m_seeing;
    std::optional<Seen> m_seen; ///< under m_seeing; none: all
    std::atomic<bool> m_stop = false, m_waiting = false;
    std::atomic<bool> m_hasMoreToShow = false; ///< since the last snapshot something came into sight
};
constexpr int kLinesKept = 20'000;         ///< of output, in the window and in one snapshot
constexpr std::size_t kRowsShown = 20'000; ///< of the table
} // namespace dscope::gui
