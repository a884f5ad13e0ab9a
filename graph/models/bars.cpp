#include "graph/keys.h"
#include "graph/page.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "bars", .tab = "Bars", .summary = "count, sum, min, max, avg and stddev by key, the largest first"};
constexpr double kTallestRow = 40, kLowestRow = 24, kSectionHead = 34, kSectionGap = 20;

/// Numbers by key; stacks alone make no bars that can be read, the flame graph shows them.
bool suits(const record::Aggregation& a)
{
    const auto isStack
        = [](const record::Field& key) { return key.kind == record::FieldKind::Stack || key.kind == record::FieldKind::UserStack; };
    return !isQuantized(a.function) && (a.keys.empty() || !std::all_of(a.keys.begin(), a.keys.end(), isStack));
}

class Bars final : public Visual {
public:
    explicit Bars(const Store& store) : Bars(store, rankingsOf(store), false) { }
    Bars(const Store& before, const Store& after) : Bars(after, rankingsOf(before, after), true) { }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return m_compares ? changedTitle(plainTitle()) : plainTitle(); }
    bool empty() const override
    {
        return std::all_of(m_rankings.begin(), m_rankings.end(), [](const Ranking& r) { return r.lines.empty(); });
    }
    Table table() const override { return m_table; }
    Figure figure(const LayoutOptions& options) const override;

private:
    Bars(const Store& store, std::vector<Ranking> rankings, bool compares)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store)), m_probes(probesText(store.program())),
          m_rankings(std::move(rankings)), m_compares(compares)
    {
        for (const auto& r : m_rankings)
            for (const auto& key : r.shape.keys)
                if (std::find(m_keyNames.begin(), m_keyNames.end(), key.name) == m_keyNames.end()) m_keyNames.push_back(key.name);
        fillTable();
    }
    std::string plainTitle() const
    {
        if (m_rankings.empty()) return "Bars";
        const auto& a = m_rankings.front().shape;
        std::string by;
        for (std::size_t i = 0; i < a.keys.size(); ++i)
            by += (i ? ", " : " by ") + printable(a.keys[i].name);
        if (a.function == record::Aggregator::Count) {
            std::string noun = m_noun;
            noun[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(noun[0])));
            return noun + by;
        }
        std::string what = a.name.empty() ? describeValue(a) : a.name;
        what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
        return printable(what) + by;
    }
    static std::string describeValue(const record::Aggregation& a) { return std::string(functionName(a.function)) + " of " + a.value; }
    std::string subtitle() const
    {
        std::string text;
        for (const auto& r : m_rankings) {
            if (r.lines.empty()) continue;
            text += (text.empty() ? "" : "; ") + describe(r.shape);
            if (r.adds() && m_compares)
                text += " \u00b7 before " + r.valueText(r.before) + ", after " + r.valueText(r.total) + " in all";
            else if (r.adds())
                text += " \u00b7 " + countedText(r, r.total) + " in all";
        }
        if (m_compares) return text + " \u00b7 numbers as they were recorded, the largest change first";
        if (m_provenance.duration > 0) text += " \u00b7" + inShownInterval(m_provenance);
        return text;
    }
    std::string inWords() const
    {
        std::string text = title() + '.';
        for (const auto& r : m_rankings)
            for (std::size_t i = 0; i < std::min<std::size_t>(r.lines.size(), 5); ++i)
                text += ' ' + Ranking::label(r.lines[i]) + ": " + valueOf(r, r.lines[i]) + '.';
        return text;
    }
    std::string valueOf(const Ranking& ranking, const Ranking::Line& line) const
    {
        if (m_compares)
            return ranking.valueText(line.before) + " \u2192 " + ranking.valueText(line.value) + "  \u00b7  " + ranking.change(line).text();
        std::string text = ranking.valueText(line.value);
        // With something taken away there is no whole of which the others are shares; the least is the last.
        if (ranking.adds() && ranking.total > 0 && ranking.lines.back().value >= 0)
            text += "  \u00b7  " + formatShare(line.value, ranking.total);
        return text;
    }
    std::size_t valueColumns() const { return m_compares ? 3 : 1; }
    std::vector<LegendEntry> legend() const
    {
        if (!m_compares || empty()) return {};
        std::string noise;
        for (const auto& r : m_rankings)
            if (!r.lines.empty()) noise = noise.empty() || noise == r.noise() ? r.noise() : "may be chance";
        return {{Role::Bar, Shade::Plain, 1, "grew", false}, {Role::Bar, Shade::Plain, 0, "shrank", false},
            {Role::Bar, Shade::Unknown, -1, noise, false}, {Role::Bar, Shade::Dashed, -1, "before", false}};
    }
    std::string countedText(const Ranking& r, double value) const
    {
        return r.shape.function == record::Aggregator::Count ? withNoun(r.valueText(value), m_noun) : r.valueText(value);
    }
    void fillTable();
    void drawSection(Page& page, std::size_t which, const Box& area, double row, std::size_t shown) const;

    Provenance m_provenance;
    std::string m_noun, m_probes;
    std::vector<Ranking> m_rankings;
    std::vector<std::string> m_keyNames;
    bool m_compares;
    Table m_table;
    std::vector<std::vector<std::uint32_t>> m_rows; ///< of the table, by ranking and line
};

// One row a key; the aggregations side by side when they have the same keys, else one below the other.
void Bars::fillTable()
{
    Table& t = m_table;
    m_rows.resize(m_rankings.size());
    for (const auto& key : m_keyNames) {
        const bool number = std::all_of(m_rankings.begin(), m_rankings.end(), [&](const Ranking& r) {
            return std::all_of(
                r.shape.keys.begin(), r.shape.keys.end(), [&](const record::Field& f) { return f.name != key || isNumber(f); });
        });
        t.columns.push_back({Unit::None, key, number});
    }
    for (const auto& r : m_rankings) {
        if (m_compares)
            for (const auto* which : {"before", "after", "difference"})
                t.columns.push_back({r.measure.unit, m_rankings.size() == 1 ? which : valueColumn(r.shape) + '_' + which, true});
        else
            t.columns.push_back({r.measure.unit, valueColumn(r.shape), true});
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
                *cell++ = plainNumber(line.before);
                cell[1] = plainNumber(line.value - line.before);
            }
            *cell = plainNumber(line.value);
            m_rows[i].push_back(static_cast<std::uint32_t>(place->second));
        }
    }
}
void Bars::drawSection(Page& page, std::size_t which, const Box& area, double row, std::size_t shown) const
{
    const Ranking& ranking = m_rankings[which];
    const double k = page.scale(), size = std::clamp(row * 0.5, 11.0, 16.0) * (k < 1 ? 0.9 : 1);
    double most = 0, widest = 0, widestValue = 0;
    for (std::size_t i = 0; i < shown; ++i) {
        most = std::max({most, std::abs(ranking.lines[i].value), std::abs(ranking.lines[i].before)});
        widest = std::max(widest, textWidth(printable(Ranking::label(ranking.lines[i])), size));
    }
    for (std::size_t i = 0; i < shown; ++i)
        widestValue = std::max(widestValue, textWidth(valueOf(ranking, ranking.lines[i]), size));
    const double labels = std::min(widest, area.width * 0.34), left = area.x + labels + 14,
                 room = std::max(area.width - labels - 14 - widestValue - 14, 20.0);
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& line = ranking.lines[i];
        std::string label = printable(Ranking::label(line));
        if (label.empty()) label = line.keys.empty() ? "all" : "\"\"";
        const double y = area.y + row * static_cast<double>(i), base = y + row / 2 + size * 0.36,
                     length = line.value != 0 ? std::max(room * std::abs(line.value) / most, 1.0) : 0.0, // nothing is no bar
            lengthBefore = m_compares && most > 0 ? room * std::abs(line.before) / most : 0;
        page.text(Role::Label, {left - 10, base}, label, {.size = size, .anchor = Anchor::End, .maxWidth = labels + 4, .middle = true});
        Item& bar = page.box(Role::Bar, {left, y + row * 0.12, length, row * 0.76, 2}, line.value < 0 ? Shade::Hatched : Shade::Plain);
        bar.key = label;
        bar.tip = label + '\n' + valueOf(ranking, line);
        bar.data = {{"value", plainNumber(line.value)}};
        bar.row = Row{m_rows[which][i]};
        if (m_compares) {
            const auto change = ranking.change(line);
            bar.level = change.level();
            if (!change.told) bar.shade = Shade::Unknown;
            bar.data.emplace_back("before", plainNumber(line.before));
            if (lengthBefore > 0) page.box(Role::Bar, {left, y + row * 0.04, lengthBefore, row * 0.92, 2}, Shade::Dashed);
        }
        page.text(Role::Label, {left + std::max(length, lengthBefore) + 10, base}, valueOf(ranking, line), {.size = size});
    }
    if (shown < ranking.lines.size()) {
        double rest = 0;
        for (std::size_t i = shown; i < ranking.lines.size(); ++i)
            rest += ranking.lines[i].value;
        std::string text = "\u2026 " + formatGrouped(static_cast<std::int64_t>(ranking.lines.size() - shown)) + " more";
        if (ranking.adds()) text += " (" + countedText(ranking, rest) + ')';
        page.text(Role::Note, {left, area.y + row * static_cast<double>(shown) + row / 2 + size * 0.36}, text, {.size = size});
    }
}
Figure Bars::figure(const LayoutOptions& options) const
{
    Page page(options, title(), empty() ? "" : subtitle(), m_provenance, legend());
    if (empty()) {
        page.empty("Nothing counted yet",
            m_probes.empty() ? "Bars grow when the program's probes fire." : "Bars grow when these probes fire: " + m_probes);
        return page.finish("Bars without data.");
    }
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < m_rankings.size(); ++i)
        if (!m_rankings[i].lines.empty()) shown.push_back(i);
    const double least = kLowestRow * page.scale(), tallest = options.forScreen ? 28.0 : kTallestRow;
    const auto headsOf = [&] { return shown.size() > 1 ? static_cast<double>(shown.size()) * (kSectionHead + kSectionGap) : 0; };
    const std::size_t all = shown.size();
    while (options.fit && shown.size() > 1 && page.content().height - headsOf() < 2 * least * static_cast<double>(shown.size()))
        shown.pop_back();
    if (shown.size() < all)
        page = Page(
            options, title(), subtitle() + " \u00b7 " + std::to_string(all - shown.size()) + " more not shown", m_provenance, legend());
    double lines = 0;
    for (const auto i : shown)
        lines += static_cast<double>(m_rankings[i].lines.size());
    const Box area = page.content();
    const double heads = headsOf();
    const double row = std::clamp(std::floor((area.height - heads) / std::max(lines, 1.0)), least, tallest);
    const auto fitting = options.fit ? std::max(1.0, std::floor((area.height - heads) / row)) : lines;
    double y = area.y;
    for (const auto i : shown) {
        const auto& r = m_rankings[i];
        const auto own = static_cast<double>(r.lines.size());
        // When not all fit: rows by share, at least two, one of them for what is left out.
        std::size_t count = r.lines.size();
        if (lines > fitting) {
            const double part = std::max(2.0, std::floor(fitting * own / lines));
            if (own > part) count = static_cast<std::size_t>(part) - 1;
        }
        if (shown.size() > 1) {
            page.text(Role::Label, {area.x, y + 20}, '@' + r.shape.name + "  " + describe(r.shape),
                {.size = 14, .bold = true, .maxWidth = area.width});
            y += kSectionHead;
        }
        drawSection(page, i, {area.x, y, area.width, 0, 0}, row, count);
        y += row * static_cast<double>(count + (count < r.lines.size() ? 1 : 0)) + (shown.size() > 1 ? kSectionGap : 0);
    }
    return page.finish(inWords(), {area.x + area.width, y});
}
} // namespace

Kind kind_bars()
{
    return {kFacts, rank::kAmounts,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return std::any_of(all.begin(), all.end(), suits);
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Bars>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Bars>(before, after); }};
}
} // namespace dscope::graph
