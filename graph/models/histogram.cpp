#include "graph/distribution.h"
#include "graph/keys.h"
#include "graph/layouts/axes.h"
#include "graph/page.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{
    .name = "histogram", .tab = "Histogram", .summary = "quantize, lquantize and llquantize as bars, one panel a key"};
using record::Aggregator;

constexpr double kLowestSection = 130, kLowestPanel = 76, kTallestPanel = 150, kAxisHeight = 62, kSectionGap = 18;
constexpr double kTallestPlot = 0.9, kLowArea = 170; // height by width; px below which words give way to the plot
constexpr std::array<std::pair<double, const char*>, 4> kPercentiles{{{0.5, "p50"}, {0.9, "p90"}, {0.99, "p99"}, {0.999, "p99.9"}}};

std::string countText(double count) { return count < 99'999.5 ? formatGrouped(std::llround(count)) : formatCompact(count); }

std::string percentileText(const DistributionGroup& group, const Distribution& values, double share)
{
    return values.total > 0 ? group.range(values.percentile(share)) : "none";
}

/// What a panel is drawn into: the bars of one distribution above the shared axis.
struct Scale {
    Box plot;
    int first = 0, last = 0;
    double slot() const { return plot.width / (last - first + 1); }
    double x(int bucket) const { return plot.x + slot() * (bucket - first); }
};

class Histogram final : public Visual {
public:
    explicit Histogram(const Store& store) : Histogram(store, distributionsOf(store), false) { }
    Histogram(const Store& before, const Store& after) : Histogram(after, distributionsOf(before, after), true) { }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return m_compares ? changedTitle(plainTitle()) : plainTitle(); }
    bool empty() const override
    {
        return std::all_of(m_groups.begin(), m_groups.end(), [](const DistributionGroup& g) { return g.members.empty(); });
    }
    Table table() const override;
    Figure figure(const LayoutOptions& options) const override;

private:
    Histogram(const Store& store, std::vector<DistributionGroup> groups, bool compares)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store.program())), m_probes(probesText(store.program())),
          m_call(onlyCall(store.program())), m_groups(std::move(groups)), m_compares(compares)
    {
        if (m_noun == "samples") m_noun = "values";
        std::size_t aggregations = 0;
        for (const auto& a : store.program().aggregations) {
            if (!isQuantized(a.function)) continue;
            ++aggregations;
            for (const auto& key : a.keys)
                if (std::find(m_keyNames.begin(), m_keyNames.end(), key.name) == m_keyNames.end()) m_keyNames.push_back(key.name);
        }
        m_several = aggregations > 1;
    }
    std::string plainTitle() const { return m_groups.empty() ? "Histogram" : questionOf(m_groups.front(), m_call); }
    std::string subtitle() const;
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
            if (!g.members.empty()) return countNoise(g.members.front().values.deviations);
        return countNoise(2);
    }
    std::vector<LegendEntry> legend() const
    {
        if (!m_compares || empty()) return {};
        return {{Role::Bar, Shade::Plain, 1, "grew", false}, {Role::Bar, Shade::Plain, 0, "shrank", false},
            {Role::Bar, Shade::Unknown, -1, noise(), false}, {Role::Bar, Shade::Dashed, -1, "before", false}};
    }
    double mostOf(const Distribution& values) const
    {
        double most = 0;
        for (const auto& [bucket, count] : values.counts)
            most = std::max({most, count, m_compares ? values.change(bucket).before : 0});
        return most;
    }
    void drawSection(Page& page, const DistributionGroup& group, const Box& area, std::uint32_t firstRow) const;
    void drawBars(Page& page, const DistributionGroup& group, const DistributionGroup::Member& member, const Scale& scale, double most,
        std::uint32_t& row) const;
    void drawCounts(Page& page, const Distribution& values, const Scale& scale, double most, bool single) const;
    void drawAxis(Page& page, const DistributionGroup& group, const Scale& scale) const;
    void drawShare(Page& page, const Distribution& values, const Scale& scale) const;
    void drawSide(Page& page, const DistributionGroup& group, const Distribution& values, const Box& side) const;

    Provenance m_provenance;
    std::string m_noun, m_probes, m_call;
    std::vector<DistributionGroup> m_groups;
    std::vector<std::string> m_keyNames;
    bool m_several = false, m_compares = false;
};

Table Histogram::table() const
{
    Table t;
    if (m_several) t.columns.push_back({Unit::None, "aggregation", false});
    for (const auto& key : m_keyNames)
        t.columns.push_back({Unit::None, key, false});
    const Unit unit = m_groups.empty() ? Unit::None : m_groups.front().measure.unit;
    t.columns.push_back({unit, "low", true});
    t.columns.push_back({unit, "high", true});
    if (m_compares)
        for (const auto* which : {"before", "after", "difference"})
            t.columns.push_back({Unit::Count, which, true});
    else
        t.columns.push_back({Unit::Count, "count", true});
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
    bool scaled = false;
    for (const auto& g : m_groups) {
        total += g.total;
        for (const auto& m : g.members) {
            before += m.values.totalBefore;
            scaled = scaled || m.values.scaleBefore() != 1;
        }
        panels += g.members.size();
    }
    std::string text;
    if (panels == 1 && !empty()) {
        const auto& g = m_groups.front().members.empty() ? m_groups.back() : m_groups.front();
        const std::string key = panelName(g.members.front());
        if (!key.empty()) text = key + " \u00b7 ";
    }
    text += m_compares ? "before " + withNoun(countText(before), m_noun) + ", after " + countText(total)
            + (!scaled           ? ""
                    : panels > 1 ? ", before scaled to the same total in each panel"
                                 : ", before scaled to the same total")
                       : withNoun(countText(total), m_noun) + inShownInterval(m_provenance);
    text += " \u00b7 " + describe(m_groups.front().shape);
    if (m_groups.size() > 1) text += ", \u2026";
    if (panels > 1) text += " \u00b7 each panel to its own height";
    return text;
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
void Histogram::drawBars(Page& page, const DistributionGroup& group, const DistributionGroup::Member& member, const Scale& scale,
    double most, std::uint32_t& row) const
{
    const double slot = scale.slot(), gap = slot > 20 ? 3 : slot > 6 ? 1 : 0;
    const double base = scale.plot.y + scale.plot.height;
    const int begin = member.values.counts.begin()->first;
    for (const auto& [bucket, count] : member.values.counts) {
        const double height = std::max(scale.plot.height * count / most, 0.75), x = scale.x(bucket);
        const auto change = member.values.change(bucket);
        Item& bar = page.box(Role::Bar, {x + gap, base - height, std::max(slot - 2 * gap, 0.75), height, std::min(2.0, height / 2)},
            group.hatched(bucket) ? Shade::Hatched : Shade::Plain);
        const auto range = record::bucketRange(group.shape, bucket);
        const std::string panel = panelName(member);
        bar.key = printable(panel);
        bar.tip = (panel.empty() ? std::string() : printable(panel) + "\n") + group.range(bucket) + "\n"
            + (withNoun(countText(count), m_noun) + ", " + formatShare(count, member.values.total));
        if (range.low) bar.data.emplace_back("low", std::to_string(*range.low));
        if (range.high) bar.data.emplace_back("high", std::to_string(*range.high));
        bar.data.emplace_back("count", std::to_string(std::llround(count)));
        bar.row = Row{row + static_cast<std::uint32_t>(bucket - begin)};
        if (!m_compares) continue;
        bar.level = change.level();
        if (!change.told) bar.shade = Shade::Unknown;
        bar.tip += "\nbefore " + countText(change.before) + ": " + change.text() + (change.told ? "" : ", " + noise());
        bar.data.emplace_back("before", plainNumber(change.before));
        const double was = scale.plot.height * change.before / most;
        if (was > 0.75) page.box(Role::Bar, {x + gap / 2, base - was, std::max(slot - gap, 0.75), was, 0}, Shade::Dashed);
    }
    row += static_cast<std::uint32_t>(member.values.counts.rbegin()->first - begin + 1);
}
// After what else crosses the plot, each on a patch of ground, so that no line runs through a number.
void Histogram::drawCounts(Page& page, const Distribution& values, const Scale& scale, double most, bool single) const
{
    const double slot = scale.slot(), k = page.scale(), size = (single ? 15 : 12) * k;
    // Where the highest bar has no room for its number those of the low ones alone would be noise.
    double highest = 0;
    for (const auto& [bucket, count] : values.counts)
        highest = std::max(highest, count);
    if (std::min(textWidth(countText(highest), size, single), textWidth(formatCompact(highest), size, single)) > slot + (single ? 4 : -2))
        return;
    for (const auto& [bucket, count] : values.counts) {
        const double room = slot + (single ? 4 : -2);
        std::string label = countText(count);
        if (textWidth(label, size, single) > room) label = formatCompact(count);
        if (m_compares && values.change(bucket).told) {
            const std::string both = label + "  " + values.change(bucket).text();
            if (textWidth(both, size, single) <= slot - 4) label = both;
        }
        const double width = textWidth(label, size, single);
        if (width > room) continue;
        const double tall = m_compares ? std::max(count, values.change(bucket).before) : count;
        const double y = scale.plot.y + scale.plot.height - std::max(scale.plot.height * tall / most, 0.75) - 7 * k,
                     x = scale.x(bucket) + slot / 2;
        if (single) page.box(Role::Ground, {x - width / 2 - 2, y - size * 0.82, width + 4, size * 0.9, 0});
        page.text(Role::Label, {x, y}, label, {.size = size, .bold = single, .anchor = Anchor::Middle});
    }
}
void Histogram::drawAxis(Page& page, const DistributionGroup& group, const Scale& scale) const
{
    const double base = scale.plot.y + scale.plot.height, size = 13 * page.scale();
    std::vector<double> at, widths;
    std::vector<std::string> labels;
    for (int bucket = scale.first; bucket <= scale.last + 1; ++bucket) {
        std::string label;
        if (bucket <= scale.last)
            label = group.edge(bucket);
        else if (const auto range = record::bucketRange(group.shape, scale.last); range.high)
            label = bucket < record::bucketCount(group.shape) ? group.edge(bucket) : std::string();
        if (label.empty()) continue;
        at.push_back(scale.x(bucket));
        widths.push_back(textWidth(label, size));
        labels.push_back(std::move(label));
    }
    for (const auto i : keptLabels(at, widths, 10 * page.scale())) {
        page.path(Role::Tick, {{at[i], base}, {at[i], base + 7}});
        page.text(Role::Tick, {at[i], base + 12 + size}, labels[i], {.size = size, .anchor = Anchor::Middle});
    }
    if (page.content().height < kLowArea) return;
    std::string title = group.measure.unit == Unit::Nanoseconds ? "time"
        : group.measure.unit == Unit::Bytes                     ? "size"
        : group.shape.value.empty()                             ? "value"
                                                                : group.shape.value;
    if (group.measure.unit == Unit::Nanoseconds && !m_call.empty()) title = "time in the call";
    const auto& p = group.shape.parameters;
    if (group.shape.function == Aggregator::Quantize)
        title += ", doubling with every bucket";
    else if (group.shape.function == Aggregator::Lquantize)
        title += ", in steps of " + group.measure.format(static_cast<double>(p[2]));
    else
        title += ", in " + std::to_string(p[3]) + " steps to each power of " + std::to_string(p[0]);
    page.text(Role::Axis, {scale.plot.x + scale.plot.width / 2, base + 24 + 2.2 * size}, title,
        {.size = 14 * page.scale(), .anchor = Anchor::Middle, .maxWidth = scale.plot.width});
}
void Histogram::drawShare(Page& page, const Distribution& values, const Scale& scale) const
{
    const double base = scale.plot.y + scale.plot.height;
    const auto draw = [&](const std::map<int, double>& counts, double total, Shade shade) {
        if (total <= 0) return;
        std::vector<Point> line;
        double sum = 0;
        for (int bucket = scale.first; bucket <= scale.last + 1; ++bucket) {
            line.push_back({scale.x(bucket), base - scale.plot.height * sum / total});
            const auto found = counts.find(bucket);
            if (found != counts.end()) sum += found->second;
        }
        page.path(Role::Marker, std::move(line), shade);
    };
    if (m_compares) draw(values.countsBefore, values.totalBefore, Shade::Dashed);
    draw(values.counts, values.total, Shade::Plain);
    const double size = 13 * page.scale(), x = scale.plot.x + scale.plot.width + 10;
    page.text(Role::Marker, {x, scale.plot.y + 5}, "100 %", {.size = size});
    page.text(Role::Marker, {x, scale.plot.y + scale.plot.height / 2 + 5}, "50 %", {.size = size});
}
void Histogram::drawSide(Page& page, const DistributionGroup& group, const Distribution& values, const Box& side) const
{
    const double size = 15 * page.scale(), step = 28 * page.scale();
    double y = side.y + 30 * page.scale();
    page.text(Role::Label, {side.x, y}, "Percentiles", {.size = size, .bold = true});
    for (const auto& [share, name] : kPercentiles) {
        if (share > 0.99 && values.total < 1000) continue;
        y += step;
        page.text(Role::Note, {side.x, y}, name, {.size = size});
        page.text(Role::Label, {side.x + 58 * page.scale(), y}, percentileText(group, values, share),
            {.size = size, .maxWidth = side.width - 58 * page.scale()});
        if (!m_compares || values.totalBefore <= 0 || values.percentileBefore(share) == values.percentile(share)) continue;
        y += 0.75 * step;
        page.text(Role::Note, {side.x + 58 * page.scale(), y}, "before: " + group.range(values.percentileBefore(share)),
            {.size = 13 * page.scale(), .maxWidth = side.width - 58 * page.scale()});
    }
    // Of several histograms each says its percentiles; what else there is to say, as far as there is room.
    const auto fits = [&] { return y <= side.y + side.height; };
    y += step;
    if (!fits()) return;
    page.text(Role::Note, {side.x, y + 6}, "known to the bucket", {.size = 13 * page.scale(), .maxWidth = side.width});
    y += 2 * step;
    const std::array<LegendEntry, 2> entries{
        {{Role::Bar, Shade::Plain, -1, m_noun + " in a bucket", false}, {Role::Marker, Shade::Plain, -1, "share so far", true}}};
    for (const auto& entry : entries) {
        if (m_compares && entry.role == Role::Bar) continue; // the page's legend has it
        if (!fits()) return;
        page.legend({side.x, y - 14}, side.width, {&entry, 1}, 14 * page.scale());
        y += step;
    }
    if (fits() && (group.hatched(group.first) || group.hatched(group.last))) {
        const LegendEntry open{Role::Bar, Shade::Hatched, -1, "beyond the range", false};
        page.legend({side.x, y - 14}, side.width, {&open, 1}, 14 * page.scale());
    }
}
void Histogram::drawSection(Page& page, const DistributionGroup& group, const Box& area, std::uint32_t firstRow) const
{
    const double k = page.scale();
    double axis = kAxisHeight * k;
    const bool single = group.members.size() == 1, hasSide = area.width >= 700;
    // Names stand at the left where there is room, so that bars have the height of their panel.
    const bool beside = !single && hasSide;
    double left = 72 * k;
    if (beside) {
        for (const auto& member : group.members)
            left = std::max({left, textWidth(printable(panelName(member)), 14 * k, true) + 20 * k,
                textWidth(withNoun(countText(member.values.total), m_noun), 12 * k) + 20 * k});
        left = std::min(left, area.width * 0.2);
    }
    const double right = hasSide ? (single ? 342 : 420) * k : single ? 56 * k : 8;
    Scale scale{{area.x + left, area.y, std::max(area.width - left - right, 40.0), 0, 0}, group.first, group.last};
    std::uint32_t row = firstRow;
    if (single) {
        scale.plot.y = area.y + 44 * k;
        const double tall = std::max(scale.plot.width * kTallestPlot, 60.0);
        scale.plot.height = std::clamp(area.height - 44 * k - (area.height < kLowArea ? 30 * k : axis), 16.0, tall);
        const auto& member = group.members.front();
        const double most = mostOf(member.values);
        const auto ticks = countTicks(most, std::clamp(static_cast<int>(scale.plot.height / 110), 2, 5));
        for (const double tick : ticks) {
            const double y = scale.plot.y + scale.plot.height * (1 - tick / ticks.back());
            page.path(Role::Grid, {{scale.plot.x, y}, {scale.plot.x + scale.plot.width, y}});
            page.text(Role::Axis, {scale.plot.x - 12 * k, y + 5 * k}, countText(tick), {.size = 14 * k, .anchor = Anchor::End});
        }
        page.text(Role::Axis, {scale.plot.x - 12 * k, scale.plot.y - 22 * k}, m_noun, {.size = 14 * k, .anchor = Anchor::End});
        drawBars(page, group, member, scale, ticks.back(), row);
        drawShare(page, member.values, scale);
        drawCounts(page, member.values, scale, ticks.back(), true);
        drawAxis(page, group, scale);
        if (hasSide)
            drawSide(page, group, member.values,
                {scale.plot.x + scale.plot.width + 100 * k, scale.plot.y, area.x + area.width - scale.plot.x - scale.plot.width - 100 * k,
                    area.y + area.height - scale.plot.y, 0});
        return;
    }
    if (page.content().height < kLowArea) axis = 34 * k; // without a title
    const double head = (beside ? 4 : 26) * k, above = hasSide ? 22 * k : 0;
    double room = area.height - axis - above;
    const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(room / (kLowestPanel * k))));
    const bool all = !page.fit() || group.members.size() <= fitting;
    const std::size_t shown = all ? group.members.size() : fitting;
    if (!all) room -= 22 * k;
    const double even = room / static_cast<double>(shown);
    const double panel = page.fit() ? std::min(even, kTallestPanel * k * (shown < 4 ? 1.6 : 1)) : std::max(even, kLowestPanel * k);
    const double sideX = scale.plot.x + scale.plot.width + 40 * k, sideStep = (area.x + area.width - sideX) / 3;
    if (hasSide)
        for (std::size_t i = 0; i < 3; ++i)
            page.text(Role::Note, {sideX + sideStep * static_cast<double>(i), area.y + 14 * k}, kPercentiles[i].second, {.size = 13 * k});
    double y = area.y + above;
    for (std::size_t i = 0; i < shown; ++i) {
        const auto& member = group.members[i];
        scale.plot.y = y + head + 14 * k;
        scale.plot.height = std::max(panel - head - 20 * k, 8.0);
        const double base = scale.plot.y + scale.plot.height;
        const double most = mostOf(member.values);
        page.path(Role::Grid, {{scale.plot.x, base}, {scale.plot.x + scale.plot.width, base}});
        drawBars(page, group, member, scale, most, row);
        drawCounts(page, member.values, scale, most, false);
        const std::string total = withNoun(countText(member.values.total), m_noun);
        if (beside) {
            page.text(Role::Label, {area.x, base - 17 * k}, panelName(member), {.size = 14 * k, .bold = true, .maxWidth = left - 14 * k});
            page.text(Role::Note, {area.x, base - 1 * k}, total, {.size = 12 * k, .maxWidth = left - 14 * k});
        } else {
            page.text(Role::Note, {scale.plot.x + scale.plot.width, y + 16 * k}, total, {.size = 12 * k, .anchor = Anchor::End});
            page.text(Role::Label, {area.x, y + 16 * k}, panelName(member),
                {.size = 14 * k, .bold = true, .maxWidth = scale.plot.x + scale.plot.width - area.x - textWidth(total, 12 * k) - 24});
        }
        if (hasSide)
            for (std::size_t p = 0; p < 3; ++p) {
                const auto& [share, name] = kPercentiles[p];
                const auto& values = member.values;
                const double x = sideX + sideStep * static_cast<double>(p);
                const bool moved = m_compares && values.totalBefore > 0 && values.total > 0
                    && values.percentileBefore(share) != values.percentile(share);
                page.text(Role::Label, {x, base - (moved ? 17 : 9) * k}, percentileText(group, values, share),
                    {.size = 12 * k, .maxWidth = sideStep - 8});
                if (moved)
                    page.text(Role::Note, {x, base - 2 * k}, "was " + group.range(values.percentileBefore(share)),
                        {.size = 11 * k, .maxWidth = sideStep - 8});
            }
        y += panel;
    }
    scale.plot.y = y - 6 * k;
    scale.plot.height = 0;
    drawAxis(page, group, scale);
    if (!all) {
        double hidden = 0;
        for (std::size_t i = shown; i < group.members.size(); ++i)
            hidden += group.members[i].values.total;
        page.text(Role::Note, {area.x, y + axis + 12 * k},
            "\u2026 " + formatGrouped(static_cast<std::int64_t>(group.members.size() - shown)) + " more with "
                + withNoun(countText(hidden), m_noun),
            {.size = 13 * k, .maxWidth = area.width});
    }
}
Figure Histogram::figure(const LayoutOptions& options) const
{
    Page page(options, title(), subtitle(), m_provenance, legend());
    if (empty()) {
        page.empty("No values yet",
            m_probes.empty() ? "The program quantizes values when its probes fire."
                             : "The program quantizes values when its probes fire: " + m_probes);
        return page.finish("Histogram without data.");
    }
    std::vector<const DistributionGroup*> shown;
    std::size_t panels = 0;
    for (const auto& g : m_groups)
        if (!g.members.empty()) {
            shown.push_back(&g);
            panels += g.members.size();
        }
    const std::size_t all = shown.size();
    while (options.fit && shown.size() > 1
        && page.content().height / static_cast<double>(shown.size()) < kLowestSection * page.scale() + kSectionGap) {
        panels -= shown.back()->members.size();
        shown.pop_back();
    }
    if (shown.size() < all)
        page = Page(
            options, title(), subtitle() + " \u00b7 " + std::to_string(all - shown.size()) + " more not shown", m_provenance, legend());
    Box area = page.content();
    std::uint32_t row = 0;
    double y = area.y;
    const double spare = area.height - kSectionGap * static_cast<double>(shown.size() - 1);
    for (const auto* g : shown) {
        const auto n = static_cast<double>(g->members.size());
        double height = spare * (0.5 / static_cast<double>(shown.size()) + 0.5 * n / static_cast<double>(panels));
        if (!options.fit) height = std::max(height, n == 1 ? 320 : n * kLowestPanel * page.scale() + kAxisHeight + 22);
        drawSection(page, *g, {area.x, y, area.width, height, 0}, row);
        for (const auto& m : g->members)
            row += static_cast<std::uint32_t>(m.values.counts.rbegin()->first - m.values.counts.begin()->first + 1);
        y += height + kSectionGap;
    }
    return page.finish(inWords(), {area.x + area.width, y - kSectionGap});
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
