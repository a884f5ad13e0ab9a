#pragma once
#include "graph/visual.h"
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::exporters {
/// How many decimals the cells of each column have that have the most; 0 where a column holds no decimal numbers. DuckDB, R and others
/// decide by its first rows what a column is: where whole numbers come first, a later fraction is rounded without a word.
class NumberColumns {
public:
    explicit NumberColumns(const graph::Table& table) : m_decimals(table.columns.size())
    {
        for (const auto& row : table.rows)
            for (std::size_t i = 0; i < std::min(row.size(), m_decimals.size()); ++i)
                if (table.columns[i].isNumber) m_decimals[i] = std::max(m_decimals[i], decimalsOf(row[i]));
    }
    /// A cell with as many decimals as its column has; what is no number stays as it is.
    std::string evened(std::string_view cell, std::size_t column) const
    {
        std::string out(cell);
        const auto own = decimalsOf(cell), most = column < m_decimals.size() ? m_decimals[column] : 0;
        if (own >= most || !isNumber(cell)) return out;
        if (own == 0) out += '.';
        return out.append(most - own, '0');
    }

private:
    static bool isDigit(char c) { return c >= '0' && c <= '9'; }
    static bool isNumber(std::string_view text)
    {
        if (text.starts_with('-')) text.remove_prefix(1);
        const auto dot = text.find('.');
        const auto whole = text.substr(0, dot), part = dot == text.npos ? std::string_view("0") : text.substr(dot + 1);
        return !whole.empty() && !part.empty() && std::all_of(whole.begin(), whole.end(), isDigit) && std::all_of(part.begin(), part.end(), isDigit);
    }
    static std::size_t decimalsOf(std::string_view text)
    {
        const auto dot = text.find('.');
        return dot == text.npos || !isNumber(text) ? 0 : text.size() - dot - 1;
    }
    std::vector<std::size_t> m_decimals;
};
} // namespace dscope::exporters
