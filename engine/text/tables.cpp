#include "engine/text/tables.h"
#include "engine/text/row_keys.h"
#include <algorithm>
namespace dscope::text {
namespace {
bool sameShape(const record::Aggregation& a, const record::Aggregation& b)
{
    return a.function == b.function && a.parameters == b.parameters && a.name == b.name;
}
} // namespace

std::vector<std::int64_t>& Tables::row(const record::Aggregation& shape, const Keys& keys)
{
    auto group = std::find_if(
        m_groups.begin(), m_groups.end(), [&](const Group& g) { return g.keys == keys.size() && sameShape(g.shape, shape); });
    if (group == m_groups.end()) {
        m_groups.push_back({shape, keys.size(), m_keyNames, {}, {}});
        group = m_groups.end() - 1;
    }
    const auto [at, isNew] = group->rows.try_emplace(keys);
    if (isNew) group->order.push_back(keys);
    return at->second;
}

void Tables::number(const Keys& keys, std::int64_t value, record::Aggregator function)
{
    record::Aggregation shape;
    shape.name = m_name;
    shape.function = function;
    row(shape, keys) = {value};
}

void Tables::values(const Keys& keys, const record::Aggregation& shape, std::vector<std::int64_t> data)
{
    auto named = shape;
    named.name = m_name;
    row(named, keys) = std::move(data);
}

void Tables::distribution(const Keys& keys, const record::Aggregation& shape, std::vector<std::pair<int, std::int64_t>> buckets)
{
    auto named = shape;
    named.name = m_name;
    auto& data = row(named, keys);
    data.clear();
    for (const auto& [bucket, count] : buckets)
        if (count != 0) {
            data.push_back(bucket);
            data.push_back(count);
        }
}

void Tables::put(Imported& into) const
{
    for (const auto& group : m_groups) {
        RowKeys packed(group.order.size(), group.keys);
        const AggregationId id{static_cast<std::uint32_t>(into.program.aggregations.size())};
        auto shape = group.shape;
        for (std::size_t k = 0; k < group.keys; ++k) {
            std::size_t longest = 0;
            for (const auto& keys : group.order)
                longest = std::max(longest, keys[k].size());
            std::string name = "key";
            if (group.keys > 1) name += std::to_string(k + 1);
            if (k < group.names.size()) name = group.names[k];
            shape.keys.push_back({record::FieldKind::String, shape.keySize, packed.room(longest), std::move(name), "string"});
            shape.keySize += shape.keys.back().size;
        }
        record::AggregationRows rows{id, record::Nanoseconds(into.program.started), {}};
        for (const auto& keys : group.order) {
            record::AggregationRow row;
            row.key.resize(shape.keySize);
            for (std::size_t k = 0; k < keys.size(); ++k)
                packed.put(row.key.data() + shape.keys[k].offset, keys[k]);
            row.data = group.rows.at(keys);
            rows.rows.push_back(std::move(row));
        }
        into.records.emplace_back(std::move(rows));
        packed.tell(into, shape.name);
        into.program.aggregations.push_back(std::move(shape));
    }
}
} // namespace dscope::text
