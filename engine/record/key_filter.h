#pragma once
#include "engine/record/record.h"
#include <optional>
#include <string>
#include <vector>
namespace dscope::record {
/// One value of a key: `execname` is "sed", `pid` is "4101".
struct KeyValue {
    std::string expression; ///< as Field::name has it
    std::string value;      ///< the text of a string, an integer in decimal
    bool operator==(const KeyValue&) const = default;
};
/// Leaves of a stream what has all of some keys' values: rows of aggregations that are keyed by them, and firings that record them.
/// Of stacks that another tool counted the parts are left that have them, each key by any of the counts that tell parts apart (StackParts).
/// Aggregations and clauses that do not have such a key keep nothing, for nobody knows which part of them is meant; processes, drops and
/// everything else pass. Feed it every record, in order.
class KeyFilter {
public:
    /// Whether values of a key can be asked for: texts and integers.
    static bool canAsk(const Field& field)
    {
        return field.kind == FieldKind::String || field.kind == FieldKind::Int || field.kind == FieldKind::Uint;
    }
    explicit KeyFilter(std::vector<KeyValue> keys) : m_keys(std::move(keys)) { }
    /// Nothing where nothing of the record is left.
    std::optional<Record> operator()(const Record& record);

private:
    using Fields = std::vector<Field>; ///< one for each of m_keys; empty: not all of them are there
    Fields fieldsFor(const std::vector<Field>& fields) const;
    bool holds(const Fields& fields, ByteView bytes) const;
    StackParts left(StackParts stacks) const;
    std::vector<KeyValue> m_keys;
    std::vector<Fields> m_aggregations, m_clauses;
};
} // namespace dscope::record
