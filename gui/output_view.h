#pragma once
#include <QPlainTextEdit>
#include <QTimer>
namespace dscope::gui {
/// What a program prints: its last lines, the newest in view unless one has scrolled away from the end. Much text goes
/// in piece by piece, so that the window stays awake.
class OutputView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit OutputView(QWidget* parent = nullptr);
    void append(const QString& text);
    /// So many lines were printed here that nobody has kept.
    void leaveOut(quint64 lines);
    void clearAll();
    /// How many lines were printed, and how many of them, the first, are not here.
    quint64 lines() const { return m_lines; }
    quint64 linesLeftOut() const;
    /// All of it, with what still waits to be shown.
    QString text() const { return toPlainText() + m_waiting; }

private:
    void appendPiece();
    QString m_waiting;
    qsizetype m_linesWaiting = 0;
    quint64 m_lines = 0, m_linesLeftOut = 0; ///< the second: that never were in the document
    QTimer m_next;
};
} // namespace dscope::gui
