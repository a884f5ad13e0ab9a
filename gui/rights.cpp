#include "gui/rights.h"
#include "gui/process_picker.h"
#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <unistd.h>
namespace dscope::gui {
namespace {
struct RightsWords {
    Q_DECLARE_TR_FUNCTIONS(Rights)
};
/// sudo says it by doing nothing with root's rights.
bool asksNobody(const QString& sudo)
{
    constexpr int kPatience = 3'000; // ms: what it asks may be at another host
    QProcess process;
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(sudo, {QStringLiteral("-n"), QStringLiteral("true")});
    return process.waitForFinished(kPatience) && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
}
/// As one word of a shell.
QString quoted(QString text) { return QChar('\'') + text.replace(QChar('\''), QStringLiteral("'\\''")) + QChar('\''); }
} // namespace

WaysToRoot WaysToRoot::here()
{
    WaysToRoot ways;
    ways.isRoot = ::geteuid() == 0;
    ways.pkexec = QStandardPaths::findExecutable(QStringLiteral("pkexec"));
    ways.hasBus
        = !qEnvironmentVariableIsEmpty("DBUS_SYSTEM_BUS_ADDRESS") || QFileInfo::exists(QStringLiteral("/run/dbus/system_bus_socket"));
    ways.sudo = QStandardPaths::findExecutable(QStringLiteral("sudo"));
    ways.sudoAsksNobody = !ways.isRoot && !ways.sudo.isEmpty() && asksNobody(ways.sudo);
    ways.askpass = qEnvironmentVariable("SUDO_ASKPASS");
    for (const auto* name : {"ksshaskpass", "ssh-askpass", "lxqt-openssh-askpass", "x11-ssh-askpass"})
        if (ways.askpass.isEmpty()) ways.askpass = QStandardPaths::findExecutable(QLatin1String(name));
    return ways;
}

Rights rightsBy(const WaysToRoot& ways)
{
    if (ways.isRoot) return {{}, {}, RightsWords::tr("as root"), true};
    // Before pkexec, which asks for a password all the same, and ends where nothing on the bus can ask.
    if (ways.sudoAsksNobody) return {{ways.sudo, QStringLiteral("-n")}, {}, RightsWords::tr("through sudo"), true};
    if (!ways.pkexec.isEmpty() && ways.hasBus) return {{ways.pkexec}, {}, RightsWords::tr("through pkexec"), true};
    if (!ways.sudo.isEmpty() && !ways.askpass.isEmpty())
        return {{ways.sudo, QStringLiteral("-A")}, {QStringLiteral("SUDO_ASKPASS=") + ways.askpass}, RightsWords::tr("through sudo"), true};
    return {};
}

QString commandByHand(const QString& program, const QString& command, const QString& recording, const QStringList& arguments)
{
    auto text = QStringLiteral("sudo dscope --record %1").arg(quoted(recording));
    if (const int pid = targetPid(command); pid > 0)
        text += QStringLiteral(" -p %1").arg(pid);
    else if (!command.isEmpty())
        text += QStringLiteral(" -c ") + quoted(command);
    text += QStringLiteral(" -n ") + quoted(program);
    if (!arguments.isEmpty()) text += QStringLiteral(" --");
    for (const auto& one : arguments)
        text += QChar(' ') + quoted(one);
    return text;
}
} // namespace dscope::gui
