#include "graph/parts/share_curve.h"
#include "graph/figure.h"
#include "graph/time_axis.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
namespace dscope::graph {
namespace {
/// The ends of a bucket of integers as points of a line: what is below the second is in it or below it.
std::optional<double> lowEnd(const record::BucketRange& range)
{
    return range.low ? std::optional(static_cast<double>(*range.low)) : std::nullopt;
}
std::optional<double> highEnd(const record::BucketRange& range)
{
    return range.high ? std::optional(static_cast<double>(*range.high) + 1) : std::nullopt;
}
/// "1 s", where a duration would be told with more digits.
std::string tickText(double value, const Measure& measure)
{
    constexpr double kSecond = 1e9, kMinutes = 99.5 * kSecond;
    const double scaled = value * measure.scale;
    if (measure.unit == Unit::Nanoseconds && scaled >= kSecond && scaled < kMinutes) return formatDecimal(scaled / kSecond, 0) + " s";
    return measure.format(value);
}
double shareAt(const ShareCurve& curve, double value)
{
    const auto after = std::upper_bound(
        curve.points.begin(), curve.points.end(), value, [](double v, const ShareCurve::Point& p) { return v < p.value; });
    return after == curve.points.begin() ? 0 : std::prev(after)->share;
}
} // namespace

ShareCurve shareCurve(const record::Aggregation& shape, const std::map<int, double>& counts, double total)
{
    ShareCurve out;
    double below = 0;
    for (const auto& [bucket, count] : counts) {
        if (count <= 0) continue;
        const auto range = record::bucketRange(shape, bucket);
        const auto low = lowEnd(range), high = highEnd(range);
        if (low && (out.points.empty() || out.points.back().value < *low)) out.points.push_back({*low, below / total});
        below += count;
        if (high)
            out.points.push_back({*high, below / total});
        else
            out.beyond = count / total;
    }
    return out;
}

Apart farthestApart(const ShareCurve& before, const ShareCurve& after, double from, double to)
{
    Apart out;
    for (const auto* curve : {&before, &after})
        for (const auto& point : curve->points) {
            if (point.value < from || point.value > to) continue;
            const double distance = shareAt(after, point.value) - shareAt(before, point.value);
            out.more = std::max(out.more, distance);
            out.less = std::max(out.less, -distance);
        }
    return out;
}

double apartByChance(double before, double after, std::size_t comparisons)
{
    constexpr double kChance = 0.0455; // as of 2 sigma (graph/difference.h)
    if (before <= 0 || after <= 0) return 1;
    const double chance = kChance / static_cast<double>(std::max<std::size_t>(comparisons, 1));
    return std::min(1.0, std::sqrt(-std::log(chance / 2) / 2 * (before + after) / (before * after)));
}

SpreadAxis::SpreadAxis(const record::Aggregation& shape, int first, int last)
    : m_isLogarithmic(shape.function != record::Aggregator::Lquantize)
{
    const auto lowest = record::bucketRange(shape, first), highest = record::bucketRange(shape, last);
    m_low = lowEnd(lowest).value_or(highEnd(lowest).value_or(0));
    m_high = highEnd(highest).value_or(lowEnd(highest).value_or(1));
    if (m_high <= m_low) m_high = m_low + 1;
}

double SpreadAxis::place(double value) const
{
    if (!m_isLogarithmic) return value;
    if (value < 0) return -1 - std::log2(1 - value);
    return value < 1 ? value - 1 : std::log2(value);
}

double SpreadAxis::at(double value) const { return (place(value) - place(m_low)) / (place(m_high) - place(m_low)); }

/// Values that are round in the measure's unit, the more of them the less coarse: 1, 2, 5 to each power of ten, then 1 alone, then each
/// second power and so on; of bytes powers of two, then of four ...
std::vector<double> SpreadAxis::rounded(const Measure& measure, int coarseness) const
{
    std::vector<double> out;
    const double scale = measure.scale;
    if (!m_isLogarithmic) {
        for (const double tick : valueTicks(m_low * scale, m_high * scale, std::max(1, 12 >> coarseness), measure.unit))
            out.push_back(tick / scale);
        return out;
    }

    const bool isBytes = measure.unit == Unit::Bytes;
    const double base = isBytes ? 2 : 10, most = std::max(std::abs(m_low), std::abs(m_high)) * scale * 1.001;
    const int every = isBytes ? std::array{1, 2, 5, 10, 20}[static_cast<std::size_t>(std::min(coarseness, 4))] : std::max(coarseness, 1);
    std::vector<double> steps{1};
    if (!isBytes && coarseness == 0) steps = {1, 2, 5};
    const int first = m_low <= 0 && coarseness > 0 ? every : 0; // 0 and 1 are close
    for (int power = first; std::pow(base, power) <= most && power < 64; power += every)
        for (const double step : steps)
            out.push_back(step * std::pow(base, power) / scale);
    if (m_low < 0) {
        const auto positive = out.size();
        for (std::size_t i = 0; i < positive; ++i)
            out.push_back(-out[i]);
    }
    out.push_back(0);
    std::sort(out.begin(), out.end());
    return out;
}

std::vector<SpreadAxis::Tick> SpreadAxis::ticks(const Measure& measure, double width, double size, Overhang most) const
{
    constexpr int kCoarsest = 8;
    const double gap = 0.9 * size, slack = 1e-9;
    std::vector<Tick> out;
    for (int coarseness = 0; coarseness <= kCoarsest; ++coarseness) {
        out.clear();
        bool touch = false;
        double end = -std::numeric_limits<double>::max();
        for (const double value : rounded(measure, coarseness)) {
            const double x = at(value);
            if (x < -slack || x > 1 + slack) continue;
            auto label = tickText(value, measure);
            const double half = textWidth(label, size) / 2;
            if (x * width - half < -most.left || x * width + half > width + most.right) continue;
            touch = touch || x * width - half < end + gap;
            end = x * width + half;
            out.push_back({x, std::move(label)});
        }
        if (!touch) break;
    }
    return out;
}
} // namespace dscope::graph
