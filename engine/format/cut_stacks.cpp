#include "engine/format/cut_stacks.h"
#include "engine/format/rows.h"
#include "engine/format/text.h"
#include <algorithm>
namespace dscope::format {
using namespace record;
namespace {
const char* reasonOf(Truncation why)
{
    switch (why) {
    case Truncation::TooDeep: return "more frames than option ustackframes keeps";
    case Truncation::NoCaller: return "code without unwind tables";
    case Truncation::BadMemory: return "the stack could not be read";
    case Truncation::Switched: return "code that has changed to another stack";
    case Truncation::NoTable: break;
    }
    return "no unwind table";
}
} // namespace

void CutStacks::take(const Context& context, const Field& field, ByteView bytes, std::int64_t times)
{
    if (field.kind != FieldKind::UserStack && field.kind != FieldKind::Stack) return;
    const auto frames = context.framesOf(field, bytes);
    if (frames.size() == 0) return;
    m_all += times;
    const auto& last = frames[frames.size() - 1];
    if (last.kind != Frame::Kind::Truncated) return;
    m_cut += times;
    m_reasons[static_cast<Truncation>(last.offset)] += times;
}

void CutStacks::take(const Context& context, const Aggregation& aggregation, std::span<const AggregationRow> rows)
{
    for (const auto& field : aggregation.keys)
        if (field.kind == FieldKind::UserStack)
            for (const auto& row : rows) {
                const auto data = dataOf(aggregation, &row);
                const bool counts = aggregation.function == Aggregator::Count && !data.empty();
                take(context, field, row.key, counts ? std::max(std::int64_t{0}, data.front()) : 1);
            }
}

std::string CutStacks::text() const
{
    if (m_cut == 0) return {};
    const auto most
        = std::max_element(m_reasons.begin(), m_reasons.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return formatted("%lld of %lld stacks (%.1f %%) end early, in [truncated]%s: %s", static_cast<long long>(m_cut),
        static_cast<long long>(m_all), 100.0 * static_cast<double>(m_cut) / static_cast<double>(m_all),
        m_reasons.size() > 1 ? ", mostly" : "", reasonOf(most->first));
}
} // namespace dscope::format
