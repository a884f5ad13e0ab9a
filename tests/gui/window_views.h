#pragma once
#include "engine/text/importer.h"
#include "graph/store.h"
#include "gui/view_panel.h"
#include "window_fixture.h"
#include <QMenu>
#include <QTableView>
#include <algorithm>
/// What several tests of the window look at.
namespace dscope::tests {
inline QStringList tabs(gui::ViewPanel& panel)
{
    QStringList names;
    for (int i = 0; i < panel.tabs().count(); ++i)
        names << panel.tabs().tabText(i);
    return names;
}
/// Opens a file and waits until it is read.
inline void openAndWait(gui::MainWindow& window, const QString& path)
{
    QSignalSpy finished(&window, &gui::MainWindow::runFinished);
    window.open(path);
    QTRY_VERIFY_WITH_TIMEOUT(finished.count() > 0, kPatience);
}
/// The process tree that a figure's data gives, row by row.
inline std::vector<std::vector<std::string>> rowsInside(const QByteArray& figure)
{
    const auto all = importers::all();
    const auto reader = std::find_if(all.begin(), all.end(), [](const auto& f) { return f->name() == "figure"; });
    text::Lines lines(std::string_view(figure.constData(), static_cast<std::size_t>(figure.size())));
    const auto read = (*reader)->read(lines);
    if (!read) return {};
    graph::Store store;
    store.take(read->program);
    for (const auto& record : read->records)
        store.take(record);
    return graph::kinds().front().make(store)->table().rows;
}
inline QTableView* tableOf(gui::MainWindow& window)
{
    for (auto* view : window.results().findChildren<QTableView*>())
        if (view->model() == &window.results().table()) return view;
    qFatal("there is no table");
}
/// Opens the menu of each row of the table, and triggers what one of them offers by this name. False: none does.
inline bool chooseFromRows(gui::MainWindow& window, const QString& text)
{
    if (!window.snapshot()->table) return false;
    const auto& table = *window.snapshot()->table;
    for (std::size_t row = 0; row < table.rows.size(); ++row)
        Q_EMIT window.results().rowAsked(static_cast<int>(row), QPoint(10, 10));
    for (auto* menu : window.findChildren<QMenu*>())
        for (auto* action : menu->actions())
            if (action->text() == text) {
                action->trigger();
                return true;
            }
    return false;
}
inline void waitForFigures(gui::MainWindow& window)
{
    for (std::size_t place = 0; place < window.views().count(); ++place) {
        auto& figure = window.views().panel(place).figure();
        QTRY_VERIFY_WITH_TIMEOUT(figure.isSettled() && !figure.figure().items.empty(), kPatience);
    }
}
} // namespace dscope::tests
