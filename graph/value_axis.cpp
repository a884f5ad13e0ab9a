#include "graph/value_axis.h"
#include "graph/time_axis.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kLeastDecades = 1;
}
void ValueRange::add(double value)
{
    low = std::min(low, value);
    high = std::max(high, value);
    if (value > 0) least = least > 0 ? std::min(least, value) : value;
}
void ValueRange::add(const LayoutOptions& options, const std::string& aggregation)
{
    if (!options.extents) return;
    const auto found = options.extents->values.find(aggregation);
    if (found == options.extents->values.end()) return;
    add(found->second.low);
    add(found->second.high);
}

ValueAxis::ValueAxis(const ValueRange& range, ValueScale kind, int wanted, const Measure& measure)
    : m_kind(range.least > 0 ? kind : ValueScale::Linear), m_scale(measure.scale)
{
    if (!isLogarithmic()) {
        m_ticks = valueTicks(range.low * m_scale, range.high * m_scale, wanted, measure.unit);
        m_low = std::min(range.low, m_ticks.front() / m_scale);
        m_high = std::max(range.high, m_ticks.back() / m_scale);
        if (m_high <= m_low) m_high = m_low + 1;
        return;
    }
    // Sizes double, all else goes by tens.
    const double base = measure.unit == Unit::Bytes ? 2 : 10;
    const auto power = [&](double value) { return std::log(value) / std::log(base); };
    m_low = std::floor(power(range.least * m_scale) + 1e-9);
    m_high = std::max(std::ceil(power(range.high * m_scale) - 1e-9), m_low + kLeastDecades);
    const double step = std::max(1.0, std::ceil((m_high - m_low) / std::max(wanted, 1)));
    for (double i = m_low; i <= m_high + 1e-9; i += step)
        m_ticks.push_back(std::pow(base, i));
    m_low = std::log(std::pow(base, m_low) / m_scale);
    m_high = std::log(std::pow(base, m_high) / m_scale);
}

double ValueAxis::at(double value) const
{
    if (!isLogarithmic()) return (value - m_low) / (m_high - m_low);
    return value > 0 ? std::clamp((std::log(value) - m_low) / (m_high - m_low), 0.0, 1.0) : 0;
}
} // namespace dscope::graph
