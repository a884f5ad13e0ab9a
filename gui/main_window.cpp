#include "gui/main_window.h"
#include "engine/host/host.h"
#include "engine/probe/registry.h"
#include "exporters/exporter.h"
#include "gui/recipes.h"
#include <QAction>
#include <QCloseEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QMenuBar>
#include <QRegularExpression>
#include <QSaveFile>
#include <QSettings>
#include <QSortFilterProxyModel>
#include <QStatusBar>
#include <QStyle>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>
#include <fcntl.h>
#include <sstream>
namespace dscope::gui {
namespace {
QString seconds(qint64 ns) { return MainWindow::tr("%1 s").arg(static_cast<double>(ns) / 1e9, 0, 'f', 2); }
constexpr int kOutputKept = 20'000; ///< lines

QTreeWidget* tree(const QString& name)
{
    auto* widget = new QTreeWidget;
    widget->setHeaderHidden(true);
    widget->setFrameShape(QFrame::NoFrame);
    widget->setAccessibleName(name);
    widget->setIndentation(12);
    return widget;
}
} // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent)
{
    setWindowTitle(tr("dscope"));
    auto* columns = new QSplitter(Qt::Horizontal);
    columns->setObjectName(QStringLiteral("columns"));
    columns->setHandleWidth(1);
    columns->setChildrenCollapsible(false);
    buildActions();
    buildLeft(columns);
    buildMiddle(columns);
    buildRight(columns);
    columns->setStretchFactor(0, 0);
    columns->setStretchFactor(1, 2);
    columns->setStretchFactor(2, 4);
    columns->setSizes({220, 440, 760});
    setCentralWidget(columns);
    m_status = new QLabel(tr("Nothing traced yet"));
    m_found = new QLabel;
    statusBar()->addWidget(m_status, 1);
    statusBar()->addPermanentWidget(m_found);
    statusBar()->setSizeGripEnabled(false);
    resize(1420, 880);
    const QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    columns->restoreState(settings.value(QStringLiteral("window/columns")).toByteArray());
    m_command->setText(settings.value(QStringLiteral("run/command")).toString());
    const bool dark = palette().color(QPalette::Window).lightness() < 128;
    setTheme(dark ? graph::Theme::Dark : graph::Theme::Light);
    refreshState();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildActions()
{
    auto* bar = addToolBar(tr("Run"));
    bar->setObjectName(QStringLiteral("run"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_run = bar->addAction(style()->standardIcon(QStyle::SP_MediaPlay), tr("Run"), QKeySequence(Qt::Key_F5), this, [this] { run(); });
    m_run->setToolTip(tr("Run the program (F5)"));
    m_stop = bar->addAction(
        style()->standardIcon(QStyle::SP_MediaStop), tr("Stop"), QKeySequence(Qt::SHIFT | Qt::Key_F5), this, &MainWindow::stop);
    m_stop->setToolTip(tr("Stop tracing: END fires and the aggregations come (Shift+F5)"));
    m_record = bar->addAction(style()->standardIcon(QStyle::SP_DialogSaveButton), tr("Record…"), this, [this] {
        const auto path
            = QFileDialog::getSaveFileName(this, tr("Run and record"), QStringLiteral("run.dscope"), tr("Recordings (*.dscope)"));
        if (!path.isEmpty()) run(path);
    });
    m_record->setToolTip(tr("Run the program and keep everything in a recording"));
    m_command = new QLineEdit;
    m_command->setPlaceholderText(tr("Command to trace, $target in the program (optional)"));
    m_command->setClearButtonEnabled(true);
    m_command->setMaximumWidth(480);
    m_command->setAccessibleName(tr("Command"));
    bar->addWidget(m_command);
    connect(m_command, &QLineEdit::returnPressed, this, [this] { run(); });
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    m_search = new QLineEdit;
    m_search->setPlaceholderText(tr("Search in all views"));
    m_search->setClearButtonEnabled(true);
    m_search->setMaximumWidth(320);
    m_search->setAccessibleName(tr("Search"));
    bar->addWidget(m_search);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        int n = 0;
        for (auto* panel : m_panels)
            if (panel->isVisible()) n += panel->figure().search(text);
        m_found->setText(text.isEmpty() ? QString() : tr("%n found", nullptr, n));
    });

    auto* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&Open…"), QKeySequence::Open, this, [this] {
        const auto paths = QFileDialog::getOpenFileNames(this, tr("Open"), {}, tr("Programs and recordings (*.d *.dscope);;All files (*)"));
        for (const auto& path : paths)
            open(path);
    });
    file->addAction(tr("&Save program"), QKeySequence::Save, this, [this] { save(false); });
    file->addAction(tr("Save program &as…"), QKeySequence::SaveAs, this, [this] { save(true); });
    file->addSeparator();
    file->addAction(tr("&Export view…"), QKeySequence(Qt::CTRL | Qt::Key_E), this, [this] {
        if (const auto visual = m_panels[0]->shown()) chooseExport(visual);
    });
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
    auto* view = menuBar()->addMenu(tr("&View"));
    view->addAction(tr("&Find"), QKeySequence::Find, this, [this] { m_search->setFocus(); });
    view->addAction(tr("&Light figures"), this, [this] { setTheme(graph::Theme::Light); });
    view->addAction(tr("&Dark figures"), this, [this] { setTheme(graph::Theme::Dark); });
    view->addAction(tr("&Print figures"), this, [this] { setTheme(graph::Theme::Print); });
}

void MainWindow::buildLeft(QSplitter* into)
{
    auto* tabs = new QTabWidget;
    tabs->setDocumentMode(true);
    m_recipes = tree(tr("Recipes"));
    QTreeWidgetItem* group = nullptr;
    for (const auto& recipe : recipes()) {
        const auto name = QCoreApplication::translate("Recipes", recipe.group);
        if (!group || group->text(0) != name) {
            group = new QTreeWidgetItem(m_recipes, {name});
            group->setFlags(Qt::ItemIsEnabled);
            auto font = group->font(0);
            font.setBold(true);
            group->setFont(0, font);
        }
        auto* item = new QTreeWidgetItem(group, {QCoreApplication::translate("Recipes", recipe.question)});
        item->setData(0, Qt::UserRole, QString::fromUtf8(recipe.program));
        item->setToolTip(0, item->text(0));
    }
    m_recipes->expandAll();
    m_recipes->setItemsExpandable(false);
    m_recipes->setRootIsDecorated(false);
    connect(m_recipes, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        const auto program = item->data(0, Qt::UserRole).toString();
        if (program.isEmpty()) return;
        // Through the document, so that undo brings back what stood there.
        QTextCursor all(m_editor->document());
        all.select(QTextCursor::Document);
        all.insertText(program);
        m_programPath.clear();
        refreshState();
    });
    m_probes = tree(tr("Probes"));
    m_probes->setIndentation(14);
    connect(m_probes, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* item) {
        const auto probe = item->data(0, Qt::UserRole).toString();
        if (!probe.isEmpty()) m_editor->insertPlainText(probe);
    });
    tabs->addTab(m_recipes, tr("Recipes"));
    tabs->addTab(m_probes, tr("Probes"));
    connect(tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        if (tab == 1) listProbes();
    });
    tabs->setMinimumWidth(180);
    into->addWidget(tabs);
}

void MainWindow::listProbes()
{
    if (std::exchange(m_probesListed, true)) return;
    const auto host = host::local();
    const probe::Registry registry(*host, providers::all());
    for (const auto& provider : registry.providers()) {
        const auto name = QString::fromUtf8(provider->name().data(), static_cast<qsizetype>(provider->name().size()));
        auto* top = new QTreeWidgetItem(m_probes, {name});
        top->setToolTip(0, QString::fromUtf8(provider->summary().data(), static_cast<qsizetype>(provider->summary().size())));
        const auto listed = provider->list(*host, {}, [&](const probe::Name& p) {
            const auto spelled = QString::fromStdString(p.provider + "::" + p.function + ":" + p.name);
            const auto text = QString::fromStdString(p.function.empty() ? p.name : p.function + ":" + p.name);
            (new QTreeWidgetItem(top, {text}))->setData(0, Qt::UserRole, spelled);
        });
        if (!listed) top->setToolTip(0, QString::fromStdString(listed.error().message));
    }
}

void MainWindow::buildMiddle(QSplitter* into)
{
    auto* middle = new QSplitter(Qt::Vertical);
    middle->setHandleWidth(1);
    middle->setChildrenCollapsible(false);
    auto* top = new QWidget;
    auto* layout = new QVBoxLayout(top);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(0);
    m_editor = new Editor;
    m_message = new QLabel;
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->setContentsMargins(12, 6, 12, 6);
    layout->addWidget(m_editor, 1);
    layout->addWidget(m_message);
    m_results = new QTabWidget;
    m_results->setDocumentMode(true);
    m_output = new QPlainTextEdit;
    m_output->setReadOnly(true);
    m_output->setFrameShape(QFrame::NoFrame);
    m_output->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_output->setMaximumBlockCount(kOutputKept);
    m_output->setFont(m_editor->font());
    m_output->setAccessibleName(tr("Output"));
    m_output->setPlaceholderText(tr("What the program prints appears here."));
    m_table = new TableModel(this);
    m_tableView = new QTableView;
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(m_table);
    sorted->setSortRole(TableModel::kSortRole);
    m_tableView->setModel(sorted);
    m_tableView->setSortingEnabled(true);
    m_tableView->sortByColumn(-1, Qt::AscendingOrder);
    m_tableView->setFrameShape(QFrame::NoFrame);
    m_tableView->setShowGrid(false);
    m_tableView->setAlternatingRowColors(true);
    m_tableView->verticalHeader()->hide();
    m_tableView->horizontalHeader()->setStretchLastSection(true);
    m_tableView->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_tableView->setAccessibleName(tr("Table"));
    m_results->addTab(m_output, tr("Output"));
    m_results->addTab(m_tableView, tr("Table"));
    middle->addWidget(top);
    middle->addWidget(m_results);
    middle->setSizes({420, 420});
    into->addWidget(middle);
    connect(m_editor, &Editor::mistaken, this, [this](const QString& message) { tell(message, !message.isEmpty()); });
}

void MainWindow::buildRight(QSplitter* into)
{
    m_views = new QSplitter(Qt::Vertical);
    m_views->setHandleWidth(1);
    m_views->setChildrenCollapsible(false);
    for (int place = 0; place < 2; ++place) {
        auto* panel = new ViewPanel(place);
        m_panels[static_cast<std::size_t>(place)] = panel;
        m_views->addWidget(panel);
        connect(panel, &ViewPanel::exportAsked, this, &MainWindow::chooseExport);
    }
    m_panels[1]->hide();
    m_views->setSizes({520, 330});
    into->addWidget(m_views);
}

void MainWindow::open(const QString& path)
{
    const QFileInfo info(path);
    if (info.suffix() != QStringLiteral("dscope")) {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly)) {
            tell(tr("%1 could not be opened: %2").arg(path, file.errorString()), true);
            return;
        }
        m_editor->setPlainText(QString::fromUtf8(file.readAll()));
        m_programPath = path;
        refreshState();
        return;
    }
    if (m_feed) {
        auto* other = new MainWindow;
        other->setAttribute(Qt::WA_DeleteOnClose);
        other->open(path);
        other->show();
        return;
    }
    const int fd = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        tell(tr("%1 could not be opened.").arg(path), true);
        return;
    }
    m_source = info.fileName();
    listen(fd, {});
}

void MainWindow::listen(int fd, const QString& recordTo)
{
    m_finished = false;
    m_output->clear();
    m_table->setTable({});
    for (auto* panel : m_panels)
        panel->clear();
    m_panels[1]->hide();
    m_feed = std::make_unique<Feed>(fd, recordTo);
    connect(
        m_feed.get(), &Feed::progressed, this, [this](const std::shared_ptr<const Snapshot>& s) { present(s); }, Qt::QueuedConnection);
    m_feed->start();
    refreshState();
}

void MainWindow::run(const QString& recordTo)
{
    if (isRunning()) return;
    m_feed.reset();
    const auto program = m_editor->toPlainText();
    if (program.trimmed().isEmpty()) {
        tell(tr("There is no program to run: write one, open one, or take a recipe at the left."), true);
        return;
    }
    m_editor->markLine(0, {});
    m_trace = std::make_unique<TraceProcess>();
    auto errors = std::make_shared<QString>();
    connect(m_trace.get(), &TraceProcess::told, this, [this, errors](const QString& message) {
        *errors += message;
        tell(errors->trimmed(), true);
        static const QRegularExpression line(QStringLiteral(R"(\bline (\d+): (.*))"));
        if (const auto match = line.match(*errors); match.hasMatch()) m_editor->markLine(match.captured(1).toInt(), errors->trimmed());
    });
    connect(m_trace.get(), &TraceProcess::ended, this, [this, errors](int status) {
        if (status != 0 && errors->isEmpty()) tell(tr("Tracing ended early (status %1).").arg(status), true);
        refreshState();
    });
    QString trouble;
    QSettings().setValue(QStringLiteral("run/command"), m_command->text());
    const int fd = m_trace->start(program, m_command->text().trimmed(), {}, &trouble);
    if (fd < 0) {
        m_trace.reset();
        tell(trouble, true);
        return;
    }
    m_source = m_programPath.isEmpty() ? tr("program") : QFileInfo(m_programPath).fileName();
    listen(fd, recordTo);
}

void MainWindow::stop()
{
    if (m_trace) m_trace->stop();
}

void MainWindow::present(const std::shared_ptr<const Snapshot>& snapshot)
{
    m_snapshot = snapshot;
    if (!snapshot->output.isEmpty()) {
        m_output->moveCursor(QTextCursor::End);
        m_output->insertPlainText(snapshot->output);
    }
    int figures = 0;
    for (const auto& view : snapshot->views) {
        if (view.name == "table")
            m_table->setTable(view.visual->table());
        else
            ++figures;
    }
    m_panels[1]->setVisible(figures > 1);
    for (auto* panel : m_panels)
        if (panel->isVisibleTo(m_views)) panel->setSnapshot(snapshot);
    if (!snapshot->trouble.isEmpty())
        tell(snapshot->trouble, true);
    else if (snapshot->cut && (!m_trace || m_trace->isRunning()))
        tell(tr("The recording is cut: the run went on after what is shown here."), true);
    m_finished = snapshot->finished;
    if (m_feed) m_feed->shown();
    refreshState();
    Q_EMIT snapshotShown();
    if (m_finished) Q_EMIT runFinished();
}

void MainWindow::refreshState()
{
    const bool running = isRunning();
    m_run->setEnabled(!running);
    m_record->setEnabled(!running);
    m_stop->setEnabled(running && m_trace);
    m_command->setEnabled(!running);
    setWindowTitle(m_source.isEmpty() ? tr("dscope") : tr("%1 - dscope").arg(m_source));
    if (!m_feed) return;
    const QString state = !m_finished ? (m_trace ? tr("tracing %1").arg(m_trace->how()) : tr("reading")) : tr("finished");
    m_status->setText(m_snapshot ? tr("%1 · %2 · %3 records · %4 drops · %5")
                                       .arg(m_source, state)
                                       .arg(m_snapshot->records)
                                       .arg(m_snapshot->drops)
                                       .arg(seconds(m_snapshot->duration))
                                 : tr("%1 · %2").arg(m_source, state));
}

QString MainWindow::output() const { return m_output->toPlainText(); }

void MainWindow::tell(const QString& message, bool isTrouble)
{
    m_message->setText(message);
    m_message->setVisible(!message.isEmpty());
    auto colors = palette();
    if (isTrouble)
        colors.setColor(
            QPalette::WindowText, palette().color(QPalette::Base).lightness() < 128 ? QColor(0xF0, 0xA0, 0x70) : QColor(0x9A, 0x34, 0x12));
    m_message->setPalette(colors);
}

void MainWindow::setTheme(graph::Theme theme)
{
    for (auto* panel : m_panels)
        panel->figure().setTheme(theme);
}

void MainWindow::chooseExport(const std::shared_ptr<const graph::Visual>& visual)
{
    QStringList filters;
    for (const auto& format : exporters::all())
        if (format->accepts(*visual))
            filters << tr("%1 (*.%2)")
                           .arg(QString::fromUtf8(format->summary().data(), static_cast<qsizetype>(format->summary().size())),
                               QString::fromUtf8(format->suffix().data(), static_cast<qsizetype>(format->suffix().size())));
    std::stable_partition(filters.begin(), filters.end(), [](const QString& f) { return f.contains(QStringLiteral("*.svg")); });
    QString chosen;
    auto path = QFileDialog::getSaveFileName(this, tr("Export view"),
        QString::fromUtf8(visual->name().data(), static_cast<qsizetype>(visual->name().size())), filters.join(QStringLiteral(";;")),
        &chosen);
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += chosen.section(QStringLiteral("*"), 1).chopped(1);
    exportTo(*visual, path);
}

bool MainWindow::exportTo(const graph::Visual& visual, const QString& path)
{
    for (const auto& format : exporters::all()) {
        const auto suffix = QString::fromUtf8(format->suffix().data(), static_cast<qsizetype>(format->suffix().size()));
        if (!path.endsWith(QChar('.') + suffix) || !format->accepts(visual)) continue;
        exporters::Options options;
        options.theme = m_panels[0]->figure().theme();
        std::ostringstream text;
        const auto written = format->write(visual, options, text);
        QSaveFile file(path);
        const auto bytes = text.str();
        if (written && file.open(QIODevice::WriteOnly)
            && file.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size()) && file.commit()) {
            m_found->setText(tr("Written: %1").arg(path));
            return true;
        }
        tell(tr("%1 could not be written: %2").arg(path, written ? file.errorString() : QString::fromStdString(written.error().message)),
            true);
        return false;
    }
    tell(tr("%1: there is no format of that suffix for this view.").arg(path), true);
    return false;
}

bool MainWindow::save(bool askForName)
{
    auto path = m_programPath;
    if (askForName || path.isEmpty())
        path = QFileDialog::getSaveFileName(
            this, tr("Save program"), path.isEmpty() ? QStringLiteral("program.d") : path, tr("D programs (*.d)"));
    if (path.isEmpty()) return false;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(m_editor->toPlainText().toUtf8()) < 0 || !file.commit()) {
        tell(tr("%1 could not be written: %2").arg(path, file.errorString()), true);
        return false;
    }
    m_programPath = path;
    m_found->setText(tr("Written: %1").arg(path));
    return true;
}

void MainWindow::closeEvent(QCloseEvent* e)
{
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    if (auto* columns = findChild<QSplitter*>(QStringLiteral("columns")))
        settings.setValue(QStringLiteral("window/columns"), columns->saveState());
    stop();
    e->accept();
}
} // namespace dscope::gui
