#pragma once
#include "engine/text/importer.h"
#include <map>
#include <optional>
#include <span>
#include <utility>
namespace dscope::text {
/// Collects the tables of a text (numbers and distributions by keys) as the aggregations that they were printed from.
class Tables {
public:
    using Keys = std::vector<std::string>;
    /// What the tables that follow are called, "bytes" of @bytes.
    void name(std::string name) { m_name = std::move(name); }
    /// What the keys of the tables that follow are called; "key1", "key2" unless said.
    void keyNames(std::vector<std::string> names) { m_keyNames = std::move(names); }
    /// One number a key; a later one of the same keys replaces the earlier, as a later printing of a map does.
    void number(const Keys& keys, std::int64_t value, record::Aggregator function = record::Aggregator::Count);
    /// As number(), where `shape` says more of it, what was aggregated; the data as record::AggregationRow has it.
    void values(const Keys& keys, const record::Aggregation& shape, std::vector<std::int64_t> data);
    /// `function` and `parameters` say what the buckets mean; { bucket, count } ascending.
    void distribution(const Keys& keys, const record::Aggregation& shape, std::vector<std::pair<int, std::int64_t>> buckets);
    bool empty() const { return m_groups.empty(); }
    /// Puts the aggregations into the program and their rows among the records.
    void put(Imported& into) const;

private:
    struct Group {
        record::Aggregation shape;
        std::size_t keys = 0;
        std::vector<std::string> names; ///< of keys; empty: none was said
        std::vector<Keys> order;
        std::map<Keys, std::vector<std::int64_t>> rows;
    };
    std::vector<std::int64_t>& row(const record::Aggregation& shape, const Keys& keys);
    std::string m_name;
    std::vector<std::string> m_keyNames;
    std::vector<Group> m_groups;
};

/// A distribution as dtrace prints it, taken back: the lower ends of its rows and their counts.
struct PrintedRow {
    enum class Kind : std::uint8_t { Value, Below, AtLeast, Middle } kind = Kind::Value; ///< "8", "< 8", ">= 8", "abs() < 8"
    std::int64_t value = 0, count = 0;
};
/// Whether the rows are of quantize, lquantize or llquantize, with what parameters, and which buckets they are.
/// Empty: of none of them.
struct Distribution {
    record::Aggregation shape;
    std::vector<std::pair<int, std::int64_t>> buckets;
};
std::optional<Distribution> distributionOf(const std::vector<PrintedRow>& rows);

/// A row of a histogram whose tool prints both ends: the values from `low` to `high`; an empty end is open.
struct PrintedRange {
    std::optional<std::int64_t> low, high;
    std::int64_t count = 0;
};
/// What has all these rows as buckets: quantize or lquantize where it is one of them, else ranges with these ends. Empty: two rows overlap,
/// one ends before it begins, there are none, or too many.
std::optional<record::Aggregation> bucketsOf(std::span<const PrintedRange> rows);
/// The bucket that a row is; `shape` is of bucketsOf().
int bucketOf(const record::Aggregation& shape, const PrintedRange& row);
} // namespace dscope::text
