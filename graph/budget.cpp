#include "graph/budget.h"
#include "graph/budget_amount.h"
#include "graph/difference.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>
// Judges a budget: what was measured against what is allowed.
namespace dscope::graph {
namespace {
bool holds(Budget::Relation relation, double value, double bound)
{
    switch (relation) {
    case Budget::Relation::Less: return value < bound;
    case Budget::Relation::AtMost: return value <= bound;
    case Budget::Relation::More: return value > bound;
    default: return value >= bound;
    }
}
bool mayBeChance(const Budget& budget, const BudgetAmount& before, const BudgetAmount& after)
{
    if (budget.function == Budget::Function::Percentile) return before.low <= after.high && after.low <= before.high;
    if (before.counted <= 0 && after.counted <= 0) return false;
    if (budget.function != Budget::Function::Share) return !countChange(before.counted, after.counted).told;
    if (before.counted <= 0 || after.counted <= 0) return false;
    const double both = (before.value * before.counted + after.value * after.counted) / (before.counted + after.counted);
    const double deviation = std::sqrt(both * (100 - both) * (1 / before.counted + 1 / after.counted));
    return std::abs(after.value - before.value) <= 2 * deviation;
}
/// Whether the means of two sides of several runs each are no farther apart than these runs make likely.
Result<bool> isWithinLikeRuns(const Budget& budget, const Store& before, const Store& after)
{
    if (before.runs().size() < 2 || after.runs().size() < 2) return false;
    // 95 % of Student's distribution, by its degrees of freedom from 2 on. Source: W. S. Gosset, "The probable error of a mean", 1908;
    // tables.
    constexpr std::array kStudent{4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13, 2.12};
    double distance = 0, variance = 0;
    std::size_t freedom = 0;
    for (const auto* side : {&before, &after}) {
        std::vector<double> values;
        for (const auto& run : side->runs()) {
            DSCOPE_TRY(const auto amount, amountOf(budget, *run));
            if (amount.isThere) values.push_back(amount.value);
        }
        if (values.size() < 2) return false;
        const auto runs = static_cast<double>(values.size());
        const double mean = std::accumulate(values.begin(), values.end(), 0.0) / runs;
        double squares = 0;
        for (const double value : values)
            squares += (value - mean) * (value - mean);
        variance += squares / (runs - 1) / runs;
        freedom += values.size() - 1;
        distance = mean - distance;
    }
    return std::abs(distance) <= kStudent[std::min(freedom - 2, kStudent.size() - 1)] * std::sqrt(variance);
}
/// How an amount is written that is in the unit of the bound.
std::string quantityText(const Budget& budget, double value)
{
    switch (budget.dimension) {
    case Budget::Dimension::Time: return formatDuration(value);
    case Budget::Dimension::Size: return formatBytes(value);
    case Budget::Dimension::Percent: return formatDecimal(value, 1) + (budget.bound == Budget::Bound::Distance ? " points" : " %");
    default:
        return value == std::floor(value) && std::abs(value) < 1e15 ? formatGrouped(static_cast<std::int64_t>(value))
                                                                    : formatDecimal(value, 1);
    }
}
std::string distanceText(const Budget& budget, double distance)
{
    return (distance < 0 ? "\u2212" : "+") + quantityText(budget, std::abs(distance));
}
/// "at most +5 %", as the relation has it.
std::string boundText(const Budget& budget)
{
    static constexpr std::array<std::string_view, 4> kWords{"less than ", "at most ", "more than ", "at least "};
    const std::string word(kWords[static_cast<std::size_t>(budget.relation)]);
    if (budget.bound == Budget::Bound::Distance) return word + distanceText(budget, budget.number);
    if (budget.bound == Budget::Bound::Value) return word + quantityText(budget, budget.number);
    const double size = std::abs(budget.number);
    return word + (budget.number < 0 ? "\u2212" : "+") + formatDecimal(size, size == std::floor(size) ? 0 : 1) + " %";
}
} // namespace

Result<Verdict> judge(const Budget& budget, const Store* before, const Store& after)
{
    using Outcome = Verdict::Outcome;
    if (budget.compares() && !before)
        return Error{0, '"' + budget.text + "\" is about a change, and there is no run before: give --diff FILE"};
    DSCOPE_TRY(const auto now, amountOf(budget, after));
    const auto unmeasured = [](const BudgetAmount& amount, std::string_view none) {
        return Verdict{Outcome::Unmeasured, amount.text.empty() ? std::string(none) : amount.text};
    };

    if (!now.isThere) return unmeasured(now, "nothing of it was counted in this run");
    if (!budget.compares()) {
        const bool isKept = holds(budget.relation, now.value, budget.number);
        return Verdict{isKept ? Outcome::Kept : Outcome::Exceeded,
            "it is " + now.text + (isKept ? "" : ", where " + boundText(budget) + " is allowed")};
    }

    DSCOPE_TRY(const auto old, amountOf(budget, *before));
    if (!old.isThere) {
        auto verdict = unmeasured(old, "nothing of it was counted in the run before");
        if (!old.text.empty()) verdict.said = "before, it " + old.text;
        return verdict;
    }

    const double distance = now.value - old.value;
    const bool isChange = budget.bound == Budget::Bound::Change;
    // Without a division, so that what was 0 has its answer, too.
    const double bound = isChange ? budget.number / 100 * std::abs(old.value) : budget.number;
    const bool isKept
        = holds(budget.relation, distance, bound) || (distance == 0 && old.value == 0 && holds(budget.relation, 0, budget.number));
    Verdict verdict{isKept ? Outcome::Kept : Outcome::Exceeded,
        "it is " + now.text + " and was " + old.text + ": "
            + (isChange ? Change{old.value, now.value, true}.text() : distanceText(budget, distance))};
    if (isKept) return verdict;
    verdict.said += ", where " + boundText(budget) + " is allowed";
    verdict.mayBeChance = mayBeChance(budget, old, now);
    if (verdict.mayBeChance) {
        verdict.said += "; so few values may be so far apart by chance";
        return verdict;
    }
    DSCOPE_TRY(verdict.mayBeChance, isWithinLikeRuns(budget, *before, after));
    if (verdict.mayBeChance) verdict.said += "; runs that should be alike are as far apart";
    return verdict;
}
} // namespace dscope::graph
