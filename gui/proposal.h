#pragma once
#include <QFrame>
class QLabel;
class QPlainTextEdit;
class QToolButton;
namespace dscope::gui {
/// What a program that was proposed changes in the one that made the picture, line by line, before it is run.
class Proposal : public QFrame {
    Q_OBJECT
public:
    explicit Proposal(QWidget* parent = nullptr);
    /// Shows how `program` differs from `before`; hidden where it does not.
    void show(const QString& before, const QString& program);
    /// Hides itself once the program on show is another one.
    void keepFor(const QString& program);
    void setProgramFont(const QFont& font);
    /// The changed lines, "- " or "+ " before each, as they are read.
    QString text() const;
    QToolButton& runButton() { return *m_run; }
    QToolButton& backButton() { return *m_back; }

Q_SIGNALS:
    void runAsked();
    void backAsked(); ///< the program before is wanted again

private:
    QLabel* m_head;
    QPlainTextEdit* m_lines;
    QToolButton *m_run, *m_back;
    QString m_program;
};
} // namespace dscope::gui
