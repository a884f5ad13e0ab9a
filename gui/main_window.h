#pragma once
#include "gui/editor.h"
#include "gui/feed.h"
#include "gui/table_model.h"
#include "gui/trace_process.h"
#include "gui/view_panel.h"
#include <QLabel>
#include <QLineEdit>
#include <QMainWindow>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTreeWidget>
#include <array>
#include <memory>
namespace dscope::gui {
/// Write or open a D program, run it, and its pictures appear: recipes at the left, program and output in the middle,
/// views at the right.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;
    /// A program (.d) goes to the editor, a recording (.dscope) to the views; a second recording gets its own window.
    void open(const QString& path);
    void run(const QString& recordTo = {});
    void stop();
    bool isRunning() const { return m_feed != nullptr && !m_finished; }
    Editor& editor() { return *m_editor; }
    QLineEdit& command() { return *m_command; }
    QString output() const;
    ViewPanel& panel(int place) { return *m_panels[static_cast<std::size_t>(place)]; }
    /// Writes a visual in the format of the file's suffix; tells of failure in the status line and gives false.
    bool exportTo(const graph::Visual& visual, const QString& path);

Q_SIGNALS:
    void snapshotShown();
    void runFinished();

protected:
    void closeEvent(QCloseEvent*) override;

private:
    void buildActions();
    void buildLeft(QSplitter* into);
    void buildMiddle(QSplitter* into);
    void buildRight(QSplitter* into);
    void listProbes();
    void listen(int fd, const QString& recordTo);
    void present(const std::shared_ptr<const Snapshot>& snapshot);
    void chooseExport(const std::shared_ptr<const graph::Visual>& visual);
    void setTheme(graph::Theme theme);
    void tell(const QString& message, bool isTrouble);
    void refreshState();
    bool save(bool askForName);

    QAction *m_run = nullptr, *m_stop = nullptr, *m_record = nullptr;
    QLineEdit *m_command = nullptr, *m_search = nullptr;
    QTreeWidget *m_recipes = nullptr, *m_probes = nullptr;
    Editor* m_editor = nullptr;
    QLabel *m_message = nullptr, *m_status = nullptr, *m_found = nullptr;
    QTabWidget* m_results = nullptr;
    QPlainTextEdit* m_output = nullptr;
    QTableView* m_tableView = nullptr;
    TableModel* m_table = nullptr;
    QSplitter* m_views = nullptr;
    std::array<ViewPanel*, 2> m_panels{};
    std::unique_ptr<TraceProcess> m_trace;
    std::unique_ptr<Feed> m_feed;
    std::shared_ptr<const Snapshot> m_snapshot;
    QString m_programPath, m_source;
    bool m_finished = false, m_probesListed = false;
};
} // namespace dscope::gui
