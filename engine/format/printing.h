#pragma once
#include "engine/base/process_end.h"
#include "engine/format/cut_stacks.h"
#include "engine/format/effects.h"
#include "engine/format/printf.h"
#include "engine/format/values.h"
#include "engine/record/aggregation_state.h"
#include "engine/record/record.h"
#include "engine/record/sort.h"
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>
namespace dscope::format {
/// What every printer of a stream of records keeps of it, and what it tells beside the data: the base of TextPrinter and
/// StructuredPrinter, which says what a firing and the end look like.
class Printing {
public:
    /// `messages` gets what dtrace tells on stderr; `effects` may be null, as in a replay.
    Printing(Write forMessages, Effects* forEffects) : messages(std::move(forMessages)), effects(forEffects) { }
    virtual ~Printing() { leaveIfProcessEnds(context.stacks); }
    Printing(const Printing&) = delete;
    Printing& operator=(const Printing&) = delete;

    void operator()(const record::Program& program);
    void operator()(const record::ProbeDef& probe) { probes[probe.id.value] = probe; }
    void operator()(const record::StackDef& stack);
    void operator()(const record::AggregationRows& rows) { state.take(rows); }
    void operator()(const record::CountedStacks& stacks)
    {
        // What counts something else than the first ones do would not be told apart from them.
        if (counted.empty() || counted.front().measuresAs(stacks)) counted.push_back(stacks);
    }
    void operator()(const record::StackParts&) { }
    void operator()(const record::ProcessEvent&) { }
    void operator()(const record::Diagnostic& diagnostic);
    void operator()(const record::Drop& drop);
    void operator()(const record::Fault& fault);
    void operator()(const record::TargetExited& exited);

    /// Lets go of the stacks that nothing to come names, but for those that stand in rows.
    void forgetStacks();

    OptionCheck optionCheck;
    Context context;

protected:
    /// After setopt(), and once at the start.
    virtual void optionsChanged();
    void setopt(const record::Fired& fired, const record::Action& action);
    /// How often faults happened that were told once.
    void tellRepeated();
    /// What of an action's memory was asked for, by a second field with its size.
    static ByteView memoryOf(const record::Action& action, ByteView payload);
    /// Whether the clause records anything that somebody asked to see: commit() and discard() alone do not.
    static bool isShown(const record::Clause& clause);
    /// The aggregations in the order in which they are printed at the end; those that printa() has shown are left out.
    std::vector<AggregationId> unprinted() const;
    /// Where a firing's error is told to be.
    std::string placeOf(const record::Fired& fired);
    const record::ProbeDef& probeOf(ProbeId id);
    ClauseId shownClause(ClauseId clause, ProbeId probe);
    void tell(const std::string& text) { messages("dtrace: " + text + '\n'); }
    void tellReplay(const std::string& text) { messages("dscope: not done in a replay: " + text + '\n'); }
    bool isForLinux() const { return program.dialect == record::Dialect::DtraceForLinux; }

    Write messages;
    Effects* effects;
    record::Program program;
    std::vector<std::vector<std::vector<Conversion>>> formats; ///< by clause and action
    std::map<std::string, std::string> options;                ///< the program's, and what setopt() made of them
    std::map<std::uint32_t, record::ProbeDef> probes;
    record::AggregationState state;
    std::vector<record::CountedStacks> counted; ///< imported; printed at the end, behind the aggregations
    record::SortOrder sorting;
    CutStacks cutStacks;
    std::size_t printSize = 0; ///< bytes of an object that print() shows

    /// How often each has happened: enabled probe, probe, action, kind.
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, record::FaultKind>, std::uint64_t> faults;
    bool toldOfScratch = false;           ///< how programs get more of it
    std::vector<std::uint32_t> forgotten; ///< stacks that are to go once no row has them

public:
    bool forgetsStacks() const { return !forgotten.empty(); }
};

/// Gives a record to a printer, and lets go of stacks before any but their definitions.
template <typename Printer> void giveTo(Printer& printer, const record::Record& record)
{
    if (printer.forgetsStacks() && !std::holds_alternative<record::StackDef>(record)) printer.forgetStacks();
    std::visit(printer, record);
}
} // namespace dscope::format
