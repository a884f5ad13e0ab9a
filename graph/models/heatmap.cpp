#include "graph/difference.h"
#include "graph/distribution.h"
#include "graph/history.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/beside.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/time_axis.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr std::string_view kCells = "/cells", kColumn = "/column"; // of Extents::values: no aggregation is called so
constexpr ViewFacts kFacts{.name = "heatmap",
    .tab = "Heat map",
    .summary = "quantize, lquantize and llquantize over time; samples by where in the second they fall",
    .heeds = {.top = true, .order = true, .amounts = Heeds::Amounts::Other}};
using record::Aggregator;
constexpr double kLowestPanel = 120, kPanelGap = 20, kAxis = 30, kTallestRow = 34, kScreenRow = 16, kLegend = 52, kHead = 28;
constexpr double kUneven = 0.02;                                      // of its length a column may be longer without a word
constexpr int kSteps = 6;                                             // of the palette's ramp
constexpr std::int64_t kSecond = 1'000'000'000, kOffset = 20'000'000; // 50 rows a second

/// ns, of a column; the median, more than 0.
template <typename Columns> double usualLength(const Columns& columns)
{
    std::vector<std::int64_t> lengths;
    for (const auto& [from, to] : columns)
        lengths.push_back(to - from);
    std::sort(lengths.begin(), lengths.end());
    return lengths.empty() ? 1 : std::max(1.0, static_cast<double>(lengths[lengths.size() / 2]));
}
std::string countText(double count)
{
    return count < 99'999.5 && count == std::floor(count) ? formatGrouped(std::llround(count)) : formatCompact(count);
}
/// Distributions of one key, a column an interval.
struct Panel {
    DistributionGroup of; ///< shape, measure and the buckets to show; no members
    std::string aggregation;
    std::vector<std::string> keys;
    struct Column {
        std::int64_t from = 0, to = 0; ///< ns, CLOCK_MONOTONIC
        bool operator==(const Column&) const = default;
    };
    std::vector<Column> times;                                ///< of the columns
    std::map<std::pair<std::uint32_t, int>, double> counts;   ///< by column and bucket
    double total = 0;
    std::string name; ///< printable

    void add(std::uint32_t column, int bucket, double count)
    {
        counts[{column, bucket}] += count;
        total += count;
    }

    void findEnds()
    {
        of.first = record::bucketCount(of.shape);
        of.last = 0;
        for (const auto& [at, count] : counts) {
            of.first = std::min(of.first, at.second);
            of.last = std::max(of.last, at.second);
        }
        // A bucket alone would be a stripe; its neighbours show where it is.
        if (of.last - of.first < 2) {
            of.first = std::max(0, of.first - 1);
            of.last = std::min(record::bucketCount(of.shape) - 1, of.last + 1);
        }
    }

    double rows() const { return of.last - of.first + 1; }

    /// As it is drawn: a column less than half as long as is usual is one with its neighbour.
    Panel drawn() const
    {
        Panel out = *this;
        const auto places = joinShort(out.times, [](Column& into, const Column& next) { into.to = next.to; });
        out.counts.clear();
        out.total = 0;
        for (const auto& [at, count] : counts)
            out.add(places[at.first], at.second, count);
        return out;
    }

    /// What the count of a cell would be if its column were `usual` ns long.
    double evened(std::uint32_t column, double count, double usual) const
    {
        const auto length = static_cast<double>(times[column].to - times[column].from);
        return length > 0 && std::abs(length - usual) > kUneven * usual ? count * usual / length : count;
    }

    bool isEven(double usual) const
    {
        for (std::uint32_t i = 0; i < times.size(); ++i)
            if (evened(i, 1, usual) != 1) return false;
        return true;
    }
};

void addAggregation(std::vector<Panel>& panels, const Store& store, AggregationId id)
{
    const auto& a = store.program().aggregations[id.value];
    const auto& history = store.history(id);
    const auto divisor = static_cast<double>(std::max<std::int64_t>(store.shown(id).divisor, 1));
    std::vector<Panel> own(history.keys().size());
    std::vector<Panel::Column> times;
    for (const auto& interval : history.intervals()) {
        for (const auto& [key, data] : interval.data)
            for (std::size_t i = 0; i + 1 < data.size(); i += 2)
                if (data[i + 1] > 0)
                    own[key].add(
                        static_cast<std::uint32_t>(times.size()), static_cast<int>(data[i]), static_cast<double>(data[i + 1]) / divisor);
        times.push_back({interval.from, interval.to});
    }

    const auto measure = store.measure(a);
    for (std::size_t key = 0; key < own.size(); ++key) {
        if (own[key].counts.empty()) continue;
        auto& panel = panels.emplace_back(std::move(own[key]));
        panel.of.shape = a;
        panel.of.measure = measure;
        panel.aggregation = a.name;
        panel.keys = keyTexts(a, history.keys()[key], store);
        panel.times = times;
    }
}
/// Samples by their second and where in it they are: what comes again every second, or stops, is seen at once.
std::optional<Panel> offsetsOf(const Store& store)
{
    Panel panel;
    panel.of.shape.function = Aggregator::Lquantize;
    panel.of.shape.parameters = {0, kSecond, kOffset, 0};
    panel.of.measure = {Unit::Nanoseconds, 1};
    const auto start = store.program().started;
    for (const auto& fired : store.fired()) {
        const auto* probe = store.probe(fired.probe);
        if (!probe || !isSample(*probe) || fired.when.count() < start) continue;
        const auto at = fired.when.count() - start;
        const auto column = static_cast<std::uint32_t>(at / kSecond);
        panel.add(column, static_cast<int>(1 + at % kSecond / kOffset), 1);
        while (panel.times.size() <= column) {
            const auto from = start + static_cast<std::int64_t>(panel.times.size()) * kSecond;
            panel.times.push_back({from, from + kSecond});
        }
    }
    if (panel.counts.empty()) return std::nullopt;
    return panel;
}

/// Where values lie, over time: buckets upwards, colour by how many.
class Heatmap final : public Visual {
public:
    explicit Heatmap(const Store& store)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store)), m_probes(probesText(store.program())), m_call(onlyCall(store)),
          m_started(store.program().started)
    {
        std::size_t aggregations = 0;
        const auto& all = store.program().aggregations;
        for (std::uint32_t id = 0; id < all.size(); ++id) {
            if (!isQuantized(all[id].function)) continue;
            ++aggregations;
            addAggregation(m_panels, store, AggregationId{id});
            addKeyNames(m_keyNames, all[id]);
        }

        m_several = aggregations > 1;
        if (aggregations == 0) {
            m_offsets = true;
            if (auto offsets = offsetsOf(store)) m_panels.push_back(std::move(*offsets));
        } else if (m_noun == "samples") {
            m_noun = "values";
        }

        std::stable_sort(m_panels.begin(), m_panels.end(), [](const Panel& a, const Panel& b) {
            if (a.total != b.total) return a.total > b.total;
            return a.aggregation != b.aggregation ? a.aggregation < b.aggregation : a.keys < b.keys;
        });

        m_last = m_started + 1;
        for (auto& p : m_panels) {
            p.name = printable(Ranking::label({p.keys, 0}));
            if (m_several) p.name = '@' + p.aggregation + (p.name.empty() ? "" : " " + p.name);
            p.findEnds();
            m_last = std::max(m_last, p.times.back().to);
            m_total += p.total;
        }
    }

    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override
    {
        if (m_offsets) return "When in each second: " + m_probes;
        if (m_panels.empty()) return "Heat map";
        std::string question = questionOf(m_panels.front().of, m_call);
        const bool asks = question.ends_with('?');
        if (asks) question.pop_back();
        return question + (asks ? " over time?" : " over time");
    }

    bool empty() const override { return m_panels.empty(); }

    /// Of this run and one before it.
    BesideWords changedFrom(const Heatmap& before) const
    {
        return {changedTitle(title()) + changedTotal(before.m_total, m_total, m_noun),
            describeShapes()
                + "the earlier run beside the later one \u00b7 the same colour is as many in the same time, numbers as they were recorded",
            {before.counted(), counted()}};
    }
    const Provenance& provenance() const { return m_provenance; }

    bool isSlight() const override
    {
        constexpr std::size_t kFewest = 3; // columns
        return std::all_of(m_panels.begin(), m_panels.end(), [](const Panel& p) { return p.times.size() < kFewest; });
    }

    Extents extents() const override
    {
        Extents out;
        out.time = m_last - m_started;
        if (m_offsets) return out;
        for (const auto& p : m_panels) {
            auto& range = out.buckets.try_emplace(bucketsKey(p.of.shape), Extents::Buckets{p.of.first, p.of.last}).first->second;
            range = {std::min(range.first, p.of.first), std::max(range.last, p.of.last)};
        }
        out.values[std::string(kCells)].add({0, mostPerSecond()});
        if (!m_panels.empty()) out.values[std::string(kColumn)].add({0, usualLength(m_panels.front().times)});
        return out;
    }

    Table table() const override;
    Figure figure(const LayoutOptions& options) const override;

private:
    std::string subtitle() const
    {
        if (m_panels.empty()) return {};
        std::string text = counted();
        if (m_offsets) return text + " \u00b7 seconds to the right, the offset within the second upwards, in steps of 20 ms";
        text += " \u00b7 " + describe(m_panels.front().of.shape);
        return text + " \u00b7 a column is " + formatDuration(usualLength(m_panels.front().times));
    }

    std::string counted() const { return withNoun(countText(m_total), m_noun) + inDuration(m_provenance); }
    std::string describeShapes() const
    {
        return m_offsets || m_panels.empty() ? std::string() : describe(m_panels.front().of.shape) + " \u00b7 ";
    }
    std::string inWords() const;

    /// What comes into a cell in a second (1e9 ns), of all panels together, where most comes: no panel has a cell with more, whichever are
    /// drawn as one.
    double mostPerSecond() const
    {
        std::map<std::pair<std::int64_t, int>, double> cells; // by begin of the column, and bucket
        double most = 0;
        for (const auto& panel : m_panels) {
            const auto p = panel.drawn();
            for (const auto& [at, count] : p.counts)
                most = std::max(most, cells[{p.times[at.first].from, at.second}] += p.evened(at.first, count, 1e9));
        }
        return most;
    }

    /// Those that fit and, as one, the others.
    std::vector<Panel> chosen(std::size_t most) const;
    /// How the colours of all panels are found.
    struct Scale {
        double most = 1;    ///< in a cell of a column of the usual length
        double usual = 1;   ///< ns
        bool isEven = true; ///< all columns are of that length
    };
    void drawLegend(Page& page, Point at, const Scale& scale) const;
    void drawPanel(Page& page, const Panel& panel, const Box& area, const Scale& scale, bool last) const;
    double level(double count, double most) const
    {
        return most > 1 ? std::clamp(std::log(std::max(count, 1.0)) / std::log(most), 0.0, 1.0) : 1;
    }

    Provenance m_provenance;
    std::string m_noun, m_probes, m_call;
    std::int64_t m_started = 0, m_last = 1;
    std::vector<Panel> m_panels;
    std::vector<std::string> m_keyNames;
    double m_total = 0;
    bool m_several = false, m_offsets = false;
};

Table Heatmap::table() const
{
    Table t;
    if (m_several) t.columns.push_back(Column::text("aggregation"));
    for (const auto& key : m_keyNames)
        t.columns.push_back(Column::text(keyColumn(m_keyNames, key)));
    const Unit unit = m_panels.empty() ? Unit::None : m_panels.front().of.measure.unit;
    t.columns.push_back(Column::number("time_ns", Unit::Nanoseconds));
    t.columns.push_back(Column::number("low", unit));
    t.columns.push_back(Column::number("high", unit));
    t.columns.push_back(Column::number("count", Unit::Count));
    for (const auto& p : m_panels)
        for (const auto& [at, count] : p.counts) {
            std::vector<std::string> row;
            if (m_several) row.push_back(valueColumn(p.of.shape));
            for (const auto& key : m_keyNames) {
                const auto& own = p.of.shape.keys;
                const auto index = static_cast<std::size_t>(
                    std::find_if(own.begin(), own.end(), [&](const record::Field& f) { return f.name == key; }) - own.begin());
                row.push_back(index < p.keys.size() ? p.keys[index] : std::string());
            }
            const auto range = record::bucketRange(p.of.shape, at.second);
            row.push_back(std::to_string(p.times[at.first].to));
            row.push_back(range.low ? std::to_string(*range.low) : "");
            row.push_back(range.high ? std::to_string(*range.high) : "");
            row.push_back(plainNumber(count));
            t.rows.push_back(std::move(row));
        }
    return t;
}
std::string Heatmap::inWords() const
{
    std::string text = "Heat map.";
    for (std::size_t i = 0; i < std::min<std::size_t>(m_panels.size(), 5); ++i) {
        const auto& p = m_panels[i];
        const auto most
            = std::max_element(p.counts.begin(), p.counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        text += ' ' + (p.name.empty() ? "All" : p.name) + ": " + withNoun(countText(p.total), m_noun) + ", most of them, "
            + countText(most->second) + ", in " + p.of.range(most->first.second) + " until "
            + formatDuration(static_cast<double>(p.times[most->first.first].to - m_started)) + '.';
    }
    return text;
}
std::vector<Panel> Heatmap::chosen(std::size_t most) const
{
    if (m_panels.size() <= most) return m_panels;
    std::vector<Panel> out(m_panels.begin(), m_panels.begin() + static_cast<std::ptrdiff_t>(most - 1));
    Panel rest;
    std::size_t folded = 0;
    for (auto p = m_panels.begin() + static_cast<std::ptrdiff_t>(most - 1); p != m_panels.end(); ++p) {
        if (folded == 0) {
            rest.of = p->of;
            rest.times = p->times;
        }
        // Buckets of another kind can't lie in the same rows.
        const auto& a = rest.of.shape;
        const auto& b = p->of.shape;
        if (a.function != b.function || a.parameters != b.parameters || !(rest.of.measure == p->of.measure) || rest.times != p->times)
            continue;
        for (const auto& [at, count] : p->counts)
            rest.add(at.first, at.second, count);
        ++folded;
    }

    rest.findEnds();
    rest.name = (out.empty() ? "all " : "\u2026 ") + formatGrouped(static_cast<std::int64_t>(folded))
        + (out.empty() ? " together" : " more together");
    const auto left = m_panels.size() - out.size() - folded;
    if (left > 0) rest.name += ", " + formatGrouped(static_cast<std::int64_t>(left)) + " of another kind not shown";
    out.push_back(std::move(rest));
    return out;
}
void Heatmap::drawLegend(Page& page, Point at, const Scale& scale) const
{
    const double most = scale.most;
    const double k = page.scale(), size = 12 * k, swatch = 16 * k;
    double x = at.x;
    Item& head = page.text(Role::Legend, {x, at.y + swatch - 4 * k},
        m_noun + " in a cell" + (scale.isEven ? std::string() : ", per " + formatDuration(scale.usual)), {.size = size});
    if (const auto* text = std::get_if<Text>(&head.shape)) x += text->width + 16 * k;
    std::vector<std::pair<double, std::string>> entries;
    double before = 0, width = x - at.x;
    for (int i = 0; i < kSteps; ++i) {
        const double least = i == 0 ? 1 : std::ceil(std::pow(most, (i - 0.5) / (kSteps - 1)));
        if (least <= before || least > most) continue;
        before = least;
        entries.emplace_back(least, i == 0 ? "1" : "\u2265 " + countText(least));
        width += swatch + 21 * k + textWidth(entries.back().second, size);
    }

    const bool all = width <= page.content().width;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& [least, label] = entries[i];
        if (!all && i != 0 && i + 1 != entries.size()) continue;
        page.box(Role::Cell, {x, at.y, swatch, swatch, 2}).level = level(least, most);
        page.text(Role::Legend, {x + swatch + 5 * k, at.y + swatch - 4 * k}, label, {.size = size});
        x += swatch + 21 * k + textWidth(label, size);
    }
}
void Heatmap::drawPanel(Page& page, const Panel& panel, const Box& area, const Scale& scale, bool isLast) const
{
    const double k = page.scale(), size = 12 * k, left = 84 * k, head = panel.name.empty() ? 6 * k : kHead * k;
    const Box plot{area.x + left, area.y + head, area.width - left, area.height - head, 0};
    const double row = plot.height / panel.rows();
    const auto& extents = page.options().extents;
    const TimeScale time{plot, m_started, std::max(m_last, m_started + (extents ? extents->time : 0))};
    if (!panel.name.empty()) {
        const std::string total = withNoun(countText(panel.total), m_noun);
        page.text(Role::Note, {plot.x + plot.width, area.y + 15 * k}, total, {.size = size, .anchor = Anchor::End});
        page.text(Role::Label, {area.x, area.y + 15 * k}, panel.name,
            {.size = 14 * k, .bold = true, .maxWidth = area.width - textWidth(total, size) - 20 * k, .middle = true});
    }

    drawTimeAxis(page, time, isLast ? TimeLabels::Below : TimeLabels::None, size);
    page.path(Role::Axis, {{plot.x, plot.y + plot.height}, {plot.x + plot.width, plot.y + plot.height}});
    const auto yOf = [&](int bucket) { return plot.y + plot.height - row * (bucket - panel.of.first); };
    const int every = std::max(1, static_cast<int>(std::ceil(size * 1.5 / row)));
    for (int bucket = panel.of.first; bucket <= panel.of.last + 1; bucket += every) {
        const std::string label = bucket < record::bucketCount(panel.of.shape) ? panel.of.edge(bucket) : std::string();
        if (label.empty()) continue;
        page.path(Role::Tick, {{plot.x - 5, yOf(bucket)}, {plot.x, yOf(bucket)}});
        page.text(Role::Tick, {plot.x - 9 * k, yOf(bucket) + size * 0.36}, label,
            {.size = size, .anchor = Anchor::End, .maxWidth = left - 10 * k});
    }

    for (const auto& [at, count] : panel.counts) {
        const auto& [from, to] = panel.times[at.first];
        const double x = time.x(from), width = std::max(time.x(to) - x, 1.0), gapX = width > 6 ? 1 : 0, gapY = row > 6 ? 1 : 0;
        const Box cell{x + gapX / 2, yOf(at.second) - row + gapY / 2, width - gapX, row - gapY, 0};
        Item& item = page.box(Role::Cell, cell);
        item.level = level(panel.evened(at.first, count, scale.usual), scale.most);
        item.key = panel.name;
        item.tip = (panel.name.empty() ? std::string() : panel.name + '\n') + panel.of.range(at.second) + '\n'
            + formatDuration(static_cast<double>(from - m_started)) + " \u2013 " + formatDuration(static_cast<double>(to - m_started))
            + ": " + withNoun(countText(count), m_noun);
        const auto range = record::bucketRange(panel.of.shape, at.second);
        item.data = {{"time-ns", std::to_string(to)}};
        if (range.low) item.data.emplace_back("low", std::to_string(*range.low));
        if (range.high) item.data.emplace_back("high", std::to_string(*range.high));
        item.data.emplace_back("count", plainNumber(count));
        const std::string label = countText(count);
        if (cell.height < size + 3 || textWidth(label, size) + 8 > cell.width) continue;
        const double shade = item.level;
        page.text(Role::Cell, {cell.x + cell.width / 2, cell.y + cell.height / 2 + size * 0.36}, label,
                {.size = size, .anchor = Anchor::Middle})
            .level
            = shade;
    }
}
Figure Heatmap::figure(const LayoutOptions& options) const
{
    Page page(options, title(), empty() ? "" : subtitle(), m_provenance);
    if (empty()) {
        page.empty(m_offsets ? "No samples yet" : "No values yet",
            m_probes.empty() ? "Columns appear when the program's probes fire." : "Columns appear when these probes fire: " + m_probes);
        return page.finish("Heat map without data.");
    }

    const Box area = page.content();
    const double k = page.scale();
    const double room = area.height - (kLegend - 16 + kAxis) * k;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor((room + kPanelGap) / ((kLowestPanel + kPanelGap) * k))));
    auto most = options.fit ? fitting : std::min<std::size_t>(m_panels.size(), 200);
    if (options.top > 0) most = std::min(most, options.top + 1); // and all others as one
    auto shown = chosen(most);
    if (options.order == Order::Name) {
        const auto named = static_cast<std::ptrdiff_t>(shown.size() - (shown.size() < m_panels.size() ? 1 : 0));
        std::stable_sort(
            shown.begin(), shown.begin() + named, [](const Panel& a, const Panel& b) { return isBeforeByName(a.keys, b.keys); });
    }

    Scale scale{1, usualLength(m_panels.front().times), true};
    // Of figures on a common scale the same colour is as many in the same time: columns count as if all were as long as the longest.
    const auto common = [&](std::string_view what) {
        const auto* extents = options.extents.get();
        const auto found = extents ? extents->values.find(std::string(what)) : decltype(extents->values.end()){};
        return extents && found != extents->values.end() ? found->second.high : 0;
    };

    scale.usual = std::max(scale.usual, common(kColumn));
    double rows = 0;
    for (auto& p : shown)
        p = p.drawn();
    for (auto& p : shown) { // panels of the same buckets have one axis
        for (const auto& other : shown)
            if (other.of.shape.function == p.of.shape.function && other.of.shape.parameters == p.of.shape.parameters
                && other.of.measure == p.of.measure) {
                p.of.first = std::min(p.of.first, other.of.first);
                p.of.last = std::max(p.of.last, other.of.last);
            }
        if (const auto* extents = options.extents.get())
            if (const auto found = extents->buckets.find(bucketsKey(p.of.shape)); found != extents->buckets.end()) {
                p.of.first = std::min(p.of.first, found->second.first);
                p.of.last = std::max(p.of.last, found->second.last);
            }
        rows += p.rows();
        scale.isEven = scale.isEven && p.isEven(scale.usual);
        for (const auto& [at, count] : p.counts)
            scale.most = std::max(scale.most, p.evened(at.first, count, scale.usual));
    }

    scale.most = std::max(scale.most, common(kCells) * scale.usual / 1e9);
    drawLegend(page, {area.x, area.y}, scale);
    const auto count = static_cast<double>(shown.size());
    const double forRows = room - count * kHead * k - (count - 1) * kPanelGap * k;
    double row = std::min(forRows / rows, kTallestRow * (shown.size() == 1 ? 1.6 : 1));
    if (!options.fit) row = std::max(row, kScreenRow * 1.0);
    double y = area.y + (kLegend - 16) * k;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const double height = kHead * k + row * shown[i].rows();
        drawPanel(page, shown[i], {area.x, y, area.width, height, 0}, scale, i + 1 == shown.size());
        y += height + kPanelGap * k;
    }
    return page.finish(inWords(), {area.x + area.width, y - kPanelGap * k + kAxis * k});
}
} // namespace

Kind kind_heatmap()
{
    return {kFacts, rank::kDistributionsOverTime,
        [](const Store& store) {
            const auto& p = store.program();
            if (!tellsTimes(p)) return false;
            const bool quantizes
                = std::any_of(p.aggregations.begin(), p.aggregations.end(), [](const auto& a) { return isQuantized(a.function); });
            return quantizes || recordsOf(store, isSample);
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Heatmap>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> {
            auto was = std::make_unique<Heatmap>(before), is = std::make_unique<Heatmap>(after);
            auto words = is->changedFrom(*was);
            auto provenance = is->provenance();
            return beside(std::move(was), std::move(is), std::move(words), std::move(provenance));
        }};
}
} // namespace dscope::graph
