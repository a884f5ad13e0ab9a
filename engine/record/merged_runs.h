#pragma once
#include "engine/record/aggregation_state.h"
#include "engine/record/clock_agreement.h"
#include "engine/record/merged_firings.h"
#include "engine/record/record.h"
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
namespace dscope::record {
/// What the rows of merged runs are told apart by: a key before their own, named "host", "run" or "file".
enum class MergedBy : std::uint8_t { Nothing, Host, Run, File };
/// What a source's firings are.
enum class Firings : std::uint8_t {
    All,     ///< all of the run
    Effects, ///< those that say what became of the aggregations: what they print is not to be had of them
    Shown,   ///< those that print or trace, beside another source of the same run that has all else
};
/// One of the runs that become one.
struct MergedRun {
    std::string name; ///< of its file, for messages and as a key
    std::unique_ptr<Source> source;
    std::uint64_t leftOut = 0; ///< firings that printed or traced something, of those that the source does not tell of
    bool isPrinted = false;    ///< what its clauses print has been shown as it came: nothing is said of it
    Firings firings = Firings::All;
    std::optional<ClockOffset> measured = {}; ///< of its machine's clock, from here
};
/// Several runs of one D program as one stream, as if one run had seen all: equal keys become one row, by the arithmetic of their
/// aggregating function, and stacks with the same names and places are equal, though processes have them at other addresses. What
/// clear() and trunc() took away from a run while it went on stays; a trunc() of END is done once, to all. Times are on the first run's
/// clock: runs are aligned by the wall clocks of their machines. How far these may be apart is in Exit::agreement, and a Diagnostic names
/// the hosts whose clocks are no good (engine/record/clock_agreement.h). Drops and faults of all are there, and so is what clauses printed
/// or traced, in the order of time, behind what the runs are told apart by, but for the probe. What can't be merged is left out and told by
/// a Diagnostic: firings that a source does not have or that only tell that they were, processes, normalize() by numbers that differ.
///
/// poll() gives an error when a run is of another program, with the first difference, or a source fails; it names the run.
class MergedRuns final : public Source {
public:
    /// `runs`: one at least.
    MergedRuns(std::vector<MergedRun> runs, MergedBy by);
    ~MergedRuns() override;
    Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) override;

private:
    struct Run;
    struct Head {
        std::int64_t when = 0; ///< on the first run's clock
        std::size_t run = 0;
        bool operator<(const Head& o) const { return when != o.when ? when > o.when : run > o.run; } // the earliest is the greatest
    };
    struct PlaceHash {
        std::size_t operator()(const Digest& digest) const { return digest.low; }
    };
    Result<> begin(const Deliver& deliver);
    Result<> label();
    Program mergedProgram();
    Result<> await(std::size_t run, std::chrono::milliseconds timeout);
    Result<> take(Run& run, Record& record, const Deliver& deliver);
    void take(Run& run, AggregationRows& rows, const Deliver& deliver);
    void take(Run& run, const StackDef& stack, const Deliver& deliver);
    void take(Run& run, const ProbeDef& probe, const Deliver& deliver);
    void take(Run& run, const Fired& fired, const Deliver& deliver);
    Result<> take(Run& run, const CountedStacks& stacks, const Deliver& deliver);
    void keepBefore(Run& run, const Action& action, ByteView payload);
    /// Which of the merged stacks it is; 0: it is not known.
    static StackId stackOf(const Run& run, StackId own);
    Bytes keyOf(const Run& run, const Aggregation& own, ByteView key) const;
    std::vector<AggregationRow> rows(AggregationId id) const;
    void tellRows(AggregationId id, std::int64_t when, const Deliver& deliver);
    void tellDivisors(const Deliver& deliver);
    void tellLeftOut(const Deliver& deliver) const;
    void end(const Deliver& deliver);

    std::vector<std::unique_ptr<Run>> m_runs;
    MergedBy m_by;
    Program m_program;
    /// Of an aggregation: who has told its rows since the merged ones were told last, and when.
    struct Round {
        std::vector<bool> told; ///< by run
        std::int64_t when = 0;
    };
    std::vector<Round> m_rounds;
    MergedFirings m_firings;
    std::vector<std::optional<ClauseId>> m_normalizing; ///< the clause that does, by aggregation
    struct LastTrunc {
        Action action;
        Bytes payload;
    };
    std::vector<std::optional<LastTrunc>> m_truncated; ///< by END, by aggregation
    std::priority_queue<Head> m_heads;
    std::unordered_map<Digest, std::vector<StackId>, PlaceHash> m_stacks; ///< by what makes them equal
    std::uint32_t m_lastStack = 0;
    std::map<std::vector<std::string>, ProbeId> m_probes;
    std::optional<CountedStacks> m_measure; ///< without stacks: what stacks of other tools count
    std::int64_t m_room = INT64_MAX;       ///< that their values leave
    std::uint64_t m_leftOut = 0;           ///< firings that printed or traced
    bool m_leavesProcesses = false;
    std::int32_t m_status = 0;
    std::int64_t m_end = 0;
    bool m_begun = false, m_ended = false;
};
} // namespace dscope::record
