#pragma once
#ifndef Q_MOC_RUN
#include "engine/base/fd.h"
#endif
#include <QObject>
#include <QProcess>
#include <QStringList>
namespace dscope::gui {
/// The command line's program: `set`, else $DSCOPE_HELPER, else the one beside this program, else the one in PATH; empty: none.
QString commandLine(const QString& set);

/// The privileged helper: `dscope --stream`, started directly when we may trace, else through pkexec, else through
/// sudo -A. It gets the D text and options, writes frames to a pipe, and ends when its input is closed.
class TraceProcess : public QObject {
    Q_OBJECT
public:
    explicit TraceProcess(QObject* parent = nullptr);
    ~TraceProcess() override;
    /// The dscope to start; empty: $DSCOPE_HELPER, else the one beside this program, else the one in PATH.
    void setHelper(const QString& path) { m_helper = path; }
    /// Starts tracing `command`, or the process that it names (targetPid()); gives the descriptor to read frames from (now the caller's), or -1 with a sentence in `trouble`.
    /// `options`: of dscope; `arguments`: the program's $1 ...
    int start(const QString& program, const QString& command, const QStringList& options, const QStringList& arguments, QString* trouble);
    /// Starts taking the runs of many hosts, which needs no rights: `dscope --collect URL`. As start().
    int collect(const QString& url, const QStringList& arguments, QString* trouble);
    bool isCollecting() const { return m_isCollecting; }
    /// Ask it to stop as Ctrl-C would; END fires and the aggregations come.
    void stop();
    bool isStopping() const { return m_isStopping; }
    /// Ask it to let probes do nothing until goOn(); what it tells then says how long that was.
    void pause() { m_process.write("p"); }
    void goOn() { m_process.write("c"); }
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    qint64 pid() const { return m_process.processId(); }
    /// "as root", "through pkexec": for the status line.
    QString how() const { return m_how; }
    /// Where nobody could be asked for root's rights: the command for a shell that the trouble of start() names; else empty.
    const QString& byHand() const { return m_byHand; }
    /// Messages name the program by this file.
    QString programFile() const;
    /// Whether a program in a recording was such a file, and has no name of its own.
    static bool isProgramFile(const QString& name) { return name.startsWith(QStringLiteral("/proc/")); }

Q_SIGNALS:
    void told(const QString& message); ///< what it, or the command it runs, wrote to standard error: whole lines
    void ended(int status);            ///< -1: could not be started, or crashed

private:
    enum class Upto : std::uint8_t { LastNewline, End };
    void readErrors(Upto where);
    int begin(QStringList words, int frames, QString* trouble);
    QProcess m_process;
    Fd m_program; ///< in memory: nothing is left when the window is killed
    QString m_how, m_helper, m_byHand;
    QByteArray m_line; ///< the beginning of one
    bool m_isStopping = false; ///< it hears nothing any more
    bool m_isCollecting = false;
};
} // namespace dscope::gui
