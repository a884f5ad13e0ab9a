#include "graph/difference.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/palette.h"
#include "graph/parts/amounts_over_time.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/time_axis.h"
#include "graph/units.h"
#include "graph/value_axis.h"
#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "series",
    .tab = "Series",
    .summary = "aggregations over time: a line a key",
    .heeds = {.top = true, .log = true, .amounts = Heeds::Amounts::Other}};
using record::Aggregation;
using record::Aggregator;
constexpr double kLowestPanel = 130, kPanelGap = 26, kAxis = 30, kLineGap = 1.35;
constexpr std::size_t kMostDots = 2000;
constexpr double kRoomForDot = 7, kDot = 5;

bool suits(const Aggregation& a) { return std::none_of(a.keys.begin(), a.keys.end(), isStack); }
std::string capital(std::string text)
{
    if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
    return text;
}

/// Aggregations by key over time: a line a key, a step an interval.
class Series final : public Visual {
public:
    explicit Series(const Store& store)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store)), m_probes(probesText(store.program())),
          m_started(store.program().started)
    {
        const auto& all = store.program().aggregations;
        for (std::uint32_t id = 0; id < all.size(); ++id)
            if (suits(all[id])) m_panels.push_back(amountsOf(store, AggregationId{id}));
        for (const auto& p : m_panels)
            addKeyNames(m_keyNames, p.shape);
    }

    /// What changed: the panels of both runs in turn, their times counted from where each began.
    Series(const Store& before, const Store& after) : Series(after)
    {
        auto was = Series(before).m_panels;
        auto is = std::exchange(m_panels, {});
        m_compares = true;
        const auto later = m_started - before.program().started;
        for (auto& panel : was)
            for (auto& interval : panel.intervals)
                interval = {interval.from + later, interval.to + later};
        for (auto& panel : is) {
            const auto same = std::find_if(was.begin(), was.end(), [&](const AmountsOverTime& p) {
                return p.shape.name == panel.shape.name && p.shape.function == panel.shape.function
                    && p.shape.keys.size() == panel.shape.keys.size();
            });
            if (same != was.end()) {
                same->run = "before";
                m_panels.push_back(std::move(*same));
                was.erase(same);
            }
            panel.run = "after";
            m_panels.push_back(std::move(panel));
        }
        m_aggregations = is.size() + was.size();
        for (auto& panel : was) { // the later program has no such aggregation
            panel.run = "before";
            m_panels.push_back(std::move(panel));
        }
    }

    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override
    {
        if (!m_compares || m_panels.empty()) return plainTitle();
        const auto& first = m_panels.front();
        const auto* after = first.run == "before" && m_panels.size() > 1 && m_panels[1].run == "after" ? &m_panels[1] : nullptr;
        return changedTitle(plainTitle())
            + (after && addsUp(first.shape)
                    ? changedTotal(first.total, after->total, first.shape.function == Aggregator::Sum ? std::string() : what(first))
                    : std::string());
    }

    bool empty() const override
    {
        return std::all_of(m_panels.begin(), m_panels.end(), [](const AmountsOverTime& p) { return p.lines.empty(); });
    }

    bool isSlight() const override
    {
        constexpr std::size_t kFewest = 3; // moments: with two there is one step
        return std::all_of(m_panels.begin(), m_panels.end(),
            [](const AmountsOverTime& p) { return p.lines.empty() || drawnAmounts(p).intervals.size() < kFewest; });
    }

    Extents extents() const override
    {
        Extents out;
        out.time = last() - m_started;
        for (const auto& p : m_panels) {
            const auto drawn = drawnAmounts(p);
            for (const auto& line : drawnLines(drawn, kSeriesHues + 1).lines)
                for (const auto& value : line.values)
                    if (value) out.values[p.shape.name].add({std::min(*value, 0.0), std::max(*value, 0.0)});
        }
        return out;
    }

    Table table() const override;
    Figure figure(const LayoutOptions& options) const override;

private:
    std::string plainTitle() const
    {
        if (m_panels.empty()) return "Over time";
        const auto& a = m_panels.front().shape;
        return capital(what(m_panels.front())) + byKeys(a) + " over time";
    }
    /// How many aggregations are shown.
    std::size_t aggregations() const { return m_compares ? m_aggregations : m_panels.size(); }

    /// What a value is: "calls", "bytes", "avg of arg0".
    std::string what(const AmountsOverTime& p) const
    {
        const auto& a = p.shape;
        if (a.function == Aggregator::Count) return m_noun;
        if (isQuantized(a.function)) return m_noun == "samples" ? "values" : m_noun;
        // Names of a letter are no words, and a literal is nothing that is measured.
        if (a.name.size() > 2 || isLiteral(a.value))
            return a.name.size() > 2 ? printable(a.name) : std::string(functionName(a.function)) + " of a constant";
        return printable(std::string(functionName(a.function)) + " of " + a.value);
    }

    std::string valueText(const AmountsOverTime& p, double value) const { return Ranking{p.shape, p.measure, {}, 0}.valueText(value); }
    std::string subtitle() const;
    std::string inWords() const;
    void drawPanel(
        Page& page, const AmountsOverTime& panel, const Box& area, double labels, std::size_t most, bool last, SeriesHues& hues) const;
    void drawLine(Page& page, const AmountsOverTime& panel, const DrawnLine& line, const TimeScale& time, const ValueAxis& axis) const;
    void drawPeaks(
        Page& page, const AmountsOverTime& panel, const std::vector<DrawnLine>& lines, const TimeScale& time, const ValueAxis& axis) const;
    void drawLabels(Page& page, const std::vector<DrawnLine>& lines, const Box& plot, double labels, const ValueAxis& axis) const;

    std::int64_t last() const
    {
        std::int64_t latest = m_started + 1;
        for (const auto& p : m_panels)
            if (!p.intervals.empty()) latest = std::max(latest, p.intervals.back().to);
        return latest;
    }

    Provenance m_provenance;
    std::string m_noun, m_probes;
    std::int64_t m_started = 0;
    std::vector<AmountsOverTime> m_panels;
    std::vector<std::string> m_keyNames;
    bool m_compares = false;
    std::size_t m_aggregations = 0; ///< of both runs, where two are compared
};

Table Series::table() const
{
    Table t;
    const bool several = aggregations() > 1;
    if (m_compares) t.columns.push_back(Column::text("run"));
    if (several) t.columns.push_back(Column::text("aggregation"));
    t.columns.push_back(Column::number("time_ns", Unit::Nanoseconds));
    for (const auto& key : m_keyNames)
        t.columns.push_back(Column::text(keyColumn(m_keyNames, key)));
    t.columns.push_back(Column::number("value", m_panels.empty() ? Unit::None : m_panels.front().measure.unit));
    for (const auto& p : m_panels) {
        std::vector<std::pair<std::uint32_t, std::pair<const AmountLine*, double>>> all;
        for (const auto& line : p.lines)
            for (const auto& [interval, value] : line.values)
                all.push_back({interval, {&line, value}});
        std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [interval, point] : all) {
            std::vector<std::string> row;
            if (m_compares) row.push_back(p.run);
            if (several) row.push_back(valueColumn(p.shape));
            row.push_back(std::to_string(p.intervals[interval].to));
            for (const auto& name : m_keyNames) {
                const auto at = std::find_if(p.shape.keys.begin(), p.shape.keys.end(), [&](const auto& f) { return f.name == name; });
                const auto index = static_cast<std::size_t>(at - p.shape.keys.begin());
                row.push_back(index < point.first->keys.size() ? point.first->keys[index] : std::string());
            }
            row.push_back(plainNumber(point.second));
            t.rows.push_back(std::move(row));
        }
    }
    return t;
}
std::string Series::subtitle() const
{
    std::string text;
    for (const auto& p : m_panels) {
        if (p.lines.empty()) continue;
        text += (text.empty() ? "" : "; ") + (p.run.empty() ? describe(p.shape) : p.run + ' ' + describe(p.shape));
        if (addsUp(p.shape))
            text += " \u00b7 " + (p.shape.function == Aggregator::Sum ? valueText(p, p.total) : withNoun(valueText(p, p.total), what(p)))
                + " in all";
    }
    if (m_compares) return text + " \u00b7 times counted from where each run began, numbers as they were recorded";
    if (m_provenance.duration > 0) text += " \u00b7" + inDuration(m_provenance);
    return text;
}
std::string Series::inWords() const
{
    std::string text = title() + '.';
    for (const auto& p : m_panels)
        for (std::size_t i = 0; i < std::min<std::size_t>(p.lines.size(), 5); ++i)
            text += ' ' + p.run + (p.run.empty() ? "" : " ") + p.lines[i].name() + (addsUp(p.shape) ? ": in all " : ": at most ")
                + valueText(p, p.lines[i].weight) + '.';
    return text;
}
struct LargeRest {
    std::string label;
    double most = 0;
};
/// What is left of all keys as one line, where its scale would leave no room for the lines that have a name: it is taken out.
std::optional<LargeRest> withoutLargeRest(std::vector<DrawnLine>& lines)
{
    constexpr double kTooLarge = 4;
    const auto peakOf = [](const DrawnLine& line) {
        double peak = 0;
        for (const auto& value : line.values)
            peak = std::max(peak, value.value_or(0));
        return peak;
    };
    double named = 0;
    auto rest = lines.end();
    for (auto line = lines.begin(); line != lines.end(); ++line)
        if (line->hue < 0)
            rest = line;
        else
            named = std::max(named, peakOf(*line));
    if (rest == lines.end() || named <= 0 || peakOf(*rest) <= kTooLarge * named) return std::nullopt;
    LargeRest out{rest->label, peakOf(*rest)};
    lines.erase(rest);
    return out;
}
void Series::drawLine(Page& page, const AmountsOverTime& panel, const DrawnLine& line, const TimeScale& time, const ValueAxis& axis) const
{
    const auto y = [&](double value) { return time.plot.y + time.plot.height * (1 - axis.at(value)); };
    const Shade shade = line.hue < 0 ? Shade::Dashed : Shade::Plain;
    const double middleOfStep = 0.5;
    std::vector<Point> points;
    std::vector<std::size_t> dots;
    const auto flush = [&] {
        if (!points.empty()) {
            Item& item = page.path(Role::Series, points, shade);
            item.level = line.hue;
            item.key = line.label;
            item.tip = line.label;
        }
        points.clear();
    };

    // A value is that of all of its interval: a slope from one to the next would be of our making.
    for (std::size_t i = 0; i < line.values.size(); ++i) {
        if (!line.values[i] || (axis.isLogarithmic() && *line.values[i] <= 0)) { // nothing has no logarithm
            flush();
            continue;
        }
        const auto& [from, to] = panel.intervals[i];
        points.push_back({time.x(from), y(*line.values[i])});
        points.push_back({time.x(to), y(*line.values[i])});
        dots.push_back(i);
    }

    flush();
    const bool room = dots.size() < 2 || time.plot.width / static_cast<double>(dots.size()) >= kRoomForDot;
    if (!room || line.values.size() > kMostDots) return;
    for (const auto i : dots) {
        const auto& [from, to] = panel.intervals[i];
        const double size = dots.size() == 1 ? 2 * kDot : kDot, value = *line.values[i],
                     x = time.x(from) + middleOfStep * (time.x(to) - time.x(from));
        Item& dot = page.box(Role::Series, {x - size / 2, y(value) - size / 2, size, size, size / 2});
        dot.level = line.hue;
        dot.key = line.label;
        dot.tip = line.label + '\n'
            + formatRange(static_cast<double>(from - m_started), static_cast<double>(to - m_started), Unit::Nanoseconds) + ": "
            + valueText(panel, value) + (addsUp(panel.shape) ? " per second" : "");
        dot.data = {{"time-ns", std::to_string(to)}, {"value", plainNumber(value)}};
    }
}
/// Names at the right, in the order in which the lines end. Where lines end apart a name stands beside its line's end; where they end
/// together, as at 0, the names stand around it, the line that was highest first.
void Series::drawLabels(Page& page, const std::vector<DrawnLine>& lines, const Box& plot, double labels, const ValueAxis& axis) const
{
    const double size = 13 * page.scale(), step = size * kLineGap, right = plot.x + plot.width;
    struct End {
        double y = 0, peak = 0;
        const DrawnLine* line = nullptr;
    };

    std::vector<End> ends;
    for (const auto& line : lines) {
        End end{0, 0, &line};
        for (const auto& value : line.values)
            if (value) {
                end.y = plot.y + plot.height * (1 - axis.at(*value));
                end.peak = std::max(end.peak, *value);
            }
        if (std::any_of(line.values.begin(), line.values.end(), [](const auto& value) { return value.has_value(); })) ends.push_back(end);
    }

    std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.y < b.y; });
    // Names that would cover one another become a block around the middle of their lines' ends.
    struct Block {
        std::size_t first = 0, count = 0;
        double middle = 0; ///< y
        double height(double line) const { return static_cast<double>(count) * line; }
    };

    std::vector<Block> blocks;
    const double low = plot.y + plot.height, least = plot.y;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        blocks.push_back({i, 1, ends[i].y});
        const auto clamped = [&](const Block& b) {
            return std::clamp(b.middle, least + b.height(step) / 2 - step / 2, std::max(low - b.height(step) / 2 + step / 2, least));
        };
        while (blocks.size() > 1) {
            auto& above = blocks[blocks.size() - 2];
            const auto& last = blocks.back();
            if (clamped(above) + above.height(step) / 2 <= clamped(last) - last.height(step) / 2) break;
            const auto all = static_cast<double>(above.count + last.count);
            above.middle = (above.middle * static_cast<double>(above.count) + last.middle * static_cast<double>(last.count)) / all;
            above.count += last.count;
            blocks.pop_back();
        }
        for (auto& block : blocks)
            block.middle = clamped(block);
    }

    std::vector<double> at;
    for (const auto& block : blocks) {
        // Ends within a line of one another are in no order that the eye could see: the highest peak stands first.
        for (std::size_t i = block.first; i < block.first + block.count;) {
            auto end = i + 1;
            while (end < block.first + block.count && ends[end].y - ends[i].y < step / 2)
                ++end;
            std::stable_sort(ends.begin() + static_cast<std::ptrdiff_t>(i), ends.begin() + static_cast<std::ptrdiff_t>(end),
                [](const End& a, const End& b) { return a.peak > b.peak; });
            i = end;
        }
        for (std::size_t i = 0; i < block.count; ++i)
            at.push_back(block.middle + (static_cast<double>(i) - (static_cast<double>(block.count) - 1) / 2) * step);
    }

    for (std::size_t i = 0; i < ends.size(); ++i) {
        const auto& line = *ends[i].line;
        const double mark = right + 22;
        page.path(Role::Grid, {{right + 4, ends[i].y}, {mark - 4, at[i]}});
        page.path(Role::Series, {{mark, at[i]}, {mark + 16, at[i]}}, line.hue < 0 ? Shade::Dashed : Shade::Plain).level = line.hue;
        page.text(Role::Label, {mark + 22, at[i] + size * 0.36}, line.label, {.size = size, .maxWidth = labels - 44, .middle = true}).key
            = line.label;
    }
}
/// A line that ends far below its highest step has its name there, too, where that covers nothing.
void Series::drawPeaks(
    Page& page, const AmountsOverTime& panel, const std::vector<DrawnLine>& lines, const TimeScale& time, const ValueAxis& axis) const
{
    constexpr double kFarBelow = 3; // of the text's size
    const double size = 13 * page.scale(), gap = 0.35 * size;
    const auto& plot = time.plot;
    const auto y = [&](double value) { return plot.y + plot.height * (1 - axis.at(value)); };
    const auto isDrawn = [&](const std::optional<double>& value) { return value && (!axis.isLogarithmic() || *value > 0); };
    std::vector<Box> taken;
    const auto isFree = [&](const Box& box) {
        const auto covers = [&](double left, double right, double top, double bottom) {
            return left < box.x + box.width && right > box.x && top < box.y + box.height && bottom > box.y;
        };
        if (std::any_of(taken.begin(), taken.end(), [&](const Box& t) { return covers(t.x, t.x + t.width, t.y, t.y + t.height); }))
            return false;
        for (const auto& line : lines)
            for (std::size_t i = 0; i < line.values.size(); ++i) {
                if (!isDrawn(line.values[i])) continue;
                const double at = y(*line.values[i]), left = time.x(panel.intervals[i].from), right = time.x(panel.intervals[i].to);
                if (covers(left, right, at - 2, at + 2)) return false;
                if (i == 0 || !isDrawn(line.values[i - 1])) continue;
                const double before = y(*line.values[i - 1]);
                if (covers(left - 1, left + 1, std::min(at, before), std::max(at, before))) return false;
            }
        return true;
    };

    for (const auto& line : lines) {
        std::optional<std::size_t> peak, last;
        for (std::size_t i = 0; i < line.values.size(); ++i) {
            if (!isDrawn(line.values[i])) continue;
            if (!peak || *line.values[i] > *line.values[*peak]) peak = i;
            last = i;
        }
        if (!peak || y(*line.values[*last]) - y(*line.values[*peak]) < kFarBelow * size) continue;
        const double width = textWidth(line.label, size), top = y(*line.values[*peak]) - gap - size,
                     middle = (time.x(panel.intervals[*peak].from) + time.x(panel.intervals[*peak].to)) / 2,
                     left = std::clamp(middle - width / 2, plot.x + 2, std::max(plot.x + plot.width - width - 2, plot.x + 2));
        const Box box{left, top, width, size, 0};
        if (width > plot.width / 2 || top < plot.y - size || !isFree(box)) continue;
        page.text(Role::Label, {left, top + size * 0.9}, line.label, {.size = size}).key = line.label;
        taken.push_back(box);
    }
}
void Series::drawPanel(
    Page& page, const AmountsOverTime& panel, const Box& area, double labels, std::size_t most, bool isLast, SeriesHues& hues) const
{
    const double k = page.scale(), size = 13 * k, head = 30 * k, left = 80 * k;
    const Box plot{area.x + left, area.y + head, std::max(area.width - left - labels, 40.0), std::max(area.height - head, 20.0), 0};
    auto [lines, hidden] = drawnLines(panel, most);
    colour(lines, hues);
    const auto rest = withoutLargeRest(lines);
    ValueRange range;
    for (const auto& line : lines)
        for (const auto& value : line.values)
            if (value) range.add(*value);
    range.add(page.options(), panel.shape.name);
    const ValueAxis axis(range, range.low < 0 ? ValueScale::Linear : page.options().values,
        std::clamp(static_cast<int>(plot.height / 70), 1, 5), panel.measure);
    for (const double tick : axis.ticks()) {
        const double y = plot.y + plot.height * (1 - axis.atTick(tick));
        page.path(tick == axis.ticks().front() || tick == 0 ? Role::Axis : Role::Grid, {{plot.x, y}, {plot.x + plot.width, y}});
        page.text(Role::Axis, {plot.x - 10 * k, y + size * 0.36}, formatQuantity(tick, panel.measure.unit),
            {.size = size, .anchor = Anchor::End, .maxWidth = left - 12 * k});
    }

    const auto named = std::count_if(m_panels.begin(), m_panels.end(), [](const AmountsOverTime& p) { return !p.shape.name.empty(); });
    const bool several = aggregations() > 1 && named > 0;
    std::string heading = (panel.run.empty() ? std::string() : panel.run + ": ")
        + (several ? '@' + printable(panel.shape.name) + ": " : std::string()) + what(panel);
    if (addsUp(panel.shape)) heading += " per second";
    if (axis.isLogarithmic()) heading += ", logarithmic";
    if (panel.intervals.size() > 1) heading += " \u00b7 a step is " + formatDuration(static_cast<double>(panel.usual));
    if (rest) heading += " \u00b7 " + rest->label + ", up to " + valueText(panel, rest->most) + ", not drawn";
    if (hidden > 0) heading += " \u00b7 " + formatGrouped(static_cast<std::int64_t>(hidden)) + " more keys not drawn";
    page.text(Role::Axis, {area.x, area.y + size}, heading, {.size = size, .maxWidth = area.width});
    const auto& extents = page.options().extents;
    const TimeScale time{plot, m_started, std::max(last(), m_started + (extents ? extents->time : 0))};
    if (isLast) drawTimeAxis(page, time, TimeLabels::Below, 12 * k);
    for (auto line = lines.rbegin(); line != lines.rend(); ++line)
        drawLine(page, panel, *line, time, axis);
    drawLabels(page, lines, plot, labels, axis);
    drawPeaks(page, panel, lines, time, axis);
}
Figure Series::figure(const LayoutOptions& asked) const
{
    auto options = asked;
    if (m_compares) { // both runs on one scale
        auto common = std::make_shared<Extents>(extents());
        if (asked.extents) common->add(*asked.extents);
        options.extents = std::move(common);
    }

    std::vector<const AmountsOverTime*> shown;
    for (const auto& p : m_panels)
        if (!p.lines.empty()) shown.push_back(&p);
    std::vector<AmountsOverTime> drawn;
    for (const auto* p : shown)
        drawn.push_back(drawnAmounts(*p));
    Page page(options, title(), empty() ? "" : subtitle(), m_provenance);
    if (empty()) {
        page.empty("Nothing counted yet",
            m_probes.empty() ? "Lines grow when the program's probes fire." : "Lines grow when these probes fire: " + m_probes);
        return page.finish("Lines over time without data.");
    }

    if (std::all_of(shown.begin(), shown.end(), [](const AmountsOverTime* p) { return p->intervals.size() < 2; })) {
        page.empty("Read only once, at the end",
            "A line needs several moments: print in between (tick-1s { printa(@); }), or read more often (-x aggrate=10ms).");
        return page.finish("Lines over time with one moment only.");
    }

    const double k = page.scale();
    const auto room = [&] { return page.content().height - kAxis * k; };
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(room() / (kLowestPanel * k))));
    if (options.fit && shown.size() > fitting) {
        page = Page(options, title(), subtitle(), m_provenance, {}, {std::to_string(shown.size() - fitting) + " more not shown"});
        shown.resize(fitting);
    }

    const Box area = page.content();
    const auto count = static_cast<double>(shown.size());
    double height = (room() - kPanelGap * k * (count - 1)) / count;
    if (!options.fit) height = std::max(height, kLowestPanel * 1.5);
    auto most = std::clamp<std::size_t>(static_cast<std::size_t>((height - 30 * k) / (13 * k * kLineGap)), 1, kSeriesHues + 1);
    if (options.top > 0) most = std::min(most, options.top + 1); // and one line for all others
    double widest = 40;
    for (const auto* p : shown)
        for (std::size_t i = 0; i < std::min(p->lines.size(), most); ++i)
            widest = std::max(widest, textWidth(p->lines[i].name(), 13 * k));
    for (const auto* p : shown)
        if (p->lines.size() > most) widest = std::max(widest, textWidth("\u2026 99,999 more", 13 * k));
    const double labels = std::min(widest + 48, area.width * 0.34);
    double y = area.y;
    SeriesHues hues;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        drawPanel(page, drawn[i], {area.x, y, area.width, height, 0}, labels, most, i + 1 == shown.size(), hues);
        y += height + kPanelGap * k;
    }
    return page.finish(inWords(), {area.x + area.width, y - kPanelGap * k + kAxis * k});
}
} // namespace

Kind kind_series()
{
    return {kFacts, rank::kAmountsOverTime,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return tellsTimes(store.program()) && std::any_of(all.begin(), all.end(), suits);
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Series>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Series>(before, after); }};
}
} // namespace dscope::graph
