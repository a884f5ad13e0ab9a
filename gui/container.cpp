#include "gui/container.h"
#include "engine/host/host.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QStringList>
namespace dscope::gui {
namespace {
constexpr int kShownOfId = 12; ///< as the engines themselves cut it

QJsonDocument json(const host::Host& host, const QString& path)
{
    const auto text = host.read(path.toStdString());
    return text ? QJsonDocument::fromJson(QByteArray::fromStdString(*text)) : QJsonDocument();
}
/// What the engine calls a container, where its files may be read.
QString nameOf(const host::Host& host, const QString& id)
{
    // Source: moby, daemon/container/container.go: "Name" begins with a slash.
    auto name = json(host, QStringLiteral("/var/lib/docker/containers/%1/config.v2.json").arg(id))
                    .object()
                    .value(QLatin1String("Name"))
                    .toString();
    if (name.startsWith(QChar('/'))) name.remove(0, 1);
    if (!name.isEmpty()) return name;
    // Source: containers/storage, containers.go.
    const auto all = json(host, QStringLiteral("/var/lib/containers/storage/overlay-containers/containers.json")).array();
    for (const auto& one : all)
        if (one.toObject().value(QLatin1String("id")).toString() == id)
            return one.toObject().value(QLatin1String("names")).toArray().at(0).toString();
    return {};
}
/// What of a control group's path is a container: up to its end.
struct FoundContainer {
    QString id, name;  ///< one of them
    qsizetype end = 0; ///< in the path
};
FoundContainer find(const QString& path)
{
    // docker-ID.scope, libpod-ID.scope, cri-containerd-ID.scope, crio-ID.scope, /docker/ID, kubepods/.../ID: an id is 64 digits.
    static const QRegularExpression kId(QStringLiteral("(?:^|[/-])([0-9a-f]{64})(?:\\.scope)?(?=/|$)"));
    // systemd-nspawn and libvirt; LXC.
    static const QRegularExpression kNamed(
        QStringLiteral("/(?:machine-([^/]+)\\.scope|systemd-nspawn@([^/]+)\\.service|lxc(?:\\.payload\\.|/)([^/]+))(?=/|$)"));
    if (const auto match = kId.match(path); match.hasMatch()) return {match.captured(1), {}, match.capturedEnd()};
    if (const auto match = kNamed.match(path); match.hasMatch()) {
        auto name = match.captured(1) + match.captured(2) + match.captured(3);
        return {{}, name.replace(QStringLiteral("\\x2d"), QStringLiteral("-")), match.capturedEnd()};
    }
    return {};
}
} // namespace

Container containerOf(const host::Host& host, int pid)
{
    Container container;
    const auto text = host.read("/proc/" + std::to_string(pid) + "/cgroup");
    if (!text) return container;
    // Source: cgroups(7), /proc/PID/cgroup: "number:controllers:path"; number 0 is version 2.
    for (const auto& line : QString::fromStdString(*text).split(QChar('\n'), Qt::SkipEmptyParts)) {
        const auto path = line.section(QChar(':'), 2);
        const auto found = find(path);
        if (found.end == 0) continue;
        if (container.name.isEmpty()) container.name = found.name.isEmpty() ? nameOf(host, found.id) : found.name;
        if (container.name.isEmpty()) container.name = found.id.left(kShownOfId);
        if (line.startsWith(QLatin1String("0::"))) container.group = path.left(found.end);
    }
    return container;
}
} // namespace dscope::gui
