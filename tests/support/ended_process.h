#pragma once
#include <QProcess>
namespace dscope::tests {
/// The number of a process that has ended and been waited for.
inline qint64 endedProcess()
{
    QProcess process;
    process.start(QStringLiteral("true"), QStringList());
    process.waitForStarted();
    const auto pid = process.processId();
    process.waitForFinished();
    return pid;
}
} // namespace dscope::tests
