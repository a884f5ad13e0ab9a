#include "engine/text/printed_maps.h"
#include "engine/record/aggregation_data.h"
#include "engine/record/buckets.h"
#include "engine/text/row_keys.h"
#include <algorithm>
#include <limits>
#include <numeric>
namespace dscope::text {
namespace {
using record::Aggregator;
using Keys = std::vector<std::string>;
constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t sumOf(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    if (!__builtin_add_overflow(a, b, &sum)) return sum;
    return a < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}
/// How much a row is: its number, or how many values it has.
std::int64_t sizeOf(Aggregator function, const std::vector<std::int64_t>& data)
{
    if (function < Aggregator::Quantize) return data.empty() ? 0 : data.front();
    std::int64_t size = 0;
    for (std::size_t i = 1; i < data.size(); i += 2)
        size = sumOf(size, data[i]);
    return size;
}
/// Whether something of a row is less than it was. Of an average its sum may be: it counts negative values, too.
bool isLess(Aggregator function, const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& now)
{
    if (function < Aggregator::Quantize) return !before.empty() && !now.empty() && now.front() < before.front();
    for (std::size_t i = 0, k = 0; i + 1 < before.size(); i += 2) {
        while (k + 1 < now.size() && now[k] < before[i])
            k += 2;
        const auto count = k + 1 < now.size() && now[k] == before[i] ? now[k + 1] : 0;
        if (count < before[i + 1]) return true;
    }
    return false;
}
/// The median of the gaps between ascending times.
std::int64_t usualStep(const std::vector<std::int64_t>& times)
{
    std::vector<std::int64_t> gaps;
    for (std::size_t i = 1; i < times.size(); ++i)
        gaps.push_back(times[i] - times[i - 1]);
    if (gaps.empty()) return kSecond;
    std::sort(gaps.begin(), gaps.end());
    return gaps[gaps.size() / 2];
}
/// "@a, @b and 3 more".
std::string listOf(const std::vector<std::string>& names)
{
    constexpr std::size_t kNamed = 3;
    std::string out;
    for (std::size_t i = 0; i < std::min(names.size(), kNamed); ++i)
        out += (i == 0 ? "@" : ", @") + names[i];
    if (names.size() > kNamed) out += " and " + std::to_string(names.size() - kNamed) + " more";
    return out;
}
/// "pid" and "process" of "pid, process".
Keys partsOf(std::string_view names)
{
    constexpr std::string_view kBetween = ", ";
    Keys out;
    for (;;) {
        const auto end = names.find(kBetween);
        out.emplace_back(names.substr(0, end));
        if (end == std::string_view::npos) return out;
        names.remove_prefix(end + kBetween.size());
    }
}
} // namespace

PrintedMaps::Map& PrintedMaps::map(std::string_view name)
{
    const auto found = m_byName.find(name);
    if (found != m_byName.end()) return m_maps[found->second];
    m_byName.emplace(name, m_maps.size());
    m_maps.push_back({std::string(name), {}, {}, {}, {}});
    return m_maps.back();
}

void PrintedMaps::begin(std::string_view name, std::optional<std::int64_t> when)
{
    auto& known = map(name);
    known.now.clear();
    if (!known.printings.empty() && known.printings.back().cells.empty()) {
        known.printings.back().when = when;
        return;
    }
    if (!known.printings.empty()) m_repeated += known.printings.back().cells.size();
    if (m_repeated > kMostRepeated) {
        m_isCut = true;
        known.printings.clear();
    }
    known.printings.push_back({when, {}});
}

bool PrintedMaps::has(std::string_view name, std::string_view key) const
{
    const auto found = m_byName.find(name);
    const auto number = m_keys.find(key);
    if (found == m_byName.end() || !number) return false;
    const auto& now = m_maps[found->second].now;
    const auto at = now.lower_bound({*number, Aggregator::Count});
    return at != now.end() && at->first.first == *number;
}

void PrintedMaps::measure(std::string_view name, std::string_view unit) { map(name).unit = unit; }
void PrintedMaps::keyName(std::string_view name, std::string_view key) { map(name).keyName = key; }

PrintedMaps::Cell& PrintedMaps::cell(std::string_view name, std::string_view key, Aggregator function)
{
    auto& known = map(name);
    if (known.printings.empty()) known.printings.emplace_back();
    auto& cells = known.printings.back().cells;
    const auto number = m_keys.of(key);
    const auto [at, isNew] = known.now.try_emplace({number, function}, cells.size());
    if (isNew) cells.push_back({number, 0, 0, function, 0, 0});
    return cells[at->second];
}

void PrintedMaps::number(std::string_view name, std::string_view key, std::int64_t value, Aggregator function)
{
    auto& to = cell(name, key, function);
    to.number = sumOf(to.number, value);
}

void PrintedMaps::average(std::string_view name, std::string_view key, std::int64_t count, std::int64_t sum)
{
    auto& to = cell(name, key, Aggregator::Avg);
    to.count = sumOf(to.count, count);
    to.number = sumOf(to.number, sum);
}

void PrintedMaps::ranges(std::string_view name, std::string_view key, std::span<const PrintedRange> rows)
{
    auto& to = cell(name, key, Aggregator::Ranges);
    const auto before = to.rows;
    const auto first = static_cast<std::uint32_t>(m_rows.size());
    for (std::uint32_t i = 0; i < before; ++i)
        m_rows.push_back(PrintedRange(m_rows[to.firstRow + i]));
    m_rows.insert(m_rows.end(), rows.begin(), rows.end());
    to.firstRow = first;
    to.rows = before + static_cast<std::uint32_t>(rows.size());
}

void PrintedMaps::point(std::string_view name, std::string_view key, std::int64_t when, std::int64_t value)
{
    auto found = m_series.find(name);
    if (found == m_series.end()) found = m_series.try_emplace(std::string(name)).first;
    found->second[when][m_keys.of(key)] = value;
}

std::vector<std::int64_t> PrintedMaps::dataOf(const Group& group, const Cell& cell) const
{
    if (group.shape.function == Aggregator::Avg) return {std::max<std::int64_t>(cell.count, 1), cell.number};
    if (group.shape.function < Aggregator::Quantize) return {cell.number};
    std::map<int, std::int64_t> counts;
    for (const auto& row : std::span(m_rows).subspan(cell.firstRow, cell.rows)) {
        auto& count = counts[bucketOf(group.shape, row)];
        count = sumOf(count, row.count);
    }
    std::vector<std::int64_t> data;
    for (const auto& [bucket, count] : counts)
        if (count > 0) data.insert(data.end(), {bucket, count});
    return data;
}

/// One for each function that the map's cells have, and for those with and without a key: a map has one, but that of stats() has two.
std::vector<PrintedMaps::Group> PrintedMaps::groupsOf(const Map& map, Imported& into) const
{
    struct Sort {
        Aggregator function;
        bool hasKey;
        auto operator<=>(const Sort&) const = default;
    };
    const auto sortOf = [&](const Cell& cell) { return Sort{cell.function, !m_keys.text(cell.key).empty()}; };
    std::vector<Sort> sorts;
    for (const auto& printing : map.printings)
        for (const auto& cell : printing.cells)
            if (std::find(sorts.begin(), sorts.end(), sortOf(cell)) == sorts.end()) sorts.push_back(sortOf(cell));

    std::vector<Group> out;
    for (const auto& sort : sorts) {
        Group group;
        group.shape.function = sort.function;
        if (sort.function == Aggregator::Ranges) {
            std::vector<PrintedRange> rows;
            for (const auto& printing : map.printings)
                for (const auto& cell : printing.cells)
                    if (sortOf(cell) == sort)
                        rows.insert(rows.end(), m_rows.begin() + cell.firstRow, m_rows.begin() + cell.firstRow + cell.rows);
            const auto shape = bucketsOf(rows);
            if (!shape) {
                into.warn("the histograms of @" + map.name + " have rows that overlap, or none: they are left out");
                continue;
            }
            group.shape = *shape;
        }
        group.shape.name = map.name + (sort.function == Aggregator::Avg && sorts.size() > 1 ? "_average" : "");
        group.shape.value = map.unit;
        group.keyName = map.keyName.empty() ? "key" : map.keyName;
        group.isEmptied = group.isEmptiedForSure = m_areEmptied;
        bool isNegative = false;
        for (const auto& printing : map.printings) {
            Data data;
            for (const auto& cell : printing.cells) {
                if (sortOf(cell) != sort) continue;
                data[cell.key] = dataOf(group, cell);
                // Averages of an unknown number of values are no sums.
                if (sort.function == Aggregator::Avg && cell.count == 0) group.isEmptied = group.isEmptiedForSure = true;
                isNegative = isNegative || (sort.function == Aggregator::Count && cell.number < 0);
            }
            if (!data.empty()) group.printings.emplace_back(printing.when, std::move(data));
        }
        if (isNegative) group.shape.function = Aggregator::Sum; // no count is below 0
        if (!group.printings.empty()) out.push_back(std::move(group));
    }
    return out;
}

/// Each point is what its interval has: it ends when the next begins.
std::vector<PrintedMaps::Group> PrintedMaps::seriesGroups() const
{
    std::vector<Group> out;
    for (const auto& [name, points] : m_series) {
        std::vector<std::int64_t> times;
        for (const auto& [when, values] : points)
            times.push_back(when);
        const auto step = usualStep(times);
        auto& group = out.emplace_back();
        group.keyName = "key";
        group.shape.name = name;
        group.shape.function = Aggregator::Avg; // of one value
        group.isEmptied = group.isEmptiedForSure = true;
        for (const auto& [when, values] : points) {
            auto& data = group.printings.emplace_back(sumOf(when, step), Data{}).second;
            for (const auto& [key, value] : values)
                data[key] = {1, value};
        }
    }
    return out;
}

/// Decides whether the map was emptied after each printing; where it was not, what a printing left out is as it was.
void PrintedMaps::settle(Group& group) const
{
    const auto function = group.shape.function;
    auto& all = group.printings;
    for (std::size_t i = 1; i < all.size() && !group.isEmptied; ++i) {
        const auto &before = all[i - 1].second, &now = all[i].second;
        std::int64_t smallest = std::numeric_limits<std::int64_t>::max();
        for (const auto& [key, data] : now)
            smallest = std::min(smallest, sizeOf(function, data));
        group.isEmptied = now.size() < before.size();
        for (const auto& [key, data] : before) {
            const auto same = now.find(key);
            if (same == now.end() ? sizeOf(function, data) > smallest : isLess(function, data, same->second)) group.isEmptied = true;
        }
    }
    if (group.isEmptied) return;
    if (const auto bound = wouldFill(group); bound > 0) {
        group.cutBeyond = bound;
        for (std::size_t i = all.size() - 1; i-- > 0;)
            all.back().second.insert(all[i].second.begin(), all[i].second.end());
        return collapse(group);
    }
    for (std::size_t i = 1; i < all.size(); ++i)
        all[i].second.insert(all[i - 1].second.begin(), all[i - 1].second.end());
}

/// Whether what the printings of a map left out is too much to be put into each of them: then the rows that there may be. Else 0.
std::size_t PrintedMaps::wouldFill(const Group& group)
{
    std::set<std::uint32_t> keys;
    std::size_t given = 0, filled = 0;
    for (const auto& [when, data] : group.printings) {
        given += data.size();
        for (const auto& [key, value] : data)
            keys.insert(key);
        filled += keys.size();
    }
    const auto bound = std::max(given, std::clamp(kFilledOfRow * given, kLeastFilled, kMostRepeated));
    return filled > bound ? bound : 0;
}

/// Makes one printing of all: what came in altogether.
void PrintedMaps::collapse(Group& group)
{
    auto& all = group.printings;
    if (group.isEmptied)
        for (std::size_t i = all.size() - 1; i-- > 0;)
            for (const auto& [key, data] : all[i].second)
                record::addData(group.shape.function, all.back().second[key], data);
    all.erase(all.begin(), all.end() - 1);
}

/// Gives every printing of maps that were printed again a time: that of the text, or else its number. False: the text tells no times.
bool PrintedMaps::setTimes(std::vector<Group>& groups, Imported& into) const
{
    const auto timesOf = [](const Group& group) {
        std::vector<std::int64_t> times;
        for (const auto& [when, data] : group.printings) {
            const bool isLast = &data == &group.printings.back().second;
            if (isLast && (!when || (!times.empty() && *when == times.back()))) continue; // printed when the run ended
            if (!when || (!times.empty() && *when <= times.back())) return std::vector<std::int64_t>();
            times.push_back(*when);
        }
        return times;
    };
    const auto repeats = [](const Group& group) { return group.printings.size() > 1; };
    const bool isTimed = std::all_of(groups.begin(), groups.end(), [&](const Group& g) { return !repeats(g) || !timesOf(g).empty(); });
    if (!isTimed && m_series.empty()) {
        for (auto& group : groups)
            for (std::size_t i = 0; i < group.printings.size(); ++i)
                group.printings[i].first = static_cast<std::int64_t>(i) + 1;
        return false;
    }
    std::vector<std::string> untimed;
    for (auto& group : groups) {
        if (!repeats(group)) continue;
        auto times = timesOf(group);
        if (times.empty()) {
            untimed.push_back(group.shape.name);
            collapse(group);
            continue;
        }
        const auto step = usualStep(times);
        for (std::size_t i = 0; i < group.printings.size(); ++i)
            group.printings[i].first = i < times.size() ? times[i] : sumOf(times.back(), step);
    }
    if (!untimed.empty())
        into.warn("the text does not tell when it printed " + listOf(untimed) + ": only what came in altogether is right");
    return true;
}

/// The keys of the rows as bytes, by number of the key.
void PrintedMaps::layOut(Group& group, const Split& split, std::vector<dscope::Bytes>& keys, Imported& into) const
{
    std::map<std::uint32_t, Keys> parts;
    std::size_t count = SIZE_MAX, rows = 0;
    for (const auto& [when, data] : group.printings)
        for (const auto& [key, value] : data) {
            ++rows;
            const auto [at, isNew] = parts.try_emplace(key);
            const auto text = m_keys.text(key);
            if (isNew && !text.empty()) at->second = split(text);
            count = std::min(count, at->second.size());
        }
    for (auto& [key, words] : parts)
        if (words.size() > count) words = count == 1 ? Keys{std::string(m_keys.text(key))} : words;
    RowKeys packed(rows, count);
    auto& shape = group.shape;
    const auto names = partsOf(group.keyName);
    for (std::size_t k = 0; k < count; ++k) {
        std::size_t longest = 0;
        for (auto& [key, words] : parts) {
            if (k + 1 == count)
                for (; words.size() > count; words.pop_back())
                    words[words.size() - 2] += ", " + words.back();
            longest = std::max(longest, words[k].size());
        }
        shape.keys.push_back({record::FieldKind::String, shape.keySize, packed.room(longest),
            count == 1                  ? group.keyName
                : names.size() == count ? names[k]
                                        : "key" + std::to_string(k + 1),
            "string"});
        shape.keySize += shape.keys.back().size;
    }
    for (const auto& [key, words] : parts) {
        auto& bytes = keys[key];
        bytes.assign(shape.keySize, std::byte{0});
        for (std::size_t k = 0; k < count; ++k)
            packed.put(bytes.data() + shape.keys[k].offset, words[k]);
    }
    packed.tell(into, shape.name);
}

void PrintedMaps::tellAssumptions(const std::vector<Group>& groups, Imported& into) const
{
    std::vector<std::string> emptied, kept, changing, large;
    for (const auto& group : groups) {
        if (group.cutBeyond > 0) (group.cutBeyond < kMostRepeated ? changing : large).push_back(group.shape.name);
        if (group.printings.size() > 1 && !group.isEmptiedForSure) (group.isEmptied ? emptied : kept).push_back(group.shape.name);
    }
    if (!emptied.empty())
        into.warn("maps were printed again with smaller values (" + listOf(emptied)
            + "): each printing counts as what came in since the one before");
    if (!kept.empty())
        into.warn("maps were printed again and no value was smaller (" + listOf(kept)
            + "): each printing counts as what came in since the beginning; if the program empties the map after each printing, add them "
              "up");
    const std::string instead = "): only what came in altogether is kept; record a shorter time, or empty the map after each printing";
    if (!changing.empty()) into.warn("maps were printed again and again with other keys each time (" + listOf(changing) + instead);
    if (!large.empty())
        into.warn("maps were printed again without some of their keys, and with those their printings have more than "
            + std::to_string(kMostRepeated) + " rows (" + listOf(large) + instead);
    if (m_isCut)
        into.warn("maps were printed again with more than " + std::to_string(kMostRepeated)
            + " rows in all: the first printings are left out; record a shorter time");
}

void PrintedMaps::put(Imported& into, const Split& split)
{
    std::vector<Group> groups;
    for (auto& map : m_maps) {
        if (!map.printings.empty() && map.printings.back().cells.empty()) map.printings.pop_back();
        for (auto& group : groupsOf(map, into))
            groups.push_back(std::move(group));
    }
    for (auto& group : groups)
        settle(group);
    for (auto& group : seriesGroups())
        groups.push_back(std::move(group));
    if (groups.empty()) return;
    tellAssumptions(groups, into);
    for (auto& group : groups) // a map that is printed when the program ends is printed once more behind it
        if (group.printings.size() == 2 && !group.isEmptied && group.printings[0].second == group.printings[1].second) collapse(group);

    const bool isTimed = setTimes(groups, into);
    const bool repeats = std::any_of(groups.begin(), groups.end(), [&](const Group& g) { return isSeries(g); });
    auto& program = into.program;
    std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = 0;
    if (repeats) {
        for (const auto& group : groups) {
            if (!isSeries(group)) continue;
            std::vector<std::int64_t> times;
            for (const auto& [when, data] : group.printings)
                times.push_back(when.value_or(0));
            first = std::min(first, isTimed ? times.front() - usualStep(times) : 0);
            last = std::max(last, times.back());
        }
        program.started = first;
        program.timesAreLines = !isTimed;
        into.records.emplace_back(record::ProbeDef{ProbeId{0}, "", "", "", "print"});
    }
    if (!repeats) last = program.started;

    std::vector<Event> events;
    std::vector<dscope::Bytes> keys(m_keys.size());
    for (auto& group : groups) {
        layOut(group, split, keys, into);
        const AggregationId id{static_cast<std::uint32_t>(program.aggregations.size())};
        const bool hasTimes = isSeries(group);
        const ClauseId clause{static_cast<std::uint32_t>(program.clauses.size())};
        if (hasTimes) {
            program.clauses.emplace_back().silent = true; // no calls: the printings alone
            auto& actions = program.clauses.back().actions;
            actions.push_back({record::ActionKind::Printa, "", {}, {id}});
            if (group.isEmptied) actions.push_back({record::ActionKind::Trunc, "", {}, {id}});
        }
        for (const auto& [when, data] : group.printings) {
            auto& event = events.emplace_back(Event{hasTimes ? when.value_or(0) : last, {}});
            record::AggregationRows rows{id, record::Nanoseconds(event.when), {}};
            for (const auto& [key, value] : data)
                rows.rows.push_back({keys[key], value});
            event.records.emplace_back(std::move(rows));
            if (hasTimes) event.records.emplace_back(record::Fired{clause, ProbeId{0}, 0, 0, 0, record::Nanoseconds(event.when), {}});
        }
        program.aggregations.push_back(std::move(group.shape));
    }
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.when < b.when; });
    for (auto& event : events)
        std::move(event.records.begin(), event.records.end(), std::back_inserter(into.records));
}
} // namespace dscope::text
