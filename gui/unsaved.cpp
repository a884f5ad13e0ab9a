#include "gui/unsaved.h"
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QSettings>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <unistd.h>
#include <utility>
namespace dscope::gui {
namespace {
constexpr std::chrono::seconds kSoon{2};
constexpr auto kBegin = "unsaved-", kEnd = ".d";

QDir folder() { return QFileInfo(QSettings().fileName()).absoluteDir(); }
QString fileOf(qint64 pid) { return QLatin1String(kBegin) + QString::number(pid) + QLatin1String(kEnd); }
/// Whether a process of that number runs; it may be another one by now, and then the file is found another time.
bool isRunning(qint64 pid) { return ::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM; }
} // namespace

Unsaved::Unsaved(std::function<std::optional<QString>()> text, QObject* parent) : QObject(parent), m_text(std::move(text))
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoon);
    connect(&m_soon, &QTimer::timeout, this, &Unsaved::settle);
}

void Unsaved::settle()
{
    m_soon.stop();
    const auto dir = folder();
    const auto path = dir.filePath(fileOf(::getpid()));
    const auto text = m_text();
    if (!text) {
        QFile::remove(path);
        return;
    }
    QDir().mkpath(dir.absolutePath());
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly)) return; // what cannot be kept is no worse than before
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    file.write(text->toUtf8());
    file.commit();
}

std::optional<QString> Unsaved::found()
{
    const auto dir = folder();
    const auto names = dir.entryList({QLatin1String(kBegin) + QStringLiteral("*") + QLatin1String(kEnd)}, QDir::Files, QDir::Time);
    for (const auto& name : names) {
        bool isNumber = false;
        const auto pid = QStringView(name).mid(qstrlen(kBegin)).chopped(static_cast<qsizetype>(qstrlen(kEnd))).toLongLong(&isNumber);
        if (!isNumber || pid <= 0 || isRunning(pid)) continue;
        QFile file(dir.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) continue;
        const auto text = QString::fromUtf8(file.readAll());
        file.remove();
        if (!text.trimmed().isEmpty()) return text;
    }
    return std::nullopt;
}
} // namespace dscope::gui
