#include "engine/record/merged_runs.h"
#include "engine/record/aggregation_data.h"
#include "engine/record/counted_stacks.h"
#include "engine/record/effect.h"
#include "engine/record/merged_run.h"
#include "engine/record/program_difference.h"
#include "engine/record/value.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <ctime>
#include <set>
namespace dscope::record {
namespace {
constexpr std::size_t kMostNamed = 3; ///< hosts in a sentence
KeyText textOf(ByteView key) { return {reinterpret_cast<const char*>(key.data()), key.size()}; }
bool isStackField(const Field& field)
{
    return field.kind == FieldKind::Stack || field.kind == FieldKind::UserStack || field.kind == FieldKind::Symbol;
}
/// Where a record stands in time; nothing where it is at no time.
std::optional<std::int64_t> timeOf(const Record& record)
{
    if (const auto* rows = std::get_if<AggregationRows>(&record)) return rows->when.count();
    if (const auto* fired = std::get_if<Fired>(&record)) return fired->when.count();
    if (const auto* exit = std::get_if<Exit>(&record)) return exit->when.count();
    return std::nullopt;
}
/// What two machines know of the same code: all of a frame but its address.
Digest placeOf(const Frame& frame)
{
    auto place = frame;
    if (!place.function.empty() || place.linked != 0 || place.offset != 0) place.address = 0;
    return KnownFrame::digestOf(place);
}
/// "2026-11-24 10:02:11", when a run began, where it was; `digits`, 0 to 9, of the second.
std::string startOf(const Program& program, std::size_t digits)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    const auto began = program.started + program.wallClockOffset;
    const auto when = static_cast<std::time_t>(began / kSecond + program.utcOffset);
    std::tm parts{};
    ::gmtime_r(&when, &parts);
    std::array<char, 32> text{};
    const auto size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
    std::string shown(text.data(), size);
    if (digits > 0) shown += '.' + std::to_string(kSecond + began % kSecond).substr(1, digits);
    return shown;
}
/// Each once, in their order: "a, b".
std::string listOf(const std::vector<std::string>& all)
{
    std::string text;
    std::set<std::string> known;
    for (const auto& one : all)
        if (!one.empty() && known.insert(one).second) text += (text.empty() ? "" : ", ") + one;
    return text;
}
/// ns that the clock of its machine is ahead of this one's, where it is known not to be right.
std::int64_t aheadOf(const std::optional<ClockOffset>& measured) { return measured && measured->differs() ? measured->middle() : 0; }
} // namespace

MergedRuns::MergedRuns(std::vector<MergedRun> runs, MergedBy by) : m_by(by)
{
    DSCOPE_ASSERT(!runs.empty());
    for (auto& run : runs) {
        if (!run.isPrinted) m_leftOut += run.leftOut;
        m_runs.push_back(std::make_unique<Run>(std::move(run)));
        m_runs.back()->number = m_runs.size() - 1;
    }
}

MergedRuns::~MergedRuns() = default;

Result<bool> MergedRuns::poll(std::chrono::milliseconds timeout, const Deliver& deliver)
{
    if (m_ended) return false;
    if (!m_begun) DSCOPE_CHECK(begin(deliver));
    m_begun = true;
    constexpr std::size_t kAtOnce = 4096;
    for (std::size_t done = 0; done < kAtOnce && !m_heads.empty(); ++done) {
        const auto head = m_heads.top();
        m_heads.pop();
        auto& run = *m_runs[head.run];
        auto record = std::move(run.waiting.front());
        run.waiting.pop_front();
        DSCOPE_CHECK(take(run, record, deliver));
        DSCOPE_CHECK(await(head.run, timeout));
    }

    if (!m_heads.empty()) return true;
    end(deliver);
    m_ended = true;
    return false;
}

/// Until the run has a record, which then is among the heads, or is over.
Result<> MergedRuns::await(std::size_t number, std::chrono::milliseconds timeout)
{
    auto& run = *m_runs[number];
    const auto keep = [&run](const Record& record) { run.waiting.push_back(record); };
    while (run.waiting.empty() && !run.hasEnded) {
        auto more = run.source->poll(timeout, keep);
        if (!more) return std::move(more).error().in(run.name);
        run.hasEnded = !*more;
    }

    if (run.waiting.empty()) return {};
    if (const auto when = timeOf(run.waiting.front())) run.last = *when + run.shift;
    m_heads.push({run.last, number});
    return {};
}

Result<> MergedRuns::begin(const Deliver& deliver)
{
    for (auto& run : m_runs) {
        while (!run->hasProgram) {
            const auto keep = [&run](const Record& record) {
                const auto* program = std::get_if<Program>(&record);
                if (!program || run->hasProgram) {
                    run->waiting.push_back(record);
                    return;
                }
                run->program = *program;
                run->hasProgram = true;
            };
            constexpr std::chrono::milliseconds kWait(1000);
            auto more = run->source->poll(kWait, keep);
            if (!more) return std::move(more).error().in(run->name);
            run->hasEnded = !*more;
            if (run->hasEnded && !run->hasProgram) return Error{0, run->name + " holds no run"};
        }

        const auto& first = *m_runs.front();
        if (const auto differs = difference(first.program, first.name, run->program, run->name); !differs.empty())
            return Error{0, run->name + " cannot be merged with " + first.name + ": " + differs};
        run->state = AggregationState(run->program.aggregations);
        run->before.resize(run->program.aggregations.size());
        run->isEnded.resize(run->program.aggregations.size());
        if (!first.program.timesAreLines && !run->program.timesAreLines)
            run->shift = run->program.wallClockOffset - first.program.wallClockOffset - aheadOf(run->measured) + aheadOf(first.measured);
        run->last = run->program.started + run->shift;
    }

    DSCOPE_CHECK(label());
    m_program = mergedProgram();
    m_rounds.assign(m_program.aggregations.size(), {std::vector<bool>(m_runs.size()), m_program.started});
    m_truncated.resize(m_program.aggregations.size());
    deliver(m_program);
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        DSCOPE_CHECK(await(i, {}));
    return {};
}

Result<> MergedRuns::label()
{
    if (m_by == MergedBy::Nothing) return {};
    for (const auto& run : m_runs)
        if (m_by != MergedBy::File && run->program.host.empty())
            return Error{0, run->name + " does not tell its host: tell the runs apart by their files"};
    // Runs of one host that began in the same second are two.
    std::set<std::pair<std::string, std::int64_t>> begins;
    for (const auto& run : m_runs)
        begins.emplace(run->program.host, run->program.started + run->program.wallClockOffset);
    std::vector<std::string> labels;
    for (const std::size_t digits : {0U, 3U, 6U, 9U}) {
        labels.clear();
        for (const auto& run : m_runs) {
            const auto& host = run->program.host;
            labels.push_back(m_by == MergedBy::File ? run->name
                    : m_by == MergedBy::Host        ? host
                                                    : host + ' ' + startOf(run->program, digits));
        }
        if (m_by != MergedBy::Run || std::set(labels.begin(), labels.end()).size() == begins.size()) break;
    }

    // Keys are of one size, with room for the longest text and its end.
    std::size_t size = 0;
    for (const auto& text : labels)
        size = std::max(size, text.size() + 1);
    constexpr std::size_t kWord = 8;
    size = (size + kWord - 1) / kWord * kWord;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        m_runs[i]->label.resize(size);
        std::memcpy(m_runs[i]->label.data(), labels[i].data(), labels[i].size());
    }
    return {};
}

Program MergedRuns::mergedProgram()
{
    Program all = m_runs.front()->program;
    std::vector<std::string> hosts, kernels;
    for (const auto& run : m_runs) {
        const auto& p = run->program;
        hosts.push_back(p.host);
        kernels.push_back(p.kernel);
        if (p.command != all.command) all.command.clear();
        all.started = std::min(all.started, p.started + run->shift);
        all.placesUnnamed = all.placesUnnamed && p.placesUnnamed;
        all.timesAreLines = all.timesAreLines || p.timesAreLines;
        all.cpus = std::max(all.cpus, p.cpus);
        m_leavesProcesses = m_leavesProcesses || p.tellsOfProcesses;
    }

    all.host = listOf(hosts);
    all.kernel = listOf(kernels);
    all.target = 0;
    all.matched.clear();
    all.tellsOfProcesses = false;
    all.options.erase("flowindent");
    all.options["quiet"] = ""; // what clauses print stands alone
    const auto width = static_cast<std::uint32_t>(m_runs.front()->label.size());
    const auto* name = m_by == MergedBy::Host ? "host" : m_by == MergedBy::Run ? "run" : "file";
    m_firings = MergedFirings(std::move(all.clauses), name, width);
    all.clauses = m_firings.clauses();

    m_normalizing.resize(all.aggregations.size());
    for (const auto& clause : m_runs.front()->program.clauses)
        for (const auto& action : clause.actions) {
            if (action.kind != ActionKind::Normalize || m_normalizing[action.aggregations[0].value]) continue;
            const Field divisor{FieldKind::Int, 0, sizeof(std::int64_t), action.fields[0].name, "int64_t"};
            const Action once{ActionKind::Normalize, {}, {divisor}, {action.aggregations[0]}};
            m_normalizing[action.aggregations[0].value] = ClauseId{static_cast<std::uint32_t>(all.clauses.size())};
            all.clauses.push_back({.actions = {once}, .payloadSize = sizeof(std::int64_t), .probes = clause.probes});
        }

    if (width == 0) return all;
    for (auto& aggregation : all.aggregations) {
        for (auto& key : aggregation.keys)
            key.offset += width;
        aggregation.keys.insert(aggregation.keys.begin(), Field{FieldKind::String, 0, width, name, "string"});
        aggregation.keySize += width;
    }
    return all;
}

Result<> MergedRuns::take(Run& run, Record& record, const Deliver& deliver)
{
    if (auto* rows = std::get_if<AggregationRows>(&record)) {
        take(run, *rows, deliver);
    } else if (const auto* stack = std::get_if<StackDef>(&record)) {
        take(run, *stack, deliver);
    } else if (const auto* probe = std::get_if<ProbeDef>(&record)) {
        take(run, *probe, deliver);
    } else if (const auto* fired = std::get_if<Fired>(&record)) {
        take(run, *fired, deliver);
    } else if (const auto* stacks = std::get_if<CountedStacks>(&record)) {
        return take(run, *stacks, deliver);
    } else if (auto* fault = std::get_if<Fault>(&record)) {
        const auto known = run.probes.find(fault->probe.value);
        fault->probe = known == run.probes.end() ? ProbeId{} : known->second;
        deliver(*fault);
    } else if (std::holds_alternative<Drop>(record) || std::holds_alternative<Diagnostic>(record)) {
        deliver(record);
    } else if (const auto* exit = std::get_if<Exit>(&record)) {
        run.exit = *exit;
        if (m_status == 0) m_status = exit->status;
        m_end = std::max(m_end, exit->when.count() + run.shift);
    }
    return {};
}

void MergedRuns::take(Run& run, AggregationRows& rows, const Deliver& deliver)
{
    const auto id = rows.aggregation;
    if (run.isEnded[id.value]) return;
    auto& round = m_rounds[id.value];
    // Who tells a second time begins a new round.
    if (round.told[run.number]) tellRows(id, round.when, deliver);
    run.state.take(rows);
    round.told[run.number] = true;
    round.when = std::max(round.when, rows.when.count() + run.shift);
}

void MergedRuns::take(Run& run, const StackDef& stack, const Deliver& deliver)
{
    run.forget(stack.id);
    if (stack.frames.empty()) return;

    Digest place;
    for (std::size_t i = 0; i < stack.frames.size(); ++i)
        place = place.then(placeOf(stack.frames[i]));
    // Two of one run that differ by their addresses alone are of two processes, and stay two.
    auto& known = m_stacks[place];
    auto& there = run.alike[place];
    const auto gap = std::find(there.begin(), there.end(), false);
    const auto which = static_cast<std::size_t>(gap - there.begin());
    if (gap == there.end())
        there.push_back(true);
    else
        *gap = true;
    if (which == known.size()) {
        known.push_back(StackId{++m_lastStack});
        deliver(StackDef{known.back(), stack.frames});
    }
    run.stacks[stack.id.value] = {known[which], place, which};
}

void MergedRuns::take(Run& run, const ProbeDef& probe, const Deliver& deliver)
{
    const auto [at, isNew] = m_probes.try_emplace(
        {probe.provider, probe.module, probe.function, probe.name}, ProbeId{static_cast<std::uint32_t>(m_probes.size() + 1)});
    if (isNew) deliver(ProbeDef{at->second, probe.provider, probe.module, probe.function, probe.name});
    run.probes[probe.id.value] = at->second;
    if (probe.provider == "dtrace" && probe.name == "END") run.end = probe.id.value;
}

StackId MergedRuns::stackOf(const Run& run, StackId own)
{
    const auto known = run.stacks.find(own.value);
    return known == run.stacks.end() ? StackId{} : known->second.merged;
}

void MergedRuns::take(Run& run, const Fired& fired, const Deliver& deliver)
{
    const auto& clause = run.program.clauses[fired.clause.value];
    if (run.firings != Firings::Effects && m_firings.has(fired.clause, clause)) {
        auto merged = m_firings.merged(fired, run.label, [&](StackId own) { return stackOf(run, own); });
        merged.when += Nanoseconds(run.shift);
        deliver(merged);
    } else if (tells(clause) && !run.isPrinted && run.firings != Firings::Effects) {
        ++m_leftOut;
    }
    if (run.firings == Firings::Shown) return;
    for (const auto& action : clause.actions) {
        if (normalizes(action.kind)) {
            run.state.apply(action, fired.payload);
        } else if (removesRows(action.kind) && run.end != fired.probe.value) {
            keepBefore(run, action, fired.payload);
            run.state.apply(action, fired.payload);
        } else if (removesRows(action.kind)) {
            for (const auto id : action.aggregations)
                run.isEnded[id.value] = true;
            if (action.kind == ActionKind::Trunc && !action.fields.empty())
                m_truncated[action.aggregations[0].value] = {action, fired.payload};
        }
    }
}

/// Adds to what came before what the action takes away.
void MergedRuns::keepBefore(Run& run, const Action& action, ByteView payload)
{
    auto after = run.state;
    after.apply(action, payload);
    // trunc() acts on the values by CPU, too, which are those of another aggregation.
    for (const auto id : action.aggregations) {
        const auto& aggregation = run.program.aggregations[id.value];
        std::map<KeyText, AggregationData> left;
        const auto nothing = emptyData(aggregation.function);
        for (const auto& row : after.entry(id).rows)
            if (row.data != nothing) left.emplace(textOf(row.key), row.data);
        for (const auto& row : run.state.entry(id).rows)
            if (row.data != nothing && !left.contains(textOf(row.key)))
                addData(aggregation.function, run.before[id.value][textOf(keyOf(run, aggregation, row.key))], row.data);
    }
}

Bytes MergedRuns::keyOf(const Run& run, const Aggregation& own, ByteView key) const
{
    Bytes merged = run.label;
    merged.insert(merged.end(), key.begin(), key.end());
    for (const auto& field : own.keys) {
        if (!isStackField(field) || field.offset + sizeof(std::uint32_t) > key.size()) continue;
        const auto number = stackOf(run, record::stackOf(field, key)).value;
        std::memcpy(merged.data() + run.label.size() + field.offset, &number, sizeof number);
    }
    return merged;
}

std::vector<AggregationRow> MergedRuns::rows(AggregationId id) const
{
    const auto function = m_program.aggregations[id.value].function;
    const auto nothing = emptyData(function);
    std::map<KeyText, AggregationData> merged;
    for (const auto& run : m_runs) {
        for (const auto& [key, data] : run->before[id.value])
            addData(function, merged[key], data);
        for (const auto& row : run->state.entry(id).rows) {
            auto& into = merged[textOf(keyOf(*run, run->program.aggregations[id.value], row.key))];
            if (into.empty())
                into = row.data;
            else if (row.data != nothing)
                addData(function, into, row.data);
        }
    }

    std::vector<AggregationRow> out;
    out.reserve(merged.size());
    for (auto& [key, data] : merged) {
        const auto* bytes = reinterpret_cast<const std::byte*>(key.data());
        out.push_back({Bytes(bytes, bytes + key.size()), std::move(data)});
    }
    return out;
}

void MergedRuns::tellRows(AggregationId id, std::int64_t when, const Deliver& deliver)
{
    deliver(AggregationRows{id, Nanoseconds(when), rows(id)});
    auto& round = m_rounds[id.value];
    round.told.assign(m_runs.size(), false);
}

Result<> MergedRuns::take(Run& run, const CountedStacks& stacks, const Deliver& deliver)
{
    if (!m_measure) m_measure = CountedStacks{nullptr, nullptr, stacks.noun, stacks.unit, stacks.exponent};
    if (!m_measure->measuresAs(stacks) && run.hasStacks) {
        if (!run.hasLeftStacksOut) {
            const auto text = run.name + " counts several things: of its stacks only those of " + m_measure->noun + " are merged";
            deliver(Diagnostic{Diagnostic::Severity::Warning, {}, {}, 0, 0, text, text});
        }
        run.hasLeftStacksOut = true;
        return {};
    }
    run.hasStacks = true;
    if (m_measure->noun == stacks.noun && m_measure->unit == stacks.unit && m_measure->exponent != stacks.exponent)
        return Error{0, run.name + " cannot be merged with " + m_runs.front()->name + ": their values have different numbers of decimals"};
    if (!m_measure->measuresAs(stacks))
        return Error{0,
            run.name + " cannot be merged with " + m_runs.front()->name + ": their stacks are of " + stacks.noun + " and of "
                + m_measure->noun};
    for (const auto& line : stacks.all()) {
        if (line.value > m_room) return Error{0, run.name + ": the sum of all stacks is larger than a number holds"};
        m_room -= line.value;
    }

    if (run.label.empty()) {
        deliver(stacks);
        return {};
    }

    const auto label = textAt(run.label, 0, run.label.size());
    deliver(below({.name = label}, stacks));
    return {};
}

/// normalize() where all runs did so by one number.
void MergedRuns::tellDivisors(const Deliver& deliver)
{
    for (std::uint32_t id = 0; id < m_normalizing.size(); ++id) {
        if (!m_normalizing[id]) continue;
        std::set<std::int64_t> divisors;
        for (const auto& run : m_runs)
            if (run->firings != Firings::Shown) divisors.insert(run->state.entry(AggregationId{id}).divisor);
        if (divisors.size() > 1) {
            std::string numbers;
            for (const auto divisor : divisors)
                numbers += (numbers.empty() ? "" : ", ") + std::to_string(divisor);
            const auto text = "@" + m_program.aggregations[id].name + " was normalized by numbers that differ (" + numbers
                + "): what is shown is not normalized";
            deliver(Diagnostic{Diagnostic::Severity::Warning, {}, {}, 0, 0, text, text});
        } else if (*divisors.begin() != 1) {
            ByteWriter payload;
            payload.put(*divisors.begin());
            deliver(Fired{*m_normalizing[id], ProbeId{}, 0, 0, 0, Nanoseconds(m_end), payload.take()});
        }
    }
}

void MergedRuns::tellLeftOut(const Deliver& deliver) const
{
    const auto tell = [&](const std::string& text) { deliver(Diagnostic{Diagnostic::Severity::Warning, {}, {}, 0, 0, text, text}); };
    if (m_leftOut > 0)
        tell(std::to_string(m_leftOut)
            + (m_leftOut == 1 ? " firing that printed or traced something is" : " firings that printed or traced something are")
            + " not part of merged runs: each run alone shows them");
    if (m_leavesProcesses) tell("processes are not part of merged runs, since their numbers mean something on one machine only");
}

void MergedRuns::end(const Deliver& deliver)
{
    for (const auto& run : m_runs)
        m_end = std::max(m_end, run->last);
    tellDivisors(deliver);
    AggregationState all(m_program.aggregations);
    for (std::uint32_t i = 0; i < m_program.aggregations.size(); ++i)
        all.entry(AggregationId{i}).rows = rows(AggregationId{i});
    for (const auto& truncated : m_truncated)
        if (truncated) all.apply(truncated->action, truncated->payload);
    for (std::uint32_t i = 0; i < m_program.aggregations.size(); ++i)
        deliver(AggregationRows{AggregationId{i}, Nanoseconds(m_end), std::move(all.entry(AggregationId{i}).rows)});
    tellLeftOut(deliver);
    ClockAgreements clocks;
    for (const auto& run : m_runs)
        if (run->firings != Firings::Shown && !run->program.isImported)
            clocks.add(run->program.host.empty() ? run->name : run->program.host, run->program, run->exit, run->measured);
    for (const auto& text : clocks.complaints(kMostNamed))
        deliver(Diagnostic{Diagnostic::Severity::Warning, {}, {}, 0, 0, text, text});
    deliver(Exit{.status = m_status, .when = Nanoseconds(m_end), .agreement = clocks.agreement()});
}
} // namespace dscope::record
