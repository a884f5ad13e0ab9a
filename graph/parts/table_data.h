#pragma once
#include "graph/parts/table_grid.h"
#include "graph/run_scatter.h"
#include "graph/visual.h"
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>
namespace dscope::graph {
/// Rows of one kind, as a figure shows them: those of aggregations with the same keys stand in one row, and what was printed apart.
struct TableSheet {
    std::vector<std::size_t> keys, columns;     ///< of the grid; `columns` has the keys, too, first
    std::vector<std::vector<std::size_t>> rows; ///< each of one or more rows of the grid
};
/// What a table has: every aggregation and every record that was printed.
class TableData {
public:
    explicit TableData(const Store& store);
    /// What changed: the aggregations of two runs; what was printed has no counterpart.
    TableData(const Store& before, const Store& after);

    bool compares() const { return m_compares; }
    bool empty() const { return m_rows.empty(); }
    /// As it is written to a file, at most so many rows of it.
    Table table(std::size_t most) const;
    std::size_t rows() const { return m_rows.size(); }
    const std::vector<TableSheet>& sheets() const { return m_sheets; } ///< what figures show
    std::size_t rowsOfSheets() const;
    std::string noise() const; ///< what "~" before a difference means; empty where there is none
    /// Of programs that only print; other views tell what is aggregated.
    Digest digest(std::size_t most) const;

    // Of a column of the table.
    bool isNumeric(std::size_t column) const { return m_columns[column].isNumber; }
    bool hasBuckets(std::size_t column) const { return m_buckets.contains(column); }
    bool hasStacks(std::size_t column) const { return m_stacks.contains(column); }
    std::string headOf(std::size_t column) const;
    /// What a figure shows in a row of a sheet.
    std::string textOf(const TableSheet& sheet, std::size_t row, std::size_t column) const;
    const TableCell& cellOf(const TableSheet& sheet, std::size_t row, std::size_t column) const;
    /// What a cell with a distribution has; empty elsewhere.
    const std::vector<TableBucket>& bucketsOf(const TableSheet& sheet, std::size_t row, std::size_t column) const;
    /// What a cell is sorted by, where it has that.
    std::optional<Number> numberOf(const TableSheet& sheet, std::size_t row, std::size_t column) const;
    /// The places of a sheet's rows: by their first number that is no key, the largest first, or by their keys.
    std::vector<std::size_t> orderOf(const TableSheet& sheet, Order order) const;

private:
    void markStacks(TableGrid& grid, const std::vector<record::Aggregation>& all);
    /// What the rows of an aggregation belong to.
    TableSheet& sheetOf(TableGrid& grid, const record::Aggregation& aggregation);
    /// Gives the rows of aggregations, which come one aggregation after the other, their places in sheets.
    void arrange(TableGrid& grid, const std::vector<record::Aggregation>& all, const std::vector<std::size_t>& values);
    void addRankings(TableGrid& grid, const Store& store, const std::vector<std::size_t>& values);
    void addDistributions(TableGrid& grid, const Store& store, const std::vector<std::size_t>& values);
    void addFired(TableGrid& grid, const Store& store);
    /// Of a row of two runs: whether its difference may be noise, and why.
    void noteNoise(bool mayBe, const Noise& why);

    bool m_hasAggregations = false;
    bool m_compares = false;
    std::vector<bool> m_isNoise;                 ///< of a row's difference
    std::optional<Noise> m_noise;                ///< what that means, of the last such row
    bool m_hasNoises = false;                    ///< there are rows of which it means something else
    std::set<std::size_t> m_buckets, m_stacks;   ///< columns with cells of these
    std::set<std::size_t> m_ours;                ///< columns whose titles are said
    std::map<std::size_t, std::string> m_traced; ///< columns of what the program calls as a column of ours is called
    std::optional<std::size_t> m_time;           ///< column of moments, which figures count from the run's start
    std::size_t m_keys = 0;                      ///< columns of keys, the first ones
    std::vector<TableSheet> m_sheets;
    std::vector<std::vector<std::size_t>> m_rowsOf; ///< rows of the grid, by aggregation
    std::vector<std::string> textsOf(std::size_t row) const;
    std::vector<Column> m_columns;
    std::vector<TableRow> m_rows; ///< of the table: a cell a column
};
/// Whether a table has a row for what the action does: it prints or traces.
bool isForTable(const record::Action& action);
} // namespace dscope::graph
