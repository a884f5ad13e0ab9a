#pragma once
#include "tests/support/imported.h"
#include <QString>
#include <cstring>
#include <map>
namespace dscope::tests {
/// The warnings of an import, a line each.
inline QByteArray warned(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records)
        if (const auto* warning = std::get_if<record::Diagnostic>(&record)) out += QByteArray::fromStdString(warning->message) + '\n';
    return out;
}
/// Its calls, a line each: when in ns, the process, the lane's name or number, the function, and whether it begins or ends.
inline QByteArray called(const text::Imported& imported)
{
    std::map<std::uint32_t, record::ProbeDef> probes;
    std::map<std::pair<std::uint32_t, std::uint32_t>, QByteArray> lanes;
    QByteArray out;
    for (const auto& record : imported.records) {
        if (const auto* probe = std::get_if<record::ProbeDef>(&record)) probes.emplace(probe->id.value, *probe);
        if (const auto* named = std::get_if<record::ProcessEvent>(&record))
            lanes[{named->pid, named->tid}] = QByteArray::fromStdString(named->execname);
        const auto* fired = std::get_if<record::Fired>(&record);
        if (!fired) continue;
        const auto& probe = probes.at(fired->probe.value);
        const auto lane = lanes.find({fired->pid, fired->tid});
        out += QByteArray::number(qlonglong(fired->when.count())) + ' ' + QByteArray::number(fired->pid) + ' '
            + (lane == lanes.end() ? QByteArray::number(fired->tid) : lane->second) + ' ' + QByteArray::fromStdString(probe.function) + ' '
            + (probe.provider == "instant" ? QByteArray("instant") : QByteArray::fromStdString(probe.name)) + '\n';
    }
    return out;
}
inline QByteArray keyText(const record::Field& key, const Bytes& bytes)
{
    std::uint32_t number = 0;
    if (key.kind != record::FieldKind::Uint) return QByteArray::fromStdString(record::stringOf(key, bytes));
    std::memcpy(&number, bytes.data() + key.offset, sizeof number);
    return QByteArray::number(number);
}
/// When samples were taken and of which thread: a line for each part with its amount, and the noun.
inline QByteArray sampled(const text::Imported& imported)
{
    QByteArray out;
    for (const auto& record : imported.records) {
        const auto* parts = std::get_if<record::StackParts>(&record);
        if (!parts) continue;
        out += QByteArray::fromStdString(parts->noun) + '\n';
        for (const auto& part : parts->parts) {
            out += QByteArray::number(qlonglong(part.from.count())) + ' ';
            for (const auto& key : parts->by.front().keys)
                out += keyText(key, part.keys.front()) + ' ';
            out += QByteArray::number(qlonglong(part.amount)) + '\n';
        }
    }
    return out;
}
} // namespace dscope::tests
