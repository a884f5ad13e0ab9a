#include "graph/parts/sandwich_focus.h"
#include "graph/frame_label.h"
#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>
namespace dscope::graph {
namespace {
constexpr std::int64_t kLeastByOthers = 20; // one part of so many of everything
constexpr std::int64_t kLeastInCallees = 4; // likewise, of the function
/// What comes from the callers of a function, or goes to its callees.
class Neighbours {
public:
    void add(std::uint32_t frame, std::int64_t value)
    {
        m_all += value;
        m_values[frame] += value;
    }
    std::int64_t all() const { return m_all; }
    std::int64_t beyondLargest() const
    {
        std::int64_t largest = 0;
        for (const auto& [frame, value] : m_values)
            largest = std::max(largest, value);
        return m_all - largest;
    }

private:
    std::unordered_map<std::uint32_t, std::int64_t> m_values;
    std::int64_t m_all = 0;
};
struct Candidate {
    std::int64_t self = 0, total = 0;
    Neighbours callers, callees;
    std::size_t seen = 0; ///< the stack in which it was last found
};
/// Of stacks that end where their probe is: the function that most of them come to before what the probe implies, as in titles
/// (graph/headline.h).
std::optional<std::uint32_t> mostBeforeImplied(const Stacks& stacks, const Frames& frames, std::span<const std::uint32_t> functions)
{
    for (const auto& [name, value] : stacks.tellingEnds(functions.size())) {
        const auto at = std::find_if(functions.begin(), functions.end(),
            [&, wanted = std::string_view(name)](std::uint32_t frame) { return frames[frame].shown() == wanted; });
        if (at != functions.end() && namesFunction(name)) return *at;
    }
    return std::nullopt;
}
} // namespace

std::optional<std::uint32_t> mostTelling(const Stacks& stacks, Frames& frames, std::span<const std::uint32_t> functions)
{
    if (stacks.implied().isPlaced())
        if (const auto before = mostBeforeImplied(stacks, frames, functions)) return before;

    std::unordered_map<std::uint32_t, std::size_t> places;
    for (std::size_t i = 0; i < functions.size(); ++i)
        if (namesFunction(frames[functions[i]].shown())) places.emplace(functions[i], i);
    std::vector<Candidate> all(functions.size());
    std::size_t stack = 0;
    stacks.each(frames, [&](std::span<const StackStep> steps, std::int64_t value) {
        ++stack;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const auto place = places.find(steps[i].frame);
            if (place == places.end()) continue;
            auto& one = all[place->second];
            if (i + 1 == steps.size()) one.self += value;
            if (std::exchange(one.seen, stack) == stack) continue;
            one.total += value;
            if (i > 0) one.callers.add(steps[i - 1].frame, value);
            if (i + 1 < steps.size()) one.callees.add(steps[i + 1].frame, value);
        }
    });

    const auto rankOf = [&](const Candidate& one) {
        const auto byOthers = one.callers.beyondLargest();
        return std::tuple(byOthers >= stacks.total() / kLeastByOthers ? byOthers : 0, one.self, one.callees.beyondLargest());
    };
    const auto hasBoth = [](const Candidate& one) {
        return one.callers.all() > 0 && one.callees.all() > 0 && one.callees.all() >= one.total / kLeastInCallees;
    };
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (hasBoth(all[i]) && (!best || rankOf(all[i]) > rankOf(all[*best]))) best = i;
    return best ? std::optional(functions[*best]) : std::nullopt;
}
} // namespace dscope::graph
