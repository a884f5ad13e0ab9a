#pragma once
#include "engine/record/wire.h"
#include "gui/main_window.h"
#include "tests/support/streams.h"
#include "tests/support/watched_events.h"
#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <fcntl.h>
namespace dscope::tests {
constexpr int kPatience = 30'000; ///< ms; a busy machine may need it

/// A folder of its own for what a test writes, the window's settings among it.
class Desk {
public:
    Desk()
    {
        QApplication::setApplicationName(QStringLiteral("dscope-test"));
        QApplication::setOrganizationName(QStringLiteral("dscope-test"));
        QApplication::setStyle(QStringLiteral("Fusion"));
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_folder.path());
    }
    QString path(const QString& name) const { return m_folder.filePath(name); }
    /// A recording of a stream; `keep`: how much of the file, 1 all.
    QString recording(const QString& name, const test::Stream& stream, double keep = 1) const
    {
        const auto file = path(name);
        const int fd = ::open(QFile::encodeName(file).constData(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        record::Writer writer(fd);
        for (const auto& record : stream)
            writer.take(record);
        const bool fine = static_cast<bool>(writer.finish());
        ::close(fd);
        if (!fine) qFatal("cannot write %s", qPrintable(file));
        if (keep < 1) QFile::resize(file, static_cast<qint64>(static_cast<double>(QFile(file).size()) * keep));
        return file;
    }
    QString text(const QString& name, const QByteArray& contents, bool isProgram = false) const
    {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(contents) != contents.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
        if (isProgram) file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }

private:
    QTemporaryDir m_folder;
};
/// For people: with DSCOPE_PICTURES=folder the tests leave pictures of what they look at.
inline void picture(QWidget& widget, const QString& name)
{
    if (const auto folder = qEnvironmentVariable("DSCOPE_PICTURES"); !folder.isEmpty())
        widget.grab().save(folder + QChar('/') + name + QStringLiteral(".png"));
}
/// The sum of a table's column by its title, -1 without it.
inline double columnSum(const graph::Table& table, std::string_view title)
{
    for (std::size_t c = 0; c < table.columns.size(); ++c)
        if (table.columns[c].title == title) {
            double sum = 0;
            for (const auto& row : table.rows)
                sum += std::atof(row[c].c_str());
            return sum;
        }
    return -1;
}
inline QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
/// What perf script prints: a thread that compresses for two seconds, and one that reads in the second of them and in a third.
inline QByteArray samplesOfPerf()
{
    QByteArray text;
    const auto sample = [&](const char* name, int tid, int cpu, int ms, const char* function) {
        text += QString::asprintf(
            "%s 4100/%d [%03d] %d.%03d000: 1000000 cpu-clock:\n\t1000 %s+0x4 (/usr/bin/work)\n\t2000 main+0x9 (/usr/bin/work)\n\n", name,
            tid, cpu, 50 + ms / 1000, ms % 1000, function)
                    .toUtf8();
    };
    for (int ms = 0; ms < 3000; ++ms) {
        if (ms < 2000) sample("packer", 4101, 0, ms, ms % 4 ? "deflate" : "copy");
        if (ms >= 1000) sample("reader", 4102, 1, ms, "parse");
    }
    return text;
}
} // namespace dscope::tests
