#pragma once
#include <QFrame>
class QLabel;
class QToolButton;
namespace dscope::gui {
/// A line above the views with a caveat about their data and a button that acts on it.
class Notice : public QFrame {
    Q_OBJECT
public:
    explicit Notice(QWidget* parent = nullptr);
    /// Shows a text and a deed; an empty text hides it, an empty deed is none.
    void say(const QString& text, const QString& deed = {});
    QString text() const;
    QToolButton& deed() { return *m_deed; }

Q_SIGNALS:
    void asked(); ///< the deed was chosen

private:
    QLabel* m_text;
    QToolButton* m_deed;
};
} // namespace dscope::gui
