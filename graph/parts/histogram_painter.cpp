#include "graph/parts/histogram_painter.h"
#include "graph/layouts/axes.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
void HistogramPainter::drawBars(const DistributionGroup& group, const Distribution& values, const std::string& name,
    const BucketScale& scale, double most, std::uint32_t row) const
{
    const double slot = scale.slot(), gap = slot > 20 ? 3 : slot > 6 ? 1 : 0;
    const double base = scale.plot.y + scale.plot.height;
    const int begin = bucketSpan(values).first;
    for (const auto& [bucket, count] : values.counts) {
        const double height = std::max(scale.height(count, most), 0.75), x = scale.x(bucket);
        const auto change = values.change(bucket);
        Item& bar = m_page.box(Role::Bar, {x + gap, base - height, std::max(slot - 2 * gap, 0.75), height, std::min(2.0, height / 2)},
            group.hatched(bucket) ? Shade::Hatched : Shade::Plain);
        const auto range = record::bucketRange(group.shape, bucket);
        bar.key = printable(name);
        bar.tip = (name.empty() ? std::string() : printable(name) + "\n") + group.range(bucket) + "\n"
            + (m_words.noun.with(countText(count)) + ", " + formatShare(count, values.total));
        if (range.low) bar.data.emplace_back("low", std::to_string(*range.low));
        if (range.high) bar.data.emplace_back("high", std::to_string(*range.high));
        const auto exact = values.exact.find(bucket);
        bar.data.emplace_back("count", exact == values.exact.end() ? std::to_string(std::llround(count)) : plainNumber(exact->second));
        bar.row = Row{row + static_cast<std::uint32_t>(bucket - begin)};
        if (!m_words.compares) continue;
        bar.level = change.level();
        if (!change.told) bar.shade = Shade::Unknown;
        bar.tip += '\n' + said("before %1: %2", countText(change.before), change.text()) + (change.told ? "" : ", " + m_words.noise);
        const auto exactBefore = values.exactBefore.find(bucket);
        bar.data.emplace_back("before", plainNumber(exactBefore == values.exactBefore.end() ? Number(change.before) : exactBefore->second));
        const double was = scale.height(change.before, most);
        if (was > 0.75) m_page.box(Role::Bar, {x + gap / 2, base - was, std::max(slot - gap, 0.75), was, 0}, Shade::Dashed);
    }
}

void HistogramPainter::drawCounts(const Distribution& values, const BucketScale& scale, double most, Panel panel) const
{
    const bool isOnly = panel == Panel::Alone;
    const double slot = scale.slot(), k = m_page.scale(), size = (isOnly ? 15 : 12) * k;
    // Where the highest bar has no room for its number those of the low ones alone would be noise.
    double highest = 0;
    for (const auto& [bucket, count] : values.counts)
        highest = std::max(highest, count);
    if (std::min(textWidth(countText(highest), size, {.bold = isOnly}), textWidth(formatCompact(highest), size, {.bold = isOnly}))
        > slot + (isOnly ? 4 : -2))
        return;
    for (const auto& [bucket, count] : values.counts) {
        const double room = slot + (isOnly ? 4 : -2);
        std::string label = countText(count);
        if (textWidth(label, size, {.bold = isOnly}) > room) label = formatCompact(count);
        if (m_words.compares && values.change(bucket).told) {
            const std::string both = label + "  " + values.change(bucket).text();
            if (textWidth(both, size, {.bold = isOnly}) <= slot - 4) label = both;
        }
        const double width = textWidth(label, size, {.bold = isOnly});
        if (width > room) continue;
        const double tall = m_words.compares ? std::max(count, values.change(bucket).before) : count;
        const double y = scale.plot.y + scale.plot.height - std::max(scale.height(tall, most), 0.75) - 7 * k,
                     x = scale.x(bucket) + slot / 2;
        if (isOnly) m_page.box(Role::Ground, {x - width / 2 - 2, y - size * 0.82, width + 4, size * 0.9, 0});
        m_page.text(Role::Label, {x, y}, label, {.size = size, .bold = isOnly, .anchor = Anchor::Middle});
    }
}

/// Whether a bucket of llquantize() begins at a power of its factor.
bool HistogramPainter::isPower(const DistributionGroup& group, int bucket)
{
    if (bucket >= record::bucketCount(group.shape)) return false;
    const auto low = record::bucketRange(group.shape, bucket).low;
    const auto factor = group.shape.parameters[0];
    auto value = low.value_or(0);
    if (value <= 0 || factor < 2) return false;
    while (value % factor == 0)
        value /= factor;
    return value == 1;
}
/// Lines where powers of the factor begin, when there are two at least; else the axis has to be read by other buckets.
bool HistogramPainter::drawSeparators(const DistributionGroup& group, const BucketScale& scale) const
{
    std::vector<double> places;
    for (int bucket = scale.first; bucket <= scale.last + 1; ++bucket)
        if (isPower(group, bucket)) places.push_back(scale.x(bucket));
    if (places.size() < 2) return false;
    for (const double x : places)
        if (scale.plot.height > 0) m_page.path(Role::Grid, {{x, scale.plot.y}, {x, scale.plot.y + scale.plot.height}});
    return true;
}

void HistogramPainter::drawAxis(const DistributionGroup& group, const BucketScale& scale) const
{
    const double base = scale.plot.y + scale.plot.height, size = 13 * m_page.scale();
    const double right = m_page.content().x + m_page.content().width; // no label ends beyond it
    std::vector<double> at, middles, widths;
    std::vector<std::string> labels;
    const bool hasSeparators = group.shape.function == record::Aggregator::Llquantize && drawSeparators(group, scale);
    for (int bucket = scale.first; bucket <= scale.last + 1; ++bucket) {
        std::string label;
        if (hasSeparators && !isPower(group, bucket)) continue;
        if (bucket <= scale.last)
            label = group.edge(bucket);
        else if (const auto range = record::bucketRange(group.shape, scale.last); range.high)
            label = bucket < record::bucketCount(group.shape) ? group.edge(bucket) : std::string();
        if (label.empty()) continue;
        at.push_back(scale.x(bucket));
        widths.push_back(textWidth(label, size));
        middles.push_back(std::min(at.back(), right - widths.back() / 2));
        labels.push_back(std::move(label));
    }
    for (const auto i : keptLabels(middles, widths, 10 * m_page.scale())) {
        m_page.path(Role::Tick, {{at[i], base}, {at[i], base + 7}});
        m_page.text(Role::Tick, {middles[i], base + 10 * m_page.scale() + size}, labels[i], {.size = size, .anchor = Anchor::Middle});
    }
    if (m_page.content().height < HistogramLengths::kLowArea * m_page.scale()) return;
    m_page.text(Role::Axis, {scale.plot.x + scale.plot.width / 2, base + 20 * m_page.scale() + 2.2 * size}, axisTitle(group),
        {.size = 14 * m_page.scale(), .anchor = Anchor::Middle, .maxWidth = scale.plot.width});
}

std::string HistogramPainter::axisName(const DistributionGroup& group) const
{
    if (group.measure.unit == Unit::Nanoseconds && !m_words.call.empty()) return said("time in the call");
    return group.measure.unit == Unit::Nanoseconds ? said("time")
        : group.measure.unit == Unit::Bytes        ? said("size")
        : group.shape.value.empty()                ? said("value")
                                                   : group.shape.value;
}

std::string HistogramPainter::axisTitle(const DistributionGroup& group) const
{
    std::string title = axisName(group);
    const auto& p = group.shape.parameters;
    if (group.shape.function == record::Aggregator::Quantize)
        title += said(", doubling with every bucket");
    else if (group.shape.function == record::Aggregator::Lquantize)
        title += said(", in steps of %1", group.measure.format(static_cast<double>(p[2])));
    else if (group.shape.function == record::Aggregator::Llquantize)
        title += said(", in %1 steps to each power of %2", std::to_string(p[3]), std::to_string(p[0]));
    return title;
}

void HistogramPainter::drawShare(const Distribution& values, const BucketScale& scale) const
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
        m_page.path(Role::Marker, std::move(line), shade);
    };
    if (m_words.compares) draw(values.countsBefore, values.totalBefore, Shade::Dashed);
    draw(values.counts, values.total, Shade::Plain);
    const double size = 13 * m_page.scale(), x = scale.plot.x + scale.plot.width + 10;
    m_page.text(Role::Marker, {x, scale.plot.y + size * 0.36}, "100 %", {.size = size});
    if (scale.plot.height / 2 >= 1.3 * size)
        m_page.text(Role::Marker, {x, scale.plot.y + scale.plot.height / 2 + size * 0.36}, "50 %", {.size = size});
}

namespace {
/// Both ends of the bucket, or in too little room its upper one: a number that is cut would be another one.
std::string shortPercentile(const DistributionGroup& group, const Distribution& values, double share, double room, double size)
{
    auto text = percentileText(group, values, share);
    if (values.total <= 0 || textWidth(text, size) <= room) return text;
    const auto high = record::bucketRange(group.shape, values.percentile(share)).high;
    return high ? "< " + group.measure.format(static_cast<double>(*high) + 1) : text;
}
} // namespace

void HistogramPainter::drawSide(const DistributionGroup& group, const Distribution& values, const Box& side) const
{
    const double size = 15 * m_page.scale(), step = 28 * m_page.scale();
    double y = side.y + 30 * m_page.scale();
    m_page.text(Role::Label, {side.x, y}, said("Percentiles"), {.size = size, .bold = true});
    for (const auto& [share, name] : kPercentiles) {
        if (share > 0.99 && values.total < 1000) continue;
        const bool moved = m_words.compares && values.totalBefore > 0 && values.percentileBefore(share) != values.percentile(share);
        if (y + step * (moved ? 1.75 : 1) > side.y + side.height) return;
        y += step;
        m_page.text(Role::Note, {side.x, y}, name, {.size = size});
        const double room = side.width - 58 * m_page.scale();
        m_page.text(Role::Label, {side.x + 58 * m_page.scale(), y}, shortPercentile(group, values, share, room, size),
            {.size = size, .maxWidth = room});
        if (!moved) continue;
        y += 0.75 * step;
        m_page.text(Role::Note, {side.x + 58 * m_page.scale(), y}, said("before: %1", group.range(values.percentileBefore(share))),
            {.size = 13 * m_page.scale(), .maxWidth = side.width - 58 * m_page.scale()});
    }

    // Of several histograms each says its percentiles; what else there is to say, as far as there is room.
    const auto fits = [&] { return y <= side.y + side.height; };
    y += step;
    if (!fits()) return;
    m_page.text(Role::Note, {side.x, y}, said("to within a bucket"), {.size = 13 * m_page.scale(), .maxWidth = side.width});
    y += 2 * step;
    const std::array<LegendEntry, 2> entries{{{Role::Bar, Shade::Plain, -1, said("%1 in a bucket", m_words.noun.said())},
        LegendEntry::line(Role::Marker, Shade::Plain, said("cumulative share"))}};
    for (const auto& entry : entries) {
        if (m_words.compares && entry.role == Role::Bar) continue; // the page's legend has it
        if (!fits()) return;
        m_page.legend({side.x, y - 12 * m_page.scale()}, side.width, {&entry, 1});
        y += step;
    }

    if (fits() && (group.hatched(group.first) || group.hatched(group.last))) {
        const LegendEntry open{Role::Bar, Shade::Hatched, -1, said("beyond the range")};
        m_page.legend({side.x, y - 12 * m_page.scale()}, side.width, {&open, 1});
    }
}
} // namespace dscope::graph
