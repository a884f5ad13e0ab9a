#include "engine/record/merged_firings.h"
#include "engine/record/value.h"
#include <algorithm>
#include <cstring>
namespace dscope::record {
namespace {
/// Whether it shows values of the firing alone.
constexpr bool shows(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Trace:
    case ActionKind::Tracemem:
    case ActionKind::Printf:
    case ActionKind::Stack:
    case ActionKind::UserStack:
    case ActionKind::Symbol:
    case ActionKind::Print: return true;
    default: return false;
    }
}
bool isStack(const Field& field)
{
    return field.kind == FieldKind::Stack || field.kind == FieldKind::UserStack || field.kind == FieldKind::Symbol;
}
} // namespace

MergedFirings::MergedFirings(std::vector<Clause> clauses, const std::string& label, std::uint32_t width)
    : m_own(std::move(clauses)), m_merged(m_own)
{
    for (auto& clause : m_merged) {
        std::erase_if(clause.actions, [](const Action& action) { return !shows(action.kind); });
        clause.silent = clause.actions.empty();
        clause.probes.clear(); // see below
        if (clause.silent) {
            clause.payloadSize = 0;
            continue;
        }
        if (width == 0) continue;
        for (auto& action : clause.actions)
            for (auto& field : action.fields)
                field.offset += width;
        clause.payloadSize += width;
        // As --on prints it live.
        clause.actions.insert(
            clause.actions.begin(), Action{ActionKind::Printf, "%s: ", {{FieldKind::String, 0, width, label, "string"}}, {}});
    }
}

bool MergedFirings::has(ClauseId id, const Clause& own) const
{
    if (m_merged[id.value].actions.empty()) return false;
    const auto& first = m_own[id.value]; // recordings of before 1.7 do not tell the facts that firings do not depend on
    return own.actions == first.actions && own.payloadSize == first.payloadSize && own.silent == first.silent && own.probes == first.probes;
}

Fired MergedFirings::merged(const Fired& fired, const Bytes& label, const std::function<StackId(StackId)>& stack) const
{
    auto out = fired;
    // Numbers of threads are of one machine: of entries and returns of several no calls are to be made.
    out.probe = {};
    for (const auto& action : m_own[fired.clause.value].actions) {
        if (!shows(action.kind)) continue;
        for (const auto& field : action.fields) {
            if (!isStack(field) || field.offset + sizeof(std::uint32_t) > out.payload.size()) continue;
            const auto number = stack(stackOf(field, fired.payload)).value;
            std::memcpy(out.payload.data() + field.offset, &number, sizeof number);
        }
    }
    out.payload.insert(out.payload.begin(), label.begin(), label.end());
    return out;
}
} // namespace dscope::record
