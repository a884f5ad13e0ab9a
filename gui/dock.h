#pragma once
#include <QDockWidget>
class QToolButton;
namespace dscope::gui {
/// A part of the window that can be moved, put behind another, taken out of the window, closed, and brought back by the menu Window.
/// Its title bar holds a handle, a row of the part's own (tabs) or its name, and buttons that take it out and close it.
class Dock : public QDockWidget {
    Q_OBJECT
public:
    /// `name`: by which layouts are kept. `head`: shown in the title bar instead of the title; null: the title.
    Dock(const QString& name, const QString& title, QWidget* content, QWidget* head = nullptr);
    QToolButton& outButton() { return *m_out; }
    QToolButton& closeButton() { return *m_close; }

Q_SIGNALS:
    void closeAsked(); ///< by the button: it is closed already

protected:
    void changeEvent(QEvent*) override;

private:
    void drawIcons();
    QToolButton *m_out, *m_close;
};
} // namespace dscope::gui
