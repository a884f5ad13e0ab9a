#pragma once
#include "engine/base/interned.h"
#include "engine/text/importer.h"
#include "engine/text/tables.h"
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
namespace dscope::text {
/// Collects what a tool prints of its maps (numbers, averages and histograms by keys), some of them again and again, and makes aggregations
/// of them: of a map that was printed once a table, of one that was printed again what came in from one printing to the next.
///
/// Nothing in such a text says whether the map was emptied after a printing. It was where a value is smaller than before, or is missing
/// though it was not the smallest; else its values are taken for sums since the beginning. Either assumption is told.
class PrintedMaps {
public:
    /// Begins another printing of the map. `when`: ns of a clock of the tool's, if the text tells it.
    void begin(std::string_view map, std::optional<std::int64_t> when);
    /// Whether the printing that began last of this map has this key.
    bool has(std::string_view map, std::string_view key) const;
    /// What this map's values are ("usecs"); empty unless said.
    void measure(std::string_view map, std::string_view unit);
    /// What the keys of this map are ("disk"; of two parts "pid, process"); "key" unless said.
    void keyName(std::string_view map, std::string_view name);
    /// The tool empties its maps after each printing.
    void areEmptied() { m_areEmptied = true; }
    // The same key again in one printing is added to the first.
    void number(std::string_view map, std::string_view key, std::int64_t value, record::Aggregator function = record::Aggregator::Count);
    /// `count` 0: of how many values `sum` is the average is not known.
    void average(std::string_view map, std::string_view key, std::int64_t count, std::int64_t sum);
    void ranges(std::string_view map, std::string_view key, std::span<const PrintedRange> rows);
    /// A value of a map that is a series by itself, with the time when its interval began; the same time again replaces it.
    void point(std::string_view map, std::string_view key, std::int64_t when, std::int64_t value);
    bool empty() const { return m_maps.empty() && m_series.empty(); }
    /// Takes the text of a key apart: never into nothing. A value without a key has the key "", which nobody splits.
    using Split = std::function<std::vector<std::string>(std::string_view key)>;
    /// Puts aggregations into the program and their rows among the records. Keys of one map have as many parts as the one with the fewest:
    /// what splits further is part of a value.
    void put(Imported& into, const Split& split);

    static constexpr std::size_t kMostRepeated = 1'000'000; ///< rows of maps that are printed again; beyond it their last printings count
    /// Rows of a map with those that take the place of what its printings left out: at most so many for each that was printed, or in all.
    static constexpr std::size_t kFilledOfRow = 32, kLeastFilled = 50'000;

private:
    struct Cell {
        std::uint32_t key = 0, firstRow = 0, rows = 0; ///< of m_rows
        record::Aggregator function = record::Aggregator::Count;
        std::int64_t number = 0, count = 0; ///< count: of an average
    };
    struct Printing {
        std::optional<std::int64_t> when;
        std::vector<Cell> cells;
    };
    struct Map {
        std::string name, unit, keyName;
        std::vector<Printing> printings;
        std::map<std::pair<std::uint32_t, record::Aggregator>, std::size_t> now; ///< cells of the last printing, by key
    };
    using Data = std::map<std::uint32_t, std::vector<std::int64_t>>; ///< by key
    /// One aggregation to be: cells of one map that are of one function.
    struct Group {
        record::Aggregation shape;
        std::vector<std::pair<std::optional<std::int64_t>, Data>> printings;
        bool isEmptied = false;
        std::string keyName;
        bool isEmptiedForSure = false; ///< no assumption is needed
        std::size_t cutBeyond = 0;     ///< more rows than these would be: one printing is kept, of what came in altogether
    };
    struct Event {
        std::int64_t when = 0;
        std::vector<record::Record> records;
    };
    Map& map(std::string_view name);
    Cell& cell(std::string_view map, std::string_view key, record::Aggregator function);
    std::vector<Group> groupsOf(const Map& map, Imported& into) const;
    std::vector<Group> seriesGroups() const;
    std::vector<std::int64_t> dataOf(const Group& group, const Cell& cell) const;
    void settle(Group& group) const;
    static void collapse(Group& group);
    static std::size_t wouldFill(const Group& group);
    bool setTimes(std::vector<Group>& groups, Imported& into) const;
    bool isSeries(const Group& group) const { return group.printings.size() > 1 || m_series.contains(group.shape.name); }
    void layOut(Group& group, const Split& split, std::vector<dscope::Bytes>& keys, Imported& into) const;
    void tellAssumptions(const std::vector<Group>& groups, Imported& into) const;

    Interned m_keys;
    std::vector<PrintedRange> m_rows;
    std::vector<Map> m_maps;
    std::map<std::string, std::size_t, std::less<>> m_byName;
    std::map<std::string, std::map<std::int64_t, std::map<std::uint32_t, std::int64_t>>, std::less<>> m_series; ///< name, time, key
    std::size_t m_repeated = 0;
    bool m_isCut = false, m_areEmptied = false;
};
} // namespace dscope::text
