#include "engine/record/check.h"
#include "engine/record/aggregation_state.h"
#include "engine/record/buckets.h"
namespace dscope::record {
namespace {
/// How many fields and aggregations an action of this kind has at least.
struct Needs {
    std::size_t fields = 0, aggregations = 0;
};
Needs needsOf(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Trace:
    case ActionKind::Tracemem:
    case ActionKind::Stack:
    case ActionKind::UserStack:
    case ActionKind::Symbol:
    case ActionKind::Exit:
    case ActionKind::Setopt: return {1, 0};
    case ActionKind::Printa:
    case ActionKind::Clear:
    case ActionKind::Trunc:
    case ActionKind::Denormalize: return {0, 1};
    case ActionKind::Normalize: return {1, 1};
    default: return {};
    }
}
Error wrong(std::string what) { return Error{0, std::move(what)}; }
} // namespace

Result<> StreamCheck::program(const Program& p)
{
    if (m_started) return wrong("a second program, where a recording has one");
    for (const auto& a : p.aggregations) {
        const bool quantized
            = a.function == Aggregator::Quantize || a.function == Aggregator::Lquantize || a.function == Aggregator::Llquantize;
        const bool isWrong = a.function == Aggregator::Ranges ? !areBounds(a.bounds) : quantized && !hasBuckets(a);
        if (isWrong) return wrong("aggregation @" + a.name + " has impossible parameters");
    }
    for (const auto& clause : p.clauses) {
        for (const auto id : clause.fills)
            if (id.value >= p.aggregations.size()) return wrong("clause " + clause.probes + " fills an aggregation that is not there");
        for (const auto& action : clause.actions) {
            const Needs needs = needsOf(action.kind);
            if (action.fields.size() < needs.fields || action.aggregations.size() < needs.aggregations)
                return wrong("an action of clause " + clause.probes + " lacks its arguments");
            for (const auto id : action.aggregations)
                if (id.value >= p.aggregations.size()) return wrong("clause " + clause.probes + " names an aggregation that is not there");
            if (action.layout.size() > kMostLayoutParts) return wrong("clause " + clause.probes + " prints an object of too many parts");
        }
    }
    for (const auto& clause : p.clauses)
        m_clauses.push_back(clause.payloadSize);
    m_aggregations = p.aggregations;
    m_started = true;
    return {};
}

Result<> StreamCheck::stacks(const CountedStacks& stacks)
{
    for (const auto& stack : stacks.all()) {
        if (stack.value <= 0) return wrong("a counted stack of nothing");
        if (stack.value > m_room) return wrong("counted stacks that sum up to more than a number holds");
        m_room -= stack.value;
    }
    return {};
}

Result<> StreamCheck::parts(const StackParts& stacks)
{
    if (m_hasParts) return wrong("a second list of when stacks came in, where a recording has one");
    m_hasParts = true;
    for (const auto& a : stacks.by)
        if (a.function != Aggregator::Count) return wrong("@" + a.name + " tells when stacks came in, but is no count");
    std::int64_t room = INT64_MAX, roomOfLines = INT64_MAX;
    Nanoseconds before = Nanoseconds::min();
    for (const auto& part : stacks.parts) {
        if (part.keys.size() != stacks.by.size()) return wrong("a part of the stacks lacks its keys");
        for (std::size_t i = 0; i < part.keys.size(); ++i)
            if (part.keys[i].size() < stacks.by[i].keySize)
                return wrong("a part of the stacks has a key that is not one of @" + stacks.by[i].name);
        if (part.from > part.to || part.to < before) return wrong("parts of the stacks are not in the order of time");
        before = part.to;
        if (part.amount <= 0 || part.amount > room) return wrong("a part of the stacks of nothing, or of more than a number holds");
        room -= part.amount;
        if (!stacks.hasLines && !part.lines.empty()) return wrong("a part of the stacks names some, though none are known");
        for (const auto& line : part.lines) {
            if (line.value <= 0 || line.value > roomOfLines) return wrong("a part of a stack of nothing, or of more than a number holds");
            roomOfLines -= line.value;
        }
    }
    return {};
}

Result<> StreamCheck::take(const Record& record)
{
    if (const auto* p = std::get_if<Program>(&record)) return program(*p);
    if (std::holds_alternative<Diagnostic>(record)) return {};
    if (!m_started) return wrong("records come before the program they belong to");
    if (const auto* s = std::get_if<CountedStacks>(&record)) return stacks(*s);
    if (const auto* s = std::get_if<StackParts>(&record)) return parts(*s);
    if (const auto* f = std::get_if<Fired>(&record)) {
        if (f->clause.value >= m_clauses.size()) return wrong("a clause fired that is not there");
        if (f->payload.size() < m_clauses[f->clause.value]) return wrong("a firing is shorter than its clause says");
    } else if (const auto* fault = std::get_if<Fault>(&record)) {
        if (fault->clause.value >= m_clauses.size()) return wrong("a fault in a clause that is not there");
    } else if (const auto* rows = std::get_if<AggregationRows>(&record)) {
        if (rows->aggregation.value >= m_aggregations.size()) return wrong("rows of an aggregation that is not there");
        const auto& a = m_aggregations[rows->aggregation.value];
        for (const auto& row : rows->rows)
            if (row.key.size() < a.keySize || !wellFormed(a, row.data)) return wrong("a row of @" + a.name + " is not one of its function");
    }
    return {};
}
} // namespace dscope::record
