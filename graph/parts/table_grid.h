#pragma once
#include "graph/ranking.h"
#include "graph/visual.h"
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
namespace dscope::graph {
/// A bucket of a distribution: its lower end as a figure shows it, and how many there are.
struct TableBucket {
    std::string low;
    double count = 0;
};
/// A cell as it is written to a file, as a figure shows it, and what it is sorted by.
struct TableCell {
    std::string text, shown;
    std::optional<Number> number = std::nullopt;
    std::vector<TableBucket> buckets = {}; ///< of a distribution
};
using TableRow = std::vector<TableCell>;
/// As Ranking::valueText(), but with all digits of a whole number that has no unit.
std::string exactText(const Ranking& of, const Number& value);
/// A number in the unit of what it measures.
TableCell numberCell(const Ranking& of, const Number& value);
/// A quantized row as one cell: "2048: 25, 4096: 97", the lower ends with their counts.
TableCell bucketsCell(const record::Aggregation& aggregation, const Measure& measure, const record::AggregationRow& row);
/// `counts`: by bucket; those of none are left out.
TableCell bucketsCell(const record::Aggregation& aggregation, const Measure& measure, const std::map<int, Number>& counts);
/// As many buckets from both ends of such a cell as fit into `width` px, and how many there are between them; else how many there are and
/// which is the fullest.
std::string fewerBuckets(const TableCell& cell, double width, double size);

/// Columns by name: rows of different origin share those that have the same name.
class TableGrid {
public:
    std::size_t column(Column column)
    {
        const auto [place, isNew] = m_places.try_emplace(column.title, m_columns.size());
        if (isNew)
            m_columns.push_back(std::move(column));
        else if (!column.isNumber)
            m_columns[place->second].isNumber = false;
        return place->second;
    }

    std::size_t size() const { return m_columns.size(); } ///< columns so far
    TableRow& row() { return m_rows.emplace_back(); }     ///< a new one; valid until the next
    std::size_t rowsSoFar() const { return m_rows.size(); }
    const TableRow& rowAt(std::size_t row) const { return m_rows[row]; }

    static void set(TableRow& row, std::size_t column, TableCell cell)
    {
        if (row.size() <= column) row.resize(column + 1);
        row[column] = std::move(cell);
    }
    static void set(TableRow& row, std::size_t column, const std::string& text) { set(row, column, TableCell{text, text}); }

    /// All of them, a cell a column each.
    std::vector<TableRow> rows()
    {
        for (auto& row : m_rows) {
            row.resize(m_columns.size());
            row.shrink_to_fit();
        }
        return std::move(m_rows);
    }
    std::vector<Column> columns() { return std::move(m_columns); } ///< after rows()

private:
    std::map<std::string, std::size_t> m_places;
    std::vector<Column> m_columns;
    std::vector<TableRow> m_rows;
};
} // namespace dscope::graph
