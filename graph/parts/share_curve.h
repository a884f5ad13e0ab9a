#pragma once
#include "graph/distribution.h"
#include "graph/units.h"
#include "graph/visual.h"
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
/// The empirical distribution function of values in buckets: what is known of it, which is its value at the ends of buckets.
struct ShareCurve {
    struct Point {
        double value = 0; ///< as traced, an end of a bucket
        double share = 0; ///< 0..1 of all values: those below `value`
    };
    std::vector<Point> points; ///< ascending; from the lower end of the first bucket with values to the upper end of the last
    double beyond = 0;         ///< share of the values above the last point, in a bucket without an end
};
ShareCurve shareCurve(const record::Aggregation& shape, const std::map<int, double>& counts, double total);
/// How far two of them are apart at most, at the ends of buckets between two values: 0..1.
struct Apart {
    double more = 0; ///< where the second has more below, so that its values are smaller
    double less = 0; ///< where it has less
    double distance() const { return std::max(more, less); }
};
Apart farthestApart(const ShareCurve& before, const ShareCurve& after, double from = std::numeric_limits<double>::lowest(),
    double to = std::numeric_limits<double>::max());
/// How far two such curves of so many values may be apart by chance, where `comparisons` are made. Source: Kolmogorov and Smirnov's test for
/// two samples, by its limit for many values: d = sqrt(-ln(a/2)/2 (n + m)/(n m)); values in buckets make it wider than need be, not narrower.
double apartByChance(double before, double after, std::size_t comparisons);

/// Where values lie from left to right. Of quantize() and llquantize() by the logarithm, from 1 to both sides, linear between 0 and 1; of
/// lquantize() evenly.
class SpreadAxis {
public:
    /// From the lower end of the first to the upper end of the last bucket.
    SpreadAxis(const record::Aggregation& shape, int first, int last);
    double at(double value) const; ///< 0 at the left, 1 at the right
    bool isLogarithmic() const { return m_isLogarithmic; }

    /// px that labels at the ends may go beyond the axis.
    struct Overhang {
        double left = 0, right = 0;
    };
    struct Tick {
        double at = 0;
        std::string label;
    };
    /// Round values in units, as many as have room: `width` px of the axis, labels of `size` px.
    std::vector<Tick> ticks(const Measure& measure, double width, double size, Overhang most) const;

private:
    double place(double value) const;
    std::vector<double> rounded(const Measure& measure, int coarseness) const;

    bool m_isLogarithmic;
    double m_low = 0, m_high = 1; ///< values
};
} // namespace dscope::graph
