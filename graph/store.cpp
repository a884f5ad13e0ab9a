#include "graph/store.h"
#include "engine/format/text_printer.h"
#include "engine/record/counted_stacks.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/printed_graph.h"
#include "graph/process_stretch.h"
#include "graph/stack_parts.h"
#include <algorithm>
#include <type_traits>
namespace dscope::graph {
namespace {
using record::ActionKind;

bool showsData(const record::Clause& clause)
{
    return std::any_of(clause.actions.begin(), clause.actions.end(), [](const record::Action& action) {
        switch (action.kind) {
        case ActionKind::Trace:
        case ActionKind::Tracemem:
        case ActionKind::Printf:
        case ActionKind::Stack:
        case ActionKind::UserStack:
        case ActionKind::Symbol: return true;
        default: return false;
        }
    });
}
bool hasData(const record::AggregationState::Entry& entry)
{
    return std::any_of(entry.rows.begin(), entry.rows.end(), [](const record::AggregationRow& row) {
        return std::any_of(row.data.begin(), row.data.end(), [](std::int64_t v) { return v != 0; });
    });
}
} // namespace

void Store::take(const record::Record& record)
{
    ++m_generation;
    std::visit([this](const auto& r) { add(r); }, record);
    if (m_printer && !std::holds_alternative<record::Program>(record)) m_printer->take(record);
}
void Store::add(const record::Program& program)
{
    m_program = program;
    m_program.aggregations.clear();
    m_aggregations = record::AggregationState();
    m_beforeClear.clear();
    m_histories.clear();
    for (const auto& a : program.aggregations)
        declare(a, History::kMostBytes / program.aggregations.size());
    m_keeps.clear();
    for (const auto& clause : program.clauses)
        m_keeps.push_back(showsData(clause) || (!clause.silent && clause.actions.empty()));
    m_last = std::max(m_last, program.started);
    m_printer.reset();
    m_printed.reset();
    if (!printsGraph(program)) return;
    m_printed = std::make_shared<std::string>();
    m_printer = std::make_shared<format::TextPrinter>(
        [into = m_printed](std::string_view text) { into->append(text.substr(0, kPrintedKept - into->size())); }, [](std::string_view) {});
    auto quiet = program;
    quiet.options["quiet"] = "";
    m_printer->take(quiet);
}
AggregationId Store::declare(const record::Aggregation& aggregation, std::size_t mostBytes)
{
    m_program.aggregations.push_back(aggregation);
    m_beforeClear.push_back({{}, {m_program.started, m_program.started}, m_program.started});
    m_histories.emplace_back(aggregation.function, m_program.started, mostBytes);
    return m_aggregations.declare(aggregation);
}
void Store::add(const record::ProbeDef& probe) { m_probes[probe.id.value] = probe; }
void Store::add(const record::StackDef& stack)
{
    if (stack.frames.empty()) return; // what was before is shown too
    m_stacks.keep(stack.id, stack.frames);
}
void Store::add(const record::Fired& fired)
{
    m_last = std::max(m_last, std::int64_t{fired.when.count()});
    if (fired.clause.value >= m_program.clauses.size()) return;
    for (const auto& action : m_program.clauses[fired.clause.value].actions) {
        const bool resets = action.kind == ActionKind::Clear || action.kind == ActionKind::Trunc;
        if (resets)
            for (const auto id : action.aggregations)
                keepBeforeClear(id, fired.when.count());
        m_aggregations.apply(action, fired.payload);
        if (resets)
            for (const auto id : action.aggregations)
                if (id.value < m_beforeClear.size() && !hasData(m_aggregations.entry(id))) m_beforeClear[id.value].at = fired.when.count();
        if (!resets && action.kind != ActionKind::Printa) continue;
        for (const auto id : action.aggregations) {
            if (id.value >= m_histories.size()) continue;
            m_histories[id.value].mark();
            if (resets) m_histories[id.value].reset(m_aggregations.entry(id).rows);
        }
    }

    if (!m_keeps[fired.clause.value]) return;
    if (m_newestShown > 0) {
        m_newest.push_back(fired);
        if (m_newest.size() >= 2 * m_newestShown)
            m_newest.erase(m_newest.begin(), m_newest.end() - static_cast<std::ptrdiff_t>(m_newestShown));
    }
    if (m_fired.size() < kFiredKept)
        m_fired.push_back(fired);
    else
        ++m_firedNotKept;
}
void Store::add(const record::AggregationRows& rows)
{
    m_last = std::max(m_last, std::int64_t{rows.when.count()});
    if (rows.aggregation.value >= m_program.aggregations.size()) return;
    m_aggregations.take(rows);
    const auto& keys = m_program.aggregations[rows.aggregation.value].keys;
    if (m_keepsTimes || std::none_of(keys.begin(), keys.end(), isStack))
        m_histories[rows.aggregation.value].take(rows.when.count(), rows.rows);
}
void Store::add(const record::StackParts& parts)
{
    m_parts = parts;
    for (std::size_t i = 0; i < parts.by.size(); ++i) {
        const auto id = declare(parts.by[i], History::kMostBytes / parts.by.size());
        const auto when = giveParts(parts.parts, i, m_program.started, m_histories[id.value], m_aggregations.entry(id).rows);
        m_last = std::max(m_last, when);
    }
}
void Store::add(const record::ProcessEvent& event)
{
    m_last = std::max(m_last, std::int64_t{event.when.count()});
    if (m_processes.size() < kProcessesKept)
        m_processes.push_back(event);
    else
        ++m_processesNotKept;
}
void Store::add(const record::Drop& drop) { m_drops += drop.count; }
void Store::add(const record::Fault&) { }
void Store::add(const record::TargetExited&) { }
void Store::add(const record::Exit& exit)
{
    m_last = std::max(m_last, std::int64_t{exit.when.count()});
    m_clocks = exit.agreement;
}

std::span<const record::Fired> Store::fired() const
{
    if (m_newestShown == 0) return m_fired;
    const std::span<const record::Fired> newest(m_newest);
    return newest.last(std::min(newest.size(), m_newestShown));
}
std::uint64_t Store::firedNotShown() const { return m_newestShown == 0 ? 0 : m_fired.size() + m_firedNotKept - fired().size(); }
void Store::showNewest(std::size_t most)
{
    if (firedNotShown() > 0) ++m_generation; // views change without a record
    m_newestShown = most;
    if (most == 0) std::vector<record::Fired>().swap(m_newest);
}
Store::Bounds Store::bounds() const
{
    Bounds all{m_firedNotKept, m_processesNotKept, 0, 0};
    for (const auto& history : m_histories) {
        all.keys += history.bounds().keysGone;
        all.step = std::max(all.step, history.bounds().step);
    }
    return all;
}

Measure Store::measure(const record::Aggregation& aggregation) const
{
    return m_measure && aggregation.function != record::Aggregator::Count ? *m_measure : measureOf(aggregation, *this);
}
void Store::keepBeforeClear(AggregationId id, std::int64_t when)
{
    if (id.value >= m_beforeClear.size()) return;
    const auto& entry = m_aggregations.entry(id);
    if (!hasData(entry)) return;
    auto& before = m_beforeClear[id.value];
    before.entry = entry;
    before.interval = {before.at, when};
}
bool Store::showsNow(std::size_t id) const
{
    if (!hasData(m_aggregations.entry(AggregationId{static_cast<std::uint32_t>(id)}))) return false;
    const auto& before = m_beforeClear.at(id);
    const bool again = before.interval.from > m_program.started; // not the first time: it is emptied from time to time
    return !again || !hasData(before.entry) || 2 * (m_last - before.at) >= before.interval.to - before.interval.from;
}
/// Whether it is emptied from time to time, and its history has all that came in.
bool Store::showsWhole(std::size_t id) const
{
    const auto& before = m_beforeClear.at(id);
    const auto& keys = m_program.aggregations[id].keys;
    return before.interval.from > m_program.started && hasData(before.entry) && std::none_of(keys.begin(), keys.end(), isStack);
}
const record::AggregationState::Entry& Store::shown(AggregationId id) const
{
    if (m_shownStretch) return m_entriesShown.at(id.value);
    if (showsWhole(id.value)) {
        auto& whole = m_wholes[id.value];
        if (whole.generation != m_generation) whole = {{m_histories[id.value].sums(), m_aggregations.entry(id).divisor}, m_generation};
        return whole.entry;
    }
    return showsNow(id.value) ? m_aggregations.entry(id) : m_beforeClear.at(id.value).entry;
}
std::optional<Store::Interval> Store::shownInterval(AggregationId id) const
{
    if (m_shownStretch || showsWhole(id.value)) return std::nullopt;
    const auto& before = m_beforeClear.at(id.value);
    const Interval shown = showsNow(id.value) ? Interval{before.at, m_last} : before.interval;
    return shown.from > m_program.started && shown.to > shown.from ? std::optional(shown) : std::nullopt;
}
const std::vector<record::CountedStacks>& Store::counted() const
{
    if (!cutsStacks()) return m_counted;
    if (m_cutGeneration != m_generation) m_cut = stacksOfParts(m_counted, m_parts->parts);
    m_cutGeneration = m_generation;
    return m_cut;
}
std::vector<std::string> Store::events() const { return record::eventsOf(m_counted); }
Result<> Store::showEvent(const std::string& event)
{
    const auto all = events();
    const auto noun = record::nounOfEvent(event, all);
    if (std::find(all.begin(), all.end(), noun) == all.end()) return record::noSuchEvent(event, all);
    if (all.front() == noun) return {};
    std::stable_partition(m_counted.begin(), m_counted.end(), [&](const record::CountedStacks& stacks) { return stacks.noun == noun; });
    m_parts.reset(); // those are times of the event before
    ++m_generation;
    return {};
}
Result<> Store::show(const Stretch& stretch)
{
    const auto start = m_program.started, whole = m_last - start;
    if (start <= 0 || whole <= 0 || m_program.timesAreLines)
        return Error{0, "--from and --to: it is not known when in the run anything was"};
    const auto from = stretch.from ? stretch.from->on(m_program, m_last) : start,
               to = stretch.to ? stretch.to->on(m_program, m_last) : m_last;
    const auto after = [&](std::int64_t when) { return formatDuration(static_cast<double>(when - start)); };
    const std::string run = "the run, which lasted " + formatDuration(static_cast<double>(whole))
        + (m_program.wallClockOffset != 0 ? " from " + formatUtc(start + m_program.wallClockOffset) : "");
    if (to <= start || from >= m_last) return Error{0, "--from and --to: " + after(from) + " to " + after(to) + " is outside of " + run};
    if (from >= to) return Error{0, "--from and --to: nothing is between " + after(from) + " and " + after(to) + " of " + run};

    ShownStretch shown{std::max(from, start) - start, std::min(to, m_last) - start, whole};
    const auto begin = std::max(from, start), end = std::min(to, m_last);
    m_processes = eventsWithin(m_processes, begin, end);
    std::erase_if(m_fired, [&](const record::Fired& fired) { return fired.when.count() < begin || fired.when.count() > end; });
    if (m_parts)
        std::erase_if(m_parts->parts,
            [&](const record::StackParts::Part& part) { return !isMostlyWithin(part.from.count(), part.to.count(), begin, end); });
    for (std::uint32_t id = 0; id < m_histories.size(); ++id) {
        const auto function = m_program.aggregations[id].function;
        const auto beyond = m_histories[id].keepWithin(begin, end);
        m_untimed.push_back(!beyond);
        shown.beyond = std::max(shown.beyond, beyond.value_or(0));
        const auto divisor = m_aggregations.entry(AggregationId{id}).divisor;
        m_entriesShown.push_back({m_histories[id].sums(), divisor});
        const bool isExtreme = function == record::Aggregator::Min || function == record::Aggregator::Max;
        shown.hasExtremes = shown.hasExtremes || (isExtreme && !m_entriesShown.back().rows.empty());
    }

    m_shownStretch = shown;
    m_program.started = begin;
    m_last = end;
    ++m_generation;
    return {};
}
std::vector<std::string> Store::untimed(Heeds::Amounts which) const
{
    std::vector<std::string> out;
    for (std::size_t id = 0; id < m_untimed.size(); ++id) {
        const auto& a = m_program.aggregations[id];
        const bool ofStacks = std::any_of(a.keys.begin(), a.keys.end(), isStack);
        if (m_untimed[id] && ofStacks == (which == Heeds::Amounts::Stacks)) out.push_back('@' + a.name);
    }
    return out;
}
const record::ProbeDef* Store::probe(ProbeId id) const
{
    const auto found = m_probes.find(id.value);
    return found == m_probes.end() ? nullptr : &found->second;
}
} // namespace dscope::graph
