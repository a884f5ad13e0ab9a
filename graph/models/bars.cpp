#include "graph/headline.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/metrics.h"
#include "graph/page.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/value_axis.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <span>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "bars",
    .tab = "Bars",
    .summary = "count, sum, min, max, avg and stddev by key, the largest first",
    .heeds = {.top = true, .order = true, .log = true, .amounts = Heeds::Amounts::Other}};
constexpr double kFewestRows = 3; // of a section, where there are several: two bars and what is left out
constexpr double kTallestRow = 40, kLowestRow = 19, kSectionHead = 30, kSectionGap = 14;

/// Numbers by key; stacks alone make no bars that can be read, the flame graph shows them.
bool suits(const record::Aggregation& a)
{
    const auto isStack
        = [](const record::Field& key) { return key.kind == record::FieldKind::Stack || key.kind == record::FieldKind::UserStack; };
    return !isQuantized(a.function) && (a.keys.empty() || !std::all_of(a.keys.begin(), a.keys.end(), isStack));
}

class Bars final : public Visual, public HasMetrics {
public:
    explicit Bars(const Store& store) : Bars(store, rankingsOf(store), Of::OneRun) { }
    Bars(const Store& before, const Store& after) : Bars(after, rankingsOf(before, after), Of::TwoRuns) { }
    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override
    {
        if (!m_compares) return plainTitle();
        const bool adds = !m_rankings.empty() && m_rankings.front().adds();
        const std::string what = adds && m_rankings.front().shape.function == record::Aggregator::Count ? m_noun : std::string();
        return changedTitle(plainTitle())
            + (adds ? changedTotal(m_rankings.front().before, m_rankings.front().total, what) : std::string());
    }

    bool empty() const override
    {
        return std::all_of(m_rankings.begin(), m_rankings.end(), [](const Ranking& r) { return r.lines.empty(); });
    }
    bool isSlight() const override
    {
        return std::all_of(m_rankings.begin(), m_rankings.end(), [](const Ranking& r) { return r.lines.size() < 2; });
    }
    Table table() const override { return m_table; }
    std::vector<Metric> metrics() const override;
    Digest digest(std::size_t most, Privacy privacy) const override;

    Extents extents() const override
    {
        Extents out;
        for (std::size_t i = 0; i < m_rankings.size(); ++i)
            for (const auto& line : m_rankings[i].lines) {
                const auto spread = spreadOf(i, line).value_or(0);
                out.values[m_rankings[i].shape.name].add(
                    {std::min({lowEnd(m_rankings[i], line, spread), line.before, 0.0}), std::max({line.value + spread, line.before, 0.0})});
            }
        return out;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    enum class Of : std::uint8_t { OneRun, TwoRuns };

    Bars(const Store& store, std::vector<Ranking> rankings, Of of)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store)), m_probes(probesText(store.program())),
          m_rankings(std::move(rankings)), m_compares(of == Of::TwoRuns)
    {
        for (const auto& r : m_rankings)
            addKeyNames(m_keyNames, r.shape);
        findSpreads();
        fillTable();
    }

    std::string plainTitle() const
    {
        if (m_rankings.empty()) return "Bars";
        const auto& a = m_rankings.front().shape;
        const std::string by = byKeys(a);
        if (a.function == record::Aggregator::Count) {
            std::string noun = m_noun;
            noun[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(noun[0])));
            return noun + by;
        }
        // Names of a letter are no words.
        std::string what = a.name.size() > 2 ? a.name : describeValue(a);
        what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
        return printable(what) + by;
    }

    static std::string describeValue(const record::Aggregation& a)
    {
        return std::string(functionName(a.function)) + " of " + (isLiteral(a.value) ? "a constant" : a.value);
    }

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
        if (!m_spreads.empty()) text += " \u00b7 a line reaches one standard deviation to both sides of the average";
        if (const auto during = inShownInterval(m_provenance); !during.empty()) text += " \u00b7" + during;
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
        if (m_compares) {
            // Of what is no sum, there is no number where there was no event.
            using In = Ranking::Line::In;
            const auto text
                = [&](double value, In missing) { return !ranking.adds() && line.in == missing ? "none" : ranking.valueText(value); };
            return text(line.before, In::After) + " \u2192 " + text(line.value, In::Before) + "  \u00b7  " + ranking.change(line).text();
        }
        std::string text = ranking.valueText(line.value);
        // With something taken away there is no whole of which the others are shares; the least is the last.
        if (ranking.adds() && ranking.total > 0 && ranking.lines.back().value >= 0)
            text += "  \u00b7  " + formatShare(line.value, ranking.total);
        return text;
    }

    std::string wordsOf(std::size_t which, const Ranking::Line& line) const
    {
        const auto spread = spreadOf(which, line);
        return valueOf(m_rankings[which], line) + (spread ? " \u00b1 " + m_rankings[which].valueText(*spread) : std::string());
    }

    std::string logarithmic(const LayoutOptions& options) const
    {
        const bool isBelow = std::any_of(m_rankings.begin(), m_rankings.end(), [&](const Ranking& r) {
            ValueRange common;
            common.add(options, r.shape.name);
            return common.low < 0
                || std::any_of(r.lines.begin(), r.lines.end(), [](const Ranking::Line& l) { return l.value < 0 || l.before < 0; });
        });
        return isBelow ? "logarithmic scale, but linear where values are below 0" : "logarithmic scale";
    }

    std::size_t valueColumns() const { return m_compares ? 3 : 1; }

    std::vector<LegendEntry> legend() const
    {
        if (!m_compares || empty()) return {};
        std::string noise;
        for (const auto& r : m_rankings)
            if (!r.lines.empty()) noise = noise.empty() || noise == r.noise() ? r.noise() : "may be chance";
        return changeLegendOfBars(noise);
    }

    std::string countedText(const Ranking& r, double value) const
    {
        return r.shape.function == record::Aggregator::Count ? withNoun(r.valueText(value), m_noun) : r.valueText(value);
    }
    void fillTable();
    /// An avg() and a stddev() of the same values by the same keys are one: a dot, and how far values lie around it.
    void findSpreads();
    static double lowEnd(const Ranking& ranking, const Ranking::Line& line, double spread);
    bool isSpread(std::size_t ranking) const
    {
        return std::any_of(m_spreads.begin(), m_spreads.end(), [&](const auto& s) { return s.second.ranking == ranking; });
    }
    std::optional<double> spreadOf(std::size_t ranking, const Ranking::Line& line) const
    {
        const auto found = m_spreads.find(ranking);
        if (found == m_spreads.end()) return std::nullopt;
        const auto own = found->second.deviations.find(line.keys);
        return own == found->second.deviations.end() ? std::nullopt : std::optional(own->second);
    }
    /// Where a section is drawn, and which lines of its ranking in which order.
    struct Section {
        std::size_t which = 0; ///< ranking
        Box area;
        double row = 0, labels = 0; ///< px: of a bar, and of the keys' column, the same in all sections
        std::vector<std::size_t> lines;
    };
    void drawSection(Page& page, const Section& section) const;
    void drawScale(Page& page, const Section& section, const ValueAxis& axis, double left, double room) const;

    static double widestLabel(const Ranking& ranking, std::span<const std::size_t> lines, double size)
    {
        double widest = 0;
        for (const auto i : lines)
            widest = std::max(widest, textWidth(printable(Ranking::label(ranking.lines[i])), size));
        return widest;
    }

    static double textSize(const Page& page, double row) { return std::clamp(row * 0.5, 12 * page.scale(), 16 * page.scale()); }

    Provenance m_provenance;
    std::string m_noun, m_probes;
    std::vector<Ranking> m_rankings;
    std::vector<std::string> m_keyNames;
    bool m_compares;
    Table m_table;
    std::vector<std::vector<std::uint32_t>> m_rows; ///< of the table, by ranking and line
    struct Spread {
        std::size_t ranking = 0; ///< of the deviations
        std::map<std::vector<std::string>, double> deviations;
    };
    std::map<std::size_t, Spread> m_spreads; ///< by the ranking of the averages
};

/// Where a line of the deviation ends: times and sizes are never below zero.
double Bars::lowEnd(const Ranking& ranking, const Ranking::Line& line, double spread)
{
    const bool isNeverBelow = line.value >= 0 && ranking.measure.unit != Unit::None;
    return isNeverBelow ? std::max(line.value - spread, 0.0) : line.value - spread;
}
void Bars::findSpreads()
{
    if (m_compares) return;
    const auto isOfSame = [](const record::Aggregation& a, const record::Aggregation& b) {
        return a.value == b.value
            && std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(),
                [](const record::Field& x, const record::Field& y) { return x.name == y.name; });
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
        t.columns.push_back({Unit::None, keyColumn(m_keyNames, key), number});
    }

    for (const auto& r : m_rankings) {
        if (m_compares)
            for (const auto* which : {"before", "after", "difference"})
                t.columns.push_back(Column::number(m_rankings.size() == 1 ? which : valueColumn(r.shape) + '_' + which, r.measure.unit));
        else
            t.columns.push_back(Column::number(valueColumn(r.shape), r.measure.unit));
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
                cell[0] = isBoth || line.in == In::Before ? plainNumber(line.before) : "";
                cell[1] = isBoth || line.in == In::After ? plainNumber(line.value) : "";
                cell[2] = isBoth ? plainNumber(line.value - line.before) : "";
            } else {
                *cell = plainNumber(line.value);
            }
            m_rows[i].push_back(static_cast<std::uint32_t>(place->second));
        }
    }
}
/// The powers of ten that bars on a logarithmic scale are read by, below the bars.
void Bars::drawScale(Page& page, const Section& section, const ValueAxis& axis, double left, double room) const
{
    const double size = page.smallest(), bottom = section.area.y + section.row * static_cast<double>(section.lines.size());
    for (const double tick : axis.ticks()) {
        const double x = left + room * axis.atTick(tick);
        page.path(Role::Grid, {{x, section.area.y}, {x, bottom + 4}});
        page.text(Role::Tick, {x, bottom + 4 + size}, formatQuantity(tick, m_rankings[section.which].measure.unit),
            {.size = size, .anchor = Anchor::Middle});
    }
}
void Bars::drawSection(Page& page, const Section& section) const
{
    const auto which = section.which;
    const auto& area = section.area;
    const double row = section.row, labels = section.labels;
    const auto shown = section.lines.size();
    const Ranking& ranking = m_rankings[which];
    const double size = textSize(page, row);
    ValueRange range;
    double widestValue = 0;
    for (const auto i : section.lines) {
        range.add(ranking.lines[i].value);
        range.add(ranking.lines[i].before);
        if (const auto spread = spreadOf(which, ranking.lines[i])) {
            // On a logarithmic scale what is not above 0 lies at the low end.
            const double least = lowEnd(ranking, ranking.lines[i], *spread);
            const bool isCut = page.options().values == ValueScale::Logarithmic && ranking.lines[i].value >= 0;
            range.add(isCut ? std::max(least, 0.0) : least);
            range.add(ranking.lines[i].value + *spread);
        }
        widestValue = std::max(widestValue, textWidth(wordsOf(which, ranking.lines[i]), size));
    }

    range.add(page.options(), ranking.shape.name);
    const auto [low, high] = std::pair(range.low, range.high);
    const double left = area.x + labels + 14, room = std::max(area.width - labels - 14 - widestValue - 14, 20.0),
                 zero = left + (high > low ? room * -low / (high - low) : 0);

    // What is less than nothing lies on the other side of a line.
    if (low < 0) page.path(Role::Axis, {{zero, area.y}, {zero, area.y + row * static_cast<double>(shown)}});
    const ValueAxis axis(
        range, low < 0 ? ValueScale::Linear : page.options().values, std::max(2, static_cast<int>(room / (6 * size))), ranking.measure);
    if (axis.isLogarithmic()) drawScale(page, section, axis, left, room);
    const auto span = [&](double value) -> std::pair<double, double> { // where a bar begins, and how long it is
        if (value == 0) return {zero, 0};                              // nothing is no bar
        if (axis.isLogarithmic()) return {left, std::max(room * axis.at(value), 2.0)};
        const double length = std::max(room * std::abs(value) / (high - low), 1.0);
        return {value < 0 ? zero - length : zero, length};
    };

    const auto at = [&](double value) {
        return axis.isLogarithmic() ? left + room * axis.at(value) : zero + room * value / std::max(high - low, 1e-300);
    };

    for (std::size_t i = 0; i < shown; ++i) {
        const auto& line = ranking.lines[section.lines[i]];
        std::string label = printable(Ranking::label(line));
        if (label.empty()) label = line.keys.empty() ? "all" : "\"\"";
        const double y = area.y + row * static_cast<double>(i), base = y + row / 2 + size * 0.36;
        const auto [from, length] = span(line.value);
        const auto [fromBefore, lengthBefore] = span(m_compares ? line.before : 0);
        page.text(Role::Label, {left - 10, base}, label, {.size = size, .anchor = Anchor::End, .maxWidth = labels + 4, .middle = true});
        const auto spread = spreadOf(which, line);
        Box shape{from, y + row * 0.12, length, row * 0.76, 2};
        double end = from + length;
        if (spread) {
            const double reach = lowEnd(ranking, line, *spread), dot = row * 0.44, thick = std::max(2.0, row * 0.07), least = at(reach),
                         most = at(line.value + *spread);
            page.box(Role::Bar, {least, y + (row - thick) / 2, std::max(most - least, 1.0), thick, 0});
            for (const double cap : {least, most})
                if (cap == most || reach == line.value - *spread)
                    page.box(Role::Bar, {cap - thick / 2, y + row * 0.28, thick, row * 0.44, 0});
            shape = {at(line.value) - dot / 2, y + (row - dot) / 2, dot, dot, dot / 2};
            end = std::max(most + thick, shape.x + dot);
        }
        Item& bar = page.box(Role::Bar, shape, line.value < 0 && !spread ? Shade::Hatched : Shade::Plain);
        bar.key = label;
        bar.tip = label + '\n' + wordsOf(which, line);
        bar.data = {{"value", plainNumber(line.value)}};
        bar.row = Row{m_rows[which][section.lines[i]]};
        if (m_compares) {
            const auto change = ranking.change(line);
            bar.level = change.level();
            if (!change.told) bar.shade = Shade::Unknown;
            bar.data.emplace_back("before", plainNumber(line.before));
            if (lengthBefore > 0) page.box(Role::Bar, {fromBefore, y + row * 0.04, lengthBefore, row * 0.92, 2}, Shade::Dashed);
        }
        page.text(Role::Label, {std::max({zero, end, fromBefore + lengthBefore}) + 10, base}, wordsOf(which, line), {.size = size});
    }

    if (shown < ranking.lines.size()) {
        double rest = 0;
        for (const auto& line : ranking.lines)
            rest += line.value;
        for (const auto i : section.lines)
            rest -= ranking.lines[i].value;
        std::string text = "\u2026 " + formatGrouped(static_cast<std::int64_t>(ranking.lines.size() - shown)) + " more";
        if (ranking.adds()) text += " (" + countedText(ranking, rest) + ')';
        const double below = axis.isLogarithmic() ? 1.6 * page.smallest() : 0;
        page.text(Role::Note, {left, area.y + row * static_cast<double>(shown) + below + row / 2 + size * 0.36}, text, {.size = size});
    }
}
Figure Bars::figure(const LayoutOptions& options) const
{
    const auto pageWithout = [&](std::size_t hidden) {
        auto caveats = m_compares || empty() ? Caveats() : intervalCaveat(m_provenance);
        if (hidden > 0) caveats.push_back(std::to_string(hidden) + " more not shown");
        if (options.values == ValueScale::Logarithmic) caveats.push_back(logarithmic(options));
        const auto words = headed(options, m_compares || m_rankings.size() != 1 ? std::string() : headlineOf(m_rankings.front(), m_noun),
            title(), empty() ? "" : subtitle());
        return Page(options, words, m_provenance, legend(), caveats);
    };

    Page page = pageWithout(0);
    if (empty()) {
        page.empty("Nothing counted yet",
            m_probes.empty() ? "Bars grow when the program's probes fire." : "Bars grow when these probes fire: " + m_probes);
        return page.finish("Bars without data.");
    }

    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < m_rankings.size(); ++i)
        if (!m_rankings[i].lines.empty() && !isSpread(i)) shown.push_back(i);
    const double k = page.scale(), least = kLowestRow * k, tallest = options.forScreen ? 28.0 : kTallestRow * k;
    const auto headsOf = [&] { return shown.size() > 1 ? static_cast<double>(shown.size()) * (kSectionHead + kSectionGap) * k : 0; };
    const std::size_t all = shown.size();
    while (options.fit && shown.size() > 1 && page.content().height - headsOf() < kFewestRows * least * static_cast<double>(shown.size()))
        shown.pop_back();
    if (shown.size() < all) page = pageWithout(all - shown.size());
    const auto mostOf = [&](const Ranking& r) { return options.top > 0 ? std::min(r.lines.size(), options.top) : r.lines.size(); };
    double lines = 0;
    for (const auto i : shown) // what is left out has a line, too
        lines += static_cast<double>(mostOf(m_rankings[i]) + (mostOf(m_rankings[i]) < m_rankings[i].lines.size() ? 1 : 0));
    const Box area = page.content();
    const double scales
        = options.values == ValueScale::Logarithmic ? static_cast<double>(shown.size()) * 1.6 * page.smallest() : 0; // below each section
    const double heads = headsOf() + scales;
    const double row = std::clamp(std::floor((area.height - heads) / std::max(lines, 1.0)), least, tallest);
    const auto fitting = options.fit ? std::max(1.0, std::floor((area.height - heads) / row)) : lines;
    double y = area.y, labels = 0;
    std::vector<Section> sections;
    for (const auto i : shown) {
        const auto& r = m_rankings[i];
        const auto own = static_cast<double>(mostOf(r));
        // When not all fit: a few rows, one of them for what is left out, and by share what is left of the page.
        std::size_t count = mostOf(r);
        if (lines > fitting) {
            const double fewest = shown.size() > 1 ? std::min(kFewestRows, std::floor(fitting / static_cast<double>(shown.size()))) : 1,
                         spare = std::max(fitting - fewest * static_cast<double>(shown.size()), 0.0),
                         part = std::max(fewest + std::floor(spare * own / lines), 2.0);
            if (own > part) count = static_cast<std::size_t>(part) - 1;
        }
        Section section{i, {}, row, 0, ordered(r, options.order == Order::Name ? Order::Own : options.order)};
        section.lines.resize(count);
        if (options.order == Order::Name) // of the largest, which are shown in any order
            std::stable_sort(section.lines.begin(), section.lines.end(),
                [&](std::size_t a, std::size_t b) { return isBeforeByName(r.lines[a].keys, r.lines[b].keys); });
        labels = std::max(labels, std::min(widestLabel(r, section.lines, textSize(page, row)), area.width * 0.34));
        sections.push_back(std::move(section));
    }

    for (auto& section : sections) {
        const auto& r = m_rankings[section.which];
        const auto count = section.lines.size();
        if (shown.size() > 1) {
            page.text(Role::Label, {area.x, y + 20 * k}, '@' + r.shape.name + "  " + describe(r.shape),
                {.size = 13 * k, .bold = true, .maxWidth = area.width});
            y += kSectionHead * k;
        }
        section.area = {area.x, y, area.width, 0, 0};
        section.labels = labels;
        drawSection(page, section);
        y += scales / static_cast<double>(sections.size());
        y += row * static_cast<double>(count + (count < r.lines.size() ? 1 : 0)) + (shown.size() > 1 ? kSectionGap * k : 0);
    }
    return page.finish(inWords(), {area.x + area.width, y});
}
std::vector<Metric> Bars::metrics() const
{
    std::vector<Metric> out;
    if (m_compares) return out;
    for (const auto& r : m_rankings) {
        auto& metric = out.emplace_back();
        metric.kind = r.shape.function == record::Aggregator::Count ? Metric::Kind::Counter : Metric::Kind::Gauge;
        metric.name = r.shape.name;
        metric.describes = describe(r.shape);
        metric.measure = r.measure;
        for (const auto& line : r.lines) {
            auto& row = metric.rows.emplace_back();
            for (std::size_t k = 0; k < r.shape.keys.size() && k < line.keys.size(); ++k)
                row.keys.emplace_back(r.shape.keys[k].name, line.keys[k]);
            row.value = line.value;
        }
    }
    return out;
}
Digest Bars::digest(std::size_t most, Privacy /*privacy*/) const
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
                row.insert(row.end(), {r.valueText(line.before), r.valueText(line.value), r.change(line).text()});
            else
                row.insert(row.end(), {r.valueText(line.value), isShare ? formatShare(line.value, r.total) : std::string()});
        }
    return out;
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
