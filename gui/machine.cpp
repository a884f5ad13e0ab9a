#include "gui/machine.h"
#include "gui/texts.h"
#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSettings>
#include <QStringList>
#include <QSysInfo>
#include <unistd.h>
namespace dscope::gui {
namespace {
constexpr auto kAnswer = "machine/answer", kAnswerOf = "machine/of";
QString tell(const char* text) { return QCoreApplication::translate("Machine", text); }
MachineLine::State stateOf(const QJsonObject& trial)
{
    const auto outcome = trial.value(QLatin1String("outcome")).toString();
    if (outcome == QLatin1String("works")) return MachineLine::State::Works;
    return outcome == QLatin1String("fails") ? MachineLine::State::Fails : MachineLine::State::Unknown;
}
QString whyOf(const QJsonObject& trial) { return trial.value(QLatin1String("why")).toString(); }

MachineLine rightsLine(const QJsonObject& rights)
{
    if (rights.value(QLatin1String("root")).toBool())
        return {MachineLine::State::Works, tell(QT_TRANSLATE_NOOP("Machine", "Tracing is allowed: you are root")), {}};
    if (rights.value(QLatin1String("mayTrace")).toBool())
        return {MachineLine::State::Works, tell(QT_TRANSLATE_NOOP("Machine", "Tracing is allowed to you")), {}};
    return {MachineLine::State::Unknown, tell(QT_TRANSLATE_NOOP("Machine", "Tracing needs root: a run asks for it")),
        tell(QT_TRANSLATE_NOOP("Machine", "Help › What can be traced here… tries each provider as root."))};
}
/// Providers of one outcome in one line; each that fails in a line of its own, with its reason.
void addProviders(const QJsonObject& providers, std::vector<MachineLine>& lines)
{
    QStringList works, untried;
    std::vector<MachineLine> fails;
    for (auto one = providers.begin(); one != providers.end(); ++one) {
        const auto trial = one.value().toObject();
        switch (stateOf(trial)) {
        case MachineLine::State::Works: works << one.key(); break;
        case MachineLine::State::Unknown: untried << one.key(); break;
        case MachineLine::State::Fails:
            fails.push_back({MachineLine::State::Fails, tell(QT_TRANSLATE_NOOP("Machine", "The provider %1 does not work")).arg(one.key()),
                whyOf(trial)});
        }
    }

    const auto comma = QStringLiteral(", ");
    if (!works.isEmpty())
        lines.push_back({MachineLine::State::Works, tell(QT_TRANSLATE_NOOP("Machine", "Providers that work: %1")).arg(works.size()),
            works.join(comma)});
    if (!untried.isEmpty())
        lines.push_back({MachineLine::State::Unknown,
            tell(QT_TRANSLATE_NOOP("Machine", "Providers that were not tried: %1")).arg(untried.size()), untried.join(comma)});
    lines.insert(lines.end(), fails.begin(), fails.end());
}
} // namespace

std::vector<MachineLine> machineLines(const QByteArray& json)
{
    using State = MachineLine::State;
    const auto all = QJsonDocument::fromJson(json).object();
    const auto part = [&](const char* name) { return all.value(QLatin1String(name)).toObject(); };
    if (part("providers").isEmpty()) return {};
    std::vector<MachineLine> lines{rightsLine(part("rights"))};
    if (const auto types = part("types"); types.contains(QLatin1String("why")))
        lines.push_back({State::Fails, tell(QT_TRANSLATE_NOOP("Machine", "The kernel does not tell its types")), whyOf(types)});
    addProviders(part("providers"), lines);
    const auto stacks = part("stacks");
    if (stateOf(stacks) == State::Works)
        lines.push_back({State::Works, tell(QT_TRANSLATE_NOOP("Machine", "User stacks are followed, without frame pointers too")), {}});
    else if (stateOf(stacks) == State::Fails)
        lines.push_back({State::Fails, tell(QT_TRANSLATE_NOOP("Machine", "User stacks can't be followed")), whyOf(stacks)});
    if (const auto debug = part("debugFiles");
        !debug.value(QLatin1String("folder")).toBool() && !debug.value(QLatin1String("debuginfod")).toBool())
        lines.push_back({State::Unknown, tell(QT_TRANSLATE_NOOP("Machine", "No debug files are installed")),
            tell(QT_TRANSLATE_NOOP(
                "Machine", "Names of stripped programs need them: install packages ending in -dbgsym, or set DEBUGINFOD_URLS."))});
    return lines;
}

MachineCheck::~MachineCheck()
{
    m_process.disconnect(this);
    if (m_process.state() == QProcess::NotRunning) return;
    m_process.kill();
    m_process.waitForFinished(1'000);
}

void MachineCheck::look(const QString& dscope)
{
    if (m_process.state() != QProcess::NotRunning) return;
    if (dscope.isEmpty()) {
        Q_EMIT failed(tell(
            QT_TRANSLATE_NOOP("Machine", "The command line dscope was not found beside this program nor in PATH: install it to trace.")));
        return;
    }

    m_of = QStringLiteral("%1 %2 %3 %4")
               .arg(QString::fromLatin1(QSysInfo::bootUniqueId()))
               .arg(::geteuid())
               .arg(dscope)
               .arg(QFileInfo(dscope).lastModified().toSecsSinceEpoch());
    const QSettings settings;
    if (settings.value(key(kAnswerOf)).toString() == m_of)
        if (const auto lines = machineLines(settings.value(key(kAnswer)).toByteArray()); !lines.empty()) {
            Q_EMIT known(lines);
            return;
        }
    m_process.disconnect(this);
    connect(&m_process, &QProcess::finished, this,
        [this](int code, QProcess::ExitStatus how) { take(how == QProcess::NormalExit ? code : -1); });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) take(-1);
    });
    m_process.start(dscope, {QStringLiteral("--doctor"), QStringLiteral("--json")});
}

void MachineCheck::take(int status)
{
    const auto answer = m_process.readAllStandardOutput();
    const auto lines = status == 0 ? machineLines(answer) : std::vector<MachineLine>();
    if (lines.empty()) {
        const auto trouble = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
        Q_EMIT failed(trouble.isEmpty()
                ? tell(QT_TRANSLATE_NOOP("Machine", "dscope --doctor could not be run: %1")).arg(m_process.errorString())
                : trouble);
        return;
    }
    QSettings settings;
    settings.setValue(key(kAnswerOf), m_of);
    settings.setValue(key(kAnswer), answer);
    Q_EMIT known(lines);
}
} // namespace dscope::gui
