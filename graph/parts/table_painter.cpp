#include "graph/parts/table_painter.h"
#include "graph/telling_cuts.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
#include <string>
namespace dscope::graph {
void TablePainter::drawCell(const TableSheet& sheet, std::size_t row, std::size_t column, Point at, double width, const std::string& shown)
{
    const double size = TableLengths::kText * m_scale;
    const bool isNumber = m_data.isNumeric(column);
    const std::string whole = m_data.textOf(sheet, row, column),
                      cell = m_data.hasBuckets(column) ? fewerBuckets(m_data.cellOf(sheet, row, column), width, size)
        : shown.empty()                                ? whole
                                                       : shown;
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

void TablePainter::drawBuckets(const TableSheet& sheet, const TableSetting& set, const Block& block, std::size_t column, const Box& cell)
{
    const double k = m_scale, size = TableLengths::kText * k, gap = TableLengths::kBarGap * k;
    double most = 1, lows = 0, counts = 0;
    for (std::size_t r = 0; r < block.count; ++r)
        for (const auto& bucket : m_data.bucketsOf(sheet, set.order[block.first + r], column)) {
            most = std::max(most, bucket.count);
            lows = std::max(lows, textWidth(bucket.low, size));
            counts = std::max(counts, textWidth(formatGrouped(std::llround(bucket.count)), size));
        }
    const double left = cell.x + lows + gap, room = std::max(cell.width - lows - counts - 2 * gap, 1.0);
    double y = cell.y;
    for (std::size_t r = 0; r < block.count; ++r) {
        const auto row = Row{static_cast<std::uint32_t>(sheet.rows[set.order[block.first + r]].front())};
        const auto& buckets = m_data.bucketsOf(sheet, set.order[block.first + r], column);
        for (std::size_t i = 0; i < buckets.size(); ++i) {
            const double top = y + static_cast<double>(i) * set.line, base = top + set.line / 2 + 0.36 * size,
                         length = room * buckets[i].count / most;
            const auto count = formatGrouped(std::llround(buckets[i].count));
            m_page.text(Role::Label, {cell.x + lows, base}, buckets[i].low, {.size = size, .anchor = Anchor::End}).row = row;
            Item& bar = m_page.box(Role::Bar, {left, top + 0.2 * set.line, std::max(length, 1.0), 0.6 * set.line, 2});
            bar.tip = buckets[i].low + ": " + count;
            bar.row = row;
            m_page.text(Role::Label, {left + length + gap, base}, count, {.size = size}).row = row;
        }
        y += static_cast<double>(set.linesOf(block.first + r)) * set.line;
    }
}

void TablePainter::drawBlock(const TableSheet& sheet, const Box& area, const TableSetting& set, Block& block)
{
    const bool fit = m_page.options().fit;
    const double k = m_scale, size = TableLengths::kText * k, line = set.line, first = area.y + line;
    std::vector<double> tops; // of rows, and where the last one ends
    double y = first;
    for (std::size_t r = 0; r < block.count; ++r) {
        tops.push_back(y);
        y += static_cast<double>(set.linesOf(block.first + r)) * line;
    }
    tops.push_back(y);
    const auto baseOf = [&](double top) { return top + line / 2 + 0.36 * size; };

    double x = block.left;
    block.columns = 0;
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
        const auto c = sheet.columns[i];
        const bool isNumber = m_data.isNumeric(c), isSpread = set.isSpread && m_data.hasBuckets(c);
        double width = set.widths[i];
        if (width <= 0) continue;
        const double room = area.x + area.width - x;
        constexpr double kRounding = 0.01; // px: widths that add up to the page's
        if (fit && width > room + kRounding && (room < 60 || isNumber)) break;
        if (fit) width = std::min(width, room);
        const double edge = isNumber ? x + width : x;
        m_page.text(Role::Label, {edge, baseOf(area.y)}, m_data.headOf(c),
            {.size = size, .bold = true, .anchor = isNumber ? Anchor::End : Anchor::Start, .maxWidth = width + 1});
        std::vector<std::string> cuts(block.count);
        if (!isNumber && !m_data.hasBuckets(c)) {
            for (std::size_t r = 0; r < block.count; ++r)
                cuts[r] = m_data.textOf(sheet, set.order[block.first + r], c);
            cuts = tellingCuts(cuts, width + 1, size, m_data.hasStacks(c) ? Elide::End : Elide::Middle, {.mono = true});
        }
        if (isSpread) drawBuckets(sheet, set, block, c, {x, first, width, y - first, 0});
        for (std::size_t r = 0; r < block.count && !isSpread; ++r)
            drawCell(sheet, set.order[block.first + r], c, {edge, baseOf(tops[r])}, width, cuts[r]);
        if (set.bars == i) drawBars(sheet, set, block, {x + width + TableLengths::kBarGap * k, first, set.barWidth, line, 0});
        block.width = x + width - block.left + (set.bars == i ? TableLengths::kBarGap * k + set.barWidth : 0);
        x += width + TableLengths::kColumnGap * k;
        ++block.columns;
    }

    for (const double top : tops)
        m_page.path(top == tops.front() ? Role::Axis : Role::Grid, {{block.left, top}, {block.left + block.width, top}});
    block.bottom = y;
}

/// `lane`: of the first row.
void TablePainter::drawBars(const TableSheet& sheet, const TableSetting& set, const Block& block, const Box& lane)
{
    const auto column = sheet.columns[*set.bars];
    const auto numberOf
        = [&](std::size_t row) { return static_cast<double>(m_data.numberOf(sheet, set.order[block.first + row], column).value_or(0)); };
    double most = 0;
    for (std::size_t r = 0; r < block.count; ++r)
        most = std::max(most, numberOf(r));
    for (std::size_t r = 0; r < block.count; ++r) {
        Item& bar = m_page.box(Role::Bar,
            {lane.x, lane.y + (static_cast<double>(r) + 0.2) * lane.height, std::max(lane.width * numberOf(r) / most, 0.5),
                0.6 * lane.height, 2});
        bar.tip = m_data.textOf(sheet, set.order[block.first + r], column);
        bar.row = Row{static_cast<std::uint32_t>(sheet.rows[set.order[block.first + r]].front())};
    }
}

Point TablePainter::draw(const TableSheet& sheet, const Box& area)
{
    const auto& options = m_page.options();
    const double k = m_scale, size = TableLengths::kText * k;
    const auto set = tableSetting(m_data, sheet, area, k, options);
    const auto recorded = sheet.rows.size(), shown = set.shown;
    Block block{0, 0, area.x, 0, 0, 0};
    for (std::size_t first = 0; first < shown; first += set.inBlock) {
        block.first = first;
        block.count = std::min(set.inBlock, shown - first);
        drawBlock(sheet, area, set, block);
        block.left += block.width + TableLengths::kBlockGap * k;
    }

    const double left = block.left - (block.width + TableLengths::kBlockGap * k); // of the last block
    std::string more;
    if (shown < recorded)
        more = saidOf(
            recorded - shown, "\u2026 %1 more row", "\u2026 %1 more rows", formatGrouped(static_cast<std::int64_t>(recorded - shown)));
    if (const auto hidden = sheet.columns.size() - block.columns; hidden > 0) {
        const auto number = std::to_string(hidden);
        more = more.empty() ? saidOf(hidden, "\u2026 %1 more column", "\u2026 %1 more columns", number)
                            : saidOf(hidden, "%1 and %2 more column", "%1 and %2 more columns", more, number);
    }

    // After the last row, which with several blocks leaves one free.
    const double bottom = block.bottom, height = set.line;
    if (!more.empty()) {
        const double room = area.x + area.width - left;
        if (const auto longer = said("%1, all of them in the CSV", more); textWidth(longer, size) <= room) more = longer;
        m_page.text(Role::Note, {left, bottom + height * 0.7}, more, {.size = size, .maxWidth = room});
    }
    return {left + block.width, bottom + height};
}
} // namespace dscope::graph
