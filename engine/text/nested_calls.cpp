#include "engine/text/nested_calls.h"
#include <algorithm>
namespace dscope::text {
std::uint32_t NestedCalls::lane(std::string_view key)
{
    if (const auto at = m_laneOf.find(key); at != m_laneOf.end()) return at->second;
    const auto number = static_cast<std::uint32_t>(m_lanes.size());
    m_laneOf.emplace(key, number);
    auto& made = m_lanes.emplace_back();
    made.root = static_cast<std::uint32_t>(m_nodes.size());
    m_nodes.push_back({});
    return number;
}

void NestedCalls::name(std::uint32_t lane, std::string_view root)
{
    auto& node = m_nodes[m_lanes[lane].root];
    if (node.frame == UINT32_MAX) node.frame = frame({root});
}

std::uint32_t NestedCalls::child(std::uint32_t parent, std::uint32_t frame)
{
    const auto [at, isNew] = m_children.try_emplace(std::uint64_t{parent} << 32 | frame, static_cast<std::uint32_t>(m_nodes.size()));
    if (isNew) m_nodes.push_back({parent, frame, 0});
    return at->second;
}

/// Closes the calls that are as deep as `depth` or deeper: their ends are missing.
void NestedCalls::leave(Lane& lane, std::uint32_t depth)
{
    for (; !lane.open.empty() && lane.open.back().depth >= depth; ++m_notEnded)
        lane.open.pop_back();
}

void NestedCalls::took(Lane& lane, std::uint32_t depth, std::uint32_t node, std::int64_t all, std::int64_t within)
{
    auto& self = m_nodes[node].self;
    if (__builtin_add_overflow(self, std::max<std::int64_t>(all - within, 0), &self)) self = INT64_MAX;
    auto& outer = lane.open.empty() ? lane.alone[depth] : lane.open.back().within;
    if (__builtin_add_overflow(outer, all, &outer)) outer = INT64_MAX;
}

void NestedCalls::begin(std::uint32_t to, std::uint32_t depth, std::uint32_t frame)
{
    auto& lane = m_lanes[to];
    leave(lane, depth);
    ++m_calls;
    if (lane.open.size() >= kDeepest) m_isTooDeep = true;
    if (!m_isTooDeep && m_nodes.size() < kMostStacks) lane.open.push_back({child(top(lane), frame), depth, 0});
}

void NestedCalls::leaf(std::uint32_t to, std::uint32_t depth, std::uint32_t frame, std::optional<std::int64_t> time)
{
    auto& lane = m_lanes[to];
    leave(lane, depth);
    ++m_calls;
    if (!time) ++m_withoutTime;
    if (time && m_nodes.size() < kMostStacks) took(lane, depth, child(top(lane), frame), *time, 0);
}

void NestedCalls::end(std::uint32_t to, std::uint32_t depth, std::optional<std::int64_t> time, std::optional<std::uint32_t> frame)
{
    auto& lane = m_lanes[to];
    leave(lane, depth + 1);
    if (!time) ++m_withoutTime;
    const bool isOpen = !lane.open.empty() && lane.open.back().depth == depth;
    if (isOpen && (!frame || m_nodes[lane.open.back().node].frame == *frame)) {
        const auto call = lane.open.back();
        lane.open.pop_back();
        if (time) took(lane, depth, call.node, *time, call.within);
        return;
    }
    leave(lane, depth); // of another function: events were lost
    ++m_notBegun;
    if (!frame) ++m_nameless;
    if (!time) return;
    // What it called has ended before, at the depths behind its own.
    std::int64_t within = 0;
    const auto inner = lane.open.empty() ? lane.alone.upper_bound(depth) : lane.alone.end();
    if (inner != lane.alone.end()) within = inner->second;
    lane.alone.erase(inner, lane.alone.end());
    if (frame && m_nodes.size() < kMostStacks) return took(lane, depth, child(top(lane), *frame), *time, within);
    auto& outer = lane.open.empty() ? lane.alone[depth] : lane.open.back().within;
    if (__builtin_add_overflow(outer, *time, &outer)) outer = INT64_MAX;
}

void NestedCalls::forget(std::uint32_t lane)
{
    leave(m_lanes[lane], 0);
    m_lanes[lane].alone.clear();
}

Result<> NestedCalls::check() const
{
    if (m_isTooDeep) return Error{0, "its calls nest deeper than 4,096: record with a filter, or with a maximal depth"};
    if (m_nodes.size() >= kMostStacks) return Error{0, "it has more than 16,000,000 different stacks: record a shorter time"};
    return {};
}

void NestedCalls::tell(Imported& out) const
{
    const auto calls = [](std::uint64_t number) { return std::to_string(number) + (number == 1 ? " call" : " calls"); };
    if (m_notEnded > 0)
        out.warn("the text has no end of " + calls(m_notEnded) + ": their own time is left out, what they called is counted");
    if (m_notBegun > 0)
        out.warn("the text has no beginning of " + calls(m_notBegun) + ": what they called stands beside them, not above them"
            + (m_nameless == 0 ? "" : "; of " + std::to_string(m_nameless) + " it does not say the function, and they are left out"));
    if (m_withoutTime > 0) out.warn("the text does not say how long " + calls(m_withoutTime) + " took: they are left out");
}

Result<> NestedCalls::put(Imported& out)
{
    DSCOPE_CHECK(check());
    for (auto& lane : m_lanes)
        leave(lane, 0);
    tell(out);
    std::vector<std::uint32_t> frames;
    for (const auto& leaf : m_nodes) {
        if (leaf.self <= 0) continue;
        frames.clear();
        for (const auto* node = &leaf;; node = &m_nodes[node->parent]) {
            if (node->frame != UINT32_MAX) frames.push_back(node->frame);
            if (node->parent == 0) break;
        }
        std::reverse(frames.begin(), frames.end());
        m_stacks.frames(frames);
        m_stacks.add(leaf.self);
        DSCOPE_CHECK(m_stacks.check());
    }
    if (!m_stacks.empty()) out.add(m_stacks.take("time", record::StackUnit::Time));
    *this = NestedCalls();
    return {};
}
} // namespace dscope::text
