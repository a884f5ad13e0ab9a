#include "engine/record/counted_stacks.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/stacks.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
// What is said of stacks: their values, and what must be known before a figure of them is believed.
namespace dscope::graph {
namespace {
constexpr double kMostlyWaiting = 0.5;       // of the time of a run
constexpr std::int64_t kFewestSamples = 100; // that tell how much of it
}

std::string StackMeasure::quantity(std::int64_t value) const
{
    if (!isCount && measure.unit != Unit::None) return measure.format(static_cast<double>(value));
    if (exponent == 0) return formatGrouped(value);
    const auto text = record::decimalText(value, exponent);
    const auto point = std::min(text.find('.'), text.size());
    const auto whole = std::from_chars(text.data(), text.data() + point, value);
    return whole.ec == std::errc() ? formatGrouped(value) + text.substr(point) : text;
}

std::string StackMeasure::exact(std::int64_t value) const { return record::decimalText(value, exponent); }

std::string StackMeasure::amount(std::int64_t value) const { return isCount ? noun.with(quantity(value)) : quantity(value); }

std::string StackMeasure::part(std::int64_t value, std::int64_t whole) const
{
    return isCount ? noun.partOf(quantity(value), quantity(whole)) : said("%1 of %2", quantity(value), quantity(whole));
}

std::string StackMeasure::what() const { return shape ? describe(*shape) : file; }

std::int64_t StackMeasure::inUnit(std::int64_t value) const
{
    if (isCount || measure.scale == 1) return value;
    // A double has no room for all digits of a large number.
    const auto whole = measure.scale < 1e18 ? static_cast<std::int64_t>(measure.scale) : 0;
    std::int64_t product = 0;
    if (static_cast<double>(whole) == measure.scale && !__builtin_mul_overflow(value, whole, &product)) return product;
    const double scaled = static_cast<double>(value) * measure.scale;
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    return scaled >= static_cast<double>(kMost) ? kMost : std::llround(scaled);
}

std::string functionsText(std::size_t number)
{
    return saidOf(number, "%1 function", "%1 functions", formatGrouped(static_cast<std::int64_t>(number)));
}

std::vector<std::string> cutCaveat(const Stacks& stacks)
{
    const auto& [value, reasons] = stacks.cut();
    if (value <= 0 || stacks.total() <= 0) return {};
    const auto most = std::max_element(reasons.begin(), reasons.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto why = [&]() -> std::string {
        switch (most->first) {
        case record::Truncation::TooDeep: return said("more frames than option ustackframes keeps");
        case record::Truncation::NoCaller: return said("code without unwind tables");
        case record::Truncation::BadMemory: return said("the stack could not be read");
        case record::Truncation::Switched: return said("code that has changed to another stack");
        case record::Truncation::NoTable: break;
        }
        return said("no unwind table");
    };
    const auto& measure = stacks.measure();
    const auto share = formatShare(static_cast<double>(value), static_cast<double>(stacks.total()));
    const auto what = measure.isCount         ? said("%1 of the %2 end early", share, measure.noun.said())
        : measure.unit() == Unit::Nanoseconds ? said("%1 of the time is in stacks that end early", share)
                                              : said("%1 of the sum is in stacks that end early", share);
    return {said(reasons.size() > 1 ? "%1, mostly: %2" : "%1: %2", what, why())};
}

std::vector<std::string> Stacks::ruled() const
{
    auto out = m_rules.inWords();
    if (m_rules.leaveOut()) out.push_back(said("%1 are shown", measure().part(m_kept.value, m_kept.all)));
    return out;
}

std::vector<std::string> stackCaveats(const Stacks& stacks)
{
    auto out = stacks.ruled();
    const auto cpu = static_cast<double>(stacks.cpuTime()), run = static_cast<double>(stacks.runTime());
    const bool isEnough = !stacks.measure().isCount || stacks.total() >= kFewestSamples;
    if (cpu > 0 && cpu < kMostlyWaiting * run && isEnough)
        out.push_back(said("waiting is not in it: %1 of CPU time in %2", formatDuration(cpu), formatDuration(run)));
    for (auto& cut : cutCaveat(stacks))
        out.push_back(std::move(cut));
    return out;
}

void sayNoStacks(Page& page, const Stacks& stacks, const std::string& probes)
{
    if (!stacks.isRuled()) return page.empty(said("No stacks yet"), said("The program records stacks when its probes fire: %1", probes));
    std::string rules;
    for (const auto& rule : stacks.ruled())
        rules += (rules.empty() ? "" : "; ") + rule;
    page.empty(said("No stack is left by what was asked for"), rules);
}
} // namespace dscope::graph
