#pragma once
#include "gui/details.h"
#include "gui/drill_down.h"
#include "gui/feed.h"
#include "gui/function_tables.h"
#include "gui/live_run.h"
#include "gui/message.h"
#include "gui/notice.h"
#include "gui/preferences.h"
#include "gui/program_check.h"
#include "gui/programs.h"
#include "gui/proposal.h"
#include "gui/results.h"
#include "gui/run_history.h"
#include "gui/selection_bar.h"
#include "gui/sidebar.h"
#include "gui/start_page.h"
#include "gui/tour.h"
#include "gui/trace_process.h"
#include "gui/unsaved.h"
#include "gui/view_area.h"
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QPointer>
#include <functional>
#include <memory>
#include <optional>
class QMenu;
class QStackedWidget;
namespace dscope::gui {
class Dock;
/// Write or open a D program, run it, and its pictures appear: views, and around them docks for questions, runs, program, results, a
/// second view and details.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    enum class Answer { Save, Discard, Cancel };
    /// Asks a person what to do with a program that has changes which are not saved.
    using Confirm = std::function<Answer(QWidget& window)>;
    /// `confirm`: empty where nobody can answer; then changes are thrown away.
    explicit MainWindow(Confirm confirm = {}, QWidget* parent = nullptr);
    ~MainWindow() override;
    /// A program (.d) gets a tab of the editor, a recording (.dscope) goes to the views; a second recording gets its own window.
    void open(const QString& path);
    /// Runs what stands in the editor, and keeps a recording unless `recordTo` is empty. Stops the runs that go on: they come to the
    /// history as they end.
    void run(const QString& recordTo = {});
    /// Shows what many hosts publish there, as it comes. `arguments`: of `dscope --collect`, besides the address.
    void collect(const QString& address, const QStringList& arguments);
    void stop();
    /// Probes do nothing until it is called again with false; nothing happens where nothing is traced.
    enum class Paused : std::uint8_t { No, Yes };
    void pause(Paused how);
    /// Of the next runs: what was traced in so many seconds before the end is kept, and shown then; 0: all.
    void keepLast(int seconds);
    bool isRunning() const { return m_feed != nullptr && !m_finished; }

    /// For tests and packagers: the dscope to trace with.
    void setHelper(const QString& path)
    {
        m_helper = path;
        m_check.setHelper(path);
        m_members.setHelper(path);
    }

    /// Of the program on show.
    Editor& editor() { return m_programs->editor(); }
    Programs& programs() { return *m_programs; }
    QLineEdit& command() { return *m_command; }
    QLineEdit& searchLine() { return *m_search; }
    Results& results() { return *m_results; }
    FunctionTables& functionTables() { return *m_functions; }
    /// Marks a function in all views and tables; views of one function show it.
    void chooseFunction(const QString& name);
    Sidebar& sidebar() { return *m_sidebar; }
    RunHistory& runs() { return *m_runs; }
    Details& details() { return *m_details; }
    /// All of them, closed ones too, in the order of the menu Window.
    QList<Dock*> docks() const;
    QMenu* createPopupMenu() override;
    ViewArea& views() { return *m_views; }
    Notice& notice() { return *m_notice; }
    SelectionBar& selectionBar() { return *m_selectionBar; }
    StartPage& startPage() { return *m_start; }
    const Preferences& preferences() const { return m_preferences; }
    /// Holds in all windows of this program, and is kept.
    static void setPreferences(const Preferences& preferences);
    /// Whether the start page stands where pictures come.
    bool isAtStart() const { return m_showStart->isChecked(); }
    /// Begins the hints over the window's parts.
    void takeTour();
    /// Shows a part of a run that has ended, in all views.
    void select(const Selection& selection);
    /// To the part that was shown before this one, and on again; as in a browser.
    void goBack();
    void goForward();
    /// What the program that was proposed changes.
    Proposal& proposal() { return *m_proposal; }
    const Selection& selection() const { return m_selection; }
    /// What is said below the program: what went wrong, or how the run went.
    QString message() const { return m_message->text(); }
    const std::shared_ptr<const Snapshot>& snapshot() const { return m_snapshot; }
    /// Saves a program in a file, which is the program's from then on; tells what went wrong, and gives false on failure. Another tab
    /// with that file is closed, unless somebody has work in it, which is a failure.
    bool saveIn(const QString& path, int place);
    /// Writes a visual in the format of the file's suffix; tells how it went, and gives false on failure.
    bool exportView(const graph::Visual& visual, const QString& path);
    /// Writes the table of functions on show as CSV; tells how it went, and gives false on failure.
    bool exportFunctionsTo(const QString& path);
    /// Saves the program on show as a recipe of one's own, in all windows; tells how it went, and gives false on failure.
    bool keepAsRecipe(const QString& question);
    /// Its program comes to the editor: nothing is lost by a slip.
    void removeOwnRecipe(const QString& question);
    /// Writes a run of the history as a recording; tells how it went, and gives false on failure.
    bool keepRunIn(const QString& path, int place);

Q_SIGNALS:
    void snapshotShown();
    void runFinished();
    void parkedEnded(); ///< a run that was not on show has ended, and is in the history

protected:
    void closeEvent(QCloseEvent*) override;
    void showEvent(QShowEvent*) override;
    void dragEnterEvent(QDragEnterEvent*) override;
    void dropEvent(QDropEvent*) override;
    bool eventFilter(QObject*, QEvent*) override;
    bool event(QEvent*) override;

private:
    void buildTools();
    void buildMenus();
    void buildRunMenu(QMenu& run);
    void runAgain();
    QWidget* buildProgram();
    void connectParts();
    void connectStart();
    void showStart(bool isStart);
    void refreshRecent();
    void leaveSession() const;
    /// Goes on with what a window that was closed worked at.
    void resume(int place);
    QStringList recentFiles() const;
    void chooseFiles();
    void chooseHosts();
    /// A new one, which is not started; what was shown goes.
    void prepareHelper();
    void showDoctor();
    void buildDocks();
    /// To where they stand at first.
    void putDocks();
    void widenDocks();
    void buildWindowMenu(QMenu& window);
    void restoreState();
    void keepState();
    /// A run of another kind of work has its own layout, once somebody has made one.
    void enterWork(const Snapshot& snapshot);
    void keepLayout();
    using Parked = std::vector<std::unique_ptr<LiveRun>>;
    void park();
    void stopParked();
    Parked::iterator parkedRun(int number);
    void hearParked(int number, const std::shared_ptr<const Snapshot>& snapshot);
    void showLive(int number);
    void stopLive(int number);
    void listLive();
    void connectTrace();
    void limit(TraceProcess& trace, bool& isLimited);
    void listen(std::unique_ptr<Feed> feed);
    Feed::Places places() const;
    void hear(const QString& message);
    void settleHeard();
    /// Tells how a run ended, once both its stream and its helper have.
    void conclude();
    void addError(const QString& error, const QString& byHand = {});
    void forgetErrors();
    /// Those of a run that has ended, where another program or command is on show now.
    void forgetOldErrors();
    void takeDiagnostics(const std::vector<record::Diagnostic>& diagnostics);
    void present(const std::shared_ptr<const Snapshot>& snapshot);
    /// To the feed: what somebody sees of the run.
    void tellSeen();
    void adoptProgram(const Snapshot& snapshot);
    void endRun(int status);
    /// Begins the time after which a run is stopped, once a run.
    void limitRun();
    void searchAll(const QString& text);
    void tellFound();
    void askFurther(const Subject& subject, QMenu& menu);
    void offerKeys(const Subject& subject, QMenu& menu);
    void askAboutRow(const graph::Table& table, int row, const QPoint& at);
    void askAboutMark(FigureView& figure, std::size_t item, const QPoint& at);
    void askAboutFunction(const QString& name, const QPoint& at);
    void connectFunctions();
    void showFunctions(const std::shared_ptr<const Snapshot>& snapshot);
    void markFunction(const QString& name);
    void detailFunction(const QString& name);
    void exportFunctions();
    /// What can be asked of a row or a mark; empty: nothing.
    std::unique_ptr<QMenu> menuOfRow(const graph::Table& table, int row);
    std::unique_ptr<QMenu> menuOfMark(FigureView& figure, std::size_t item);
    std::unique_ptr<QMenu> menuOfFunction(const QString& name);
    static void popUp(std::unique_ptr<QMenu> menu, const QPoint& at);
    void detailMark(FigureView& figure, std::size_t item);
    void detailRow(const graph::Table& table, int row, std::unique_ptr<QMenu> menu);
    void showFunction(const QString& name);
    void addSearch(QMenu& menu, const QString& name);
    void addOnly(QMenu& menu, const QString& name);
    enum class Way : std::uint8_t { New, Back, Forward };
    void goTo(const Selection& selection, Way way);
    void showSelection();
    void propose(const QString& program, const QString& name);
    void tellLosses();
    QString aboutRun() const;
    void keepRun();
    void showRun(int place);
    void compareRuns(int before, int after);
    void saveRun(int place);
    void showPart(const std::shared_ptr<const Snapshot>& part);
    void remember(const QString& path);
    void listRecent(QMenu& menu);
    void goToPane(int by);
    void pickProcess();
    void showCommands();
    /// The pictures alone, on the whole screen, or all again.
    void present(bool isPresenting);
    void retire(std::unique_ptr<TraceProcess> trace);
    void chooseExport(const std::shared_ptr<const graph::Visual>& visual);
    void obey(const Preferences& preferences);
    void showPreferences();
    void buildEditMenu(QMenu& edit);
    /// `byHand`: a command for a shell that `trouble` names; a button copies it.
    void tell(const QString& trouble, const QString& byHand = {});
    /// What is gone when another program or command is on show.
    void tellOfRun(const QString& trouble, const QString& byHand = {});
    void tellState(const QString& message);
    void note(const QString& text) { m_note->setText(text); }
    void refreshState();
    enum class SaveAs : std::uint8_t { KnownName, AskedName };
    bool save(SaveAs name);
    /// Saves the program on show, and runs it where that is asked for.
    void saveAndRun(SaveAs name);
    /// Whether a program may be thrown away: it is saved, or the person says so.
    bool mayDiscard(int place);
    void openProgram(const QString& path);
    void saveAsRecipe();
    void closeProgram(int place);
    /// Shows a program that stands elsewhere, too (a recipe, a run): in its tab, in one that nobody works in, or in a new one.
    enum class Saved : std::uint8_t { Yes, No };
    void showProgram(const QString& text, const QString& name, Saved saved = Saved::Yes);
    QString titleOf(const QString& program) const;
    std::optional<int> placeOfText(const QString& program) const;
    std::vector<Unsaved::Program> unsavedPrograms() const;
    void recover();

    QAction *m_run = nullptr, *m_stop = nullptr, *m_record = nullptr, *m_split = nullptr, *m_saveRun = nullptr, *m_present = nullptr,
            *m_showStart = nullptr, *m_pause = nullptr, *m_runOnSave = nullptr;
    QLineEdit *m_command = nullptr, *m_search = nullptr;
    Dock *m_questions = nullptr, *m_history = nullptr, *m_program = nullptr, *m_tables = nullptr, *m_second = nullptr, *m_facts = nullptr,
         *m_costs = nullptr;
    QString m_work;            ///< the kind of work whose layout is on show; empty: none was begun
    bool m_isLayoutNew = true; ///< none was kept, and the window was not shown yet
    bool m_isLayoutTouched = false;
    Sidebar* m_sidebar = nullptr;
    RunHistory* m_runs = nullptr;
    Details* m_details = nullptr;
    StartPage* m_start = nullptr;
    QStackedWidget* m_pages = nullptr; ///< pictures, start page
    MachineCheck m_machine;
    Programs* m_programs = nullptr;
    QPointer<Editor> m_traced; ///< has the program whose run is on show
    Message* m_message = nullptr;
    QLabel *m_status = nullptr, *m_note = nullptr;
    Proposal* m_proposal = nullptr;
    Results* m_results = nullptr;
    FunctionTables* m_functions = nullptr;
    bool m_isFunctionsWanted = true; ///< nobody has closed their dock
    ViewArea* m_views = nullptr;
    Notice* m_notice = nullptr;
    SelectionBar* m_selectionBar = nullptr;
    Confirm m_confirm;
    Unsaved* m_unsaved = nullptr;
    ProgramCheck m_check;               ///< what the compiler says while somebody types
    ProgramCheck m_members;             ///< and which members what stands before -> has
    Parked m_parked;                    ///< runs that go on unseen
    int m_number = 0, m_lastNumber = 0; ///< of the run on show, and of the newest
    QDateTime m_began;
    std::unique_ptr<TraceProcess> m_trace;
    std::unique_ptr<Feed> m_feed;
    std::shared_ptr<const Snapshot> m_snapshot, m_whole; ///< on show; the run that it is of, once it has ended
    Selection m_selection;
    std::vector<Selection> m_selectedBefore, m_selectedAfter; ///< to go back to, and on to
    Way m_way = Way::New;                                     ///< to what is on show
    Preferences m_preferences;
    std::optional<graph::Theme> m_theme; ///< none: it is not dressed yet
    QList<QAction*> m_themes;            ///< in the order of Preferences::Ground
    struct {
        QString program, name;
    } m_proposed; ///< the next question that was asked last, and what a run of it is called
    QString m_source, m_helper;
    QString m_errors;               ///< of the run on show
    QString m_heard;                ///< from its standard error, until settleHeard() knows whose words they are
    std::optional<int> m_ended;     ///< what its helper ended with, until conclude() has told
    int m_limit = 0;                ///< seconds after which a run is stopped; 0: none
    int m_keepLast = 0, m_ring = 0; ///< seconds before the end that are kept, 0: all; of the next run, and of that on show
    bool m_runsAgain = false;       ///< when it has ended
    QList<QWidget*> m_putAway;      ///< while the pictures stand alone: what else was there
    bool m_wasFullScreen = false;   ///< before they did
    bool m_finished = false, m_troubled = false, m_isKept = false, m_isAdopted = false, m_isLimited = false;
    TracedText m_ran;           ///< by the run on show, or the one that could not begin; empty where a file is on show
    bool m_isOfProgram = false; ///< what is told is a mistake in the text on show
    bool m_isOfRun = false;     ///< what is told belongs to m_ran
};
/// The dialog for MainWindow::Confirm.
MainWindow::Answer askAboutChanges(QWidget& window);
} // namespace dscope::gui
