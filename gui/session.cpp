#include "gui/session.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QSettings>
#include <QStringList>
#include <QVariant>
#include <algorithm>
#include <optional>
namespace dscope::gui {
namespace {
constexpr auto kSessions = "sessions/closed";
constexpr std::size_t kKept = 3;
constexpr int kNameLength = 32;
/// The first line that says something: neither an option nor a comment.
QString beginning(const QString& program)
{
    for (const auto& line : program.split(QChar('\n'))) {
        const auto text = line.trimmed();
        if (text.isEmpty() || text.startsWith(QChar('#')) || text.startsWith(QLatin1String("/*")) || text.startsWith(QChar('*'))) continue;
        return text.size() > kNameLength ? text.left(kNameLength) + QChar(0x2026) : text;
    }
    return program.trimmed().left(kNameLength);
}

/// "sessions/closed" is a list of lists: the command, the place of the program on show, then path and text of each program.
constexpr qsizetype kBeforePrograms = 2;

std::optional<Session> sessionOf(const QStringList& words)
{
    Session session;
    if (words.size() < kBeforePrograms + 2 || words.size() % 2 != 0) return std::nullopt;
    session.command = words[0];
    const auto current = words[1].toULongLong() * 2 + kBeforePrograms;
    for (qsizetype at = kBeforePrograms; at < words.size(); at += 2) {
        if (!words[at].isEmpty() && !QFileInfo::exists(words[at])) continue;
        if (static_cast<qulonglong>(at) == current) session.current = session.programs.size();
        session.programs.push_back({words[at], words[at + 1]});
    }
    if (session.programs.empty()) return std::nullopt;
    return session;
}
} // namespace

QString Session::name() const
{
    const auto& shown = programs[current];
    auto words = shown.path.isEmpty() ? beginning(shown.text) : QFileInfo(shown.path).fileName();
    if (programs.size() > 1) words = QCoreApplication::translate("Session", "%1 and %2 more").arg(words).arg(programs.size() - 1);
    return command.isEmpty() ? words : QCoreApplication::translate("Session", "%1, with %2").arg(words, command);
}

std::vector<Session> sessions()
{
    std::vector<Session> all;
    for (const auto& one : QSettings().value(QLatin1String(kSessions)).toList())
        if (auto session = sessionOf(one.toStringList())) all.push_back(std::move(*session));
    return all;
}

void keepSession(const Session& session)
{
    auto all = sessions();
    std::erase_if(all, [&](const Session& one) { return one.name() == session.name(); });
    all.insert(all.begin(), session);
    all.resize(std::min(all.size(), kKept));
    QVariantList kept;
    for (const auto& one : all) {
        QStringList words{one.command, QString::number(one.current)};
        for (const auto& program : one.programs)
            words << program.path << program.text;
        kept << QVariant(words);
    }
    QSettings().setValue(QLatin1String(kSessions), kept);
}
} // namespace dscope::gui
