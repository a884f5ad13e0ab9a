#pragma once
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>
/// Compiles `source` within `folder`; the path of the result, or empty where there is no compiler.
inline QString compiled(const QTemporaryDir& folder, const QString& name, const QByteArray& source, const QStringList& flags,
    const QString& compiler = QStringLiteral("cc"))
{
    if (QStandardPaths::findExecutable(compiler).isEmpty()) return {};
    const auto text = folder.filePath(name + (compiler == QStringLiteral("cc") ? QStringLiteral(".c") : QStringLiteral(".cpp")));
    QFile file(text);
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(source);
    file.close();
    const auto program = folder.filePath(name);
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(compiler, QStringList{QStringLiteral("-o"), program, text} + flags);
    process.waitForFinished(60'000);
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0 ? program : QString();
}
