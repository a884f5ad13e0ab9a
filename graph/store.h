#pragma once
#include "engine/record/aggregation_state.h"
#include "engine/record/code_text.h"
#include "engine/record/kept_stacks.h"
#include "engine/record/record.h"
#include "graph/history.h"
#include "graph/source_texts.h"
#include "graph/stack_rules.h"
#include "graph/stretch.h"
#include "graph/units.h"
#include "graph/visual.h"
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
namespace dscope::graph {
class Stacks;
/// All records so far, indexed for models. Append only; cheap to feed at a million records a second.
class Store final : public record::Sink {
public:
    void take(const record::Record& record) override;
    /// Which stacks are shown, by every view of them. Given before stacks are asked for.
    void read(StackRules rules) { m_stackRules = std::move(rules); }
    const StackRules& stackRules() const { return m_stackRules; }
    /// What the values of aggregations are, where the program does not say it or says it wrong; counts stay counts.
    void measureIn(Measure measure) { m_measure = measure; }
    Measure measure(const record::Aggregation& aggregation) const;
    /// Keeps when what came into which aggregation, of stacks, too, so that show() can be asked. Given before the records.
    void keepTimes() { m_keepsTimes = true; }
    /// From now on shows the run as if only this stretch of it had been traced. Error: why there is no such stretch.
    Result<> show(const Stretch& stretch);
    /// From now on shows the imported stacks that count `event` (record::nounOfEvent), not the first. Error: there are none, and which
    /// there are.
    Result<> showEvent(const std::string& event);
    /// None where all of the run is shown.
    const std::optional<ShownStretch>& shownStretch() const { return m_shownStretch; }
    /// Names of aggregations, those of stacks or the others, that were read too rarely to say what came into them in the stretch.
    std::vector<std::string> untimed(Heeds::Amounts which) const;
    /// A stretch is shown, and nobody knows which of the imported stacks came in then.
    bool hasUntimedStacks() const { return m_shownStretch && !m_counted.empty() && !cutsStacks(); }
    /// What the imported stacks count, the one that is shown first.
    std::vector<std::string> events() const;
    /// The runs that this one is the sum of (record::MergedRuns), where a comparison asks how far these are apart; empty for a single run.
    const std::vector<std::shared_ptr<const Store>>& runs() const { return m_runs; }
    void consistsOf(std::vector<std::shared_ptr<const Store>> runs) { m_runs = std::move(runs); }
    /// What supplySources() found.
    void have(std::shared_ptr<const SourceTexts> sources) { m_sources = std::move(sources); }
    const std::shared_ptr<const SourceTexts>& sources() const { return m_sources; } ///< null: nobody looked
    /// How views get at machine code: whoever has the files reads them. Given before views are made; else none shows code.
    void readCodeBy(record::ReadCode read) { m_readCode = std::move(read); }
    const record::ReadCode& readCode() const { return m_readCode; } ///< may be empty
    const record::Program& program() const { return m_program; }
    const record::ProbeDef* probe(ProbeId id) const;
    const std::unordered_map<std::uint32_t, record::ProbeDef>& probes() const { return m_probes; } ///< by id
    bool tellsLines() const { return m_stacks.tellLines(); }                                       ///< of source, of any frame
    record::KeptStacks::View stack(StackId id) const { return m_stacks[id]; }                      ///< empty for unknown ids
    const record::AggregationState& aggregations() const { return m_aggregations; }
    /// Stacks of imported text, for stacksOf() (graph/stacks.h), which everything else asks: those of the parts that are shown.
    const std::vector<record::CountedStacks>& counted() const;
    /// When and of whom imported stacks came in, those that are shown; null where nobody knows.
    const record::StackParts* parts() const { return m_parts ? &*m_parts : nullptr; }
    const std::vector<record::ProcessEvent>& processes() const { return m_processes; }
    /// Firings with printf or trace data, and those of clauses without actions; at most kFiredKept, or as showNewest() says.
    std::span<const record::Fired> fired() const;
    /// From now on views have only so many firings, the newest; 0: all that are kept. For a run that goes on, whose views are made again
    /// and again. Before the first record, and at the end.
    void showNewest(std::size_t most);
    /// How many firings came before those that are shown.
    std::uint64_t firedNotShown() const;
    /// What a figure shows of an aggregation: its rows now or, when a clear or trunc has emptied it, those before. Where it is
    /// emptied from time to time, all that came in during the run; of stacks, which have no history, what has come in since when that is
    /// at least half as long, or else in the interval before.
    const record::AggregationState::Entry& shown(AggregationId id) const;
    /// Where shown() is not what came in since the program began: from when to when it did, ns, CLOCK_MONOTONIC.
    struct Interval {
        std::int64_t from = 0, to = 0;
    };
    std::optional<Interval> shownInterval(AggregationId id) const;
    /// What came into an aggregation when. Of aggregations by stacks nothing is kept.
    const History& history(AggregationId id) const { return m_histories.at(id.value); }
    /// What the program printed, when it prints a graph in Graphviz's language (graph/printed_graph.h); else empty.
    std::string printed() const { return m_printed ? *m_printed : std::string(); }
    std::uint64_t firedNotKept() const { return m_firedNotKept; }
    /// What has had no room, or has been made coarser, so that memory stays within bounds.
    struct Bounds {
        std::uint64_t fired = 0, processes = 0; ///< records that are not kept, the later ones
        std::uint64_t keys = 0;                 ///< of aggregations over time (History::Bounds)
        std::int64_t step = 0;                  ///< ns: the same
        bool operator==(const Bounds&) const = default;
    };
    Bounds bounds() const;
    std::uint64_t drops() const { return m_drops; }
    const record::ClockAgreement& clocks() const { return m_clocks; } ///< of merged runs, when they have ended
    std::int64_t lastTime() const { return m_last; }                  ///< ns, CLOCK_MONOTONIC of the newest record
    std::uint64_t generation() const { return m_generation; }         ///< grows with every record: views refresh when it changed

    /// What `make` gives, made once for all records so far: all views of stacks share it (stacksOf() in graph/stacks.h).
    template <typename Make> std::shared_ptr<const Stacks> madeOnce(Make make) const
    {
        if (!m_stacksMade || m_stacksGeneration != m_generation) m_stacksMade = make();
        m_stacksGeneration = m_generation;
        return m_stacksMade;
    }

    static constexpr std::size_t kFiredKept = 1'000'000;
    static constexpr std::size_t kProcessesKept = 1'000'000; ///< events
    static constexpr std::size_t kPrintedKept = 16U << 20U;  ///< bytes

private:
    void add(const record::Program& program);
    void add(const record::ProbeDef& probe);
    void add(const record::StackDef& stack);
    void add(const record::Fired& fired);
    void add(const record::AggregationRows& rows);
    void add(const record::CountedStacks& stacks) { m_counted.push_back(stacks); }
    void add(const record::StackParts& parts);
    void add(const record::ProcessEvent& event);
    void add(const record::Drop& drop);
    void add(const record::Fault& fault);
    void add(const record::TargetExited& exited);
    void add(const record::Exit& exit);
    void add(const record::Diagnostic&) { }
    void keepBeforeClear(AggregationId id, std::int64_t when);
    AggregationId declare(const record::Aggregation& aggregation, std::size_t mostBytes);
    bool cutsStacks() const { return m_parts && m_parts->hasLines && (!m_parts->isWhole || m_shownStretch); }
    bool showsNow(std::size_t id) const;
    bool showsWhole(std::size_t id) const;

    record::Program m_program;
    bool m_keepsTimes = false;
    std::optional<ShownStretch> m_shownStretch;
    std::vector<record::AggregationState::Entry> m_entriesShown; ///< by aggregation, in a stretch
    std::vector<bool> m_untimed;                                 ///< likewise
    StackRules m_stackRules;
    std::optional<Measure> m_measure;
    std::shared_ptr<const SourceTexts> m_sources;
    std::vector<std::shared_ptr<const Store>> m_runs;
    record::ReadCode m_readCode;
    std::unordered_map<std::uint32_t, record::ProbeDef> m_probes;
    record::KeptStacks m_stacks;
    record::AggregationState m_aggregations;
    struct Cleared {
        record::AggregationState::Entry entry; ///< as it was
        Interval interval;                     ///< in which that came in
        std::int64_t at = 0;                   ///< when it was emptied last, or the program began
    };
    std::vector<Cleared> m_beforeClear;
    std::vector<History> m_histories;
    struct Whole {
        record::AggregationState::Entry entry;
        std::uint64_t generation = 0; ///< of the store, when it was summed up
    };
    mutable std::map<std::uint32_t, Whole> m_wholes; ///< by aggregation
    std::shared_ptr<record::Sink> m_printer;         ///< into m_printed
    std::shared_ptr<std::string> m_printed;
    std::vector<bool> m_keeps; ///< by clause: its firings
    std::vector<record::ProcessEvent> m_processes;
    std::vector<record::CountedStacks> m_counted;
    std::optional<record::StackParts> m_parts;       ///< of m_counted, those that are shown
    mutable std::vector<record::CountedStacks> m_cut; ///< m_counted, cut down to them
    mutable std::uint64_t m_cutGeneration = 0;       ///< when that was
    std::vector<record::Fired> m_fired;
    std::size_t m_newestShown = 0;       ///< 0: all
    std::vector<record::Fired> m_newest; ///< the last m_newestShown of them are
    std::uint64_t m_processesNotKept = 0;
    std::uint64_t m_firedNotKept = 0, m_drops = 0, m_generation = 0;
    std::int64_t m_last = 0;
    record::ClockAgreement m_clocks;
    mutable std::shared_ptr<const Stacks> m_stacksMade; ///< of the records up to m_stacksGeneration
    mutable std::uint64_t m_stacksGeneration = 0;
};
} // namespace dscope::graph
