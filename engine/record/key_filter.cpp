#include "engine/record/key_filter.h"
#include "engine/record/value.h"
#include <algorithm>
namespace dscope::record {
namespace {
/// Null where there is none of this name whose values have a text.
const Field* fieldOf(const std::vector<Field>& fields, const KeyValue& key)
{
    const auto field
        = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == key.expression && KeyFilter::canAsk(f); });
    return field == fields.end() ? nullptr : &*field;
}
bool hasValue(const Field& field, ByteView bytes, const KeyValue& key)
{
    const auto number = [&] {
        const auto value = integerOf(field, bytes);
        return field.kind == FieldKind::Uint ? std::to_string(static_cast<std::uint64_t>(value)) : std::to_string(value);
    };
    return (field.kind == FieldKind::String ? stringOf(field, bytes) : number()) == key.value;
}
} // namespace

KeyFilter::Fields KeyFilter::fieldsFor(const std::vector<Field>& fields) const
{
    Fields found;
    for (const auto& key : m_keys) {
        const auto* field = fieldOf(fields, key);
        if (!field) return {};
        found.push_back(*field);
    }
    return found;
}

bool KeyFilter::holds(const Fields& fields, ByteView bytes) const
{
    if (fields.size() != m_keys.size()) return false;
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (!hasValue(fields[i], bytes, m_keys[i])) return false;
    return true;
}

StackParts KeyFilter::left(StackParts stacks) const
{
    const auto has = [&](const StackParts::Part& part, const KeyValue& key) {
        for (std::size_t i = 0; i < part.keys.size(); ++i)
            if (const auto* field = fieldOf(stacks.by[i].keys, key); field && hasValue(*field, part.keys[i], key)) return true;
        return false;
    };
    std::erase_if(stacks.parts, [&](const StackParts::Part& part) {
        return !std::all_of(m_keys.begin(), m_keys.end(), [&](const KeyValue& key) { return has(part, key); });
    });
    stacks.isWhole = false;
    return stacks;
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
    if (const auto* parts = std::get_if<StackParts>(&record)) return left(*parts);
    return record;
}
} // namespace dscope::record
