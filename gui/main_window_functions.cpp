// The main window's tables of functions: one that is chosen anywhere is chosen everywhere.
#include "gui/dock.h"
#include "gui/main_window.h"
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
namespace dscope::gui {
void MainWindow::connectFunctions()
{
    connect(m_functions, &FunctionTables::functionCurrent, this, [this](const QString& name) {
        chooseFunction(name);
        if (m_facts->isVisible()) detailFunction(name);
    });
    connect(m_functions, &FunctionTables::functionAsked, this, &MainWindow::askAboutFunction);
    connect(m_functions, &FunctionTables::functionChosen, this, &MainWindow::showFunction);
    connect(m_functions, &FunctionTables::keyRowAsked, this,
        [this](const std::shared_ptr<const graph::Table>& table, int row, const QPoint& at) {
            if (m_snapshot) askAboutRow(*table, row, at);
        });
    connect(m_functions, &FunctionTables::exportAsked, this, &MainWindow::exportFunctions);
    connect(m_functions, &FunctionTables::programAsked, this, [this](const QString& program) { propose(program, tr("By thread")); });
}

void MainWindow::showFunctions(const std::shared_ptr<const Snapshot>& snapshot)
{
    m_functions->setSnapshot(snapshot);
    const bool has = snapshot && snapshot->functions;
    m_costs->setVisible(has && m_isFunctionsWanted && !m_present->isChecked());
    if (m_costs->isVisibleTo(this) && m_second->isVisibleTo(this)) m_second->raise(); // the pictures come first
}

void MainWindow::markFunction(const QString& name)
{
    for (std::size_t place = 0; place < 2; ++place)
        m_views->panel(place).figure().choose(name);
    if (!name.isEmpty()) m_functions->choose(name);
}

void MainWindow::chooseFunction(const QString& name)
{
    markFunction(name);
    for (std::size_t place = 0; place < m_views->count(); ++place) {
        auto& figure = m_views->panel(place).figure();
        const auto& visual = figure.visual();
        if (visual && visual->stacks() && visual->facts().hasFocus && !visual->facts().zoomsAlong) figure.focusOn(name);
    }
}

void MainWindow::detailFunction(const QString& name)
{
    QStringList about{name};
    const auto& table = m_snapshot ? m_snapshot->functions : nullptr;
    if (table)
        for (const auto& row : table->rows)
            if (isSameFunction(QString::fromStdString(row.front()), name)) {
                for (std::size_t c = 1; c < row.size(); ++c)
                    about << QString::fromStdString(table->columns[c].title) + QStringLiteral(": ") + QString::fromStdString(row[c]);
                break;
            }
    m_details->show(about.join(QChar('\n')), menuOfFunction(name));
}

void MainWindow::askAboutFunction(const QString& name, const QPoint& at) { popUp(menuOfFunction(name), at); }

std::unique_ptr<QMenu> MainWindow::menuOfFunction(const QString& name)
{
    auto menu = std::make_unique<QMenu>(this);
    menu->addAction(tr("Show who calls it, and what it calls"), this, [this, name] { showFunction(name); });
    addSearch(*menu, name);
    menu->addSeparator();
    addOnly(*menu, name);
    if (const auto program = m_snapshot && !m_snapshot->isImported ? byThread(m_snapshot->source) : std::nullopt)
        menu->addAction(
            tr("Which thread? The same program, by thread"), this, [this, program = *program] { propose(program, tr("By thread")); });
    return menu;
}

void MainWindow::showFunction(const QString& name)
{
    if (!m_snapshot) return;
    for (const auto& view : m_snapshot->views)
        if (view.facts.listsFunctions) m_views->show(view.facts.name, name);
}

void MainWindow::exportFunctions()
{
    auto path
        = QFileDialog::getSaveFileName(this, tr("Export the table"), QStringLiteral("functions.csv"), tr("Comma-separated values (*.csv)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".csv");
    exportFunctionsTo(path);
}

bool MainWindow::exportFunctionsTo(const QString& path)
{
    bool isAll = true;
    if (const auto done = m_functions->exportTo(path, isAll); !done) {
        tell(QString::fromStdString(done.error().message));
        return false;
    }
    note(isAll ? tr("Written: %1").arg(path) : tr("Written: %1, its first rows: there are too many for one file").arg(path));
    return true;
}
} // namespace dscope::gui
