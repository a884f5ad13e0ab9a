#include "graph/parts/table_data.h"
#include "engine/record/value.h"
#include "graph/distribution.h"
#include "graph/key_columns.h"
#include "graph/page.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
#include <numeric>
namespace dscope::graph {
namespace {
/// Titles of columns that figures say; others are names of the program.
constexpr const char *kWas = toSay("before"), *kIs = toSay("after"), *kDiffers = toSay("difference"), *kAggregation = toSay("aggregation"),
                     *kValue = toSay("value"), *kProbe = toSay("probe"), *kCpu = toSay("cpu"), *kPid = toSay("pid");
Column columnOfField(const record::Field& field) { return {Unit::None, field.name, isNumber(field)}; }
} // namespace

bool isForTable(const record::Action& a)
{
    using record::ActionKind;
    return a.kind == ActionKind::Trace || a.kind == ActionKind::Printf || a.kind == ActionKind::Symbol || a.kind == ActionKind::Stack
        || a.kind == ActionKind::UserStack || a.kind == ActionKind::Tracemem;
}

TableData::TableData(const Store& before, const Store& after) : m_compares(true)
{
    TableGrid grid;
    const auto& all = after.program().aggregations;
    const auto which = all.size() > 1 ? grid.column(Column::text(kAggregation)) : 0;
    if (all.size() > 1) m_ours.insert(which);
    for (const auto& a : all)
        for (const auto& key : a.keys)
            grid.column(columnOfField(key));
    m_keys = grid.size();
    const bool counted = std::none_of(all.begin(), all.end(), [](const auto& a) { return isQuantized(a.function); });
    const auto unit = all.size() == 1 ? after.measure(all.front()).unit : Unit::None;
    const auto was = grid.column({unit, kWas, counted}), is = grid.column({unit, kIs, counted}),
               differs = grid.column(Column::number(kDiffers, unit));
    m_ours.insert({was, is, differs});
    if (!counted) m_buckets = {was, is};
    markStacks(grid, all);
    const auto add = [&](const record::Aggregation& a, const std::vector<std::string>& keys) -> TableRow& {
        auto& row = grid.row();
        if (all.size() > 1) TableGrid::set(row, which, valueColumn(a));
        for (std::size_t k = 0; k < keys.size() && k < a.keys.size(); ++k)
            TableGrid::set(row, grid.column(columnOfField(a.keys[k])), keys[k]);
        return row;
    };

    for (const auto& r : rankingsOf(before, after))
        for (const auto& line : r.lines) {
            auto& row = add(r.shape, line.keys);
            // Of what is no sum, there is no number where there was no event.
            const bool isBoth = r.adds() || line.in == Ranking::Line::In::Both;
            if (isBoth || line.in == Ranking::Line::In::Before) TableGrid::set(row, was, numberCell(r, line.before));
            if (isBoth || line.in == Ranking::Line::In::After) TableGrid::set(row, is, numberCell(r, line.value));
            if (isBoth) TableGrid::set(row, differs, numberCell(r, line.value - line.before));
            noteNoise(line.value != line.before && !r.change(line).told, r.noise());
        }
    for (const auto& g : distributionsOf(before, after))
        for (const auto& m : g.members) {
            auto shape = g.shape;
            shape.name = m.aggregation;
            auto& row = add(shape, m.values.keys);
            TableGrid::set(row, was, bucketsCell(g.shape, g.measure, m.values.exactBefore));
            TableGrid::set(row, is, bucketsCell(g.shape, g.measure, m.values.exact));
            const Number difference = m.values.total - m.values.totalBefore;
            TableGrid::set(row, differs, TableCell{plainNumber(difference), formatGrouped(std::llround(difference)), difference});
            const auto change = m.values.changeInAll();
            noteNoise(change.before != change.after && !change.told, m.values.noise());
        }
    m_rows = grid.rows();
    m_columns = grid.columns();
    auto& sheet = m_sheets.emplace_back();
    for (std::size_t c = 0; c < m_columns.size(); ++c)
        (c < m_keys ? sheet.keys : sheet.columns).push_back(c);
    sheet.columns.insert(sheet.columns.begin(), sheet.keys.begin(), sheet.keys.end());
    for (std::size_t r = 0; r < m_rows.size(); ++r)
        sheet.rows.push_back({r});
}

TableData::TableData(const Store& store)
{
    TableGrid grid;
    // All columns of keys first, then those of values.
    const auto& all = store.program().aggregations;
    m_hasAggregations = !all.empty();
    for (const auto& a : all)
        for (const auto& key : a.keys)
            grid.column(columnOfField(key));
    m_keys = grid.size();
    std::vector<std::size_t> values;
    for (const auto& a : all) {
        values.push_back(grid.column({store.measure(a).unit, valueColumn(a), !isQuantized(a.function)}));
        if (isQuantized(a.function)) m_buckets.insert(values.back());
        if (a.name.empty()) m_ours.insert(values.back());
    }

    markStacks(grid, all);
    m_rowsOf.resize(all.size());
    addRankings(grid, store, values);
    addDistributions(grid, store, values);
    arrange(grid, all, values);
    addFired(grid, store);
    m_rows = grid.rows();
    m_columns = grid.columns();
}

void TableData::noteNoise(bool mayBe, const Noise& why)
{
    m_isNoise.push_back(mayBe);
    if (!mayBe) return;
    m_hasNoises = m_hasNoises || (m_noise && *m_noise != why);
    m_noise = why;
}

std::string TableData::noise() const { return m_hasNoises ? said("may be chance") : m_noise ? m_noise->text() : std::string(); }

void TableData::markStacks(TableGrid& grid, const std::vector<record::Aggregation>& all)
{
    for (const auto& a : all)
        for (const auto& key : a.keys)
            if (isStack(key)) m_stacks.insert(grid.column(Column::text(key.name)));
}

TableSheet& TableData::sheetOf(TableGrid& grid, const record::Aggregation& a)
{
    std::vector<std::size_t> keys;
    for (const auto& key : a.keys)
        keys.push_back(grid.column(columnOfField(key)));
    auto at = std::find_if(m_sheets.begin(), m_sheets.end(), [&](const TableSheet& s) { return s.keys == keys; });
    if (at == m_sheets.end()) at = m_sheets.insert(at, TableSheet{keys, keys, {}});
    return *at;
}

void TableData::arrange(TableGrid& grid, const std::vector<record::Aggregation>& all, const std::vector<std::size_t>& values)
{
    for (std::size_t i = 0; i < all.size(); ++i)
        sheetOf(grid, all[i]).columns.push_back(values[i]);
    // The largest numbers first; what has buckets has no order of its own.
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::map<std::vector<std::size_t>, std::map<std::vector<std::string>, std::size_t>> places; // of rows, by their sheet and their keys
    std::stable_partition(order.begin(), order.end(), [&](std::size_t i) { return !isQuantized(all[i].function); });
    for (const auto i : order) {
        auto& sheet = sheetOf(grid, all[i]);
        for (const auto r : m_rowsOf[i]) {
            std::vector<std::string> keys;
            for (const auto c : sheet.keys)
                keys.push_back(c < grid.rowAt(r).size() ? grid.rowAt(r)[c].text : std::string());
            const auto [place, isNew] = places[sheet.keys].try_emplace(std::move(keys), sheet.rows.size());
            if (isNew)
                sheet.rows.push_back({r});
            else
                sheet.rows[place->second].push_back(r);
        }
    }
    std::erase_if(m_sheets, [](const TableSheet& s) { return s.rows.empty(); });
}

void TableData::addRankings(TableGrid& grid, const Store& store, const std::vector<std::size_t>& values)
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
                TableGrid::set(row, grid.column(columnOfField(a.keys[k])), line.keys[k]);
            TableGrid::set(row, at, numberCell(rankings[next], line.value));
        }
        ++next;
    }
}

void TableData::addDistributions(TableGrid& grid, const Store& store, const std::vector<std::size_t>& values)
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
                TableGrid::set(row, grid.column(columnOfField(a.keys[k])), keys[k]);
            TableGrid::set(row, at, bucketsCell(a, store.measure(a), r));
        }
    }
}

void TableData::addFired(TableGrid& grid, const Store& store)
{
    const auto& clauses = store.program().clauses;
    if (std::none_of(clauses.begin(), clauses.end(),
            [](const record::Clause& c) { return std::any_of(c.actions.begin(), c.actions.end(), isForTable); }))
        return;
    const auto time = grid.column(Column::number("time_ns", Unit::Nanoseconds)), probe = grid.column(Column::text(kProbe)),
               cpu = grid.column(Column::number(kCpu)), pid = grid.column(Column::number(kPid));
    m_time = time;
    m_ours.insert({probe, cpu, pid});
    std::set<std::size_t> own;
    std::map<const record::Action*, std::vector<bool>> momentsOf;
    TableSheet sheet{{}, {time, probe, cpu, pid}, {}};
    for (const auto& fired : store.fired()) {
        if (clauses[fired.clause.value].actions.empty()) continue;
        sheet.rows.push_back({grid.rowsSoFar()});
        auto& row = grid.row();
        const auto since = static_cast<double>(fired.when.count() - store.program().started);
        TableGrid::set(row, time, {std::to_string(fired.when.count()), formatDuration(since), since});
        TableGrid::set(row, cpu, std::to_string(fired.cpu));
        TableGrid::set(row, pid, std::to_string(fired.pid));
        if (const auto* p = store.probe(fired.probe))
            TableGrid::set(row, probe, p->provider + ':' + p->module + ':' + p->function + ':' + p->name);
        for (const auto& action : store.program().clauses[fired.clause.value].actions) {
            if (!isForTable(action)) continue;
            const auto [moments, isNew] = momentsOf.try_emplace(&action);
            if (isNew) moments->second = printedAsMoment(action);
            for (std::size_t f = 0; f < action.fields.size(); ++f) {
                const auto& field = action.fields[f];
                std::string title = field.name.empty() ? kValue : field.name;
                const bool isTaken = title == kPid || title == kCpu || title == "time_ns" || title == kProbe;
                if (isTaken) title = "traced " + title;
                auto at = grid.column({Unit::None, title, isNumber(field)});
                if (field.name.empty()) m_ours.insert(at);
                if (isTaken) m_traced.emplace(at, field.name);
                for (int again = 2; at < row.size() && !row[at].text.empty(); ++again)
                    at = grid.column({Unit::None, title + ' ' + std::to_string(again), isNumber(field)});
                auto text = fieldText(field, fired.payload, store);
                TableCell cell{text, text};
                if (moments->second[f] && isNumber(field)) cell.shown = formatUtc(record::integerOf(field, fired.payload));
                TableGrid::set(row, at, std::move(cell));
                own.insert(at);
            }
        }
    }
    sheet.columns.insert(sheet.columns.end(), own.begin(), own.end());
    if (!sheet.rows.empty()) m_sheets.push_back(std::move(sheet));
}

std::vector<std::string> TableData::textsOf(std::size_t row) const
{
    std::vector<std::string> texts;
    texts.reserve(m_columns.size());
    for (const auto& cell : m_rows[row])
        texts.push_back(cell.text);
    return texts;
}

Table TableData::table(std::size_t most) const
{
    Table out;
    out.columns = m_columns;
    out.rows.reserve(std::min(most, m_rows.size()));
    for (std::size_t row = 0; row < std::min(most, m_rows.size()); ++row)
        out.rows.push_back(textsOf(row));
    return out;
}

std::size_t TableData::rowsOfSheets() const
{
    std::size_t rows = 0;
    for (const auto& sheet : m_sheets)
        rows += sheet.rows.size();
    return rows;
}

Digest TableData::digest(std::size_t most) const
{
    Digest out;
    if (m_hasAggregations || m_rows.empty()) return out;
    out.table.columns = m_columns;
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

const TableCell& TableData::cellOf(const TableSheet& sheet, std::size_t row, std::size_t column) const
{
    static const TableCell kNothing;
    for (const auto r : sheet.rows[row])
        if (column < m_rows[r].size() && !m_rows[r][column].text.empty()) return m_rows[r][column];
    return kNothing;
}

std::vector<std::size_t> TableData::orderOf(const TableSheet& sheet, Order order) const
{
    std::vector<std::size_t> places(sheet.rows.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto valueOf = [&](std::size_t row) {
        for (std::size_t c = sheet.keys.size(); c < sheet.columns.size(); ++c)
            if (const auto& number = cellOf(sheet, row, sheet.columns[c]).number) return *number;
        return Number(-HUGE_VAL);
    };
    if (order == Order::Value)
        std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return valueOf(a) > valueOf(b); });
    if (order == Order::Name) {
        std::vector<std::vector<std::string>> texts;
        for (const auto& rows : sheet.rows)
            texts.push_back(textsOf(rows.front()));
        std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return isBeforeByName(texts[a], texts[b]); });
    }
    return places;
}

std::string TableData::headOf(std::size_t column) const
{
    if (column == m_time) return said("time");
    const auto& title = m_columns[column].title;
    if (m_ours.contains(column)) return said(title.c_str());
    if (const auto traced = m_traced.find(column); traced != m_traced.end()) return said("traced %1", printable(traced->second));
    return printable(column < m_keys ? keyTitle(title) : title);
}

const std::vector<TableBucket>& TableData::bucketsOf(const TableSheet& sheet, std::size_t row, std::size_t column) const
{
    return cellOf(sheet, row, column).buckets;
}

std::optional<Number> TableData::numberOf(const TableSheet& sheet, std::size_t row, std::size_t column) const
{
    return cellOf(sheet, row, column).number;
}

std::string TableData::textOf(const TableSheet& sheet, std::size_t row, std::size_t column) const
{
    const bool isDifference = m_compares && m_isNoise[sheet.rows[row].front()] && m_columns[column].title == kDiffers;
    const auto& cell = cellOf(sheet, row, column);
    const bool isMore = m_compares && m_columns[column].title == kDiffers && cell.number && *cell.number > 0;
    return (isDifference ? "~ " : "") + std::string(isMore ? "+" : "") + printable(cell.shown);
}
} // namespace dscope::graph
