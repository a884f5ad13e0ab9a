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
    void clearAll();
    /// All of it, with what still waits to be shown.
    QString text() const { return toPlainText() + m_waiting; }

private:
    void appendPiece();
    QString m_waiting;
    QTimer m_next;
};
} // namespace dscope::gui
