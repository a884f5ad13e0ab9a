#include "graph/ranking.h"
#include "graph/keys.h"
#include "graph/store.h"
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
namespace dscope::graph {
namespace {
/// Merges lines with the same text: stacks that differ only in the offsets within their functions look the same.
void mergeAlike(Ranking& r)
{
    if (!r.adds() || std::none_of(r.shape.keys.begin(), r.shape.keys.end(), isStack)) return;
    std::map<std::vector<std::string>, std::size_t> places;
    std::vector<Ranking::Line> merged;
    for (auto& line : r.lines) {
        const auto [place, isNew] = places.try_emplace(line.keys, merged.size());
        if (isNew)
            merged.push_back(std::move(line));
        else
            merged[place->second].value += line.value;
    }
    r.lines = std::move(merged);
}
} // namespace
bool isBeforeByName(const std::vector<std::string>& keys, const std::vector<std::string>& others)
{
    const auto number = [](std::string_view text) -> std::optional<WideInteger> {
        const bool isNegative = text.starts_with('-');
        if (isNegative) text.remove_prefix(1);
        std::uint64_t size = 0;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), size);
        if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
        return isNegative ? -WideInteger{size} : WideInteger{size};
    };
    for (std::size_t i = 0; i < std::min(keys.size(), others.size()); ++i) {
        if (keys[i] == others[i]) continue;
        const auto a = number(keys[i]), b = number(others[i]);
        return a && b ? *a < *b : keys[i] < others[i];
    }
    return keys.size() < others.size();
}
std::vector<std::size_t> ordered(const Ranking& ranking, Order order)
{
    std::vector<std::size_t> places(ranking.lines.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    const auto& lines = ranking.lines;
    if (order == Order::Value)
        std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return lines[a].value > lines[b].value; });
    if (order == Order::Name)
        std::stable_sort(
            places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return isBeforeByName(lines[a].keys, lines[b].keys); });
    return places;
}
std::string Ranking::label(const Line& line)
{
    std::string out;
    for (const auto& key : line.keys)
        out += (out.empty() ? "" : ", ") + key;
    return out;
}
std::string Ranking::valueText(double value) const
{
    if (measure.unit == Unit::Nanoseconds || measure.unit == Unit::Bytes) return measure.format(value);
    if (value == std::floor(value) && std::abs(value) < 1e15) return formatGrouped(static_cast<std::int64_t>(value));
    return formatCompact(value);
}
bool Ranking::adds() const { return shape.function == record::Aggregator::Count || shape.function == record::Aggregator::Sum; }

Change Ranking::change(const Line& line) const
{
    const double variance = scatter.variance(label(line), line.before, line.value);
    if (shape.function == record::Aggregator::Count) return countChange(line.before, line.value, 1, deviations, variance);
    return valueChange(line.before, line.value, 1, adds() ? std::max(total, before) : 0, deviations * std::sqrt(variance));
}
Noise Ranking::noise() const
{
    const bool isCount = shape.function == record::Aggregator::Count;
    return {isCount ? Noise::Of::Counts : adds() ? Noise::Of::PartsOfAWhole : Noise::Of::Values, deviations, &scatter};
}
namespace {
RunScatter scatterOf(const record::Aggregation& shape, const Store& before, const Store& after)
{
    RunScatter out;
    for (const auto* side : {&before, &after}) {
        const auto& runs = side->runs();
        std::map<std::string, std::vector<double>> things;
        for (std::size_t run = 0; run < runs.size(); ++run)
            for (const auto& ranking : rankingsOf(*runs[run])) {
                if (ranking.shape.name != shape.name || ranking.shape.function != shape.function) continue;
                for (const auto& line : ranking.lines) {
                    auto& values = things[Ranking::label(line)];
                    values.resize(runs.size());
                    values[run] += line.value;
                }
            }
        for (const auto& [thing, values] : things)
            out.add(thing, values, shape.function == record::Aggregator::Count);
    }
    return out;
}
} // namespace
std::vector<Ranking> rankingsOf(const Store& before, const Store& after)
{
    const auto old = rankingsOf(before);
    auto out = rankingsOf(after);
    for (auto& r : out) {
        const auto same = std::find_if(old.begin(), old.end(), [&](const Ranking& o) {
            return o.shape.name == r.shape.name && o.shape.function == r.shape.function && o.shape.keys.size() == r.shape.keys.size();
        });
        if (same == old.end()) continue;
        std::map<std::vector<std::string>, std::size_t> places;
        for (std::size_t i = 0; i < r.lines.size(); ++i) {
            r.lines[i].in = Ranking::Line::In::After;
            places.try_emplace(r.lines[i].keys, i);
        }
        for (const auto& line : same->lines) {
            const auto [place, isNew] = places.try_emplace(line.keys, r.lines.size());
            if (isNew) r.lines.push_back({line.keys, 0});
            r.lines[place->second].in = isNew ? Ranking::Line::In::Before : Ranking::Line::In::Both;
            auto& was = r.lines[place->second].before;
            was = r.adds() ? was + line.value : line.value;
            r.before += line.value;
        }
        r.deviations = deviationsAmong(r.lines.size());
        r.scatter = scatterOf(r.shape, before, after);
        std::sort(r.lines.begin(), r.lines.end(), [&](const Ranking::Line& x, const Ranking::Line& y) {
            const auto a = r.change(x), b = r.change(y);
            const double far = std::abs(a.difference()), near = std::abs(b.difference());
            return a.told != b.told ? a.told : far != near ? far > near : x.keys < y.keys;
        });
    }
    return out;
}
std::vector<Ranking> rankingsOf(const Store& store)
{
    std::vector<Ranking> out;
    const auto& all = store.program().aggregations;
    for (std::uint32_t id = 0; id < all.size(); ++id) {
        const auto& a = all[id];
        if (isQuantized(a.function)) continue;
        Ranking r{a, store.measure(a), {}, 0};
        const auto& entry = store.shown(AggregationId{id});
        for (const auto& row : entry.rows) {
            r.lines.push_back({keyTexts(a, row.key, store), rowValue(a, row, entry.divisor)});
            r.total += r.lines.back().value;
        }
        mergeAlike(r);
        std::sort(r.lines.begin(), r.lines.end(),
            [](const Ranking::Line& x, const Ranking::Line& y) { return x.value != y.value ? x.value > y.value : x.keys < y.keys; });
        out.push_back(std::move(r));
    }
    return out;
}
std::string plainNumber(const Number& number)
{
    if (number.isWhole()) return digitsOf(number.wide());
    const double value = number;
    if (!number.isReal() || value != std::floor(value)) return decimalNumber(number);
    return formatFixed(value, 0);
}
std::string decimalNumber(const Number& number)
{
    constexpr int kUsual = 2, kMost = 15;
    if (!number.isReal()) {
        const auto part = std::abs(number.hundredths());
        const std::string sign = number.wide() == 0 && number.hundredths() < 0 ? "-" : "";
        return sign + digitsOf(number.wide()) + (part < 10 ? ".0" : ".") + std::to_string(part);
    }
    const double value = number, size = std::abs(value);
    const bool vanishes = size > 0 && size < 0.005;
    return formatFixed(value, vanishes ? std::min(kMost, 1 - static_cast<int>(std::floor(std::log10(size)))) : kUsual);
}
bool hasDecimals(const record::Aggregation& a) { return a.function == record::Aggregator::Avg || a.function == record::Aggregator::Stddev; }
std::string plainNumber(const record::Aggregation& of, const Number& value)
{
    return hasDecimals(of) ? decimalNumber(value) : plainNumber(value);
}
std::string Ranking::plain(const Number& value) const { return plainNumber(shape, value); }
} // namespace dscope::graph
