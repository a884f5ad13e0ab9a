#include "gui/ended_elsewhere.h"
#include <QCoreApplication>
#include <QThread>
#include <QThreadPool>
#include <utility>
namespace dscope::gui {
void endElsewhere(std::function<void()> end)
{
    const auto* app = QCoreApplication::instance();
    if (app && !QCoreApplication::closingDown() && QThread::currentThread() == app->thread())
        QThreadPool::globalInstance()->start(std::move(end));
    else
        end();
}
} // namespace dscope::gui
