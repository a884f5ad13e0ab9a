#include "engine/record/key_filter.h"
#include "engine/record/value.h"
#include <algorithm>
namespace dscope::record {
KeyFilter::Fields KeyFilter::fieldsFor(const std::vector<Field>& fields) const
{
    Fields found;
    for (const auto& key : m_keys) {
        const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& f) {
            return f.name == key.expression && (f.kind == FieldKind::String || f.kind == FieldKind::Int || f.kind == FieldKind::Uint);
        });
        if (field == fields.end()) return {};
        found.push_back(*field);
    }
    return found;
}

bool KeyFilter::holds(const Fields& fields, ByteView bytes) const
{
    if (fields.size() != m_keys.size()) return false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto& field = fields[i];
        const auto number = [&] {
            const auto value = integerOf(field, bytes);
            return field.kind == FieldKind::Uint ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
        };
        if ((field.kind == FieldKind::String ? stringOf(field, bytes) : number()) != m_keys[i].value) return false;
    }
    return true;
}

std::optional<Record> KeyFilter::operator()(const Record& record)
{
    if (const auto* program = std::get_if<Program>(&record)) {
        for (const auto& aggregation : program->aggregations)
            m_aggregations.push_back(fieldsFor(aggregation.keys));
        for (const auto& clause : program->clauses) {
            std::vector<Field> fields;
            for (const auto& action : clause.actions)
                fields.insert(fields.end(), action.fields.begin(), action.fields.end());
            m_clauses.push_back(fieldsFor(fields));
        }
        return record;
    }

    if (const auto* fired = std::get_if<Fired>(&record)) {
        const bool isKnown = fired->clause.value < m_clauses.size();
        if (isKnown && holds(m_clauses[fired->clause.value], fired->payload)) return record;
        return std::nullopt;
    }

    if (const auto* rows = std::get_if<AggregationRows>(&record)) {
        auto left = *rows;
        const bool isKnown = rows->aggregation.value < m_aggregations.size();
        std::erase_if(
            left.rows, [&](const AggregationRow& row) { return !isKnown || !holds(m_aggregations[rows->aggregation.value], row.key); });
        return left;
    }
    return record;
}
} // namespace dscope::record
