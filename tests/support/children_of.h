#pragma once
#include <QByteArrayList>
#include <QDir>
#include <QFile>
#include <QString>
namespace dscope::tests {
/// The numbers of the processes that this one has begun and not yet waited for.
inline QByteArrayList childrenOf(qint64 pid)
{
    QByteArrayList all;
    for (const auto& thread : QDir(QStringLiteral("/proc/%1/task").arg(pid)).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
        if (QFile file(QStringLiteral("/proc/%1/task/%2/children").arg(pid).arg(thread)); file.open(QIODevice::ReadOnly))
            all += file.readAll().simplified().split(' ');
    all.removeAll(QByteArray());
    return all;
}
} // namespace dscope::tests
