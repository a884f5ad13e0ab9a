#pragma once
#include "graph/parts/table_data.h"
#include <cstddef>
#include <optional>
#include <vector>
namespace dscope::graph {
/// Lengths of a table, in px at a page's scale of 1.
struct TableLengths {
    static constexpr double kRowHeight = 21, kText = 12, kColumnGap = 22, kBlockGap = 50; // between blocks of rows
    static constexpr double kWidestColumn = 420;                                          // at any scale
    static constexpr double kBarGap = 10;
};
/// Where a sheet is drawn.
struct TablePlace {
    std::size_t sheet = 0;
    Box area;
};
/// Sheets stand beside one another as far as they have room in `content`, and else below; those that have none have no place.
std::vector<TablePlace> tablePlaces(const TableData& data, const Box& content, double scale, const LayoutOptions& options);

/// Which rows of a sheet are drawn, and how wide its columns are: 0 of one that is not drawn.
struct TableSetting {
    std::vector<std::size_t> order;  ///< of all rows
    std::vector<double> widths;      ///< px, of the sheet's columns
    std::size_t shown = 0;           ///< the first so many rows
    std::size_t blocks = 1;          ///< beside one another, as columns of a page of text are
    std::size_t inBlock = 0;         ///< rows of a block; the last one may have fewer
    double line = 0;                 ///< px, the height of a line; a row has one, or what follows
    bool isSpread = false;           ///< a distribution has a line a bucket
    std::vector<std::size_t> lines;  ///< where it is spread: of each row of `order`
    std::optional<std::size_t> bars; ///< of `columns`: whose numbers are bars beside the table, too
    double barWidth = 0;             ///< px, of the longest

    std::size_t linesOf(std::size_t place) const { return isSpread ? lines[place] : 1; }
};
/// Sets a sheet as wide and high as `area`.
TableSetting tableSetting(const TableData& data, const TableSheet& sheet, const Box& area, double scale, const LayoutOptions& options);
/// `scale`, or up to twice of it where all rows and columns of all tables have room in `area` with larger text.
double roomyTableScale(const TableData& data, const Box& area, double scale, const LayoutOptions& options);
} // namespace dscope::graph
