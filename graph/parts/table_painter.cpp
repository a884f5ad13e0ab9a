#include "graph/parts/table_painter.h"
#include "graph/text.h"
#include <algorithm>
#include <string>
namespace dscope::graph {
void TablePainter::drawCell(const TableSheet& sheet, std::size_t row, std::size_t column, Point at, double width)
{
    const double size = TableLengths::kText * m_scale;
    const bool isNumber = m_data.isNumeric(column);
    const std::string whole = m_data.textOf(sheet, row, column),
                      cell = m_data.hasBuckets(column) ? fewerBuckets(whole, width, size) : whole;
    // Of a stack the innermost frames say most.
    Item& item = m_page.text(Role::Label, at, cell,
        {.size = size,
            .mono = !isNumber,
            .anchor = isNumber ? Anchor::End : Anchor::Start,
            .maxWidth = width + 1,
            .middle = !m_data.hasStacks(column)});
    if (cell != whole) item.tip = whole;
    item.row = Row{static_cast<std::uint32_t>(sheet.rows[row].front())};
}

void TablePainter::drawBlock(const TableSheet& sheet, const Box& area, const TableSetting& set, Block& block)
{
    const bool fit = m_page.options().fit;
    const double k = m_scale, size = TableLengths::kText * k, height = TableLengths::kRowHeight * k;
    double x = block.left;
    block.columns = 0;
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
        const auto c = sheet.columns[i];
        const bool isNumber = m_data.isNumeric(c);
        double width = set.widths[i];
        if (width <= 0) continue;
        const double room = area.x + area.width - x;
        constexpr double kRounding = 0.01; // px: widths that add up to the page's
        if (fit && width > room + kRounding && (room < 60 || isNumber)) break;
        if (fit) width = std::min(width, room);
        const double edge = isNumber ? x + width : x;
        m_page.text(Role::Label, {edge, area.y + height * 0.7}, m_data.headOf(c),
            {.size = size, .bold = true, .anchor = isNumber ? Anchor::End : Anchor::Start, .maxWidth = width + 1});
        for (std::size_t r = 0; r < block.count; ++r)
            drawCell(sheet, set.order[block.first + r], c, {edge, area.y + height * (static_cast<double>(r) + 1.7)}, width);
        block.width = x + width - block.left;
        x += width + TableLengths::kColumnGap * k;
        ++block.columns;
    }

    for (std::size_t r = 0; r <= block.count; ++r) {
        const double y = area.y + height * (static_cast<double>(r) + 1);
        m_page.path(r == 0 ? Role::Axis : Role::Grid, {{block.left, y}, {block.left + block.width, y}});
    }
}

Point TablePainter::draw(const TableSheet& sheet, const Box& area)
{
    const auto& options = m_page.options();
    const double k = m_scale, size = TableLengths::kText * k, height = TableLengths::kRowHeight * k;
    const auto set = tableSetting(m_data, sheet, area, k, options);
    const auto recorded = sheet.rows.size(), shown = set.shown;
    Block block{0, 0, area.x, 0, 0};
    for (std::size_t first = 0; first < shown; first += set.inBlock) {
        block.first = first;
        block.count = std::min(set.inBlock, shown - first);
        drawBlock(sheet, area, set, block);
        block.left += block.width + TableLengths::kBlockGap * k;
    }

    const double left = block.left - (block.width + TableLengths::kBlockGap * k); // of the last block
    std::string more;
    if (shown < recorded) more = "\u2026 " + formatGrouped(static_cast<std::int64_t>(recorded - shown)) + " more rows";
    if (block.columns < sheet.columns.size())
        more += (more.empty() ? "\u2026 " : " and ") + withNoun(std::to_string(sheet.columns.size() - block.columns), "more columns");

    // After the last row, which with several blocks leaves one free.
    const auto last = set.blocks > 1 ? shown - (shown - 1) / set.inBlock * set.inBlock : shown;
    const double bottom = area.y + height * (static_cast<double>(last) + 1);
    if (!more.empty()) {
        const double room = area.x + area.width - left;
        if (textWidth(more + ", all of them in the CSV", size) <= room) more += ", all of them in the CSV";
        m_page.text(Role::Note, {left, bottom + height * 0.7}, more, {.size = size, .maxWidth = room});
    }
    return {left + block.width, bottom + height};
}
} // namespace dscope::graph
