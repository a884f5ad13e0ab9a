#include "gui/program_check.h"
#include "engine/base/fd.h"
#include "engine/record/wire.h"
#include "gui/process_picker.h"
#include "gui/trace_process.h"
#include <QProcess>
#include <QThread>
#include <chrono>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::gui {
namespace {
constexpr std::chrono::seconds kLimit{10};

/// A file without a name, to be read from its beginning; not open without memory for it.
Fd inMemory(const QByteArray& bytes)
{
    Fd file(::memfd_create("dscope-check", MFD_CLOEXEC));
    if (!file || ::write(file.get(), bytes.constData(), static_cast<std::size_t>(bytes.size())) != bytes.size()) return {};
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}
/// dtrace's names for what can be wrong with the probe that a clause is of, and with the process that a pid probe is of.
bool isAboutProbes(const record::Diagnostic& d) { return d.tag.starts_with("D_PDESC_") || d.tag.starts_with("D_PROC_"); }
} // namespace

ProgramCheck::ProgramCheck(QObject* parent) : QObject(parent)
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(kLimit);
    connect(&m_limit, &QTimer::timeout, this, &ProgramCheck::stop);
}

ProgramCheck::~ProgramCheck() { stop(); }

void ProgramCheck::stop()
{
    m_limit.stop();
    if (!m_process) return;
    m_process->disconnect(this);
    m_process->kill();
    // It goes when it has ended: the window does not wait.
    auto* process = m_process.release();
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    if (process->state() == QProcess::NotRunning) process->deleteLater();
}

void ProgramCheck::check(const QString& program, const QString& command, const QStringList& arguments)
{
    stop();
    const auto helper = commandLine(m_helper);
    if (helper.isEmpty()) return;
    const int pid = targetPid(command);
    m_seesProbes = ::geteuid() == 0 && (command.isEmpty() || pid > 0);
    m_program = program;
    m_file = inMemory(program.toUtf8());
    if (!m_file) return;
    QStringList words{QStringLiteral("--stream"), QStringLiteral("1"), QStringLiteral("-e"), QStringLiteral("-s"),
        QStringLiteral("/proc/%1/fd/%2").arg(::getpid()).arg(m_file.get())};
    if (pid > 0) words << QStringLiteral("-p") << QString::number(pid);
    if (!arguments.isEmpty()) words << QStringLiteral("--") << arguments;
    m_process = std::make_unique<QProcess>();
    connect(m_process.get(), &QProcess::finished, this, &ProgramCheck::read);
    connect(m_process.get(), &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) stop();
    });
    m_limit.start();
    m_process->start(helper, words); // its input stays open: at its end the helper thinks that nobody listens
}

void ProgramCheck::read()
{
    m_limit.stop();
    const auto process = std::move(m_process);
    if (process->exitStatus() != QProcess::NormalExit) return;
    const auto frames = inMemory(process->readAllStandardOutput());
    if (!frames) return;

    std::vector<record::Diagnostic> errors;
    record::Reader reader(frames.get());
    const auto keep = [&](const record::Record& r) {
        const auto* d = std::get_if<record::Diagnostic>(&r);
        if (!d || d->severity != record::Diagnostic::Severity::Error) return;
        if (m_seesProbes || !isAboutProbes(*d)) errors.push_back(*d);
    };
    for (auto more = reader.poll(std::chrono::milliseconds(0), keep); more && *more;)
        more = reader.poll(std::chrono::milliseconds(0), keep);
    Q_EMIT checked(m_program, errors);
}
} // namespace dscope::gui
