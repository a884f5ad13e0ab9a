#include "engine/remote/host_run.h"
#include "engine/record/check.h"
#include "engine/record/crc.h"
#include "engine/record/effect.h"
#include <algorithm>
namespace dscope::remote {
namespace {
constexpr std::size_t kMostBytes = std::size_t{1} << 30;                           ///< of one run on one host
enum class Fact : std::size_t { FiringsLeft, NotesLeft, Unsent };                  // of losses
enum class EndFact : std::size_t { IsCut, Stacks, LossesSequence, RowsSequences }; // of the end
template <typename Which> std::uint64_t factOf(const Message& message, Which which)
{
    const auto at = static_cast<std::size_t>(which);
    return at < message.facts.size() ? message.facts[at] : 0;
}
/// Whether a message of the topic may have such a record.
bool belongs(const record::Record& record, Topic topic, std::uint32_t number)
{
    switch (topic) {
    case Topic::Program: return std::holds_alternative<record::Program>(record);
    case Topic::Stacks: return std::holds_alternative<record::StackDef>(record);
    case Topic::Rows:
        if (const auto* rows = std::get_if<record::AggregationRows>(&record)) return rows->aggregation.value == number;
        return std::holds_alternative<record::ProbeDef>(record) || std::holds_alternative<record::Fired>(record);
    case Topic::Losses:
        return std::holds_alternative<record::ProbeDef>(record) || std::holds_alternative<record::Drop>(record)
            || std::holds_alternative<record::Fault>(record) || std::holds_alternative<record::Diagnostic>(record);
    case Topic::End: return std::holds_alternative<record::Exit>(record);
    }
    return false;
}
Error damaged(const std::string& why) { return Error{0, "damaged: " + why}; }
record::Diagnostic warning(const std::string& text) { return {record::Diagnostic::Severity::Warning, {}, {}, 0, 0, text, text}; }
} // namespace

Result<bool> HostRun::take(const Place& place, const Kept& kept)
{
    DSCOPE_TRY(auto envelope, open(kept.payload));
    const Name name{place.topic, place.number};
    if (place.part.has_value() != (envelope.kind == Envelope::Kind::Part)) return damaged("a part is at another place");
    if (place.part) {
        if (place.part->slot > 1 || place.part->number >= kMostParts) return damaged("a part is at another place");
        auto& part = m_parts[name][*place.part];
        if (!part.bytes.empty() && part.sequence >= envelope.sequence) return false;
        if (m_size + envelope.body.size() > kMostBytes) return damaged("it sends too much");
        m_size += envelope.body.size() - part.bytes.size();
        part = {envelope.sequence, std::move(envelope.body)};
        return false; // it says something together with its list
    }
    if (const auto known = m_latest.find(name); known != m_latest.end() && known->second.sequence >= envelope.sequence) return false;
    if (envelope.kind == Envelope::Kind::Parts) return takeParts(name, envelope, kept.number);
    if (m_size + envelope.body.size() > kMostBytes) return damaged("it sends too much");
    return replace(name, {envelope.sequence, kept.number, std::move(envelope.body)});
}

Result<bool> HostRun::takeParts(const Name& name, const Envelope& envelope, std::uint64_t number)
{
    DSCOPE_TRY(const auto list, partListOf(envelope.body));
    const auto& parts = m_parts[name];
    Bytes all;
    record::Crc32c checksum;
    for (std::uint32_t i = 0; i < list.count; ++i) {
        const auto part = parts.find(Place::Part{list.slot, i});
        if (part == parts.end() || part->second.sequence != envelope.sequence) return false; // the next message replaces both
        all.insert(all.end(), part->second.bytes.begin(), part->second.bytes.end());
        checksum.add(part->second.bytes);
    }
    if (m_size + all.size() > kMostBytes) return damaged("it sends too much");
    if (all.size() != list.size || checksum.value() != list.checksum) return damaged("the parts of a message do not fit together");
    return replace(name, {envelope.sequence, number, std::move(all)});
}

bool HostRun::replace(const Name& name, Latest latest)
{
    auto& known = m_latest[name];
    m_size += latest.packed.size() - known.packed.size();
    known = std::move(latest);
    return true;
}

Result<Message> HostRun::message(const Name& name) const
{
    const auto known = m_latest.find(name);
    if (known == m_latest.end()) return Message{};
    DSCOPE_TRY(auto message, unpack(known->second.sequence, known->second.packed));
    for (const auto& record : message.records)
        if (!belongs(record, name.first, name.second)) return damaged("a message has records of another one");
    return message;
}

Result<HostRun::State> HostRun::state(const Origin& origin) const
{
    State state;
    DSCOPE_TRY(auto begin, message({Topic::Program, 0}));
    if (begin.records.size() != 1) return damaged("it has no program");
    const auto& program = std::get<record::Program>(begin.records.front());
    if (program.host != origin.host) return Error{0, "it says that it is the host \"" + program.host + '"'};
    state.number = m_latest.at({Topic::Program, 0}).number;
    state.records = std::move(begin.records);

    std::uint64_t stacks = 0;
    std::vector<record::Record> rows, fired;
    std::vector<std::uint64_t> sequences;
    for (const auto& [name, latest] : m_latest) {
        if (name.first != Topic::Stacks && name.first != Topic::Rows) continue;
        DSCOPE_TRY(auto told, message(name));
        if (name.first == Topic::Stacks) {
            if (factOf(told, std::size_t{0}) == stacks) stacks += told.records.size();
            std::move(told.records.begin(), told.records.end(), std::back_inserter(state.records));
            continue;
        }
        sequences.resize(std::max<std::size_t>(sequences.size(), std::size_t{name.second} + 1));
        sequences[name.second] = told.sequence;
        for (auto& record : told.records) {
            auto& into = std::holds_alternative<record::AggregationRows>(record) ? rows : fired;
            if (&into == &rows || std::find(fired.begin(), fired.end(), record) == fired.end()) into.push_back(std::move(record));
        }
    }

    DSCOPE_TRY(auto losses, message({Topic::Losses, 0}));
    for (const auto& record : losses.records)
        if (const auto* drop = std::get_if<record::Drop>(&record)) state.drops += drop->count;
    state.firingsLeft = factOf(losses, Fact::FiringsLeft);
    const auto& clauses = std::get<record::Program>(state.records.front()).clauses;
    for (const auto& record : fired) {
        const auto* one = std::get_if<record::Fired>(&record);
        if (one && one->clause.value < clauses.size() && record::tells(clauses[one->clause.value]) && state.firingsLeft > 0)
            --state.firingsLeft;
    }
    if (const auto left = factOf(losses, Fact::NotesLeft); left > 0)
        losses.records.emplace_back(warning(origin.host + ": " + std::to_string(left) + " more errors and warnings are not shown"));
    const auto unsent = factOf(losses, Fact::Unsent);
    if (unsent > 0) losses.records.emplace_back(warning(origin.host + ": " + std::to_string(unsent) + " stacks could not be sent"));

    DSCOPE_TRY(auto end, message({Topic::End, 0}));
    state.hasEnded = hasEnded();
    state.isTold = state.hasEnded || rows.size() == std::get<record::Program>(state.records.front()).aggregations.size();
    state.isCut = state.hasEnded && factOf(end, EndFact::IsCut) != 0;
    state.isWhole = state.hasEnded && unsent == 0 && factOf(end, EndFact::Stacks) == stacks
        && losses.sequence >= factOf(end, EndFact::LossesSequence);
    for (auto i = static_cast<std::size_t>(EndFact::RowsSequences); i < end.facts.size(); ++i) {
        const auto id = i - static_cast<std::size_t>(EndFact::RowsSequences);
        state.isWhole = state.isWhole && (id < sequences.size() ? sequences[id] : 0) >= end.facts[i];
    }

    for (auto* part : {&losses.records, &rows, &fired, &end.records})
        std::move(part->begin(), part->end(), std::back_inserter(state.records));
    record::StreamCheck check;
    for (const auto& record : state.records)
        if (auto fine = check.take(record); !fine) return damaged(fine.error().message);
    return state;
}
} // namespace dscope::remote
