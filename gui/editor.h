#pragma once
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <QTimer>
namespace dscope::gui {
/// A D program: line numbers, colours, and the first syntax error told while typing.
class Editor : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit Editor(QWidget* parent = nullptr);
    /// Underlines a line; 0: none. The message is its tool tip and goes with mistaken().
    void markLine(int line, const QString& message);
    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);

Q_SIGNALS:
    void mistaken(const QString& message); ///< empty: nothing wrong that can be seen without running

protected:
    void resizeEvent(QResizeEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void changeEvent(QEvent*) override;

private:
    void check();
    void placeGutter();
    QWidget* m_gutter;
    QSyntaxHighlighter* m_highlighter;
    QTimer m_checkSoon;
};
} // namespace dscope::gui
