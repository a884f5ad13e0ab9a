// What happens to the main window: keys that are its own, files that are dropped, its end.
#include "gui/main_window.h"
#include <QAction>
#include <QCloseEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <algorithm>
namespace dscope::gui {
bool MainWindow::eventFilter(QObject* watched, QEvent* e)
{
    if (e->type() != QEvent::ShortcutOverride) return QMainWindow::eventFilter(watched, e);
    const auto* pressed = static_cast<QKeyEvent*>(e);
    const QKeySequence keys(pressed->keyCombination());
    const auto all = actions() + findChildren<QAction*>();
    const bool isOurs = std::any_of(all.begin(), all.end(),
        [&](const QAction* a) { return a->shortcutContext() != Qt::WidgetShortcut && a->shortcuts().contains(keys); });
    if (!isOurs) return QMainWindow::eventFilter(watched, e);
    e->ignore();
    return true;
}

void MainWindow::dragEnterEvent(QDragEnterEvent* e)
{
    if (e->mimeData()->hasUrls()) e->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* e)
{
    for (const auto& url : e->mimeData()->urls())
        if (url.isLocalFile()) open(url.toLocalFile());
    e->acceptProposedAction();
}

void MainWindow::closeEvent(QCloseEvent* e)
{
    for (int place = 0; place < m_programs->count(); ++place)
        if (!mayDiscard(place)) {
            e->ignore();
            return;
        }
    leaveSession();
    for (int place = 0; place < m_programs->count(); ++place)
        m_programs->editor(place).document()->setModified(false);
    m_unsaved->settle();
    if (m_present->isChecked()) present(false); // the layout that is kept is the other one
    keepState();
    for (const auto& run : m_parked)
        run->trace->stop();
    m_parked.clear();
    stop();
    m_feed.reset(); // nobody looks on any more: the helper ends without waiting for us
    e->accept();
}
} // namespace dscope::gui
