#include "gui/trace_process.h"
#include "gui/process_picker.h"
#include "gui/rights.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::gui {
namespace {
// The traced command writes to the helper's standard output, so the frames need a pipe of their own; any descriptor will do that
// is not in use yet. pkexec and sudo close all descriptors above standard error: there the frames take standard output.
constexpr int kOwnPipe = 63;
} // namespace

TraceProcess::TraceProcess(QObject* parent) : QObject(parent)
{
    connect(&m_process, &QProcess::readyReadStandardError, this, [this] { readErrors(Upto::LastNewline); });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        readErrors(Upto::End);
        Q_EMIT ended(status == QProcess::NormalExit ? code : -1);
    });
}

TraceProcess::~TraceProcess()
{
    m_process.disconnect(this);
    if (!isRunning()) return;
    m_process.closeWriteChannel();
    if (m_process.waitForFinished(3'000)) return;
    m_process.kill();
    m_process.waitForFinished(1'000);
}

QString commandLine(const QString& set)
{
    if (!set.isEmpty()) return set;
    if (const auto other = qEnvironmentVariable("DSCOPE_HELPER"); !other.isEmpty()) return other;
    const QFileInfo beside(QCoreApplication::applicationDirPath() + QStringLiteral("/dscope"));
    return beside.isExecutable() ? beside.absoluteFilePath() : QStandardPaths::findExecutable(QStringLiteral("dscope"));
}

QString TraceProcess::programFile() const { return QStringLiteral("/proc/%1/fd/%2").arg(::getpid()).arg(m_program.get()); }

void TraceProcess::readErrors(Upto where)
{
    m_line += m_process.readAllStandardError();
    const auto end = where == Upto::End ? m_line.size() : m_line.lastIndexOf('\n') + 1;
    if (end == 0) return;
    const auto lines = QString::fromUtf8(m_line.left(end));
    m_line.remove(0, end);
    Q_EMIT told(lines);
}

int TraceProcess::start(
    const QString& program, const QString& command, const QStringList& options, const QStringList& arguments, QString* trouble)
{
    const auto helper = commandLine(m_helper);
    if (helper.isEmpty()) {
        *trouble = tr("The command line dscope was not found beside this program nor in PATH: install it to trace.");
        return -1;
    }
    // A file, so that messages name lines; the helper, which may be root's, reads it through /proc before this object goes.
    const auto text = program.toUtf8();
    m_program = Fd(::memfd_create("dscope-program", MFD_CLOEXEC));
    if (!m_program || ::write(m_program.get(), text.constData(), static_cast<std::size_t>(text.size())) != text.size()) {
        *trouble = tr("The program could not be handed to dscope: %1").arg(QString::fromLocal8Bit(std::strerror(errno)));
        return -1;
    }
    const auto rights = rightsBy(WaysToRoot::here());
    if (!rights.isPossible) {
        *trouble = tr("Tracing needs root, and there is nothing here that could ask you for a password in a window (pkexec with a message "
                      "bus, or sudo with SUDO_ASKPASS). Run this in a terminal, and open run.dscope:\n%1")
                       .arg(m_byHand = commandByHand(program, command, QStringLiteral("run.dscope"), arguments));
        return -1;
    }
    m_how = rights.how;
    const int frames = rights.prefix.isEmpty() ? kOwnPipe : STDOUT_FILENO;
    auto words = rights.prefix;
    // sudo stays between us: the program's $ppid is this process all the same.
    words << helper << QStringLiteral("--stream") << QStringLiteral("%1:%2").arg(frames).arg(::getpid()) << QStringLiteral("-s")
          << programFile();
    if (const int pid = targetPid(command); pid > 0)
        words << QStringLiteral("-p") << QString::number(pid);
    else if (!command.isEmpty())
        words << QStringLiteral("-c") << command;
    words << options;
    if (!arguments.isEmpty()) words << QStringLiteral("--") << arguments;
    if (!rights.environment.isEmpty()) {
        auto environment = QProcessEnvironment::systemEnvironment();
        for (const auto& one : rights.environment)
            environment.insert(one.section(QChar('='), 0, 0), one.section(QChar('='), 1));
        m_process.setProcessEnvironment(environment);
    }
    return begin(std::move(words), frames, trouble);
}

int TraceProcess::collect(const QString& url, const QStringList& arguments, QString* trouble)
{
    const auto helper = commandLine(m_helper);
    if (helper.isEmpty()) {
        *trouble = tr("The command line dscope was not found beside this program nor in PATH: install it to trace.");
        return -1;
    }
    m_isCollecting = true;
    return begin(QStringList{helper, QStringLiteral("--stream"), QString::number(kOwnPipe), QStringLiteral("--collect"), url} + arguments,
        kOwnPipe, trouble);
}

/// Starts it with a pipe as its descriptor `frames`; our end of that.
int TraceProcess::begin(QStringList words, int frames, QString* trouble)
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) {
        *trouble = tr("No pipe could be made.");
        return -1;
    }
    const int out = ends[1];
    m_process.setProcessChannelMode(QProcess::SeparateChannels);
    m_process.setChildProcessModifier([out, frames] {
        if (out == frames)
            ::fcntl(out, F_SETFD, 0);
        else
            ::dup2(out, frames);
        if (frames != STDOUT_FILENO) ::dup2(STDERR_FILENO, STDOUT_FILENO);
    });
    m_process.start(words.takeFirst(), words);
    const bool started = m_process.waitForStarted(5'000);
    ::close(out);
    if (!started) {
        ::close(ends[0]);
        *trouble = tr("%1 could not be started: %2").arg(m_process.program(), m_process.errorString());
        return -1;
    }
    return ends[0];
}

void TraceProcess::stop()
{
    m_isStopping = true;
    m_process.closeWriteChannel();
}
} // namespace dscope::gui
