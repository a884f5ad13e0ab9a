#pragma once
#include <QDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
namespace dscope::gui {
/// What this machine can trace, as `dscope --doctor` tells it: as the user who looks, and, when asked for, as root.
class DoctorDialog : public QDialog {
    Q_OBJECT
public:
    /// `dscope`: the command line's program; empty where there is none, which is said.
    explicit DoctorDialog(const QString& dscope, QWidget* parent = nullptr);
    ~DoctorDialog() override;
    QPlainTextEdit& text() { return *m_text; }

Q_SIGNALS:
    void finishedLooking();

private:
    void look();
    void lookAsRoot();
    void ask(QStringList before);
    void present(int status);

    QString m_dscope;
    QProcess m_process;
    QPlainTextEdit* m_text = nullptr;
    QLabel* m_state = nullptr;
    QPushButton *m_asRoot = nullptr, *m_copy = nullptr;
};
} // namespace dscope::gui
