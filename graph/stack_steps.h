#pragma once
#include "graph/stack_frames.h"
#include "graph/stacks.h"
#include <optional>
#include <string_view>
#include <vector>
namespace dscope::graph {
/// The aggregations whose stacks are one graph: calls and nanoseconds don't add up.
struct StackAggregations {
    std::vector<AggregationId> ids;
    StackMeasure measure;
    std::size_t leftOut = 0; ///< aggregations by stack that measure something else
};
StackAggregations stackAggregations(const Store& store);

/// Makes the steps of one row of such an aggregation: other keys first, then what the process did, then what the kernel did for it.
class StackSteps {
public:
    StackSteps(const Store& store, Frames& frames);
    void clear() { m_steps.clear(); }
    /// A step that is no frame: the name of an aggregation.
    void add(std::string_view name);
    void addKeys(const record::Aggregation& aggregation, ByteView key);
    std::vector<StackStep>& all() { return m_steps; } ///< since clear()

private:
    using Origin = StackFrame::Origin;
    StackStep stepOf(std::string_view name, Shade shade, std::size_t module, std::uint32_t line, Origin origin);
    StackStep stepOf(const record::Frame& frame);
    void addFrames(const record::KeptStacks::View& frames);

    const Store& m_store;
    Frames& m_frames;
    bool m_syscalls;
    std::vector<StackStep> m_steps;
    std::vector<std::optional<StackStep>> m_known; ///< of frames, by their numbers in the store; none: not met yet
};
/// Why a row's stack was not followed to its end; of the program's stack rather than of the kernel's. None when it was.
std::optional<record::Truncation> cutOf(const record::Aggregation& aggregation, ByteView key, const Store& store);
} // namespace dscope::graph
