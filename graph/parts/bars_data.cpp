#include "graph/parts/bars_data.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/parts/table_grid.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <utility>
namespace dscope::graph {
bool isForBars(const record::Aggregation& a)
{
    const auto isAStack
        = [](const record::Field& key) { return key.kind == record::FieldKind::Stack || key.kind == record::FieldKind::UserStack; };
    return !isQuantized(a.function) && (a.keys.empty() || !std::all_of(a.keys.begin(), a.keys.end(), isAStack));
}

double lowEndOfSpread(const Ranking& ranking, const Ranking::Line& line, double spread)
{
    const bool isNeverBelow = line.value >= 0 && ranking.measure.unit != Unit::None;
    return isNeverBelow ? std::max(line.value - spread, 0.0) : line.value - spread;
}

BarsData::BarsData(const Store& store) : BarsData(store, rankingsOf(store), Of::OneRun) { }
BarsData::BarsData(const Store& before, const Store& after) : BarsData(after, rankingsOf(before, after), Of::TwoRuns) { }

BarsData::BarsData(const Store& store, std::vector<Ranking> rankings, Of of)
    : m_noun(countedNoun(store)), m_rankings(std::move(rankings)), m_compares(of == Of::TwoRuns)
{
    for (const auto& r : m_rankings)
        addKeyNames(m_keyNames, r.shape);
    findSpreads();
    // While a run goes on nobody reads the table of bars, which may be of 100,000 keys.
    using record::FieldKind;
    const auto isUnique // no other value has its text
        = [](const record::Field& key) {
              return key.kind == FieldKind::Int || key.kind == FieldKind::Uint || key.kind == FieldKind::String;
          };
    const bool isPlain = m_rankings.size() == 1 && std::all_of(m_rankings[0].shape.keys.begin(), m_rankings[0].shape.keys.end(), isUnique);
    if (!isPlain) filled(&m_rows);
}

bool BarsData::empty() const
{
    return std::all_of(m_rankings.begin(), m_rankings.end(), [](const Ranking& r) { return r.lines.empty(); });
}

bool BarsData::isSlight() const
{
    return std::all_of(m_rankings.begin(), m_rankings.end(), [](const Ranking& r) { return r.lines.size() < 2; });
}

std::vector<std::size_t> BarsData::drawn() const
{
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < m_rankings.size(); ++i)
        if (!m_rankings[i].lines.empty() && !isSpread(i)) out.push_back(i);
    return out;
}

/// An avg() and a stddev() of the same values by the same keys are one: a dot, and how far values lie around it.
void BarsData::findSpreads()
{
    if (m_compares) return;
    const auto isOfSame = [](const record::Aggregation& a, const record::Aggregation& b) {
        return isSameExpression(a.value, b.value)
            && std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(),
                [](const record::Field& x, const record::Field& y) { return isSameExpression(x.name, y.name); });
    };
    for (std::size_t i = 0; i < m_rankings.size(); ++i)
        for (std::size_t k = 0; k < m_rankings.size() && m_rankings[i].shape.function == record::Aggregator::Avg; ++k) {
            const auto& other = m_rankings[k];
            if (other.shape.function != record::Aggregator::Stddev || m_spreads.contains(i) || isSpread(k)
                || !isOfSame(m_rankings[i].shape, other.shape))
                continue;
            auto& spread = m_spreads[i];
            spread.ranking = k;
            for (const auto& line : other.lines)
                spread.deviations.emplace(line.keys, line.value);
        }
}

bool BarsData::isSpread(std::size_t ranking) const
{
    return std::any_of(m_spreads.begin(), m_spreads.end(), [&](const auto& s) { return s.second.ranking == ranking; });
}

std::optional<double> BarsData::spreadOf(std::size_t ranking, const Ranking::Line& line) const
{
    const auto found = m_spreads.find(ranking);
    if (found == m_spreads.end()) return std::nullopt;
    const auto own = found->second.deviations.find(line.keys);
    return own == found->second.deviations.end() ? std::nullopt : std::optional(own->second);
}

Extents BarsData::extents() const
{
    Extents out;
    for (std::size_t i = 0; i < m_rankings.size(); ++i)
        for (const auto& line : m_rankings[i].lines) {
            const auto spread = spreadOf(i, line).value_or(0);
            out.values[m_rankings[i].shape.name].add({std::min<double>({lowEndOfSpread(m_rankings[i], line, spread), line.before, 0.0}),
                std::max<double>({line.value + spread, line.before, 0.0})});
        }
    return out;
}

std::string BarsData::valueOf(const Ranking& ranking, const Ranking::Line& line) const
{
    if (m_compares) {
        // Of what is no sum, there is no number where there was no event.
        using In = Ranking::Line::In;
        const auto text
            = [&](double value, In missing) { return !ranking.adds() && line.in == missing ? said("none") : ranking.valueText(value); };
        return text(line.before, In::After) + " \u2192 " + text(line.value, In::Before) + " \u00b7 " + ranking.change(line).text();
    }
    std::string text = ranking.valueText(line.value);
    // With something taken away there is no whole of which the others are shares; the least is the last.
    if (ranking.adds() && ranking.total > 0 && ranking.lines.back().value >= 0) text += " \u00b7 " + formatShare(line.value, ranking.total);
    return text;
}

std::string BarsData::wordsOf(std::size_t which, const Ranking::Line& line) const
{
    const auto spread = spreadOf(which, line);
    return valueOf(m_rankings[which], line) + (spread ? " \u00b1 " + m_rankings[which].valueText(*spread) : std::string());
}

std::string BarsData::countedText(const Ranking& r, double value) const
{
    return r.shape.function == record::Aggregator::Count ? m_noun.with(r.valueText(value)) : r.valueText(value);
}

// One row a key; the aggregations side by side when they have the same keys, else one below the other.
/// `rows`: where each line is; null: nobody asks.
Table BarsData::filled(Rows* rows) const
{
    Table t;
    if (rows) rows->resize(m_rankings.size());
    for (const auto& key : m_keyNames) {
        const bool number = std::all_of(m_rankings.begin(), m_rankings.end(), [&](const Ranking& r) {
            return std::all_of(
                r.shape.keys.begin(), r.shape.keys.end(), [&](const record::Field& f) { return f.name != key || isNumber(f); });
        });
        t.columns.push_back({Unit::None, keyColumn(m_keyNames, key), number});
    }

    // Tables of other tools may have one name and other keys: no two columns are called the same.
    const auto columnOf = [&](const Ranking& r) {
        auto name = valueColumn(r.shape);
        const auto isNamesake = [&](const Ranking& other) { return &other != &r && valueColumn(other.shape) == name; };
        if (std::none_of(m_rankings.begin(), m_rankings.end(), isNamesake)) return name;
        for (const auto& key : r.shape.keys)
            name += (&key == r.shape.keys.data() ? " by " : ", ") + key.name;
        return name;
    };
    for (const auto& r : m_rankings) {
        if (m_compares)
            for (const auto* which : {"before", "after", "difference"})
                t.columns.push_back(Column::number(m_rankings.size() == 1 ? which : columnOf(r) + '_' + which, r.measure.unit));
        else
            t.columns.push_back(Column::number(columnOf(r), r.measure.unit));
    }

    std::map<std::vector<std::string>, std::size_t> places;
    for (std::size_t i = 0; i < m_rankings.size(); ++i) {
        const auto& r = m_rankings[i];
        for (const auto& line : r.lines) {
            std::vector<std::string> keys(m_keyNames.size());
            for (std::size_t k = 0; k < r.shape.keys.size() && k < line.keys.size(); ++k) {
                const auto at = std::find(m_keyNames.begin(), m_keyNames.end(), r.shape.keys[k].name) - m_keyNames.begin();
                keys[static_cast<std::size_t>(at)] = line.keys[k];
            }
            const auto [place, isNew] = places.try_emplace(keys, t.rows.size());
            if (isNew) {
                keys.resize(t.columns.size());
                t.rows.push_back(std::move(keys));
            }
            auto* cell = &t.rows[place->second][m_keyNames.size() + i * valueColumns()];
            if (m_compares) {
                using In = Ranking::Line::In;
                const bool isBoth = r.adds() || line.in == In::Both;
                cell[0] = isBoth || line.in == In::Before ? r.plain(line.before) : "";
                cell[1] = isBoth || line.in == In::After ? r.plain(line.value) : "";
                cell[2] = isBoth ? r.plain(line.value - line.before) : "";
            } else {
                *cell = r.plain(line.value);
            }
            if (rows) (*rows)[i].push_back(static_cast<std::uint32_t>(place->second));
        }
    }
    return t;
}

std::vector<Metric> BarsData::metrics() const
{
    std::vector<Metric> out;
    if (m_compares) return out;
    for (const auto& r : m_rankings) {
        MetricRows rows{r.shape, r.measure};
        for (const auto& line : r.lines)
            rows.add(line.keys, line.value);
        ToldBuckets none;
        out.push_back(rows.metric(none));
    }
    return out;
}

Digest BarsData::digest(std::size_t most) const
{
    Digest out;
    auto& columns = out.table.columns;
    const bool several = m_rankings.size() > 1;
    if (several) columns.push_back(Column::text("of"));
    for (const auto& name : m_keyNames)
        columns.push_back(Column::text(keyColumn(m_keyNames, name)));
    const auto titles = m_compares ? std::vector{"before", "after", "change"} : std::vector{"value", "share"};
    for (const auto* title : titles)
        columns.push_back(Column::number(title));
    for (const auto& r : m_rankings)
        for (const auto& line : r.lines) {
            if (out.table.rows.size() == most) {
                ++out.more;
                continue;
            }
            auto& row = out.table.rows.emplace_back();
            if (several) row.push_back(describe(r.shape));
            for (const auto& name : m_keyNames) {
                const auto key = std::find_if(r.shape.keys.begin(), r.shape.keys.end(), [&](const auto& k) { return k.name == name; });
                const auto at = static_cast<std::size_t>(key - r.shape.keys.begin());
                row.push_back(at < line.keys.size() ? line.keys[at] : std::string());
            }
            const bool isShare = r.adds() && r.total > 0 && r.lines.back().value >= 0;
            if (m_compares)
                row.insert(row.end(), {exactText(r, line.before), exactText(r, line.value), r.change(line).text()});
            else
                row.insert(row.end(), {exactText(r, line.value), isShare ? formatShare(line.value, r.total) : std::string()});
        }
    return out;
}
} // namespace dscope::graph
