#include "engine/record/aggregation_state.h"
#include "engine/record/sort.h"
#include "engine/record/value.h"
#include <limits>
#include <set>
namespace dscope::record {
AggregationState::AggregationState(std::vector<Aggregation> aggregations)
    : m_aggregations(std::move(aggregations)), m_entries(m_aggregations.size())
{
}

AggregationId AggregationState::declare(Aggregation aggregation)
{
    m_aggregations.push_back(std::move(aggregation));
    m_entries.emplace_back();
    return AggregationId{static_cast<std::uint32_t>(m_entries.size() - 1)};
}

void AggregationState::take(const AggregationRows& rows)
{
    if (rows.aggregation.value < m_entries.size()) m_entries[rows.aggregation.value].rows = rows.rows;
}

void AggregationState::apply(const Action& action, ByteView payload)
{
    if (action.aggregations.empty() || action.aggregations[0].value >= m_entries.size()) return;
    const Aggregation& aggregation = m_aggregations[action.aggregations[0].value];
    Entry& e = m_entries[action.aggregations[0].value];
    switch (action.kind) {
    case ActionKind::Clear:
        for (auto& row : e.rows)
            row.data = emptyData(aggregation.function);
        break;
    case ActionKind::Trunc: {
        if (action.fields.empty()) {
            e.rows.clear();
            break;
        }
        // The options for sorting have no say here: always by value.
        const std::int64_t keep = integerOf(action.fields[0], payload);
        const std::uint64_t count = keep < 0 ? std::uint64_t{0} - std::uint64_t(keep) : std::uint64_t(keep);
        if (count >= e.rows.size()) break;
        sortRows(aggregation, e.rows, {.reversed = keep >= 0});
        e.rows.resize(std::size_t(count));
        if (action.aggregations.size() > 1 && action.aggregations[1].value < m_entries.size()) {
            const Aggregation& finer = m_aggregations[action.aggregations[1].value];
            const std::size_t shared = aggregation.keys.size();
            if (finer.keys.size() < shared) break; // nothing was aggregated
            std::set<std::string> left;
            for (const auto& row : e.rows)
                left.insert(comparable(aggregation.keys, row.key));
            std::erase_if(m_entries[action.aggregations[1].value].rows,
                [&](const AggregationRow& row) { return !left.contains(comparable(std::span(finer.keys).first(shared), row.key)); });
        }
        break;
    }
    case ActionKind::Normalize:
        e.divisor = action.fields.empty() ? 1 : integerOf(action.fields[0], payload);
        if (e.divisor == 0) e.divisor = 1;
        break;
    case ActionKind::Denormalize: e.divisor = 1; break;
    default: break;
    }
}

std::vector<std::int64_t> emptyData(Aggregator function)
{
    switch (function) {
    case Aggregator::Min: return {std::numeric_limits<std::int64_t>::max()};
    case Aggregator::Max: return {std::numeric_limits<std::int64_t>::min()};
    case Aggregator::Avg: return {0, 0};
    case Aggregator::Stddev: return {0, 0, 0, 0};
    case Aggregator::Quantize:
    case Aggregator::Lquantize:
    case Aggregator::Llquantize:
    case Aggregator::Ranges: return {};
    default: return {0};
    }
}
} // namespace dscope::record
