#include "gui/output_view.h"
#include "gui/editor.h"
#include "gui/feed.h"
#include <QElapsedTimer>
#include <QScrollBar>
#include <QTextCursor>
namespace dscope::gui {
namespace {
constexpr qsizetype kPiece = 32 * 1024; ///< characters at a time: a few ms
constexpr qint64 kShare = 3;            ///< the window gets so many times the time that a piece took, for what else it has to do
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
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &OutputView::appendPiece);
}

void OutputView::append(const QString& text)
{
    m_waiting += text;
    const auto lines = text.count(QChar('\n'));
    m_lines += static_cast<quint64>(lines);
    m_linesWaiting += lines;
    // More comes than is drawn: what would go at once needs not be drawn.
    if (m_linesWaiting > 2 * kLinesKept) {
        const auto leaving = m_linesWaiting - kLinesKept;
        qsizetype from = 0;
        for (auto left = leaving; left > 0; --left)
            from = m_waiting.indexOf(QChar('\n'), from) + 1;
        m_waiting.remove(0, from);
        m_linesWaiting -= leaving;
        m_linesLeftOut += static_cast<quint64>(leaving);
    }
    if (!m_waiting.isEmpty() && !m_next.isActive()) appendPiece();
}

void OutputView::leaveOut(quint64 lines)
{
    m_lines += lines;
    m_linesLeftOut += lines;
}

quint64 OutputView::linesLeftOut() const
{
    const auto shown = m_lines - m_linesLeftOut;
    return m_linesLeftOut + (shown > kLinesKept ? shown - kLinesKept : 0);
}

void OutputView::clearAll()
{
    m_next.stop();
    m_waiting.clear();
    m_linesWaiting = 0;
    m_lines = m_linesLeftOut = 0;
    clear();
}

void OutputView::appendPiece()
{
    QElapsedTimer work;
    work.start();
    const auto* bar = verticalScrollBar();
    const bool atEnd = bar->value() >= bar->maximum() - 2;
    QTextCursor end(document());
    end.movePosition(QTextCursor::End);
    const auto piece = m_waiting.left(kPiece);
    end.insertText(piece);
    m_linesWaiting -= piece.count(QChar('\n'));
    m_waiting.remove(0, kPiece);
    if (atEnd) verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    if (m_waiting.isEmpty())
        m_next.stop();
    else
        m_next.start(static_cast<int>(kShare * work.elapsed()));
}
} // namespace dscope::gui
