#pragma once
#include "engine/record/merged_runs.h"
namespace dscope::record {
using KeyText = std::string; ///< the bytes of a key
/// One of the runs while they are merged.
struct MergedRuns::Run {
    explicit Run(MergedRun run)
        : name(std::move(run.name)), source(std::move(run.source)), isPrinted(run.isPrinted), firings(run.firings), measured(run.measured)
    {
    }

    void forget(StackId stack)
    {
        const auto known = stacks.find(stack.value);
        if (known == stacks.end()) return;
        alike[known->second.place][known->second.which] = false;
        stacks.erase(known);
    }

    std::string name;
    std::unique_ptr<Source> source;
    bool isPrinted = false;
    Firings firings = Firings::All;
    std::optional<ClockOffset> measured;
    Exit exit; ///< when it has ended
    Program program;
    bool hasProgram = false, hasEnded = false;
    bool hasStacks = false;        ///< that another tool counted
    bool hasLeftStacksOut = false; ///< of another measure
    Bytes label;            ///< the key before its keys
    std::int64_t shift = 0; ///< ns to add to its times
    std::int64_t last = 0;  ///< time of the last record that had one
    std::deque<Record> waiting;
    AggregationState state;                                 ///< as its stream has it
    std::vector<std::map<KeyText, AggregationData>> before; ///< by aggregation: what clear() and trunc() took; keys as merged
    struct Known {
        StackId merged;
        Digest place;          ///< m_stacks' key
        std::size_t which = 0; ///< of its equal stacks
    };
    std::unordered_map<std::uint32_t, Known> stacks;
    std::unordered_map<Digest, std::vector<bool>, PlaceHash> alike; ///< which of its equal stacks are there, by m_stacks' key
    std::unordered_map<std::uint32_t, ProbeId> probes;
    std::optional<std::uint32_t> end; ///< its number of the probe dtrace:::END
    std::vector<bool> isEnded;        ///< by aggregation: END has removed rows, and what comes now lacks them
    std::size_t number = 0;
};
} // namespace dscope::record
