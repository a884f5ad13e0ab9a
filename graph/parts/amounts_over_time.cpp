#include "graph/parts/amounts_over_time.h"
#include "graph/history.h"
#include "graph/keys.h"
#include "graph/palette.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kSecond = 1e9;
/// Short ones become one with their neighbours; gives the new place of each.
std::vector<std::uint32_t> joined(std::vector<AmountsOverTime::Interval>& intervals)
{
    return joinShort(intervals, [](AmountsOverTime::Interval& into, const AmountsOverTime::Interval& next) { into.to = next.to; });
}
} // namespace

std::string AmountLine::name() const
{
    const std::string label = printable(Ranking::label({keys, 0}));
    if (!label.empty()) return label;
    return keys.empty() ? said("all") : "\"\"";
}

bool addsUp(const record::Aggregation& a)
{
    return a.function == record::Aggregator::Count || a.function == record::Aggregator::Sum || isQuantized(a.function);
}

bool numbersPrintings(const record::Program& program)
{
    const auto prints = [](const record::Action& action) { return action.kind == record::ActionKind::Printa; };
    return program.timesAreLines && std::any_of(program.clauses.begin(), program.clauses.end(), [&](const record::Clause& clause) {
        return std::any_of(clause.actions.begin(), clause.actions.end(), prints);
    });
}

AmountsOverTime amountsOf(const Store& store, AggregationId id)
{
    AmountsOverTime amounts;
    const auto& a = amounts.shape = store.program().aggregations[id.value];
    amounts.measure = isQuantized(a.function) ? Measure{Unit::Count, 1} : store.measure(a);
    amounts.isNumbered = numbersPrintings(store.program());
    const auto& history = store.history(id);
    const auto divisor = isQuantized(a.function) ? 1 : store.shown(id).divisor;
    std::vector<std::int64_t> lengths;
    std::vector<AmountLine> lines(history.keys().size());
    for (const auto& interval : history.intervals()) {
        const auto at = static_cast<std::uint32_t>(amounts.intervals.size());
        amounts.intervals.push_back({interval.from, interval.to});
        lengths.push_back(interval.to - interval.from);
        for (const auto& [key, data] : interval.data) {
            const auto value = rowValue(a, {{}, data}, divisor);
            auto& line = lines[key];
            line.values.emplace_back(at, value);
            line.weight = addsUp(a) ? line.weight + value : std::max(line.weight, std::abs(static_cast<double>(value)));
            amounts.total += value;
        }
    }

    for (std::size_t key = 0; key < lines.size(); ++key)
        if (!lines[key].values.empty()) {
            lines[key].keys = keyTexts(a, history.keys()[static_cast<std::uint32_t>(key)], store);
            amounts.lines.push_back(std::move(lines[key]));
        }
    std::sort(amounts.lines.begin(), amounts.lines.end(), [](const AmountLine& x, const AmountLine& y) {
        return std::abs(x.weight) != std::abs(y.weight) ? std::abs(x.weight) > std::abs(y.weight) : x.keys < y.keys;
    });
    std::sort(lengths.begin(), lengths.end());
    if (!lengths.empty()) amounts.usual = lengths[lengths.size() / 2];
    return amounts;
}

AmountsOverTime drawnAmounts(const AmountsOverTime& amounts)
{
    if (!addsUp(amounts.shape) || amounts.isNumbered) return amounts;
    AmountsOverTime out{amounts.shape, amounts.measure, amounts.intervals, {}, amounts.usual, amounts.total, amounts.run};
    const auto places = joined(out.intervals);
    out.lines.reserve(amounts.lines.size());
    for (const auto& line : amounts.lines) {
        auto& [keys, values, weight] = out.lines.emplace_back(AmountLine{line.keys, {}, line.weight});
        for (const auto& [at, value] : line.values) {
            const auto& [from, to] = out.intervals[places[at]];
            const double each = value * kSecond / static_cast<double>(std::max<std::int64_t>(to - from, 1));
            if (!values.empty() && values.back().first == places[at])
                values.back().second += each;
            else
                values.emplace_back(places[at], each);
        }
    }
    return out;
}

std::size_t drawnIntervals(const AmountsOverTime& amounts)
{
    if (!addsUp(amounts.shape) || amounts.isNumbered) return amounts.intervals.size();
    auto intervals = amounts.intervals;
    joined(intervals);
    return intervals.size();
}

DrawnLines drawnLines(const AmountsOverTime& amounts, std::size_t most)
{
    DrawnLines out;
    const bool sums = addsUp(amounts.shape);
    const auto fill = [&](DrawnLine& drawn, const AmountLine& line) {
        for (const auto& [at, value] : line.values)
            drawn.values[at] = drawn.values[at].value_or(0) + value;
    };

    const auto blank
        = [&] { return std::vector<std::optional<double>>(amounts.intervals.size(), sums ? std::optional(0.0) : std::nullopt); };
    const bool all = amounts.lines.size() <= std::min(most, kSeriesHues);
    const std::size_t own = all ? amounts.lines.size() : std::min(kSeriesHues, most - (sums && most > 1 ? 1 : 0));
    for (std::size_t i = 0; i < own; ++i) {
        DrawnLine& drawn = out.lines.emplace_back(DrawnLine{amounts.lines[i].name(), blank()});
        fill(drawn, amounts.lines[i]);
    }

    out.hidden = amounts.lines.size() - own;
    if (out.hidden > 0 && sums && most > 1) {
        DrawnLine& rest = out.lines.emplace_back(
            DrawnLine{said("\u2026 %1 more", formatGrouped(static_cast<std::int64_t>(out.hidden))), blank(), -1, true});
        for (std::size_t i = own; i < amounts.lines.size(); ++i)
            fill(rest, amounts.lines[i]);
        out.hidden = 0;
    }
    return out;
}

void colour(std::vector<DrawnLine>& lines, SeriesHues& hues)
{
    std::vector<bool> here(kSeriesHues), anywhere(kSeriesHues);
    for (const auto& [label, hue] : hues)
        anywhere[hue] = true;
    for (auto& line : lines)
        if (const auto known = hues.find(line.label); known != hues.end() && !here[known->second]) {
            here[known->second] = true;
            line.hue = static_cast<double>(known->second);
        }
    for (auto& line : lines) {
        if (line.hue >= 0 || line.isRest) continue;
        std::size_t first = 0;
        for (const char c : line.label)
            first = first * 31 + static_cast<unsigned char>(c);
        const auto free = [&](const std::vector<bool>& taken) -> std::optional<std::size_t> {
            for (std::size_t i = 0; i < kSeriesHues; ++i)
                if (const auto hue = (first + i) % kSeriesHues; !taken[hue] && !here[hue]) return hue;
            return std::nullopt;
        };
        auto hue = free(anywhere);
        if (!hue) hue = free(here);
        here[*hue] = anywhere[*hue] = true;
        hues.try_emplace(line.label, *hue);
        line.hue = static_cast<double>(*hue);
    }
}
} // namespace dscope::graph
