#pragma once
#include "graph/units.h"
#include "graph/visual.h"
#include <vector>
namespace dscope::graph {
/// The values that an axis has to cover, as traced; Measure converts them to units.
struct ValueRange {
    double low = 0, high = 0; ///< 0 is between them
    double least = 0;         ///< the smallest above 0; 0: there is none
    void add(double value);
    /// What the axis of that aggregation has to show where several figures have one scale.
    void add(const LayoutOptions& options, const std::string& aggregation);
};
/// Where values lie on an axis: 0 at its low end, 1 at its high end.
class ValueAxis {
public:
    /// A logarithmic axis goes from a power of ten to a power of ten; what is not above 0 lies at its low end. `wanted`: about how many
    /// ticks.
    ValueAxis(const ValueRange& range, ValueScale kind, int wanted, const Measure& measure);
    double at(double value) const;
    bool isLogarithmic() const { return m_kind == ValueScale::Logarithmic; }
    const std::vector<double>& ticks() const { return m_ticks; } ///< in the measure's unit, ascending
    double atTick(double tick) const { return at(tick / m_scale); }

private:
    ValueScale m_kind;
    double m_low = 0, m_high = 1, m_scale = 1;
    std::vector<double> m_ticks;
};
} // namespace dscope::graph
