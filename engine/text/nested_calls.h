#pragma once
#include "engine/text/importer.h"
#include "engine/text/stack_counts.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
namespace dscope::text {
/// Calls as tracers of functions draw them: lines "f() {", "}" and "g();", deeper ones further to the right, with how long each took.
/// They become stacks with the time that each function took itself: its own less that of what it called. Memory grows with different
/// stacks, not with calls.
class NestedCalls {
public:
    static constexpr std::size_t kDeepest = 4096; ///< calls within calls
    static constexpr std::size_t kMostStacks = 16'000'000;
    NestedCalls() { m_nodes.push_back({}); }
    /// The number of a frame, for begin(), end() and leaf().
    std::uint32_t frame(const StackCounts::Frame& frame) { return m_stacks.numberOf(frame); }
    /// Calls of different lanes do not nest: a lane is a task, or a processor while it runs one task.
    std::uint32_t lane(std::string_view key);
    /// Another key of the lane, unless it has a lane already.
    void alias(std::uint32_t lane, std::string_view key) { m_laneOf.emplace(key, lane); }
    /// What stands below all stacks of a lane, those before too. Unless it is named, nothing does.
    void name(std::uint32_t lane, std::string_view root);
    /// `depth` grows by any amount from a call to what it calls.
    void begin(std::uint32_t lane, std::uint32_t depth, std::uint32_t frame);
    /// The call that began at this depth took `took` nanoseconds. `frame`: where the line says of which function it is the end.
    void end(std::uint32_t lane, std::uint32_t depth, std::optional<std::int64_t> took, std::optional<std::uint32_t> frame);
    void leaf(std::uint32_t lane, std::uint32_t depth, std::uint32_t frame, std::optional<std::int64_t> took);
    /// Events of this lane were lost: what is open will not be closed.
    void forget(std::uint32_t lane);
    bool empty() const { return m_calls == 0; }
    /// Error: there are more or deeper stacks than fit.
    Result<> check() const;
    /// Puts the stacks among the records, with warnings of what could not be counted. The calls are gone afterwards.
    Result<> put(Imported& out);

private:
    struct Node {
        std::uint32_t parent = 0, frame = UINT32_MAX;
        std::int64_t self = 0;
    };
    struct Open {
        std::uint32_t node, depth;
        std::int64_t within; ///< ns of what it called
    };
    struct Lane {
        std::uint32_t root = 0;
        std::vector<Open> open;
        std::map<std::uint32_t, std::int64_t> alone; ///< by depth: ns of ended calls whose caller began before the trace
    };
    std::uint32_t child(std::uint32_t parent, std::uint32_t frame);
    std::uint32_t top(const Lane& lane) const { return lane.open.empty() ? lane.root : lane.open.back().node; }
    void leave(Lane& lane, std::uint32_t depth);
    void took(Lane& lane, std::uint32_t depth, std::uint32_t node, std::int64_t all, std::int64_t within);
    void tell(Imported& out) const;
    StackCounts m_stacks;
    std::vector<Node> m_nodes; ///< the first is no stack
    std::unordered_map<std::uint64_t, std::uint32_t> m_children;
    std::map<std::string, std::uint32_t, std::less<>> m_laneOf;
    std::vector<Lane> m_lanes;
    std::uint64_t m_calls = 0, m_notEnded = 0, m_notBegun = 0, m_nameless = 0, m_withoutTime = 0;
    bool m_isTooDeep = false;
};
} // namespace dscope::text
