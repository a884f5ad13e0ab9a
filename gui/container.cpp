#include "gui/container.h"
#include "engine/host/containers.h"
#include "engine/host/host.h"
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>
namespace dscope::gui {
namespace {
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
} // namespace

Container containerOf(const host::Host& host, int pid)
{
    Container container;
    const auto text = host.read("/proc/" + std::to_string(pid) + "/cgroup");
    if (!text) return container;
    // Source: cgroups(7), /proc/PID/cgroup: "number:controllers:path"; number 0 is version 2.
    for (const auto& line : QString::fromStdString(*text).split(QChar('\n'), Qt::SkipEmptyParts)) {
        const auto path = line.section(QChar(':'), 2);
        const auto bytes = path.toUtf8();
        const auto found = host::containerIn({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        if (found.end == 0) continue;
        if (container.name.isEmpty() && !found.id.empty()) container.name = nameOf(host, QString::fromStdString(found.id));
        if (container.name.isEmpty()) container.name = QString::fromStdString(found.name);
        if (line.startsWith(QLatin1String("0::"))) container.group = QString::fromUtf8(bytes.first(static_cast<qsizetype>(found.end)));
    }
    return container;
}
} // namespace dscope::gui
