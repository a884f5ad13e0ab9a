#pragma once
#ifndef Q_MOC_RUN // moc 6.4 stumbles over <concepts>
#include "engine/base/fd.h"
#include "engine/record/record.h"
#include <vector>
#endif
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
class QProcess;
namespace dscope::gui {
/// Has the real compiler look at a program that nobody runs yet (`dscope -e`), as the user who types it: no rights are asked for and
/// no command is started. One check at a time; a new one takes the place of the old.
class ProgramCheck : public QObject {
    Q_OBJECT
public:
    explicit ProgramCheck(QObject* parent = nullptr);
    ~ProgramCheck() override;
    /// The dscope to ask; empty: as commandLine() finds it. Without one nothing is ever told.
    void setHelper(const QString& path) { m_helper = path; }
    /// Begins to check `program`, for the command or "-p PID" and the arguments $1 ... that it is to be run with.
    void check(const QString& program, const QString& command, const QStringList& arguments = {});
    /// Forgets the check under way.
    void stop();
    bool isRunning() const { return m_process != nullptr; }

Q_SIGNALS:
    /// What is wrong with the program, in order; empty: it compiles. Without errors that a run may not have: of probes, where the
    /// user may not see all of them, or where they are those of a command that is not started yet.
    void checked(const QString& program, const std::vector<dscope::record::Diagnostic>& errors);

private:
    void read();
    std::unique_ptr<QProcess> m_process;
    QTimer m_limit; ///< of one check
    QString m_helper, m_program;
    Fd m_file; ///< the program, for the compiler
    bool m_seesProbes = false;
};
} // namespace dscope::gui
