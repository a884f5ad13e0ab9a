#include "engine/text/printed_stacks.h"
#include <algorithm>
#include <cstring>
#include <utility>
namespace dscope::text {
void PrintedStacks::begin(const std::string& map)
{
    auto& known = m_maps[map];
    if (known.now == 0) return;
    close(known);
    ++known.printings;
    known.before = known.now;
    known.now = 0;
}

bool PrintedStacks::add(const std::string& map, const std::vector<std::string>& keys, std::vector<Stack>& stacks, std::int64_t value)
{
    m_frames.clear();
    for (const auto& key : keys)
        m_frames.push_back(m_counts.numberOf({key}));
    m_identity = m_frames;
    // User frames are nearer to the root than kernel frames. Where neither is known, kernel frames are taken to be named first.
    std::reverse(stacks.begin(), stacks.end());
    std::stable_sort(stacks.begin(), stacks.end(), [](const Stack& a, const Stack& b) { return a.known() < b.known(); });
    for (const auto& stack : stacks) {
        m_frames.insert(m_frames.end(), stack.frames.rbegin(), stack.frames.rend());
        m_identity.push_back(UINT32_MAX);
        m_identity.insert(m_identity.end(), stack.lines.begin(), stack.lines.end());
    }
    const auto number = m_identities.of(bytesOf(m_identity));
    if (number == m_stackOf.size()) m_stackOf.push_back(m_stacks.of(bytesOf(m_frames)));
    auto& known = m_maps[map];
    auto& entry = known.entries[number];
    const bool isNew = entry.printing != known.printings;
    if (isNew) {
        entry.earlier = std::exchange(entry.last, 0);
        entry.printing = known.printings;
        ++known.now;
        if (!known.isEmptied) known.seen.push_back(number);
    }
    __builtin_add_overflow(entry.last, value, &entry.last) ? entry.last = INT64_MAX : 0;
    __builtin_add_overflow(entry.sum, value, &entry.sum) ? entry.sum = INT64_MAX : 0;
    return isNew;
}

void PrintedStacks::put(const Map& map, std::string noun, Imported& into)
{
    StackCounts counts;
    std::unordered_map<std::uint32_t, std::uint32_t> frames; // of m_counts in `counts`
    std::vector<std::pair<std::uint32_t, std::int64_t>> all;
    for (const auto& [stack, entry] : map.entries)
        all.emplace_back(m_stackOf[stack], map.isEmptied ? entry.sum : entry.last);
    std::sort(all.begin(), all.end());
    for (const auto& [stack, value] : all) {
        const auto bytes = m_stacks.text(stack);
        m_frames.resize(bytes.size() / sizeof m_frames[0]);
        if (!bytes.empty()) std::memcpy(m_frames.data(), bytes.data(), bytes.size());
        for (auto& frame : m_frames) {
            const auto [at, isNew] = frames.try_emplace(frame, 0);
            if (isNew) at->second = counts.numberOf(m_counts.frameOf(frame));
            frame = at->second;
        }
        counts.frames(m_frames);
        counts.add(value);
    }
    if (!counts.empty()) into.add(counts.take(std::move(noun)));
}

void PrintedStacks::finish(Imported& into)
{
    std::string emptied, kept, names;
    std::erase_if(m_maps, [](const auto& map) { return map.second.entries.empty(); });
    for (auto& [name, map] : m_maps) {
        close(map);
        names += (names.empty() ? "@" : ", @") + name;
        if (map.printings > 1) ((map.isEmptied ? emptied : kept) += (map.isEmptied ? emptied : kept).empty() ? "@" : ", @") += name;
    }
    if (!emptied.empty()) into.warn("stacks of " + emptied + " were printed again with smaller values: all printings are added up");
    if (!kept.empty())
        into.warn("stacks of " + kept + " were printed again and no value was smaller: the last printing counts, not the sum");
    if (m_maps.size() > 1)
        into.warn("stacks of several maps are kept apart: " + names
            + "; the first is shown unless --event @NAME, or Event in the window, chooses another one");
    for (const auto& [name, map] : m_maps)
        put(map, m_maps.size() > 1 ? '@' + name : "events", into);
}

std::string_view PrintedStacks::bytesOf(const std::vector<std::uint32_t>& numbers)
{
    return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof numbers[0]};
}

void PrintedStacks::close(Map& map)
{
    if (map.isEmptied) return;
    map.isEmptied = map.printings > 1 && wasEmptied(map);
    if (map.isEmptied)
        map.largest = {};
    else
        for (const auto stack : map.seen)
            map.largest.emplace(map.entries.at(stack).last, stack);
    map.seen.clear();
}

bool PrintedStacks::wasEmptied(Map& map)
{
    if (map.now < map.before) return true;
    std::int64_t smallest = INT64_MAX;
    for (const auto stack : map.seen) {
        const auto& entry = map.entries.at(stack);
        if (entry.last < entry.earlier) return true;
        smallest = std::min(smallest, entry.last);
    }
    while (!map.largest.empty() && map.entries.at(map.largest.top().second).printing == map.printings)
        map.largest.pop();
    return !map.largest.empty() && map.largest.top().first > smallest;
}
} // namespace dscope::text
