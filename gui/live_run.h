#pragma once
#include "gui/editor.h"
#include "gui/feed.h"
#include "gui/trace_process.h"
#include <QDateTime>
#include <QPointer>
#include <memory>
namespace dscope::gui {
/// What a run traces, as the window had it when the run began.
struct TracedText {
    QString program, command;
    QStringList arguments;
};
/// A run that goes on while the window shows another: what it has told so far waits here.
struct LiveRun {
    int number = 0; ///< no other's in its window
    QDateTime when;
    QString source, errors, output;
    TracedText ran; ///< as MainWindow::m_ran
    QPointer<Editor> traced;
    std::shared_ptr<const Snapshot> snapshot;
    int ring = 0; ///< as MainWindow::m_ring
    bool isAdopted = false, isLimited = false, isPaused = false;
    std::unique_ptr<TraceProcess> trace;
    std::unique_ptr<Feed> feed; ///< goes before the process, which ends when nobody listens
};
} // namespace dscope::gui
