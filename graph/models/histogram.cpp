#include "graph/distribution.h"
#include "graph/headline.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/layouts/axes.h"
#include "graph/metrics.h"
#include "graph/page.h"
#include "graph/parts/histogram_painter.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/value_axis.h"
#include <algorithm>
#include <array>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "histogram",
    .tab = "Histogram",
    .summary = "quantize, lquantize and llquantize as bars, one panel a key",
    .heeds = {.top = true, .order = true, .log = true, .amounts = Heeds::Amounts::Other}};
constexpr double kTickRoom = 18, kLeastForTwo = 130; // px at scale 1
constexpr double kLowPanel = 70; // px at scale 1
constexpr double kLowestSection = 130, kLowestPanel = 76, kTallestPanel = 150, kAxisHeight = 62, kSectionGap = 18;
constexpr double kTallestPlot = 0.9, kLowArea = 190; // height by width; px at scale 1 below which words give way to the plot
constexpr double kRoomForSide = 700, kPercentileHead = 22;
constexpr std::size_t kSidePercentiles = 3; // of several panels

class Histogram final : public Visual, public HasMetrics {
public:
    explicit Histogram(const Store& store) : Histogram(store, distributionsOf(store)) { }
    Histogram(const Store& before, const Store& after) : Histogram(after, distributionsOf(before, after)) { m_compares = true; }
    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override
    {
        if (!m_compares) return plainTitle();
        double total = 0, before = 0;
        for (const auto& g : m_groups) {
            total += g.total;
            for (const auto& m : g.members)
                before += m.values.totalBefore;
        }
        return changedTitle(plainTitle()) + changedTotal(before, total, m_noun);
    }

    bool empty() const override
    {
        return std::all_of(m_groups.begin(), m_groups.end(), [](const DistributionGroup& g) { return g.members.empty(); });
    }
    Table table() const override;
    std::vector<Metric> metrics() const override;
    Digest digest(std::size_t most, Privacy privacy) const override;

    Extents extents() const override
    {
        Extents out;
        for (const auto& g : m_groups) {
            out.buckets[bucketsKey(g.shape)] = {g.first, g.last};
            for (const auto& m : g.members)
                out.values[bucketsKey(g.shape)].add({0, mostOf(m.values)});
        }
        return out;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    Histogram(const Store& store, std::vector<DistributionGroup> groups)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store)), m_probes(probesText(store.program())), m_call(onlyCall(store)),
          m_groups(std::move(groups))
    {
        if (m_noun == "samples") m_noun = "values";
        std::size_t aggregations = 0;
        for (const auto& a : store.program().aggregations) {
            if (!isQuantized(a.function)) continue;
            ++aggregations;
            addKeyNames(m_keyNames, a);
        }
        m_several = aggregations > 1;
        std::uint32_t row = 0;
        for (auto& g : m_groups)
            for (auto& m : g.members) {
                m.firstRow = row;
                row += bucketRows(m.values);
            }
    }

    std::string plainTitle() const { return m_groups.empty() ? "Histogram" : questionOf(m_groups.front(), m_call); }
    std::string subtitle() const;
    Caveats caveats(const LayoutOptions& options, std::size_t hidden) const; ///< hidden: groups that have no room
    std::string inWords() const;

    std::string panelName(const DistributionGroup::Member& member) const
    {
        const std::string keys = member.values.label();
        if (!m_several) return keys;
        return '@' + member.aggregation + (keys.empty() ? "" : " " + keys);
    }

    std::string noise() const
    {
        for (const auto& g : m_groups)
            if (!g.members.empty()) return g.members.front().values.noise();
        return countNoise(2);
    }

    std::vector<LegendEntry> legend() const
    {
        if (!m_compares || empty()) return {};
        return changeLegendOfBars(noise());
    }

    double mostOf(const Distribution& values) const
    {
        double most = 0;
        for (const auto& [bucket, count] : values.counts)
            most = std::max({most, count, m_compares ? values.change(bucket).before : 0});
        return most;
    }

    /// Powers of ten from 1 to the first at or above `most`.
    static std::vector<double> powersOfTen(double most)
    {
        std::vector<double> out{1};
        while (out.back() < most)
            out.push_back(10 * out.back());
        return out;
    }

    /// A group with its panels in the order that is asked for: by name those that are shown, the largest.
    static DistributionGroup inOrder(const DistributionGroup& group, const LayoutOptions& options)
    {
        auto out = group;
        const auto most = options.top > 0 ? std::min(options.top, out.members.size()) : out.members.size();
        if (options.order == Order::Name)
            std::stable_sort(out.members.begin(), out.members.begin() + static_cast<std::ptrdiff_t>(most),
                [](const auto& a, const auto& b) { return isBeforeByName(a.values.keys, b.values.keys); });
        return out;
    }

    HistogramPainter painterOn(Page& page) const { return {page, {m_noun, m_call, noise(), m_compares}}; }
    void drawOnly(Page& page, const DistributionGroup& group, const Box& area) const;
    struct Panels;
    Panels panelsOf(const Page& page, const DistributionGroup& group, const Box& area) const;
    void drawPanels(Page& page, const DistributionGroup& group, const Box& area) const;
    void drawPanelWords(
        Page& page, const DistributionGroup& group, const DistributionGroup::Member& member, const Panels& panels, double top) const;

    Provenance m_provenance;
    std::string m_noun, m_probes, m_call;
    std::vector<DistributionGroup> m_groups;
    std::vector<std::string> m_keyNames;
    bool m_several = false, m_compares = false;
};

std::vector<Metric> Histogram::metrics() const
{
    std::vector<Metric> out;
    if (m_compares) return out;
    for (const auto& g : m_groups)
        for (const auto& m : g.members) {
            auto metric = std::find_if(out.begin(), out.end(), [&](const Metric& known) { return known.name == m.aggregation; });
            if (metric == out.end())
                metric = out.insert(metric, Metric{Metric::Kind::Buckets, m.aggregation, describe(g.shape), g.measure, {}});
            auto& row = metric->rows.emplace_back();
            for (std::size_t k = 0; k < g.shape.keys.size() && k < m.values.keys.size(); ++k)
                row.keys.emplace_back(g.shape.keys[k].name, m.values.keys[k]);
            row.value = m.values.total;
            for (const auto& [bucket, count] : m.values.counts) {
                const auto range = record::bucketRange(g.shape, bucket);
                row.buckets.push_back({range.high ? std::optional(static_cast<double>(*range.high)) : std::nullopt, count});
            }
        }
    return out;
}
Table Histogram::table() const
{
    Table t;
    if (m_several) t.columns.push_back(Column::text("aggregation"));
    for (const auto& key : m_keyNames)
        t.columns.push_back(Column::text(keyColumn(m_keyNames, key)));
    const Unit unit = m_groups.empty() ? Unit::None : m_groups.front().measure.unit;
    t.columns.push_back(Column::number("low", unit));
    t.columns.push_back(Column::number("high", unit));
    if (m_compares)
        for (const auto* which : {"before", "after", "difference"})
            t.columns.push_back(Column::number(which, Unit::Count));
    else
        t.columns.push_back(Column::number("count", Unit::Count));
    for (const auto& g : m_groups)
        for (const auto& m : g.members)
            for (int bucket = m.values.counts.begin()->first; bucket <= m.values.counts.rbegin()->first; ++bucket) {
                std::vector<std::string> row;
                if (m_several) row.push_back(m.aggregation.empty() ? "value" : m.aggregation);
                for (const auto& key : m_keyNames) {
                    const auto& own = g.shape.keys;
                    const auto at = std::find_if(own.begin(), own.end(), [&](const record::Field& f) { return f.name == key; });
                    const auto index = static_cast<std::size_t>(at - own.begin());
                    row.push_back(at == own.end() || index >= m.values.keys.size() ? std::string() : m.values.keys[index]);
                }
                const auto range = record::bucketRange(g.shape, bucket);
                const auto found = m.values.counts.find(bucket);
                row.push_back(range.low ? std::to_string(*range.low) : "");
                row.push_back(range.high ? std::to_string(*range.high) : "");
                if (m_compares) {
                    const auto change = m.values.change(bucket);
                    for (const double value : {change.before, change.after, change.difference()})
                        row.push_back(plainNumber(value));
                } else {
                    row.push_back(std::to_string(found == m.values.counts.end() ? 0 : std::llround(found->second)));
                }
                t.rows.push_back(std::move(row));
            }
    return t;
}
std::string Histogram::subtitle() const
{
    if (m_groups.empty()) return {};
    double total = 0, before = 0;
    std::size_t panels = 0;
    for (const auto& g : m_groups) {
        total += g.total;
        for (const auto& m : g.members)
            before += m.values.totalBefore;
        panels += g.members.size();
    }
    std::string text;
    if (panels == 1 && !empty()) {
        const auto& g = m_groups.front().members.empty() ? m_groups.back() : m_groups.front();
        const std::string key = panelName(g.members.front());
        if (!key.empty()) text = key + " \u00b7 ";
    }
    text += m_compares ? "before " + withNoun(countText(before), m_noun) + ", after " + countText(total) + ", as they were recorded"
                       : withNoun(countText(total), m_noun) + inShownInterval(m_provenance);
    text += " \u00b7 " + describe(m_groups.front().shape);
    if (m_groups.size() > 1) text += ", \u2026";
    return text;
}
Caveats Histogram::caveats(const LayoutOptions& options, std::size_t hidden) const
{
    auto out = m_compares ? Caveats() : intervalCaveat(m_provenance);
    std::size_t panels = 0;
    for (const auto& g : m_groups)
        panels += g.members.size();
    if (panels > 1) out.emplace_back("each panel to its own height");
    if (options.values == ValueScale::Logarithmic) out.emplace_back("height is the logarithm of the number");
    if (hidden > 0) out.push_back(std::to_string(hidden) + " more not shown");
    return out;
}
std::string Histogram::inWords() const
{
    std::string text = "Histogram.";
    std::size_t told = 0;
    for (const auto& g : m_groups)
        for (const auto& m : g.members) {
            if (++told > 5) return text;
            const std::string panel = panelName(m);
            text += ' ' + (panel.empty() ? "All" : panel) + ": " + withNoun(countText(m.values.total), m_noun) + ", p50 about "
                + percentileText(g, m.values, 0.5) + ", p99 about " + percentileText(g, m.values, 0.99) + '.';
        }
    return text;
}
/// One distribution with the whole area for itself: with an axis of counts, the cumulative line and percentiles beside it.
void Histogram::drawOnly(Page& page, const DistributionGroup& group, const Box& area) const
{
    const double k = page.scale();
    const bool hasSide = area.width >= kRoomForSide * k;
    const double left = 72 * k, right = (hasSide ? std::min(342.0, 0.27 * area.width / k) : 56) * k;
    BucketScale scale{{area.x + left, area.y + 44 * k, std::max(area.width - left - right, 40.0), 0, 0}, group.first, group.last};
    const double tall = std::max(scale.plot.width * kTallestPlot, 60.0);
    scale.plot.height = std::clamp(area.height - 44 * k - (page.content().height < kLowArea * k ? 30 : kAxisHeight) * k, 16.0, tall);

    const auto& member = group.members.front();
    scale.values = page.options().values;
    ValueRange range;
    range.add(mostOf(member.values));
    range.add(page.options(), bucketsKey(group.shape));
    const auto ticks = scale.values == ValueScale::Logarithmic
        ? powersOfTen(range.high)
        : countTicks(range.high, std::clamp(static_cast<int>(scale.plot.height / 110), 2, 5));
    for (const double tick : ticks) {
        const double y = scale.plot.y + scale.plot.height - scale.height(tick, ticks.back());
        page.path(Role::Grid, {{scale.plot.x, y}, {scale.plot.x + scale.plot.width, y}});
        // On a low plot only the ends have room, or the highest alone.
        const bool isEnd = tick == ticks.back() || (tick == ticks.front() && scale.plot.height >= kTickRoom * k);
        if (isEnd || scale.plot.height / static_cast<double>(ticks.size() - 1) >= kTickRoom * k)
            page.text(Role::Axis, {scale.plot.x - 12 * k, y + 5 * k}, countText(tick), {.size = 14 * k, .anchor = Anchor::End});
    }

    page.text(Role::Axis, {scale.plot.x - 12 * k, scale.plot.y - 22 * k}, m_noun, {.size = 14 * k, .anchor = Anchor::End});

    const auto painter = painterOn(page);
    painter.drawBars(group, member.values, panelName(member), scale, ticks.back(), member.firstRow);
    painter.drawShare(member.values, scale);
    painter.drawCounts(member.values, scale, ticks.back(), HistogramPainter::Panel::Alone);
    painter.drawAxis(group, scale);
    if (!hasSide) return;
    const double side = scale.plot.x + scale.plot.width + 66 * k;
    painter.drawSide(group, member.values, {side, scale.plot.y, area.x + area.width - side, area.y + area.height - scale.plot.y, 0});
}

/// Where the panels of a group are, one below the other above an axis that they share. Lengths are px.
struct Histogram::Panels {
    double left = 0;       ///< of the plots; names stand at the left where there is room, so that bars have the height of their panel
    bool hasSide = false;  ///< percentiles stand at the right
    bool hasNames = false; ///< at the left of the plots, not above them
    double axis = 0;
    std::size_t shown = 0;          ///< panels that fit
    double panel = 0;               ///< height of one
    double sideX = 0, sideStep = 0; ///< columns of percentiles
    std::vector<std::size_t> percentiles{0, 1, 2}; ///< that are told beside: of kPercentiles
    BucketScale scale;
};

Histogram::Panels Histogram::panelsOf(const Page& page, const DistributionGroup& group, const Box& area) const
{
    const double k = page.scale();
    Panels out;
    out.hasSide = out.hasNames = area.width >= kRoomForSide * k;
    out.left = 72 * k;
    if (out.hasNames) {
        for (const auto& member : group.members)
            out.left = std::max({out.left, textWidth(printable(panelName(member)), 14 * k, {.bold = true}) + 20 * k,
                textWidth(withNoun(countText(member.values.total), m_noun), 12 * k) + 20 * k});
        out.left = std::min(out.left, area.width * 0.2);
    }

    // Percentiles are said in full, or fewer of them.
    double widest = 0;
    for (const auto& member : group.members)
        for (std::size_t p = 0; p < kSidePercentiles && out.hasSide; ++p) {
            const double share = kPercentiles[p].first;
            widest = std::max(widest, textWidth(percentileText(group, member.values, share), 12 * k));
            if (m_compares && member.values.totalBefore > 0)
                widest = std::max(widest, textWidth("was " + group.range(member.values.percentileBefore(share)), 12 * k));
        }
    widest += 14 * k;
    const double gap = 40 * k, most = area.width * 0.46 - gap;
    if (3 * widest > most) out.percentiles = {0, 2};
    if (2 * widest > most) out.percentiles = {2};
    const double needed = gap + widest * static_cast<double>(out.percentiles.size());
    const double right = out.hasSide ? std::max(std::min(420 * k, area.width * 0.36), std::min(needed, gap + most)) : 8;
    out.scale = {{area.x + out.left, area.y, std::max(area.width - out.left - right, 40.0), 0, 0}, group.first, group.last};
    out.axis = (page.content().height < kLowArea * k ? 34 : kAxisHeight) * k; // low: without a title

    double room = area.height - out.axis - (out.hasSide ? kPercentileHead * k : 0);
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(room / (kLowestPanel * k))));
    out.shown = page.fit() ? std::min(group.members.size(), fitting) : group.members.size();
    if (page.options().top > 0) out.shown = std::min(out.shown, page.options().top);
    out.scale.values = page.options().values;
    if (out.shown < group.members.size()) room -= (out.axis < kAxisHeight * k ? 14 : 22) * k;
    const double even = room / static_cast<double>(out.shown);
    out.panel = page.fit() ? std::min(even, kTallestPanel * k * (out.shown < 4 ? 1.6 : 1)) : std::max(even, kLowestPanel * k);
    out.sideX = out.scale.plot.x + out.scale.plot.width + 40 * k;
    out.sideStep = (area.x + area.width - out.sideX) / static_cast<double>(out.percentiles.size());
    return out;
}

/// A panel's name, its total and its percentiles; `top`: px of the panel's upper edge.
void Histogram::drawPanelWords(
    Page& page, const DistributionGroup& group, const DistributionGroup::Member& member, const Panels& panels, double top) const
{
    const double k = page.scale(), base = panels.scale.plot.y + panels.scale.plot.height;
    const double x = panels.scale.plot.x - panels.left, plotEnd = panels.scale.plot.x + panels.scale.plot.width;
    const std::string total = withNoun(countText(member.values.total), m_noun);
    if (panels.hasNames) {
        page.text(Role::Label, {x, base - 17 * k}, panelName(member), {.size = 14 * k, .bold = true, .maxWidth = panels.left - 14 * k});
        page.text(Role::Note, {x, base - 1 * k}, total, {.size = 12 * k, .maxWidth = panels.left - 14 * k});
    } else {
        page.text(Role::Note, {plotEnd, top + 16 * k}, total, {.size = 12 * k, .anchor = Anchor::End});
        page.text(Role::Label, {x, top + 16 * k}, panelName(member),
            {.size = 14 * k, .bold = true, .maxWidth = plotEnd - x - textWidth(total, 12 * k) - 24});
    }

    if (!panels.hasSide) return;

    const auto& values = member.values;
    for (std::size_t i = 0; i < panels.percentiles.size(); ++i) {
        const double share = kPercentiles[panels.percentiles[i]].first, at = panels.sideX + panels.sideStep * static_cast<double>(i);
        const bool moved
            = m_compares && values.totalBefore > 0 && values.total > 0 && values.percentileBefore(share) != values.percentile(share);
        page.text(Role::Label, {at, base - (moved ? 17.5 : 9) * k}, percentileText(group, values, share),
            {.size = 12 * k, .maxWidth = panels.sideStep - 8});
        if (moved)
            page.text(Role::Note, {at, base - 2 * k}, "was " + group.range(values.percentileBefore(share)),
                {.size = 12 * k, .maxWidth = panels.sideStep - 8});
    }
}

void Histogram::drawPanels(Page& page, const DistributionGroup& group, const Box& area) const
{
    const double k = page.scale();
    auto panels = panelsOf(page, group, area);
    double y = area.y;
    if (panels.hasSide) {
        for (std::size_t i = 0; i < panels.percentiles.size(); ++i)
            page.text(Role::Note, {panels.sideX + panels.sideStep * static_cast<double>(i), area.y + 14 * k},
                kPercentiles[panels.percentiles[i]].second, {.size = 13 * k});
        y += kPercentileHead * k;
    }

    const auto painter = painterOn(page);
    const double head = (panels.hasNames ? 4 : panels.panel < kLowPanel * k ? 20 : 26) * k;
    auto& plot = panels.scale.plot;
    for (std::size_t i = 0; i < panels.shown; ++i) {
        const auto& member = group.members[i];
        // Numbers above the bars would take what is left of a low panel.
        const bool isLow = panels.panel < kLowPanel * k;
        const double above = (isLow ? 2 : 14) * k;
        plot.y = y + head + above;
        plot.height = std::max(panels.panel - head - above - 6 * k, 8.0);
        page.path(Role::Grid, {{plot.x, plot.y + plot.height}, {plot.x + plot.width, plot.y + plot.height}});
        painter.drawBars(group, member.values, panelName(member), panels.scale, mostOf(member.values), member.firstRow);
        if (!isLow) painter.drawCounts(member.values, panels.scale, mostOf(member.values), HistogramPainter::Panel::OfSeveral);
        drawPanelWords(page, group, member, panels, y);
        y += panels.panel;
    }

    plot.y = y - 6 * k;
    plot.height = 0;
    painter.drawAxis(group, panels.scale);
    if (panels.shown == group.members.size()) return;

    double hidden = 0;
    for (std::size_t i = panels.shown; i < group.members.size(); ++i)
        hidden += group.members[i].values.total;
    page.text(Role::Note, {area.x, y + panels.axis + 12 * k},
        "\u2026 " + formatGrouped(static_cast<std::int64_t>(group.members.size() - panels.shown)) + " more with "
            + withNoun(countText(hidden), m_noun),
        {.size = 13 * k, .maxWidth = area.width});
}

Figure Histogram::figure(const LayoutOptions& options) const
{
    const auto words = headed(options, m_compares ? std::string() : headlineOf(m_groups, m_noun), title(), subtitle());
    Page page(options, words, m_provenance, legend(), caveats(options, 0));
    if (empty()) {
        page.empty("No values yet",
            m_probes.empty() ? "The program quantizes values when its probes fire."
                             : "The program quantizes values when its probes fire: " + m_probes);
        return page.finish("Histogram without data.");
    }

    if (m_compares && options.fit && page.content().height < kLeastForTwo * page.scale()) {
        page.empty("A page of this size has no room for two runs", "A larger --size has.");
        return page.finish(inWords());
    }

    auto groups = m_groups;
    if (options.extents)
        for (auto& g : groups)
            if (const auto found = options.extents->buckets.find(bucketsKey(g.shape)); found != options.extents->buckets.end()) {
                g.first = std::min(g.first, found->second.first);
                g.last = std::max(g.last, found->second.last);
            }
    std::vector<const DistributionGroup*> shown;
    std::size_t panels = 0;
    for (const auto& g : groups)
        if (!g.members.empty()) {
            shown.push_back(&g);
            panels += g.members.size();
        }
    const std::size_t all = shown.size();
    while (options.fit && shown.size() > 1
        && page.content().height / static_cast<double>(shown.size()) < (kLowestSection + kSectionGap) * page.scale()) {
        panels -= shown.back()->members.size();
        shown.pop_back();
    }

    if (shown.size() < all) page = Page(options, words, m_provenance, legend(), caveats(options, all - shown.size()));
    Box area = page.content();
    double y = area.y;
    const double spare = area.height - kSectionGap * static_cast<double>(shown.size() - 1);
    for (const auto* g : shown) {
        const auto n = static_cast<double>(g->members.size());
        double height = spare * (0.5 / static_cast<double>(shown.size()) + 0.5 * n / static_cast<double>(panels));
        if (!options.fit) height = std::max(height, n == 1 ? 320 : n * kLowestPanel * page.scale() + kAxisHeight + 22);
        const Box section{area.x, y, area.width, height, 0};
        g->members.size() == 1 ? drawOnly(page, *g, section) : drawPanels(page, inOrder(*g, options), section);
        y += height + kSectionGap;
    }
    return page.finish(inWords(), {area.x + area.width, y - kSectionGap});
}
Digest Histogram::digest(std::size_t most, Privacy /*privacy*/) const
{
    static constexpr std::array<std::pair<const char*, double>, 4> kShares{{{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}}};
    Digest out;
    auto& columns = out.table.columns;
    if (m_several) columns.push_back(Column::text("of"));
    for (const auto& name : m_keyNames)
        columns.push_back({Unit::None, keyColumn(m_keyNames, name), false});
    if (m_compares) columns.push_back({Unit::None, m_noun + " before", true});
    columns.push_back({Unit::None, m_compares ? m_noun + " after" : m_noun, true});
    for (const auto& [name, share] : kShares)
        columns.push_back({Unit::None, name, true});
    for (const auto& group : m_groups)
        for (const auto& member : group.members) {
            if (out.table.rows.size() == most) {
                ++out.more;
                continue;
            }
            const auto& values = member.values;
            auto& row = out.table.rows.emplace_back();
            if (m_several) row.push_back('@' + member.aggregation);
            for (std::size_t i = 0; i < m_keyNames.size(); ++i)
                row.push_back(i < values.keys.size() ? values.keys[i] : std::string());
            if (m_compares) row.push_back(countText(values.totalBefore));
            row.push_back(countText(values.total));
            for (const auto& [name, share] : kShares)
                row.push_back(percentileText(group, values, share));
        }
    return out;
}
} // namespace

Kind kind_histogram()
{
    return {kFacts, rank::kDistributions,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return std::any_of(all.begin(), all.end(), [](const record::Aggregation& a) { return isQuantized(a.function); });
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Histogram>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Histogram>(before, after); }};
}
} // namespace dscope::graph
