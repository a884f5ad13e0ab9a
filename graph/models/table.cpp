#include "engine/record/value.h"
#include "graph/distribution.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/ranking.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "table",
    .tab = "Table",
    .summary = "every aggregation and every printf and trace record",
    .isTable = true,
    .heeds = {.top = true, .order = true, .amounts = Heeds::Amounts::Other}};
using record::ActionKind;
constexpr double kRowHeight = 21, kWidestColumn = 420, kColumnGap = 22, kBlockGap = 50, kSize = 12, kNarrowestText = 64;

bool records(const record::Action& a)
{
    return a.kind == ActionKind::Trace || a.kind == ActionKind::Printf || a.kind == ActionKind::Symbol || a.kind == ActionKind::Stack
        || a.kind == ActionKind::UserStack || a.kind == ActionKind::Tracemem;
}

/// A cell as it is written to a file, as a figure shows it, and what it is sorted by.
struct Cell {
    std::string text, shown;
    std::optional<double> number = std::nullopt;
};
using GridRow = std::vector<Cell>;
/// A number in the unit of what it measures.
Cell numberCell(const Ranking& of, double value)
{
    return {plainNumber(value), of.measure.unit == Unit::Percent ? of.measure.format(value) : of.valueText(value), value};
}

Column columnOf(const record::Field& field) { return {Unit::None, field.name, isNumber(field)}; }

/// Columns by name: rows of different origin share those that have the same name.
class Grid {
public:
    std::size_t column(Column column)
    {
        const auto [place, isNew] = m_places.try_emplace(column.title, m_table.columns.size());
        if (isNew)
            m_table.columns.push_back(std::move(column));
        else if (!column.isNumber)
            m_table.columns[place->second].isNumber = false;
        return place->second;
    }

    std::size_t size() const { return m_table.columns.size(); } ///< columns so far
    GridRow& row() { return m_rows.emplace_back(); }
    std::size_t rowsSoFar() const { return m_rows.size(); }
    const GridRow& rowAt(std::size_t row) const { return m_rows[row]; }

    static void set(GridRow& row, std::size_t column, Cell cell)
    {
        if (row.size() <= column) row.resize(column + 1);
        row[column] = std::move(cell);
    }
    static void set(GridRow& row, std::size_t column, const std::string& text) { set(row, column, Cell{text, text}); }

    Table table()
    {
        for (auto& row : m_rows) {
            row.resize(m_table.columns.size());
            auto& texts = m_table.rows.emplace_back();
            for (const auto& cell : row)
                texts.push_back(cell.text);
        }
        return std::move(m_table);
    }

    std::vector<GridRow> rows() { return std::move(m_rows); } ///< after table()

private:
    std::map<std::string, std::size_t> m_places;
    Table m_table;
    std::vector<GridRow> m_rows;
};

// A quantized row as one cell: "2048: 25, 4096: 97", the lower ends with their counts.
Cell bucketsCell(const record::Aggregation& a, const Measure& measure, const record::AggregationRow& row)
{
    Cell out;
    double total = 0;
    for (std::size_t i = 0; i + 1 < row.data.size(); i += 2) {
        const auto range = record::bucketRange(a, static_cast<int>(row.data[i]));
        out.text
            += (out.text.empty() ? "" : ", ") + (range.low ? std::to_string(*range.low) : "<") + ": " + std::to_string(row.data[i + 1]);
        out.shown += (out.shown.empty() ? "" : ", ")
            + (!range.low                        ? "<"
                    : measure.unit == Unit::None ? formatGrouped(*range.low)
                                                 : measure.format(static_cast<double>(*range.low)))
            + ": " + formatGrouped(row.data[i + 1]);
        total += static_cast<double>(row.data[i + 1]);
    }
    out.number = total;
    return out;
}

Cell bucketsCell(const record::Aggregation& a, const Measure& measure, const std::map<int, double>& counts)
{
    record::AggregationRow row;
    for (const auto& [bucket, count] : counts)
        if (count > 0) row.data.insert(row.data.end(), {bucket, std::llround(count)});
    return bucketsCell(a, measure, row);
}

/// As many buckets from both ends as fit, and how many there are between them.
std::string fewerBuckets(std::string_view whole, double width, double size)
{
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= whole.size();) {
        const auto end = std::min(whole.find(", ", at), whole.size());
        parts.push_back(whole.substr(at, end - at));
        at = end + 2;
    }
    const auto fits = [&](std::string_view text) { return textWidth(text, size, {.mono = true}) <= width; };
    if (fits(whole)) return std::string(whole);
    for (std::size_t kept = parts.size() - 1; kept > 1; --kept) {
        const std::size_t last = kept / 2, first = kept - last;
        std::string text;
        for (std::size_t i = 0; i < first; ++i)
            text.append(parts[i]).append(", ");
        text += "\u2026 " + std::to_string(parts.size() - kept) + " more \u2026";
        for (std::size_t i = parts.size() - last; i < parts.size(); ++i)
            text.append(", ").append(parts[i]);
        if (fits(text)) return text;
    }
    return std::string(whole);
}

/// Rows of one kind, as a figure shows them: those of aggregations with the same keys stand in one row, and what was printed apart.
struct Sheet {
    std::vector<std::size_t> keys, columns;                 ///< of the grid; `columns` has the keys, too, first
    std::vector<std::vector<std::size_t>> rows;             ///< each of one or more rows of the grid
    std::map<std::vector<std::string>, std::size_t> places; ///< of rows, by their keys
};

class Records final : public Visual {
public:
    /// What changed: the aggregations of two runs; what was printed has no counterpart.
    Records(const Store& before, const Store& after)
        : m_provenance(provenanceOf(after)), m_probes(probesText(after.program())), m_compares(true)
    {
        Grid grid;
        const auto& all = after.program().aggregations;
        const auto which = all.size() > 1 ? grid.column(Column::text("aggregation")) : 0;
        for (const auto& a : all)
            for (const auto& key : a.keys)
                grid.column(columnOf(key));
        m_keys = grid.size();
        const bool counted = std::none_of(all.begin(), all.end(), [](const auto& a) { return isQuantized(a.function); });
        const auto unit = all.size() == 1 ? after.measure(all.front()).unit : Unit::None;
        const auto was = grid.column({unit, "before", counted}), is = grid.column({unit, "after", counted}),
                   differs = grid.column(Column::number("difference", unit));
        if (!counted) m_buckets = {was, is};
        markStacks(grid, all);
        const auto add = [&](const record::Aggregation& a, const std::vector<std::string>& keys) -> GridRow& {
            auto& row = grid.row();
            if (all.size() > 1) Grid::set(row, which, valueColumn(a));
            for (std::size_t k = 0; k < keys.size() && k < a.keys.size(); ++k)
                Grid::set(row, grid.column(columnOf(a.keys[k])), keys[k]);
            return row;
        };

        for (const auto& r : rankingsOf(before, after))
            for (const auto& line : r.lines) {
                auto& row = add(r.shape, line.keys);
                // Of what is no sum, there is no number where there was no event.
                const bool isBoth = r.adds() || line.in == Ranking::Line::In::Both;
                if (isBoth || line.in == Ranking::Line::In::Before) Grid::set(row, was, numberCell(r, line.before));
                if (isBoth || line.in == Ranking::Line::In::After) Grid::set(row, is, numberCell(r, line.value));
                if (isBoth) Grid::set(row, differs, numberCell(r, line.value - line.before));
                m_isNoise.push_back(line.value != line.before && !r.change(line).told);
                if (m_isNoise.back()) m_noise = m_noise.empty() || m_noise == r.noise() ? r.noise() : "may be chance";
            }
        for (const auto& g : distributionsOf(before, after))
            for (const auto& m : g.members) {
                auto shape = g.shape;
                shape.name = m.aggregation;
                auto& row = add(shape, m.values.keys);
                Grid::set(row, was, bucketsCell(g.shape, g.measure, m.values.countsBefore));
                Grid::set(row, is, bucketsCell(g.shape, g.measure, m.values.counts));
                Grid::set(row, differs, plainNumber(m.values.total - m.values.totalBefore));
                const auto change = m.values.changeInAll();
                m_isNoise.push_back(change.before != change.after && !change.told);
                const auto noise = m.values.noise();
                if (m_isNoise.back()) m_noise = m_noise.empty() || m_noise == noise ? noise : "may be chance";
            }
        m_table = grid.table();
        m_rows = grid.rows();
        auto& sheet = m_sheets.emplace_back();
        for (std::size_t c = 0; c < m_table.columns.size(); ++c)
            (c < m_keys ? sheet.keys : sheet.columns).push_back(c);
        sheet.columns.insert(sheet.columns.begin(), sheet.keys.begin(), sheet.keys.end());
        for (std::size_t r = 0; r < m_rows.size(); ++r)
            sheet.rows.push_back({r});
    }

    explicit Records(const Store& store)
        : m_provenance(provenanceOf(store)), m_probes(probesText(store.program())), m_notKept(store.firedNotKept())
    {
        Grid grid;
        // All columns of keys first, then those of values.
        const auto& all = store.program().aggregations;
        m_hasAggregations = !all.empty();
        for (const auto& a : all)
            for (const auto& key : a.keys)
                grid.column(columnOf(key));
        m_keys = grid.size();
        std::vector<std::size_t> values;
        for (const auto& a : all) {
            values.push_back(grid.column({store.measure(a).unit, valueColumn(a), !isQuantized(a.function)}));
            if (isQuantized(a.function)) m_buckets.insert(values.back());
        }

        markStacks(grid, all);
        m_rowsOf.resize(all.size());
        addRankings(grid, store, values);
        addDistributions(grid, store, values);
        arrange(grid, all, values);
        addFired(grid, store);
        m_table = grid.table();
        m_rows = grid.rows();
        if (hasStacks(store)) m_cut = cutCaveat(*stacksOf(store));
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return m_compares ? "What changed" : "What was recorded"; }
    bool empty() const override { return m_table.rows.empty(); }
    Table table() const override { return m_table; }

    /// Of programs that only print; other views tell what is aggregated.
    Digest digest(std::size_t most, Privacy /*privacy*/) const override
    {
        Digest out;
        if (m_hasAggregations || m_rows.empty()) return out;
        out.table.columns = m_table.columns;
        for (std::size_t c = 0; c < out.table.columns.size(); ++c)
            out.table.columns[c].title = headOf(c);
        for (const auto& row : m_rows) {
            if (out.table.rows.size() == most) break;
            auto& cells = out.table.rows.emplace_back();
            for (const auto& cell : row)
                cells.push_back(cell.shown);
        }
        out.more = m_rows.size() - out.table.rows.size();
        return out;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    Caveats caveats() const
    {
        auto out = m_compares ? Caveats() : intervalCaveat(m_provenance);
        out.insert(out.end(), m_cut.begin(), m_cut.end());
        if (m_notKept > 0) out.push_back(formatGrouped(static_cast<std::int64_t>(m_notKept)) + " later records not kept");
        return out;
    }

    const Cell& cellOf(const Sheet& sheet, std::size_t row, std::size_t column) const
    {
        static const Cell kNothing;
        for (const auto r : sheet.rows[row])
            if (column < m_rows[r].size() && !m_rows[r][column].text.empty()) return m_rows[r][column];
        return kNothing;
    }

    /// The places of rows: by their first number that is no key, the largest first, or by their keys.
    std::vector<std::size_t> orderOf(const Sheet& sheet, Order order) const
    {
        std::vector<std::size_t> places(sheet.rows.size());
        std::iota(places.begin(), places.end(), std::size_t{0});
        const auto valueOf = [&](std::size_t row) {
            for (std::size_t c = sheet.keys.size(); c < sheet.columns.size(); ++c)
                if (const auto& number = cellOf(sheet, row, sheet.columns[c]).number) return *number;
            return -HUGE_VAL;
        };
        const auto& texts = m_table.rows;
        if (order == Order::Value)
            std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return valueOf(a) > valueOf(b); });
        if (order == Order::Name)
            std::stable_sort(places.begin(), places.end(),
                [&](std::size_t a, std::size_t b) { return isBeforeByName(texts[sheet.rows[a].front()], texts[sheet.rows[b].front()]); });
        return places;
    }

    /// How wide the columns of a sheet are for its first so many rows, px, and as wide as they need.
    std::vector<double> widthsOf(const Sheet& sheet, const std::vector<std::size_t>& order, std::size_t shown, double size) const
    {
        std::vector<double> widths;
        for (const auto c : sheet.columns) {
            double& width = widths.emplace_back(textWidth(headOf(c), size, {.bold = true}));
            for (std::size_t r = 0; r < shown; ++r)
                width = std::max(width, textWidth(textOf(sheet, order[r], c), size, {.mono = !m_table.columns[c].isNumber}));
        }
        return widths;
    }

    std::string textOf(const Sheet& sheet, std::size_t row, std::size_t column) const
    {
        const bool isDifference = m_compares && m_isNoise[sheet.rows[row].front()] && m_table.columns[column].title == "difference";
        return (isDifference ? "~ " : "") + printable(cellOf(sheet, row, column).shown);
    }
    Point drawSheet(Page& page, const Sheet& sheet, const Box& area) const;
    std::vector<std::pair<std::size_t, Box>> placesOf(const Page& page, const Box& area) const;
    std::string headOf(std::size_t column) const { return column == m_time ? "time" : printable(m_table.columns[column].title); }

    void markStacks(Grid& grid, const std::vector<record::Aggregation>& all)
    {
        for (const auto& a : all)
            for (const auto& key : a.keys)
                if (isStack(key)) m_stacks.insert(grid.column(Column::text(key.name)));
    }

    /// What the rows of an aggregation belong to.
    Sheet& sheetOf(Grid& grid, const record::Aggregation& a)
    {
        std::vector<std::size_t> keys;
        for (const auto& key : a.keys)
            keys.push_back(grid.column(columnOf(key)));
        auto at = std::find_if(m_sheets.begin(), m_sheets.end(), [&](const Sheet& s) { return s.keys == keys; });
        if (at == m_sheets.end()) at = m_sheets.insert(at, Sheet{keys, keys, {}, {}});
        return *at;
    }

    /// Gives the rows of aggregations, which come one aggregation after the other, their places in sheets.
    void arrange(Grid& grid, const std::vector<record::Aggregation>& all, const std::vector<std::size_t>& values)
    {
        for (std::size_t i = 0; i < all.size(); ++i)
            sheetOf(grid, all[i]).columns.push_back(values[i]);
        // The largest numbers first; what has buckets has no order of its own.
        std::vector<std::size_t> order(all.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return !isQuantized(all[i].function); });
        for (const auto i : order) {
            auto& sheet = sheetOf(grid, all[i]);
            for (const auto r : m_rowsOf[i]) {
                std::vector<std::string> keys;
                for (const auto c : sheet.keys)
                    keys.push_back(c < grid.rowAt(r).size() ? grid.rowAt(r)[c].text : std::string());
                const auto [place, isNew] = sheet.places.try_emplace(std::move(keys), sheet.rows.size());
                if (isNew)
                    sheet.rows.push_back({r});
                else
                    sheet.rows[place->second].push_back(r);
            }
        }
        std::erase_if(m_sheets, [](const Sheet& s) { return s.rows.empty(); });
    }

    void addRankings(Grid& grid, const Store& store, const std::vector<std::size_t>& values)
    {
        std::size_t id = 0, next = 0;
        const auto rankings = rankingsOf(store);
        for (const auto& a : store.program().aggregations) {
            const std::size_t at = values[id++];
            if (isQuantized(a.function)) continue;
            for (const auto& line : rankings[next].lines) {
                m_rowsOf[id - 1].push_back(grid.rowsSoFar());
                auto& row = grid.row();
                for (std::size_t k = 0; k < a.keys.size() && k < line.keys.size(); ++k)
                    Grid::set(row, grid.column(columnOf(a.keys[k])), line.keys[k]);
                Grid::set(row, at, numberCell(rankings[next], line.value));
            }
            ++next;
        }
    }

    void addDistributions(Grid& grid, const Store& store, const std::vector<std::size_t>& values)
    {
        std::uint32_t id = 0;
        for (const auto& a : store.program().aggregations) {
            const AggregationId which{id};
            const std::size_t at = values[id++];
            if (!isQuantized(a.function)) continue;
            for (const auto& r : store.shown(which).rows) {
                m_rowsOf[which.value].push_back(grid.rowsSoFar());
                auto& row = grid.row();
                const auto keys = keyTexts(a, r.key, store);
                for (std::size_t k = 0; k < keys.size(); ++k)
                    Grid::set(row, grid.column(columnOf(a.keys[k])), keys[k]);
                Grid::set(row, at, bucketsCell(a, store.measure(a), r));
            }
        }
    }

    void addFired(Grid& grid, const Store& store)
    {
        const auto& clauses = store.program().clauses;
        if (std::none_of(clauses.begin(), clauses.end(),
                [](const record::Clause& c) { return std::any_of(c.actions.begin(), c.actions.end(), records); }))
            return;
        const auto time = grid.column(Column::number("time_ns", Unit::Nanoseconds)), probe = grid.column(Column::text("probe")),
                   cpu = grid.column(Column::number("cpu")), pid = grid.column(Column::number("pid"));
        m_time = time;
        std::set<std::size_t> own;
        Sheet sheet{{}, {time, probe, cpu, pid}, {}, {}};
        for (const auto& fired : store.fired()) {
            if (clauses[fired.clause.value].actions.empty()) continue;
            sheet.rows.push_back({grid.rowsSoFar()});
            auto& row = grid.row();
            const auto since = static_cast<double>(fired.when.count() - store.program().started);
            Grid::set(row, time, {std::to_string(fired.when.count()), formatDuration(since), since});
            Grid::set(row, cpu, std::to_string(fired.cpu));
            Grid::set(row, pid, std::to_string(fired.pid));
            if (const auto* p = store.probe(fired.probe))
                Grid::set(row, probe, p->provider + ':' + p->module + ':' + p->function + ':' + p->name);
            for (const auto& action : store.program().clauses[fired.clause.value].actions) {
                if (!records(action)) continue;
                for (const auto& field : action.fields) {
                    std::string title = field.name.empty() ? "value" : field.name;
                    if (title == "pid" || title == "cpu" || title == "time_ns" || title == "probe") title = "traced " + title;
                    auto at = grid.column({Unit::None, title, isNumber(field)});
                    for (int again = 2; at < row.size() && !row[at].text.empty(); ++again)
                        at = grid.column({Unit::None, title + ' ' + std::to_string(again), isNumber(field)});
                    Grid::set(row, at, fieldText(field, fired.payload, store));
                    own.insert(at);
                }
            }
        }
        sheet.columns.insert(sheet.columns.end(), own.begin(), own.end());
        if (!sheet.rows.empty()) m_sheets.push_back(std::move(sheet));
    }

    Provenance m_provenance;
    std::string m_probes;
    std::uint64_t m_notKept = 0;
    bool m_hasAggregations = false;
    Caveats m_cut; ///< that stacks end early
    bool m_compares = false;
    std::vector<bool> m_isNoise;               ///< of a row's difference
    std::string m_noise;                       ///< what that means
    std::set<std::size_t> m_buckets, m_stacks; ///< columns with cells of these
    std::optional<std::size_t> m_time;         ///< column of moments, which figures count from the run's start
    std::size_t m_keys = 0;                    ///< columns of keys, the first ones
    std::vector<Sheet> m_sheets;               ///< what figures show
    std::vector<std::vector<std::size_t>> m_rowsOf; ///< rows of the grid, by aggregation
    Table m_table;
    std::vector<GridRow> m_rows; ///< of the table
};

/// A sheet below its heads, as many of its rows and columns as have room, and what is not there in words; its lower right corner.
Point Records::drawSheet(Page& page, const Sheet& sheet, const Box& area) const
{
    const auto& options = page.options();
    const double k = page.scale(), size = kSize * k, height = kRowHeight * k;
    const auto order = orderOf(sheet, options.order);
    const auto recorded = sheet.rows.size(), all = options.top > 0 ? std::min(options.top, recorded) : recorded,
               fitting = options.fit ? static_cast<std::size_t>(std::max(1.0, std::floor(area.height / height) - 1)) : all;
    const auto widthsFor = [&](std::size_t rows) { return widthsOf(sheet, order, rows, size); };
    const auto shownIn = [&](std::size_t blocks) { return all <= fitting * blocks ? all : std::max<std::size_t>(fitting * blocks, 2) - 1; };

    // A narrow table goes on beside itself, as a page of text does in columns.
    std::size_t blocks = 1;
    auto widths = widthsFor(shownIn(blocks));
    while (options.fit && shownIn(blocks) < all && fitting > 1) {
        const auto wider = widthsFor(shownIn(blocks + 1));
        const double block = std::accumulate(wider.begin(), wider.end(), kColumnGap * k * static_cast<double>(wider.size() - 1));
        if (static_cast<double>(blocks + 1) * (block + kBlockGap * k) - kBlockGap * k > area.width) break;
        widths = wider;
        ++blocks;
    }

    const auto shown = shownIn(blocks), inBlock = std::min(shown, fitting - (blocks == 1 && shown < all ? 1 : 0));
    // No column is wider than the widest; what the page has beyond that goes to the texts that are cut by it, the first first.
    double spare = area.width + kColumnGap * k;
    for (const double width : widths)
        spare -= std::min(width, kWidestColumn) + kColumnGap * k;
    for (double& width : widths) {
        const double more = options.fit ? std::clamp(width - kWidestColumn, 0.0, std::max(spare, 0.0)) : 0;
        width = std::min(width, kWidestColumn) + more;
        spare -= more;
    }

    // Where not all columns fit, texts give way to the numbers beside them, the widest first.
    const auto gained = [&](double widest) {
        double sum = 0;
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (!m_table.columns[sheet.columns[c]].isNumber) sum += std::max(widths[c] - widest, 0.0);
        return sum;
    };

    if (double widest = kWidestColumn; options.fit && spare < 0 && gained(kNarrowestText * k) >= -spare) {
        while (gained(widest) < -spare)
            widest -= 1;
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (!m_table.columns[sheet.columns[c]].isNumber) widths[c] = std::min(widths[c], widest);
    }

    double drawnWidth = 0, left = area.x;
    std::size_t columns = 0;
    for (std::size_t first = 0; first < shown; first += inBlock) {
        const auto count = std::min(inBlock, shown - first);
        double x = left;
        columns = 0;
        for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
            const auto c = sheet.columns[i];
            const auto& column = m_table.columns[c];
            double width = widths[i];
            const double room = area.x + area.width - x;
            constexpr double kRounding = 0.01; // px: widths that add up to the page's
            if (options.fit && width > room + kRounding && (room < 60 || column.isNumber)) break;
            if (options.fit) width = std::min(width, room);
            const TextStyle head{
                .size = size, .bold = true, .anchor = column.isNumber ? Anchor::End : Anchor::Start, .maxWidth = width + 1};
            page.text(Role::Label, {column.isNumber ? x + width : x, area.y + height * 0.7}, headOf(c), head);
            for (std::size_t r = 0; r < count; ++r) {
                const double y = area.y + height * (static_cast<double>(r) + 1.7);
                const std::string whole = textOf(sheet, order[first + r], c),
                                  cell = m_buckets.contains(c) ? fewerBuckets(whole, width, size) : whole;
                // Of a stack the innermost frames say most.
                Item& item = page.text(Role::Label, {column.isNumber ? x + width : x, y}, cell,
                    {.size = size,
                        .mono = !column.isNumber,
                        .anchor = head.anchor,
                        .maxWidth = width + 1,
                        .middle = !m_stacks.contains(c)});
                if (cell != whole) item.tip = whole;
                item.row = Row{static_cast<std::uint32_t>(sheet.rows[order[first + r]].front())};
            }
            drawnWidth = x + width - left;
            x += width + kColumnGap * k;
            ++columns;
        }
        for (std::size_t r = 0; r <= count; ++r) {
            const double y = area.y + height * (static_cast<double>(r) + 1);
            page.path(r == 0 ? Role::Axis : Role::Grid, {{left, y}, {left + drawnWidth, y}});
        }
        left += drawnWidth + kBlockGap * k;
    }

    left -= drawnWidth + kBlockGap * k; // of the last block
    std::string more;
    if (shown < recorded) more = "\u2026 " + formatGrouped(static_cast<std::int64_t>(recorded - shown)) + " more rows";
    if (columns < sheet.columns.size())
        more += (more.empty() ? "\u2026 " : " and ") + withNoun(std::to_string(sheet.columns.size() - columns), "more columns");

    // After the last row, which with several blocks leaves one free.
    const auto last = blocks > 1 ? shown - (shown - 1) / inBlock * inBlock : shown;
    const double bottom = area.y + height * (static_cast<double>(last) + 1);
    if (!more.empty()) {
        const double room = area.x + area.width - left;
        if (textWidth(more + ", all of them in the CSV", size) <= room) more += ", all of them in the CSV";
        page.text(Role::Note, {left, bottom + height * 0.7}, more, {.size = size, .maxWidth = room});
    }
    return {left + drawnWidth, bottom + height};
}
/// Sheets stand beside one another as far as they have room there, and else below; those that have none on the page have no place.
std::vector<std::pair<std::size_t, Box>> Records::placesOf(const Page& page, const Box& area) const
{
    if (m_sheets.size() < 2) return {{0, area}};
    constexpr std::size_t kRowsLookedAt = 60, kFewestRows = 5; // with the heads and what is left out
    const auto& options = page.options();
    const double k = page.scale(), size = kSize * k, height = kRowHeight * k;
    struct Shelf {
        std::vector<std::size_t> sheets;
        std::vector<double> widths;
        double used = 0, rows = 0;
    };

    std::vector<Shelf> shelves;
    for (std::size_t i = 0; i < m_sheets.size(); ++i) {
        const auto& sheet = m_sheets[i];
        const auto rows = options.top > 0 ? std::min(options.top, sheet.rows.size()) : sheet.rows.size();
        const auto order = orderOf(sheet, options.order);
        double width = -kColumnGap * k;
        for (const double column : widthsOf(sheet, order, std::min(rows, kRowsLookedAt), size))
            width += std::min(column, kWidestColumn) + kColumnGap * k;
        if (options.fit) width = std::min(width, area.width);
        if (shelves.empty() || !options.fit || shelves.back().used + kBlockGap * k + width > area.width) shelves.emplace_back();
        auto& shelf = shelves.back();
        shelf.used += (shelf.sheets.empty() ? 0 : kBlockGap * k) + width;
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

    std::vector<std::pair<std::size_t, Box>> places;
    double y = area.y;
    for (std::size_t s = 0; s < shelves.size(); ++s) {
        const double tall = options.fit ? heights[s] : (shelves[s].rows + 0.5) * height;
        double x = area.x;
        for (std::size_t i = 0; i < shelves[s].sheets.size(); ++i) {
            const bool isLast = i + 1 == shelves[s].sheets.size();
            const double wide = isLast && options.fit ? area.x + area.width - x : shelves[s].widths[i];
            places.emplace_back(shelves[s].sheets[i], Box{x, y, wide, tall, 0});
            x += wide + kBlockGap * k;
        }
        y += tall;
    }
    return places;
}

Figure Records::figure(const LayoutOptions& options) const
{
    std::size_t rows = 0;
    for (const auto& sheet : m_sheets)
        rows += sheet.rows.size();
    std::string subtitle = formatGrouped(static_cast<std::int64_t>(rows)) + (rows == 1 ? " row" : " rows")
        + (m_compares ? " of two runs \u00b7 the largest change first" : inShownInterval(m_provenance));
    if (!m_noise.empty()) subtitle += " \u00b7 ~ " + m_noise;
    const auto pageWith = [&](const Caveats& known) { return Page(options, title(), empty() ? "" : subtitle, m_provenance, {}, known); };
    auto known = empty() ? Caveats() : caveats();
    Page page = pageWith(known);
    if (empty()) {
        page.empty("Nothing recorded yet",
            m_probes.empty() ? "Rows appear when the program's probes fire." : "Rows appear when these probes fire: " + m_probes);
        return page.finish("Table without data.");
    }

    auto places = placesOf(page, page.content());
    if (places.size() < m_sheets.size()) {
        known.push_back(std::to_string(m_sheets.size() - places.size()) + " more tables have no room");
        page = pageWith(known);
        places = placesOf(page, page.content());
    }

    Point corner{0, 0};
    for (const auto& [sheet, area] : places) {
        const auto end = drawSheet(page, m_sheets[sheet], area);
        corner = {std::max(corner.x, end.x), std::max(corner.y, end.y)};
    }
    return page.finish("Table of " + subtitle + '.', corner);
}
} // namespace

Kind kind_table()
{
    return {kFacts, rank::kRows,
        [](const Store& store) {
            const auto& p = store.program();
            return !p.aggregations.empty() || std::any_of(p.clauses.begin(), p.clauses.end(), [](const record::Clause& c) {
                return std::any_of(c.actions.begin(), c.actions.end(), records);
            });
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Records>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Records>(before, after); }};
}
} // namespace dscope::graph
