#include "graph/budget_amount.h"
#include "engine/record/buckets.h"
#include "graph/budget_words.h"
#include "graph/distribution.h"
#include "graph/keys.h"
#include "graph/stack_frames.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
namespace dscope::graph {
namespace {
using record::Aggregator;
using BudgetFunction = Budget::Function;

struct BudgetRows {
    const record::Aggregation& shape;
    Measure measure;
    std::int64_t divisor = 1;
    std::vector<const record::AggregationRow*> selected;
    std::vector<const record::AggregationRow*> all;
};

std::string aggregationWord(std::string_view name) { return '@' + std::string(name); }
std::string_view nameOf(const Budget& budget)
{
    for (const auto& known : kBudgetWords)
        if (known.function == budget.function) return known.name;
    return "a percentile";
}
/// Whether an aggregation function keeps what the budget asks for.
bool keeps(Aggregator aggregator, BudgetFunction asked)
{
    const bool isMean = aggregator == Aggregator::Avg || aggregator == Aggregator::Stddev;
    switch (asked) {
    case BudgetFunction::Count: return aggregator == Aggregator::Count || isMean || isQuantized(aggregator);
    case BudgetFunction::Sum: return aggregator == Aggregator::Sum || isMean;
    case BudgetFunction::Total:
    case BudgetFunction::Share: return aggregator == Aggregator::Count || aggregator == Aggregator::Sum || isQuantized(aggregator);
    case BudgetFunction::Average: return isMean;
    case BudgetFunction::Least: return aggregator == Aggregator::Min;
    case BudgetFunction::Most: return aggregator == Aggregator::Max;
    case BudgetFunction::Percentile: return isQuantized(aggregator);
    }
    return false;
}
std::string_view keptBy(Aggregator aggregator)
{
    switch (aggregator) {
    case Aggregator::Count: return "count, total and share";
    case Aggregator::Sum: return "sum, total and share";
    case Aggregator::Min: return "min";
    case Aggregator::Max: return "max";
    case Aggregator::Avg:
    case Aggregator::Stddev: return "avg, count and sum";
    default: return "percentiles, count, total and share";
    }
}
/// What a value of the budget's function is counted in.
Budget::Dimension dimensionOf(const Budget& budget, const record::Aggregation& shape, const Measure& measure)
{
    const bool isNumber = budget.function == BudgetFunction::Count
        || (budget.function == BudgetFunction::Total && shape.function != Aggregator::Sum) || shape.function == Aggregator::Count;
    if (budget.function == BudgetFunction::Share) return Budget::Dimension::Percent;
    if (isNumber) return Budget::Dimension::Plain;
    if (measure.unit == Unit::Nanoseconds) return Budget::Dimension::Time;
    if (measure.unit == Unit::Bytes) return Budget::Dimension::Size;
    return Budget::Dimension::Plain;
}
std::string_view exampleOf(Budget::Dimension dimension)
{
    switch (dimension) {
    case Budget::Dimension::Time: return "a time, as 20 ms";
    case Budget::Dimension::Size: return "a size, as 4 KiB";
    case Budget::Dimension::Percent: return "a share, as 10 %";
    default: return "a number without a unit";
    }
}
Result<> checkDimension(const Budget& budget, Budget::Dimension has, const std::string& what)
{
    if (budget.bound == Budget::Bound::Change || budget.dimension == has) return {};
    if (budget.number == 0 && budget.dimension == Budget::Dimension::Plain) return {};
    const bool isUnknown = has == Budget::Dimension::Plain && budget.function != BudgetFunction::Count;
    return Error{0,
        '"' + budget.text + "\": " + what + " is " + std::string(exampleOf(has))
            + (isUnknown ? "; where the program does not say what its values are, --unit does" : "")};
}
Result<std::uint32_t> aggregationOf(const Budget& budget, const Budget::Rows& rows, const Store& store)
{
    const auto& all = store.program().aggregations;
    std::string names;
    for (std::uint32_t id = 0; id < all.size(); ++id) {
        const auto& a = all[id];
        names += (names.empty() ? "" : ", ") + aggregationWord(a.name) + " = " + describe(a);
        if (a.name != rows.name) continue;
        if (!keeps(a.function, budget.function))
            return Error{0,
                '"' + budget.text + "\": " + aggregationWord(a.name) + " is " + describe(a) + ", which has "
                    + std::string(keptBy(a.function)) + ", but not " + std::string(nameOf(budget))};
        if (!rows.keys.empty() && rows.keys.size() != a.keys.size())
            return Error{0,
                '"' + budget.text + "\": " + aggregationWord(a.name) + " has "
                    + (a.keys.empty() ? "no keys" : (a.keys.size() == 1 ? "1 key" : std::to_string(a.keys.size()) + " keys")) + " ("
                    + describe(a) + "), and " + std::to_string(rows.keys.size()) + (rows.keys.size() == 1 ? " is" : " are")
                    + " given; * stands for any"};
        DSCOPE_CHECK(checkDimension(
            budget, dimensionOf(budget, a, store.measure(a)), std::string(nameOf(budget)) + " of " + aggregationWord(a.name)));
        return id;
    }
    return Error{0,
        '"' + budget.text + "\": the program has no aggregation " + aggregationWord(rows.name) + "; it has "
            + (names.empty() ? "none" : names)};
}
BudgetRows rowsOf(const Budget::Rows& asked, std::uint32_t id, const Store& store)
{
    const auto& a = store.program().aggregations[id];
    const auto& entry = store.shown(AggregationId{id});
    BudgetRows rows{a, store.measure(a), std::max<std::int64_t>(entry.divisor, 1), {}, {}};
    for (const auto& row : entry.rows) {
        rows.all.push_back(&row);
        const auto texts = asked.keys.empty() ? std::vector<std::string>() : keyTexts(a, row.key, store);
        bool isAsked = true;
        for (std::size_t i = 0; i < asked.keys.size(); ++i)
            isAsked = isAsked && (!asked.keys[i] || *asked.keys[i] == texts[i]);
        if (isAsked) rows.selected.push_back(&row);
    }
    return rows;
}
double sumOf(const BudgetRows& rows, const std::vector<const record::AggregationRow*>& of)
{
    double sum = 0;
    for (const auto* row : of)
        sum += rowValue(rows.shape, *row, rows.divisor);
    return sum;
}
/// How many values avg() and stddev() saw, and their sum.
std::pair<double, double> countAndSum(const BudgetRows& rows)
{
    double count = 0, sum = 0;
    for (const auto* row : rows.selected) {
        if (row->data.size() < 2) continue;
        count += static_cast<double>(row->data[0]);
        sum += static_cast<double>(row->data[1]) / static_cast<double>(rows.divisor);
    }
    return {count, sum};
}
BudgetAmount numberOf(double value)
{
    const bool isWhole = value == std::floor(value) && std::abs(value) < 1e15;
    return {true, value, value, 0, 0, isWhole ? formatGrouped(static_cast<std::int64_t>(value)) : formatDecimal(value, 1)};
}
BudgetAmount measured(double value, const Measure& measure)
{
    if (measure.unit == Unit::None || measure.unit == Unit::Count) return numberOf(value);
    return {true, value * measure.scale, 0, 0, 0, measure.format(value)};
}
BudgetAmount sharePart(double part, double whole)
{
    if (whole <= 0) return {};
    return {true, 100 * part / whole, whole, 0, 0, formatShare(part, whole)};
}

/// Where in the buckets the rank 0..total is. None in a bucket without an end.
std::optional<double> valueAtRank(const record::Aggregation& shape, const std::map<int, double>& counts, double rank)
{
    double before = 0;
    for (auto at = counts.begin(); at != counts.end(); ++at) {
        const auto [bucket, count] = *at;
        const bool isLast = std::next(at) == counts.end();
        if (before + count < rank && !isLast) {
            before += count;
            continue;
        }
        const auto range = record::bucketRange(shape, bucket);
        if (!range.low || !range.high) return std::nullopt;
        const double low = static_cast<double>(*range.low), high = static_cast<double>(*range.high);
        return low + std::clamp((rank - before) / count, 0.0, 1.0) * (high - low);
    }
    return std::nullopt;
}
BudgetAmount percentileOf(const BudgetRows& rows, double percentile)
{
    std::map<int, double> counts;
    double total = 0;
    for (const auto* row : rows.selected)
        for (std::size_t i = 0; i + 1 < row->data.size(); i += 2) {
            if (row->data[i + 1] <= 0) continue;
            const double count = static_cast<double>(row->data[i + 1]) / static_cast<double>(rows.divisor);
            counts[static_cast<int>(row->data[i])] += count;
            total += count;
        }
    if (total <= 0) return {};
    const double share = percentile / 100, rank = share * total, deviation = 2 * std::sqrt(total * share * (1 - share));
    DistributionGroup group;
    group.shape = rows.shape;
    group.measure = rows.measure;
    const Distribution all{{}, counts, total};
    const auto range = group.range(all.percentile(share));
    const auto value = valueAtRank(rows.shape, counts, rank);
    if (!value) return {false, 0, 0, 0, 0, "is somewhere in the bucket " + range + ", which has no end"};
    BudgetAmount amount = measured(*value, rows.measure);
    if (rows.measure.unit == Unit::None) amount.text = numberOf(std::round(*value)).text;
    if (amount.text != range) amount.text = "about " + amount.text + " (" + range + ')';
    const double size = rows.measure.unit == Unit::None ? 1 : rows.measure.scale;
    amount.counted = 0;
    amount.low = valueAtRank(rows.shape, counts, std::max(rank - deviation, 0.0)).value_or(*value) * size;
    amount.high = valueAtRank(rows.shape, counts, std::min(rank + deviation, total)).value_or(*value) * size;
    return amount;
}
BudgetAmount amountOfRows(const Budget& budget, const BudgetRows& rows)
{
    const bool isMean = rows.shape.function == Aggregator::Avg || rows.shape.function == Aggregator::Stddev;
    switch (budget.function) {
    case BudgetFunction::Percentile: return percentileOf(rows, budget.percentile);
    case BudgetFunction::Share: return sharePart(sumOf(rows, rows.selected), sumOf(rows, rows.all));
    case BudgetFunction::Count:
    case BudgetFunction::Total:
        if (isMean) return numberOf(countAndSum(rows).first);
        if (rows.shape.function == Aggregator::Sum) return measured(sumOf(rows, rows.selected), rows.measure);
        return numberOf(sumOf(rows, rows.selected));
    case BudgetFunction::Sum: return measured(isMean ? countAndSum(rows).second : sumOf(rows, rows.selected), rows.measure);
    case BudgetFunction::Average: {
        const auto [count, sum] = countAndSum(rows);
        return count > 0 ? measured(sum / count, rows.measure) : BudgetAmount();
    }
    case BudgetFunction::Least:
    case BudgetFunction::Most: break;
    }

    if (rows.selected.empty()) return {};
    double extreme = rowValue(rows.shape, *rows.selected.front(), rows.divisor);
    for (const auto* row : rows.selected) {
        const double value = rowValue(rows.shape, *row, rows.divisor);
        extreme = budget.function == BudgetFunction::Least ? std::min(extreme, value) : std::max(extreme, value);
    }
    auto amount = measured(extreme, rows.measure);
    amount.counted = 0;
    return amount;
}
std::function<bool(std::string_view)> frameTest(const Budget& budget)
{
    if (const auto* pattern = std::get_if<NamePattern>(&budget.of))
        return [pattern](std::string_view name) { return pattern->matches(name); };
    const std::string_view asked = std::get<Budget::NamedFrame>(budget.of).name;
    return [asked](std::string_view name) {
        if (name == asked) return true;
        const auto mark = name.find('`');
        return mark != std::string_view::npos && name.substr(mark + 1) == asked;
    };
}
Result<> checkStacks(const Budget& budget, const Store& store)
{
    if (!hasStacks(store)) return Error{0, '"' + budget.text + "\": the program counts nothing by stacks, so it has no frames"};
    const auto stacks = stacksOf(store);
    const auto& measure = stacks->measure();
    auto has = Budget::Dimension::Percent;
    if (budget.function == BudgetFunction::Total) {
        has = Budget::Dimension::Plain;
        if (measure.unit() == Unit::Nanoseconds) has = Budget::Dimension::Time;
        if (measure.unit() == Unit::Bytes) has = Budget::Dimension::Size;
    }
    return checkDimension(budget, has, std::string(nameOf(budget)) + " of stacks");
}
BudgetAmount amountOfStacks(const Budget& budget, const Store& store)
{
    const auto stacks = stacksOf(store);
    const auto matched = stacks->matched(frameTest(budget));
    if (budget.function == BudgetFunction::Share) {
        auto amount = sharePart(static_cast<double>(matched), static_cast<double>(stacks->total()));
        if (!stacks->measure().isCount) amount.counted = 0;
        return amount;
    }
    if (stacks->measure().isCount) return numberOf(static_cast<double>(matched));
    auto amount = measured(static_cast<double>(matched), stacks->measure().measure);
    amount.counted = 0;
    return amount;
}
} // namespace

Result<> checkBudget(const Budget& budget, const Store& store)
{
    const auto* rows = std::get_if<Budget::Rows>(&budget.of);
    if (!rows) return checkStacks(budget, store);
    if (auto found = aggregationOf(budget, *rows, store); !found) return std::move(found).error();
    return {};
}

Result<BudgetAmount> amountOf(const Budget& budget, const Store& store)
{
    DSCOPE_CHECK(checkBudget(budget, store));
    const auto* asked = std::get_if<Budget::Rows>(&budget.of);
    if (!asked) return amountOfStacks(budget, store);
    DSCOPE_TRY(const auto id, aggregationOf(budget, *asked, store));
    auto amount = amountOfRows(budget, rowsOf(*asked, id, store));
    const auto function = store.program().aggregations[id].function;
    if (function == Aggregator::Sum) amount.counted = 0; // a sum has a scatter of its own
    return amount;
}
} // namespace dscope::graph
