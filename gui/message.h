#pragma once
#include <QWidget>
class QToolButton;
namespace dscope::gui {
/// What is said below the program: how a run went, or what went wrong with it, which is as long as it has to be and may be selected. Made
/// by the main window.
class Message : public QWidget {
    Q_OBJECT
public:
    enum class Kind : std::uint8_t { State, Trouble };
    explicit Message(QWidget* parent = nullptr);
    /// Lines that begin with a blank are of a program, or the caret below one: they are not wrapped. `command`: of a shell, for a button
    /// that copies it; empty: there is no button.
    void say(const QString& text, Kind kind, const QString& command = {});
    const QString& text() const { return m_said; }
    /// Of texts of more than one line.
    void setProgramFont(const QFont& font);

private:
    class Text;
    void dressText();
    Text* m_text;
    QToolButton* m_copy;
    QString m_said, m_command;
    QFont m_programFont;
};
} // namespace dscope::gui
