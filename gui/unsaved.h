#pragma once
#include <QObject>
#include <QString>
#include <QTimer>
#include <functional>
#include <optional>
namespace dscope::gui {
/// Keeps a program that is not saved in a file of its own, so that a crash or a lost session does not take it. The file lies beside the
/// window's settings, readable by its user alone, named by the process, and goes with the need for it.
class Unsaved : public QObject {
    Q_OBJECT
public:
    /// `text`: the program to keep now; nothing: all is saved.
    explicit Unsaved(std::function<std::optional<QString>()> text, QObject* parent = nullptr);
    /// Something has changed: it is written soon.
    void touch() { m_soon.start(); }
    /// Writes it now, or takes the file away.
    void settle();
    /// What a window of this user left behind that is gone; each program is found once.
    static std::optional<QString> found();

private:
    std::function<std::optional<QString>()> m_text;
    QTimer m_soon;
};
} // namespace dscope::gui
