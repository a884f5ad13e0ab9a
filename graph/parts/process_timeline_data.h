#pragma once
#include "graph/process_family.h"
#include "graph/process_fold.h"
#include "graph/spans.h"
#include "graph/visual.h"
#include <cstdint>
#include <optional>
#include <vector>
namespace dscope::graph {
/// What a timeline of processes is drawn of: the processes in the order of their start, and the stretch of time that they are in.
class ProcessTimelineData {
public:
    explicit ProcessTimelineData(Family family);

    const Family& family() const { return m_family; }
    const std::vector<std::size_t>& order() const { return m_order; } ///< processes, by start
    bool empty() const { return m_order.empty(); }
    std::int64_t first() const { return m_first; } ///< ns, CLOCK_MONOTONIC: the earliest start
    std::int64_t last() const { return m_last; }   ///< the same, of the latest end
    /// The same, where the axis ends: later than first(), not before last().
    std::int64_t axisEnd() const { return m_axisEnd; }
    /// Makes the axis as long as `time` (ns), where it is shorter.
    void lengthen(std::int64_t time);
    /// On the critical path.
    bool critical(std::size_t process) const;
    /// A process by itself, as it is drawn.
    ShownProcess alone(std::size_t process) const;
    std::int64_t endOf(std::size_t process) const { return m_family.all[process].end.value_or(m_family.now); } ///< ns, or of the stream
    std::optional<Row> rowOf(std::size_t process) const { return m_row[process]; }                             ///< of the table
    Extents extents() const;
    Table table() const;
    /// The `most` that took longest.
    Digest digest(std::size_t most, Privacy privacy) const;
    std::vector<SpanTrack> tracks() const;

private:
    Family m_family;
    std::int64_t m_first = 0, m_last = 0, m_axisEnd = 1;
    std::vector<std::size_t> m_order;
    std::vector<std::optional<Row>> m_row; ///< by process
};
} // namespace dscope::graph
