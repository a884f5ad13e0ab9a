#pragma once
#include "engine/record/record.h"
#include <cstdint>
#include <optional>
namespace dscope::graph {
/// A moment of a run.
struct Moment {
    enum class Since : std::uint8_t { Start, End, Epoch } since = Since::Start; ///< Epoch: 1970-01-01 UTC
    std::int64_t nanoseconds = 0;

    /// On the run's clock, CLOCK_MONOTONIC. `end`: of the run.
    std::int64_t on(const record::Program& program, std::int64_t end) const
    {
        switch (since) {
        case Since::Start: return program.started + nanoseconds;
        case Since::End: return end + nanoseconds;
        case Since::Epoch: break;
        }
        return nanoseconds - program.wallClockOffset;
    }
};
/// What of a run is shown; where an end is not given, all up to that end of the run.
struct Stretch {
    std::optional<Moment> from, to;
    bool isAll() const { return !from && !to; }
};
/// A stretch that is shown, ns after the run's start, and how long the run was.
struct ShownStretch {
    std::int64_t from = 0, to = 0, whole = 0;
    std::int64_t beyond = 0;  ///< what was aggregated is of a stretch longer by so much at most
    bool hasExtremes = false; ///< min() and max(), of which what came before can't be taken away
};
} // namespace dscope::graph
