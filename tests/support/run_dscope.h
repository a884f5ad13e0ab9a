#pragma once
#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
#include <unistd.h>
namespace dscope::tests {
struct Outcome {
    int status = -1;            ///< -1: did not start, did not end in time or was killed by a signal
    QByteArray out, err;        ///< standard error without what `wrote` has
    QStringList wrote;          ///< the files that dscope says it wrote: "wrote flame.svg"
};
/// Moves the lines "wrote FILE" from `err` to `wrote`.
inline void takeWritten(Outcome& outcome)
{
    QByteArray others;
    for (qsizetype at = 0; at < outcome.err.size();) {
        const auto end = outcome.err.indexOf('\n', at);
        const auto line = outcome.err.sliced(at, (end < 0 ? outcome.err.size() : end + 1) - at);
        at += line.size();
        if (line.startsWith("wrote ") && line.endsWith('\n'))
            outcome.wrote << QString::fromUtf8(line.sliced(6).chopped(1));
        else
            others += line;
    }
    outcome.err = others;
}
/// Runs the dscope of this build to its end; two minutes at most.
inline Outcome runDscope(const QStringList& arguments, const QByteArray& input = {}, const QString& program = QStringLiteral(DSCOPE_BIN "/dscope"))
{
    QProcess process;
    process.start(program, arguments);
    if (!process.waitForStarted()) return {};
    process.write(input);
    process.closeWriteChannel();
    Outcome outcome;
    if (!process.waitForFinished(120'000)) {
        process.kill();
        process.waitForFinished();
    } else if (process.exitStatus() == QProcess::NormalExit)
        outcome.status = process.exitCode();
    outcome.out = process.readAllStandardOutput();
    outcome.err = process.readAllStandardError();
    takeWritten(outcome);
    return outcome;
}
/// True where it was asked for, as in the guest of tests/vm, which has no processor of its own and is tens of times slower: a test does
/// less there.
inline bool isSlowMachine() { return qEnvironmentVariableIsSet("DSCOPE_SLOW_MACHINE"); }
/// True in a guest of tests/vm, which is gone afterwards: only there a test may change the machine, as by loading modules.
inline bool isGuest() { return qEnvironmentVariableIsSet("DSCOPE_IN_GUEST"); }
/// The same for a -c command that prints, too: into one pipe they would write in between each other's lines. What dscope
/// printed stands behind what the command did.
inline Outcome runApart(const QStringList& arguments)
{
    const QTemporaryDir dir;
    const auto file = dir.filePath(QStringLiteral("out"));
    auto outcome = runDscope(QStringList{QStringLiteral("-o"), file} + arguments);
    QFile own(file);
    if (own.open(QIODevice::ReadOnly)) outcome.out += '\n' + own.readAll();
    return outcome;
}
/// Why tracing tests can't run here, or nothing when they can.
inline QByteArray whyNoTracing()
{
    if (::geteuid() != 0) return "needs root: loading eBPF programs is denied to user " + QByteArray::number(::geteuid());
    return {};
}
} // namespace dscope::tests
