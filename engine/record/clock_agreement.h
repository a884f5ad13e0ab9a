#pragma once
#include "engine/record/record.h"
#include <optional>
#include <string>
#include <vector>
namespace dscope::record {
/// What was measured of another machine's clock from here: how far it is ahead of ours, at least and at most.
struct ClockOffset {
    std::int64_t least = 0, most = 0; ///< ns; negative: behind
    std::int64_t middle() const { return least + (most - least) / 2; }
    /// Whether it can't be that both clocks are right.
    bool differs() const { return least > 0 || most < 0; }
};
/// How well the times of machines agree whose runs become one: of each run what its recording knows goes in.
///
/// A machine's times are those of its CLOCK_MONOTONIC, put onto UTC by what both clocks said when the run began. They are off by what
/// who keeps its clock says (adjtimex's maxerror, when the run began or when it ended), by half of the time that the reading took, and by
/// what the wall clock was set while the run went on. Two machines are as far apart as both of their errors together, and all
/// of them no farther than the two that are worst.
class ClockAgreements {
public:
    /// Of one run. `host`: what it goes by; two runs of one host are one. `end` is unknown where the stream was cut. `measured`: of the
    /// clock from here; that of one who is told to differ has been set right by ClockOffset::middle().
    void add(const std::string& host, const Program& program, const Exit& end, const std::optional<ClockOffset>& measured = {});
    ClockAgreement agreement() const;
    /// Sentences of the hosts whose clocks are no good, as far as anybody said so, up to `most` named in each; none where there is one
    /// host.
    std::vector<std::string> complaints(std::size_t most) const;

private:
    struct Host {
        std::string name;
        std::optional<std::int64_t> fromUtc, fromHere;     ///< ns that it is off at most; none: not known
        ClockReading::Kept kept = ClockReading::Kept::Yes; ///< the worst of its runs
        std::int64_t set = 0;                              ///< ns that its wall clock was set by, the most of its runs
        std::optional<ClockOffset> measured;
        std::uint32_t hosts = 1, unknown = 0; ///< that a run merged before is of
    };
    std::vector<Host> m_hosts;
};
/// "the clocks of 3 hosts agree within 12.4 ms", "... of 2 of 3 hosts ...", or that it is not known; empty: of one machine alone.
std::string textOf(const ClockAgreement& agreement);
} // namespace dscope::record
