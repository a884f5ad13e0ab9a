#include "engine/remote/run_state.h"
#include "engine/record/effect.h"
#include "engine/record/value.h"
#include <algorithm>
namespace dscope::remote {
namespace {
constexpr std::size_t kMostNotes = 100;
std::string textOf(ByteView key) { return {reinterpret_cast<const char*>(key.data()), key.size()}; }
bool isStack(const record::Field& field)
{
    using record::FieldKind;
    return field.kind == FieldKind::Stack || field.kind == FieldKind::UserStack || field.kind == FieldKind::Symbol;
}
std::size_t sizeOf(const record::StackDef& stack)
{
    constexpr std::size_t kRest = 40; // numbers of a frame
    std::size_t size = kRest;
    for (std::size_t i = 0; i < stack.frames.size(); ++i)
        size += kRest + stack.frames[i].function.size() + stack.frames[i].module.size();
    return size;
}
} // namespace

Origin RunState::origin() const { return {m_program.host, m_program.started + m_program.wallClockOffset}; }

void RunState::take(const record::Record& record)
{
    ++m_taken;
    if (const auto* program = std::get_if<record::Program>(&record)) {
        m_program = *program;
        m_hasProgram = true;
        m_state = record::AggregationState(program->aggregations);
        m_rows.resize(program->aggregations.size());
        const auto hasStack = [](const std::vector<record::Field>& fields) { return std::any_of(fields.begin(), fields.end(), isStack); };
        m_hasStackKeys = std::any_of(program->aggregations.begin(), program->aggregations.end(),
            [&](const auto& aggregation) { return hasStack(aggregation.keys); });
        m_shows = record::MergedFirings(program->clauses, {}, 0);
        for (const auto& clause : m_shows.clauses())
            for (const auto& action : clause.actions)
                m_printsStacks = m_printsStacks || hasStack(action.fields);
    } else if (const auto* rows = std::get_if<record::AggregationRows>(&record)) {
        auto& own = m_rows.at(rows->aggregation.value);
        if (own.isEnded || (own.sequence > 0 && m_state.entry(rows->aggregation).rows == rows->rows)) return; // nothing new
        m_state.take(*rows);
        own.when = rows->when.count();
        own.sequence = m_taken;
    } else if (const auto* stack = std::get_if<record::StackDef>(&record)) {
        take(*stack);
    } else if (const auto* probe = std::get_if<record::ProbeDef>(&record)) {
        m_probes.insert_or_assign(probe->id.value, *probe);
        m_lossesSequence = m_taken;
    } else if (const auto* fired = std::get_if<record::Fired>(&record)) {
        take(*fired);
    } else if (const auto* drop = std::get_if<record::Drop>(&record)) {
        m_drops[{drop->kind, drop->cpu}] += drop->count;
        m_lossesSequence = m_taken;
    } else if (std::holds_alternative<record::Fault>(record) || std::holds_alternative<record::Diagnostic>(record)) {
        note(record);
    } else if (const auto* exit = std::get_if<record::Exit>(&record)) {
        m_end = *exit;
    } else if (std::holds_alternative<record::CountedStacks>(record)) {
        m_failure = Error{0, "stacks that another tool counted can't be published: merge their files by --import and --by"};
    }
}

void RunState::take(const record::StackDef& stack)
{
    const bool isNamed = m_hasStackKeys || (m_printsStacks && m_room > 0);
    if (isNamed && !stack.frames.empty()) m_stacks.add(stack, sizeOf(stack));
}

/// Keeps a firing that prints. After the first that has no room none is kept: what is there is the begin of it, without gaps.
void RunState::print(const record::Fired& fired)
{
    constexpr std::size_t kRest = 40; // numbers of a firing
    const auto size = fired.payload.size() + kRest;
    m_room = size > m_room ? 0 : m_room - size;
    if (m_room > 0) m_printed.add(fired, size);
}

void RunState::note(record::Record record)
{
    m_lossesSequence = m_taken;
    if (m_notes.size() < kMostNotes)
        m_notes.push_back(std::move(record));
    else
        ++m_notesLeft;
}

void RunState::take(const record::Fired& fired)
{
    const auto& clause = m_program.clauses[fired.clause.value];
    if (record::tells(clause)) {
        ++m_firingsLeft;
        m_lossesSequence = m_taken;
        if (m_room > 0 && m_shows.has(fired.clause, clause)) print(fired);
    }
    const auto probe = m_probes.find(fired.probe.value);
    const bool isEnd = probe != m_probes.end() && probe->second.provider == "dtrace" && probe->second.name == "END";
    for (const auto& action : clause.actions) {
        const bool normalizes = record::normalizes(action.kind), removes = record::removesRows(action.kind);
        if (!normalizes && !removes) continue;
        const auto id = action.aggregations[0];
        auto& own = m_rows[id.value];
        if (own.isEnded && removes && !isEnd) continue;
        own.sequence = m_taken;
        if (normalizes) {
            m_state.apply(action, fired.payload);
            own.normalized = fired;
        } else if (isEnd) {
            own.isEnded = true;
            if (own.emptied.empty() || !(own.emptied.back() == fired)) own.emptied.push_back(fired);
        } else {
            keepBefore(id, action, fired.payload);
            m_state.apply(action, fired.payload);
        }
    }
}

/// Adds to what came before what the action takes away.
void RunState::keepBefore(AggregationId id, const record::Action& action, ByteView payload)
{
    const auto& aggregation = m_program.aggregations[id.value];
    record::AggregationState after({aggregation});
    after.entry(AggregationId{0}).rows = m_state.entry(id).rows;
    auto alone = action;
    alone.aggregations = {AggregationId{0}};
    after.apply(alone, payload);

    std::set<Key> left;
    const auto nothing = record::emptyData(aggregation.function);
    for (const auto& row : after.entry(AggregationId{0}).rows)
        if (row.data != nothing) left.insert(textOf(row.key));
    for (const auto& row : m_state.entry(id).rows)
        if (row.data != nothing && !left.contains(textOf(row.key)))
            record::addData(aggregation.function, m_rows[id.value].before[textOf(row.key)], row.data);
}

Message RunState::withRows(AggregationId id) const
{
    auto message = withoutRows(id);
    const auto& own = m_rows[id.value];
    const auto function = m_program.aggregations[id.value].function;
    const auto nothing = record::emptyData(function);
    auto& all = std::get<record::AggregationRows>(message.records.front());
    auto before = own.before;
    for (const auto& row : m_state.entry(id).rows) {
        all.rows.push_back(row);
        const auto earlier = before.find(textOf(row.key));
        if (earlier == before.end()) continue;
        auto data = std::move(earlier->second);
        before.erase(earlier);
        if (row.data != nothing) record::addData(function, data, row.data);
        all.rows.back().data = std::move(data);
    }
    for (auto& [key, data] : before) {
        const auto* bytes = reinterpret_cast<const std::byte*>(key.data());
        all.rows.push_back({Bytes(bytes, bytes + key.size()), std::move(data)});
    }
    return message;
}

void RunState::tellRows(AggregationId id, const std::function<void(const Message&)>& told)
{
    if (!m_rows[id.value].before.empty()) return told(withRows(id));
    auto message = withoutRows(id);
    auto& own = m_state.entry(id).rows;
    auto& lent = std::get<record::AggregationRows>(message.records.front()).rows;
    lent = std::move(own);
    told(message);
    own = std::move(lent);
}

/// The message of an aggregation but for its rows, which its first record is to have.
Message RunState::withoutRows(AggregationId id) const
{
    const auto& own = m_rows[id.value];
    Message message{own.sequence, {m_stacks.count()}, {}};
    message.records.emplace_back(record::AggregationRows{id, record::Nanoseconds(own.when), {}});
    const auto add = [&](const record::Fired& fired) {
        if (const auto probe = m_probes.find(fired.probe.value); probe != m_probes.end()) message.records.emplace_back(probe->second);
        message.records.emplace_back(fired);
    };
    if (own.normalized) add(*own.normalized);
    std::for_each(own.emptied.begin(), own.emptied.end(), add);
    return message;
}

Message RunState::losses(std::uint64_t unsent) const
{
    Message message{m_lossesSequence + unsent, {m_firingsLeft, m_notesLeft, unsent}, {}};
    for (const auto& [place, count] : m_drops)
        message.records.emplace_back(record::Drop{place.first, place.second, count});
    for (const auto& [id, probe] : m_probes)
        message.records.emplace_back(probe);
    message.records.insert(message.records.end(), m_notes.begin(), m_notes.end());
    return message;
}

Message RunState::end() const
{
    Message message{m_taken, {m_end ? 0U : 1U, m_stacks.count(), m_lossesSequence}, {}};
    for (const auto& rows : m_rows)
        message.facts.push_back(rows.sequence);
    if (m_end) message.records.emplace_back(*m_end);
    return message;
}
} // namespace dscope::remote
