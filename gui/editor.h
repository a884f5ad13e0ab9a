#pragma once
#include "gui/completion.h"
#include <QPlainTextEdit>
#include <QSyntaxHighlighter>
#include <QTimer>
namespace dscope::gui {
/// The font of programs and output.
QFont monospace(double points, const QString& family = {});

/// The editor of the D program: line numbers, colours, and the first syntax error while typing.
class Editor : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit Editor(QWidget* parent = nullptr);
    /// Replaces the program; it counts as saved.
    void setProgram(const QString& text);
    /// The same as an edit that undo takes back.
    void replaceProgram(const QString& text);
    /// Indents its lines (gui/format.h), an edit that undo takes back; false where its syntax is wrong.
    bool format();
    /// Where something is wrong: line and column from 1, the length in bytes as the column; without a length the word
    /// there, without a column the whole line, without a line nothing.
    struct Place { int line = 0, column = 0, length = 0; };
    /// Underlines a place until the program changes. The message is its tool tip and goes with mistaken().
    void mark(const Place& place, const QString& message);
    /// Looks for the first syntax error now; it does so by itself soon after a change.
    void check();
    Completion& completion() { return *m_completion; }
    /// Of the program: tabs are four letters wide in it.
    void setProgramFont(const QFont& font);
    /// What it is given as $1, $2 ... when it runs; no part of its text.
    const QStringList& arguments() const { return m_arguments; }
    void setArgument(int number, const QString& value); ///< from 1
    void setArguments(const QStringList& arguments);
    int markedLine() const { return m_marked; }
    /// What mistaken() has said last.
    const QString& mistake() const { return m_mistake; }
    int gutterWidth() const;
    void paintGutter(QPaintEvent* event);

Q_SIGNALS:
    void mistaken(const QString& message); ///< empty: nothing wrong that can be seen without the compiler
    void parsed(const QString& program);   ///< it has changed, and its syntax is right: a compiler may look at it

protected:
    void resizeEvent(QResizeEvent*) override;
    void keyPressEvent(QKeyEvent*) override;
    void changeEvent(QEvent*) override;

private:
    void placeGutter();
    void closeBrace();
    QWidget* m_gutter;
    QSyntaxHighlighter* m_highlighter;
    Completion* m_completion;
    QTimer m_checkSoon;
    QString m_checked; ///< the text that was looked at last
    QString m_mistake;
    QStringList m_arguments;
    int m_marked = 0;
    bool m_leaves = false; ///< Esc was the last key
};
} // namespace dscope::gui
