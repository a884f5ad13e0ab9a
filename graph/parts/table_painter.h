#pragma once
#include "graph/page.h"
#include "graph/parts/table_layout.h"
namespace dscope::graph {
/// Draws the sheets of a table.
class TablePainter {
public:
    /// `scale`: of text and rows, at least the page's.
    TablePainter(Page& page, const TableData& data, double scale) : m_page(page), m_data(data), m_scale(scale) { }
    /// A sheet below its heads, as many of its rows and columns as have room, and what is not there in words; its lower right corner.
    Point draw(const TableSheet& sheet, const Box& area);

private:
    struct Block {
        std::size_t first = 0, count = 0; ///< rows, by their places
        double left = 0, width = 0;       ///< px; the width is that of what is drawn
        std::size_t columns = 0;          ///< that are drawn
        double bottom = 0;                ///< px, of its last row
    };
    void drawBlock(const TableSheet& sheet, const Box& area, const TableSetting& set, Block& block);
    /// `shown`: its text as it is cut; empty: whatever has room.
    void drawCell(const TableSheet& sheet, std::size_t row, std::size_t column, Point at, double width, const std::string& shown);
    /// A line a bucket in `cell`, which is as wide as the column and begins at its first line.
    void drawBuckets(const TableSheet& sheet, const TableSetting& set, const Block& block, std::size_t column, const Box& cell);

    void drawBars(const TableSheet& sheet, const TableSetting& set, const Block& block, const Box& lane);

    Page& m_page;
    const TableData& m_data;
    double m_scale;
};
} // namespace dscope::graph
