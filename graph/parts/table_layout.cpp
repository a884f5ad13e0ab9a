#include "graph/parts/table_layout.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <numeric>
namespace dscope::graph {
namespace {
constexpr double kNarrowestText = 64, kTellingText = 150;  // px at scale 1
constexpr double kNarrowestBars = 140, kTallestLine = 1.5; // px at scale 1; of the usual height
constexpr std::size_t kOfRuns = 3;                         // last columns of a table of two runs: before, after, difference

/// How wide the columns of a sheet are for its first so many rows, px, and as wide as they need.
std::vector<double> widthsOfColumns(
    const TableData& data, const TableSheet& sheet, const std::vector<std::size_t>& order, std::size_t shown, double size)
{
    std::vector<double> widths;
    for (const auto c : sheet.columns) {
        double& width = widths.emplace_back(textWidth(data.headOf(c), size, {.bold = true}));
        for (std::size_t r = 0; r < shown; ++r)
            width = std::max(width, textWidth(data.textOf(sheet, order[r], c), size, {.mono = !data.isNumeric(c)}));
    }
    return widths;
}

double widthOfTable(const std::vector<double>& widths, double k)
{
    return std::accumulate(widths.begin(), widths.end(), TableLengths::kColumnGap * k * (static_cast<double>(widths.size()) - 1));
}

std::size_t rowsOfTable(const TableSheet& sheet, const LayoutOptions& options)
{
    return options.top > 0 ? std::min(options.top, sheet.rows.size()) : sheet.rows.size();
}

/// Lines of all rows that have room, where a page has more than rows of one line need.
double stretchedTableLine(double lines, double height, const Box& area)
{
    return std::clamp(area.height / (lines + 1.7), height, kTallestLine * height);
}

/// Has the one distribution of a sheet a line a bucket, where all rows have room for that.
bool spreadTable(TableSetting& set, const TableData& data, const TableSheet& sheet, const Box& area, double k, const LayoutOptions& options)
{
    if (!options.fit || options.forScreen || data.compares()) return false;
    std::optional<std::size_t> which;
    for (std::size_t c = 0; c < sheet.columns.size(); ++c)
        if (data.hasBuckets(sheet.columns[c])) {
            if (which) return false;
            which = c;
        }
    if (!which) return false;
    const auto all = rowsOfTable(sheet, options);
    std::size_t lines = 0;
    for (std::size_t r = 0; r < all; ++r) {
        const auto own = std::max<std::size_t>(data.bucketsOf(sheet, set.order[r], sheet.columns[*which]).size(), 1);
        set.lines.push_back(own);
        lines += own;
    }
    const double height = TableLengths::kRowHeight * k;
    auto widths = widthsOfColumns(data, sheet, set.order, all, TableLengths::kText * k);
    widths[*which] = 0;
    const double room = area.width - widthOfTable(widths, k);
    if ((static_cast<double>(lines) + 1.5) * height > area.height || room < kNarrowestBars * k) return false;
    widths[*which] = room;
    set.widths = std::move(widths);
    set.shown = set.inBlock = all;
    set.isSpread = true;
    set.line = stretchedTableLine(static_cast<double>(lines), height, area);
    return true;
}

/// Has the numbers of the last column, which no other has, as bars beside the table, where there is room for them.
void addTableBars(TableSetting& set, const TableData& data, const TableSheet& sheet, const Box& area, double k)
{
    if (data.compares() || sheet.keys.empty() || sheet.columns.size() != sheet.keys.size() + 1 || set.shown < 2) return;
    const auto last = sheet.columns.size() - 1;
    if (!data.isNumeric(sheet.columns[last])) return;
    double most = 0;
    for (std::size_t r = 0; r < set.shown; ++r) {
        const auto number = data.numberOf(sheet, set.order[r], sheet.columns[last]);
        if (!number || *number < 0) return;
        most = std::max<double>(most, *number);
    }
    const double room = area.width - widthOfTable(set.widths, k) - TableLengths::kBarGap * k;
    if (most <= 0 || room < kNarrowestBars * k) return;
    set.bars = last;
    set.barWidth = room;
}
} // namespace

std::vector<TablePlace> tablePlaces(const TableData& data, const Box& area, double k, const LayoutOptions& options)
{
    if (data.sheets().size() < 2) return {{0, area}};
    constexpr std::size_t kRowsLookedAt = 60, kFewestRows = 5; // with the heads and what is left out
    const double size = TableLengths::kText * k, height = TableLengths::kRowHeight * k;
    struct Shelf {
        std::vector<std::size_t> sheets;
        std::vector<double> widths;
        double used = 0, rows = 0;
    };

    std::vector<Shelf> shelves;
    for (std::size_t i = 0; i < data.sheets().size(); ++i) {
        const auto& sheet = data.sheets()[i];
        const auto rows = rowsOfTable(sheet, options);
        const auto order = data.orderOf(sheet, options.order);
        double width = -TableLengths::kColumnGap * k;
        for (const double column : widthsOfColumns(data, sheet, order, std::min(rows, kRowsLookedAt), size))
            width += std::min(column, TableLengths::kWidestColumn) + TableLengths::kColumnGap * k;
        if (options.fit) width = std::min(width, area.width);
        if (shelves.empty() || !options.fit || shelves.back().used + TableLengths::kBlockGap * k + width > area.width)
            shelves.emplace_back();
        auto& shelf = shelves.back();
        shelf.used += (shelf.sheets.empty() ? 0 : TableLengths::kBlockGap * k) + width;
        shelf.sheets.push_back(i);
        shelf.widths.push_back(width);
        shelf.rows = std::max(shelf.rows, static_cast<double>(rows) + 2);
    }

    if (options.fit)
        while (shelves.size() > 1 && area.height < static_cast<double>(shelves.size() * kFewestRows) * height)
            shelves.pop_back();
    // Each shelf has what it needs or an equal part; what the short ones leave goes to the others.
    std::vector<double> heights(shelves.size(), 0);
    double left = area.height;
    for (std::size_t open = shelves.size(); options.fit && open > 0;) {
        const double part = left / static_cast<double>(open);
        bool changed = false;
        for (std::size_t i = 0; i < shelves.size(); ++i)
            if (heights[i] == 0 && (shelves[i].rows + 0.5) * height <= part) {
                heights[i] = (shelves[i].rows + 0.5) * height;
                left -= heights[i];
                --open;
                changed = true;
            }
        if (changed) continue;
        for (auto& each : heights)
            if (each == 0) each = part;
        break;
    }

    std::vector<TablePlace> places;
    double y = area.y;
    for (std::size_t s = 0; s < shelves.size(); ++s) {
        const double tall = options.fit ? heights[s] : (shelves[s].rows + 0.5) * height;
        double x = area.x;
        for (std::size_t i = 0; i < shelves[s].sheets.size(); ++i) {
            const bool isLast = i + 1 == shelves[s].sheets.size();
            const double wide = isLast && options.fit ? area.x + area.width - x : shelves[s].widths[i];
            places.push_back({shelves[s].sheets[i], {x, y, wide, tall, 0}});
            x += wide + TableLengths::kBlockGap * k;
        }
        y += tall;
    }
    return places;
}

TableSetting tableSetting(const TableData& data, const TableSheet& sheet, const Box& area, double k, const LayoutOptions& options)
{
    TableSetting set;
    set.order = data.orderOf(sheet, options.order);
    if (spreadTable(set, data, sheet, area, k, options)) return set;
    const double size = TableLengths::kText * k, height = TableLengths::kRowHeight * k;
    const auto recorded = sheet.rows.size(), all = options.top > 0 ? std::min(options.top, recorded) : recorded,
               fitting = options.fit ? static_cast<std::size_t>(std::max(1.0, std::floor(area.height / height) - 1)) : all;
    const auto widthsFor = [&](std::size_t rows) { return widthsOfColumns(data, sheet, set.order, rows, size); };
    const auto shownIn = [&](std::size_t blocks) { return all <= fitting * blocks ? all : std::max<std::size_t>(fitting * blocks, 2) - 1; };

    // A narrow table goes on beside itself, as a page of text does in columns.
    auto& blocks = set.blocks;
    auto& widths = set.widths;
    widths = widthsFor(shownIn(blocks));
    while (options.fit && shownIn(blocks) < all && fitting > 1) {
        const auto wider = widthsFor(shownIn(blocks + 1));
        const double block
            = std::accumulate(wider.begin(), wider.end(), TableLengths::kColumnGap * k * static_cast<double>(wider.size() - 1));
        if (static_cast<double>(blocks + 1) * (block + TableLengths::kBlockGap * k) - TableLengths::kBlockGap * k > area.width) break;
        widths = wider;
        ++blocks;
    }

    set.shown = shownIn(blocks);
    set.inBlock = std::max<std::size_t>(std::min(set.shown, fitting - (blocks == 1 && set.shown < all ? 1 : 0)), 1);
    if (blocks > 1 && set.shown == all) set.inBlock = (all + blocks - 1) / blocks; // no rest that stands alone
    // No column is wider than the widest; what the page has beyond that goes to the texts that are cut by it, the first first.
    double spare = area.width + TableLengths::kColumnGap * k;
    for (const double width : widths)
        spare -= std::min(width, TableLengths::kWidestColumn) + TableLengths::kColumnGap * k;
    for (double& width : widths) {
        const double more = options.fit ? std::clamp(width - TableLengths::kWidestColumn, 0.0, std::max(spare, 0.0)) : 0;
        width = std::min(width, TableLengths::kWidestColumn) + more;
        spare -= more;
    }

    // Where not all columns fit, texts give way to the numbers beside them, the widest first, and the heads of texts only where nothing
    // else helps.
    bool cutsHeads = false;
    const auto least = [&](std::size_t c) {
        return cutsHeads ? 0 : std::min(textWidth(data.headOf(sheet.columns[c]), size, {.bold = true}), widths[c]);
    };
    const auto gained = [&](double widest) {
        double sum = 0;
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (!data.isNumeric(sheet.columns[c])) sum += std::max(widths[c] - std::max(widest, least(c)), 0.0);
        return sum;
    };
    if (options.fit && spare < 0 && gained(kNarrowestText * k) < -spare) // then distributions, of which numbers tell more
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (data.hasBuckets(sheet.columns[c])) {
                const double narrow = std::min(widths[c], std::max(textWidth("00 buckets", size, {.mono = true}), least(c)));
                const double less = std::clamp(-spare, 0.0, widths[c] - narrow); // no more than others need
                spare += less;
                widths[c] -= less;
            }

    // Of two runs how much more or less it is says most, and the keys say of what.
    if (options.fit && data.compares() && widths.size() > kOfRuns)
        for (auto c = widths.size() - kOfRuns; c + 1 < widths.size() && spare < 0 && gained(kTellingText * k) < -spare; ++c) {
            spare += widths[c] + TableLengths::kColumnGap * k;
            widths[c] = 0;
        }

    cutsHeads = gained(kNarrowestText * k) < -spare;
    if (double widest = TableLengths::kWidestColumn; options.fit && spare < 0 && gained(kNarrowestText * k) >= -spare) {
        while (gained(widest) < -spare)
            widest -= 1;
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (!data.isNumeric(sheet.columns[c])) widths[c] = std::min(widths[c], std::max(widest, least(c)));
    }
    set.line = height;
    if (options.fit && !options.forScreen && set.shown == all && blocks == 1) {
        set.line = stretchedTableLine(static_cast<double>(all), height, area);
        addTableBars(set, data, sheet, area, k);
    }
    return set;
}

double roomyTableScale(const TableData& data, const Box& area, double scale, const LayoutOptions& options)
{
    if (!options.fit || options.forScreen) return scale;
    for (const double larger : {2.0, 1.75, 1.5, 1.25}) {
        const double k = scale * larger;
        const auto places = tablePlaces(data, area, k, options);
        const bool hasRoom
            = places.size() == data.sheets().size() && std::all_of(places.begin(), places.end(), [&](const TablePlace& place) {
                  const auto& sheet = data.sheets()[place.sheet];
                  const auto all = rowsOfTable(sheet, options);
                  const auto set = tableSetting(data, sheet, place.area, k, options);
                  if (set.isSpread) return true;
                  if (set.shown < all) return false;
                  const auto widths = widthsOfColumns(data, sheet, set.order, all, TableLengths::kText * k);
                  const auto blocks = static_cast<double>(set.blocks);
                  return *std::max_element(widths.begin(), widths.end()) <= TableLengths::kWidestColumn * larger
                      && blocks * widthOfTable(widths, k) + (blocks - 1) * TableLengths::kBlockGap * k <= place.area.width + 0.5;
              });
        if (hasRoom) return k;
    }
    return scale;
}
} // namespace dscope::graph
