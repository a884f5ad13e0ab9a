#include "gui/unsaved.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QSettings>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <unistd.h>
#include <utility>
namespace dscope::gui {
namespace {
constexpr std::chrono::seconds kSoon{2};
// "unsaved-PROCESS-NUMBER.d" is the program; where it has a file, "unsaved-PROCESS-NUMBER.path" names that.
constexpr auto kBegin = "unsaved-", kEnd = ".d", kPath = ".path";

QDir folder() { return QFileInfo(QSettings().fileName()).absoluteDir(); }
/// A name that no file has: other windows of this process have theirs.
QString freeName(const QDir& dir)
{
    for (int number = 1;; ++number) {
        auto name = dir.filePath(QLatin1String(kBegin) + QStringLiteral("%1-%2").arg(::getpid()).arg(number) + QLatin1String(kEnd));
        if (!QFileInfo::exists(name)) return name;
    }
}
QString pathFile(const QString& file) { return file.chopped(static_cast<qsizetype>(qstrlen(kEnd))) + QLatin1String(kPath); }
/// Whether a process of that number runs; it may be another one by now, and then the file is found another time.
bool isRunning(qint64 pid) { return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM; }
// What cannot be kept is no worse than before: nobody is told.
void write(const QString& path, const QString& text)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return;
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    file.write(text.toUtf8());
    file.commit();
}
QString contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}
} // namespace

Unsaved::Unsaved(std::function<std::vector<Program>()> programs, QObject* parent) : QObject(parent), m_programs(std::move(programs))
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoon);
    connect(&m_soon, &QTimer::timeout, this, &Unsaved::settle);
}

void Unsaved::settle()
{
    m_soon.stop();
    const auto programs = m_programs();
    std::erase_if(m_kept, [&](const auto& one) {
        const bool isNeeded = std::any_of(programs.begin(), programs.end(), [&](const Program& p) { return p.id == one.first; });
        if (isNeeded) return false;
        QFile::remove(one.second.file);
        QFile::remove(pathFile(one.second.file));
        return true;
    });

    const auto dir = folder();
    if (!programs.empty()) QDir().mkpath(dir.absolutePath());
    for (const auto& program : programs) {
        auto& kept = m_kept[program.id];
        if (kept.file.isEmpty())
            kept.file = freeName(dir);
        else if (kept.program.text == program.text && kept.program.path == program.path)
            continue;
        kept.program = program;
        write(kept.file, program.text);
        if (program.path.isEmpty())
            QFile::remove(pathFile(kept.file));
        else
            write(pathFile(kept.file), program.path);
    }
}

std::vector<Unsaved::Program> Unsaved::found()
{
    const auto dir = folder();
    const auto names
        = dir.entryList({QLatin1String(kBegin) + QStringLiteral("*") + QLatin1String(kEnd)}, QDir::Files, QDir::Time | QDir::Reversed);
    std::vector<Program> all;
    for (const auto& name : names) {
        bool isNumber = false;
        const auto process = name.chopped(static_cast<qsizetype>(qstrlen(kEnd))).section(QChar('-'), 1, 1);
        const auto pid = process.toLongLong(&isNumber);
        if (!isNumber || pid <= 0 || isRunning(pid)) continue;
        const auto file = dir.filePath(name);
        const Program one{0, contents(pathFile(file)), contents(file)};
        if (one.text.isEmpty() && QFileInfo(file).size() > 0) continue; // it can't be read now
        QFile::remove(file);
        QFile::remove(pathFile(file));
        if (!one.text.trimmed().isEmpty()) all.push_back(one);
    }
    return all;
}
} // namespace dscope::gui
