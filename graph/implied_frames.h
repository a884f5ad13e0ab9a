#pragma once
#include "engine/base/strong_id.h"
#include "engine/record/record.h"
#include "graph/stack_frames.h"
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
namespace dscope::graph {
class Store;
/// The innermost frames that stacks have because of where the run's probes are, whatever the program does: schedule() where a thread
/// leaves its CPU, malloc() at malloc's entry. That a stack ends there says nothing, so a claim is about the frame before.
class ImpliedFrames {
public:
    /// None are: of imported text, and of samples, which may end anywhere.
    ImpliedFrames() = default;
    /// By the probes whose clauses fill these aggregations.
    ImpliedFrames(const Store& store, std::span<const AggregationId> aggregations);

    /// Whether a probe is at a certain place, so that where stacks end may be no news.
    bool isPlaced() const { return m_isPlaced; }
    /// Whether the frame is implied by its name, wherever it is at the end of a stack.
    bool has(std::string_view shownName, Shade shade) const;
    /// Whether a stack's last frame is implied, though its name is not the probe's: the function that makes the system call, or another
    /// name of the function.
    enum class Last : std::uint8_t {
        Free,      ///< it is not
        Implied,   ///< it is, in every stack
        Common,    ///< it is where all stacks end in the same function
        AllCommon, ///< likewise, and so are those before it: it is not known which of them belong to the program
    };
    Last last() const { return m_last; }
    /// Whether what comes before the implied frames is who calls what the probe is about, rather than the place itself.
    bool leavesCallers() const { return m_leavesCallers; }
    /// The values are the time from when threads left their CPU until they came back.
    bool isWaiting() const { return m_isWaiting; }

private:
    bool m_isPlaced = false, m_isWaiting = false, m_leavesCallers = false;
    bool m_hasScheduler = false, m_hasLocks = false, m_hasKernel = false; ///< whose frames are implied; m_hasKernel: all of the kernel
    Last m_last = Last::Free;
    std::string m_function; ///< that all probes are of; empty: none, or several
};
} // namespace dscope::graph
