#include "graph/budget.h"
#include "engine/record/buckets.h"
#include "graph/difference.h"
#include "graph/distribution.h"
#include "graph/keys.h"
#include "graph/stack_frames.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
namespace dscope::graph {
namespace {
using record::Aggregator;
using BudgetFunction = Budget::Function;

// -- reading ---------------------------------------------------------------------------------------------------------
struct NamedFunction {
    std::string_view name;
    BudgetFunction function;
};
constexpr std::array<NamedFunction, 7> kBudgetFunctions{
    {{"count", BudgetFunction::Count}, {"sum", BudgetFunction::Sum}, {"total", BudgetFunction::Total}, {"avg", BudgetFunction::Average},
        {"min", BudgetFunction::Least}, {"max", BudgetFunction::Most}, {"share", BudgetFunction::Share}}};
constexpr std::string_view kAllFunctions = "count, sum, total, avg, min, max, share or a percentile as p99";
struct BudgetUnit {
    std::string_view name;
    Budget::Dimension dimension;
    double size;
};
constexpr double kKilo = 1024;
constexpr std::array<BudgetUnit, 17> kBudgetUnits{
    {{"", Budget::Dimension::Plain, 1}, {"k", Budget::Dimension::Plain, 1e3}, {"M", Budget::Dimension::Plain, 1e6},
        {"G", Budget::Dimension::Plain, 1e9}, {"%", Budget::Dimension::Percent, 1}, {"points", Budget::Dimension::Percent, 1},
        {"ns", Budget::Dimension::Time, 1}, {"us", Budget::Dimension::Time, 1e3}, {"\u00b5s", Budget::Dimension::Time, 1e3},
        {"ms", Budget::Dimension::Time, 1e6}, {"s", Budget::Dimension::Time, 1e9}, {"min", Budget::Dimension::Time, 60e9},
        {"h", Budget::Dimension::Time, 3600e9}, {"B", Budget::Dimension::Size, 1}, {"KiB", Budget::Dimension::Size, kKilo},
        {"MiB", Budget::Dimension::Size, kKilo* kKilo}, {"GiB", Budget::Dimension::Size, kKilo* kKilo* kKilo}}};
constexpr std::string_view kAllUnits = "%, points, ns, us, ms, s, min, h, B, KiB, MiB, GiB, k, M or G";

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Reads a budget from left to right.
class BudgetReader {
public:
    explicit BudgetReader(std::string_view text) : m_text(text) { }

    Result<Budget> read()
    {
        Budget budget;
        budget.text = m_text;
        DSCOPE_CHECK(readFunction(budget));
        if (!take("(")) return expected("\"(\" and what it is of");
        DSCOPE_CHECK(readWhat(budget));
        if (!take(")")) return expected("\")\"");
        DSCOPE_CHECK(readRelation(budget));
        DSCOPE_CHECK(readBound(budget));
        skip();
        if (m_at < m_text.size()) return expected("the end");
        return budget;
    }

private:
    void skip()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
            ++m_at;
    }

    bool take(std::string_view word)
    {
        skip();
        if (!m_text.substr(m_at).starts_with(word)) return false;
        m_at += word.size();
        return true;
    }

    template <typename Test> std::string_view takeWhile(Test test)
    {
        const auto from = m_at;
        while (m_at < m_text.size() && test(m_text[m_at]))
            ++m_at;
        return m_text.substr(from, m_at - from);
    }

    Error wrong(std::size_t at, const std::string& why) const
    {
        return Error{0, '"' + std::string(m_text) + "\", character " + std::to_string(at + 1) + ": " + why};
    }

    /// What stands here instead, to the next blank or bracket.
    Error expected(const std::string& what)
    {
        skip();
        auto end = m_text.find_first_of(" \t()[],", m_at);
        if (end == m_at) ++end;
        const auto found = m_text.substr(m_at, end - m_at);
        return wrong(m_at, "expected " + what + ", not " + (found.empty() ? "the end" : '"' + std::string(found) + '"'));
    }

    Result<> readFunction(Budget& budget)
    {
        skip();
        const auto from = m_at;
        const auto name = takeWhile([](char c) { return isNamePart(c) || c == '.'; });
        for (const auto& known : kBudgetFunctions)
            if (known.name == name) {
                budget.function = known.function;
                return {};
            }
        budget.function = BudgetFunction::Percentile;
        const auto* end = name.data() + name.size();
        if (name.size() > 1 && name.front() == 'p') {
            const auto number = std::from_chars(name.data() + 1, end, budget.percentile, std::chars_format::fixed);
            if (number.ec == std::errc() && number.ptr == end) {
                if (budget.percentile > 0 && budget.percentile <= 100) return {};
                return wrong(from, "percentiles are above p0 and up to p100, and " + std::string(name) + " is not");
            }
        }
        m_at = from;
        return expected(std::string(kAllFunctions));
    }

    Result<std::string> readQuoted(char quote)
    {
        const auto from = m_at++;
        std::string out;
        for (; m_at < m_text.size() && m_text[m_at] != quote; ++m_at) {
            if (m_text[m_at] == '\\' && m_at + 1 < m_text.size() && (m_text[m_at + 1] == quote || m_text[m_at + 1] == '\\')) ++m_at;
            out += m_text[m_at];
        }
        if (m_at == m_text.size()) return wrong(from, std::string("the ") + quote + " has no other to end it");
        ++m_at;
        if (out.empty()) return wrong(from, "nothing has no name");
        return out;
    }

    bool isNextOneOf(std::string_view characters)
    {
        skip();
        return m_at < m_text.size() && characters.find(m_text[m_at]) != std::string_view::npos;
    }

    Result<> readWhat(Budget& budget)
    {
        const bool isOfStacks = budget.function == BudgetFunction::Share || budget.function == BudgetFunction::Total;
        if (isNextOneOf("'\"/")) {
            const auto from = m_at;
            const char quote = m_text[m_at];
            DSCOPE_TRY(auto name, readQuoted(quote));
            if (!isOfStacks) return wrong(from, "a frame of stacks has a share and a total, and nothing else");
            if (quote != '/') {
                budget.of = Budget::NamedFrame{std::move(name)};
                return {};
            }
            auto pattern = NamePattern::of(std::move(name));
            if (!pattern) return wrong(from, pattern.error().message);
            budget.of = *std::move(pattern);
            return {};
        }

        if (!take("@")) return expected(isOfStacks ? "an aggregation as @lat, or a frame as 'main'" : "an aggregation as @lat");
        Budget::Rows rows;
        rows.name = takeWhile(isNamePart);
        if (take("[")) {
            do {
                DSCOPE_CHECK(readKey(rows));
            } while (take(","));
            if (!take("]")) return expected("\",\" or \"]\"");
        }
        budget.of = std::move(rows);
        return {};
    }

    Result<> readKey(Budget::Rows& rows)
    {
        if (take("*")) {
            rows.keys.emplace_back();
            return {};
        }
        if (isNextOneOf("'\"")) {
            DSCOPE_TRY(auto text, readQuoted(m_text[m_at]));
            rows.keys.emplace_back(std::move(text));
            return {};
        }
        skip();
        auto number = takeWhile([](char c) { return isNamePart(c) || c == '-'; });
        if (number.empty() || number.find_first_not_of("-0123456789abcdefxABCDEF") != std::string_view::npos) {
            m_at -= number.size();
            return expected("a key: \"text\", a number or *");
        }
        rows.keys.emplace_back(number);
        return {};
    }

    Result<> readRelation(Budget& budget)
    {
        using Relation = Budget::Relation;
        static constexpr std::array<std::pair<std::string_view, Relation>, 4> kRelations{
            {{"<=", Relation::AtMost}, {"<", Relation::Less}, {">=", Relation::AtLeast}, {">", Relation::More}}};
        for (const auto& [sign, relation] : kRelations)
            if (take(sign)) {
                budget.relation = relation;
                return {};
            }
        return expected("<, <=, > or >=");
    }

    Result<> readBound(Budget& budget)
    {
        const bool isMore = take("+");
        const bool isLess = !isMore && take("-");
        skip();
        const auto digits = takeWhile([](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.'; });
        const auto* end = digits.data() + digits.size();
        const auto number = std::from_chars(digits.data(), end, budget.number, std::chars_format::fixed);
        if (digits.empty() || number.ec != std::errc() || number.ptr != end) {
            m_at -= digits.size();
            return expected("a number");
        }

        skip();
        const auto from = m_at;
        const auto name = takeWhile([](char c) { return !std::isspace(static_cast<unsigned char>(c)); });
        const auto unit = std::find_if(kBudgetUnits.begin(), kBudgetUnits.end(), [&](const BudgetUnit& u) { return u.name == name; });
        if (unit == kBudgetUnits.end()) {
            m_at = from;
            return expected("a unit (" + std::string(kAllUnits) + ")");
        }

        budget.dimension = unit->dimension;
        budget.number *= unit->size * (isLess ? -1 : 1);
        const bool isPoints = name == "points";
        if (isMore || isLess)
            budget.bound = budget.dimension == Budget::Dimension::Percent && !isPoints ? Budget::Bound::Change : Budget::Bound::Distance;
        else if (isPoints)
            return wrong(
                from, "points are what a share gains or loses: write +" + std::string(digits) + " points, or % of the share itself");
        const bool isShare = budget.function == BudgetFunction::Share;
        if (budget.bound == Budget::Bound::Value && (budget.dimension == Budget::Dimension::Percent) != isShare)
            return wrong(
                from, isShare ? "a share is in %" : "% is of a share; of what it was before, write +" + std::string(digits) + " %");
        if (budget.bound == Budget::Bound::Distance && isPoints != isShare)
            return wrong(from, isShare ? "a share gains or loses points, or % of itself" : "only a share gains or loses points");
        return {};
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

// -- measuring -------------------------------------------------------------------------------------------------------
/// What a budget is of, in one run.
struct BudgetAmount {
    bool isThere = false;
    double value = 0;         ///< in the unit of the budget's bound
    double counted = 0;       ///< of counts and shares: how many values it is made of
    double low = 0, high = 0; ///< of a percentile: where it may be by chance
    std::string text;         ///< "about 12.1 ms (8.2 – 16.4 ms)"; or why there is none
};
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
    for (const auto& known : kBudgetFunctions)
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
                    + (a.keys.empty() ? "no keys" : withNoun(std::to_string(a.keys.size()), "keys")) + " (" + describe(a) + "), and "
                    + std::to_string(rows.keys.size()) + (rows.keys.size() == 1 ? " is" : " are") + " given; * stands for any"};
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
    return {true, value, value, 0, 0, isWhole ? formatGrouped(static_cast<std::int64_t>(value)) : formatFixed(value, 1)};
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

// -- judging ---------------------------------------------------------------------------------------------------------
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
    if (budget.function == BudgetFunction::Percentile) return before.low <= after.high && after.low <= before.high;
    if (before.counted <= 0 && after.counted <= 0) return false;
    if (budget.function != BudgetFunction::Share) return !countChange(before.counted, after.counted).told;
    if (before.counted <= 0 || after.counted <= 0) return false;
    const double both = (before.value * before.counted + after.value * after.counted) / (before.counted + after.counted);
    const double deviation = std::sqrt(both * (100 - both) * (1 / before.counted + 1 / after.counted));
    return std::abs(after.value - before.value) <= 2 * deviation;
}
/// How an amount is written that is in the unit of the bound.
std::string quantityText(const Budget& budget, double value)
{
    switch (budget.dimension) {
    case Budget::Dimension::Time: return formatDuration(value);
    case Budget::Dimension::Size: return formatBytes(value);
    case Budget::Dimension::Percent: return formatFixed(value, 1) + (budget.bound == Budget::Bound::Distance ? " points" : " %");
    default:
        return value == std::floor(value) && std::abs(value) < 1e15 ? formatGrouped(static_cast<std::int64_t>(value))
                                                                    : formatFixed(value, 1);
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
    return word + (budget.number < 0 ? "\u2212" : "+") + formatFixed(size, size == std::floor(size) ? 0 : 1) + " %";
}
} // namespace

Result<Budget> budgetOf(std::string_view text) { return BudgetReader(text).read(); }

Result<> checkBudget(const Budget& budget, const Store& store)
{
    const auto* rows = std::get_if<Budget::Rows>(&budget.of);
    if (!rows) return checkStacks(budget, store);
    if (auto found = aggregationOf(budget, *rows, store); !found) return std::move(found).error();
    return {};
}

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
    if (verdict.mayBeChance) verdict.said += "; so few values may be so far apart by chance";
    return verdict;
}
} // namespace dscope::graph
