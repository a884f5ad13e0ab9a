#include "gui/output_view.h"
#include "gui/editor.h"
#include "gui/feed.h"
#include <QScrollBar>
#include <QTextCursor>
namespace dscope::gui {
namespace {
constexpr qsizetype kPiece = 32 * 1024; ///< characters at a time: a few ms
}

OutputView::OutputView(QWidget* parent) : QPlainTextEdit(parent)
{
    setReadOnly(true);
    setFrameShape(QFrame::NoFrame);
    setLineWrapMode(NoWrap);
    setMaximumBlockCount(kLinesKept);
    setUndoRedoEnabled(false);
    setFont(monospace(10));
    document()->setDocumentMargin(10);
    setTabStopDistance(8 * fontMetrics().horizontalAdvance(QChar(' ')));
    setAccessibleName(tr("Output"));
    setPlaceholderText(tr("What the program prints appears here."));
    m_next.setInterval(0);
    connect(&m_next, &QTimer::timeout, this, &OutputView::appendPiece);
}

void OutputView::append(const QString& text)
{
    m_waiting += text;
    if (!m_waiting.isEmpty() && !m_next.isActive()) appendPiece();
}

void OutputView::clearAll()
{
    m_next.stop();
    m_waiting.clear();
    clear();
}

void OutputView::appendPiece()
{
    const auto* bar = verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum() - 2;
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    end.insertText(m_waiting.left(kPiece));
    m_waiting.remove(0, kPiece);
    if (atEnd) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    if (m_waiting.isEmpty())
        m_next.stop();
    else
        m_next.start();
}
} // namespace dscope::gui
