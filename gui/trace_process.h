#pragma once
#include <QObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryFile>
namespace dscope::gui {
/// The privileged helper: `dscope --stream`, started directly when we may trace, else through pkexec, else through
/// sudo -A. It gets the D text and options, writes frames to a pipe, and ends when its input is closed.
class TraceProcess : public QObject {
    Q_OBJECT
public:
    explicit TraceProcess(QObject* parent = nullptr);
    ~TraceProcess() override;
    /// Starts tracing; gives the descriptor to read frames from (now the caller's), or -1 with a sentence in `trouble`.
    int start(const QString& program, const QString& command, const QStringList& arguments, QString* trouble);
    /// Ask it to stop as Ctrl-C would; END fires and the aggregations come.
    void stop();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    /// "as root", "through pkexec": for the status line.
    QString how() const { return m_how; }

Q_SIGNALS:
    void told(const QString& message); ///< what it wrote to standard error, a line or more
    void ended(int status);            ///< -1: could not be started, or crashed

private:
    QProcess m_process;
    QTemporaryFile m_program;
    QString m_how;
};
} // namespace dscope::gui
