#pragma once
#include "gui/container.h"
#include <QDialog>
#include <QString>
#include <vector>
class QLineEdit;
class QPushButton;
class QTreeWidget;
namespace dscope::host {
class Host;
}
namespace dscope::gui {
/// A process that can be chosen.
struct RunningProcess {
    int pid = 0;
    QString name, command; ///< as the kernel knows it; its arguments, or the name in brackets for the kernel's own threads
    Container container{};
    bool operator==(const RunningProcess&) const = default;
};
/// Those of the machine, by pid.
std::vector<RunningProcess> runningProcesses(const host::Host& host);
/// What stands for a process where a command can stand: "-p 4101". 0: it is a command.
QString targetText(int pid);
int targetPid(const QString& text);

/// Chooses a process of this machine by its name, command, number or container, or all of a container.
class ProcessPicker : public QDialog {
    Q_OBJECT
public:
    explicit ProcessPicker(const std::vector<RunningProcess>& processes, QWidget* parent = nullptr);
    QLineEdit& filter() { return *m_filter; }
    QTreeWidget& list() { return *m_list; }
    /// Takes all of the container that the chosen process is in.
    QPushButton& wholeButton() { return *m_whole; }

Q_SIGNALS:
    void chosen(int pid);
    void containerChosen(const QString& name, const QString& group); ///< its path, as D's `cgroup` has it

private:
    void narrow(const QString& text);
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QPushButton* m_whole;
};
} // namespace dscope::gui
