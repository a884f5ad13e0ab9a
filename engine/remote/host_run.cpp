#include "engine/remote/host_run.h"
#include "engine/record/check.h"
#include "engine/record/crc.h"
#include <algorithm>
namespace dscope::remote {
namespace {
constexpr std::size_t kMostOfHost = std::size_t{1} << 30;                          ///< of one run on one host
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
    case Topic::Printed: return std::holds_alternative<record::Fired>(record);
    case Topic::Losses:
        return std::holds_alternative<record::ProbeDef>(record) || std::holds_alternative<record::Drop>(record)
            || std::holds_alternative<record::Fault>(record) || std::holds_alternative<record::Diagnostic>(record);
    case Topic::End: return std::holds_alternative<record::Exit>(record);
    }
    return false;
}
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
        if (m_size + envelope.body.size() > kMostOfHost) return damaged("it sends too much");
        m_size += envelope.body.size() - part.bytes.size();
        part = {envelope.sequence, std::move(envelope.body)};
        return false; // it says something together with its list
    }
    if (const auto known = m_latest.find(name); known != m_latest.end() && known->second.sequence >= envelope.sequence) return false;
    if (envelope.kind == Envelope::Kind::Parts) return takeParts(name, envelope, kept.number);
    if (m_size + envelope.body.size() > kMostOfHost) return damaged("it sends too much");
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
    if (m_size + all.size() > kMostOfHost) return damaged("it sends too much");
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
    const auto areRows = [](const record::Record& record) { return std::holds_alternative<record::AggregationRows>(record); };
    if (name.first == Topic::Rows && std::count_if(message.records.begin(), message.records.end(), areRows) != 1)
        return damaged("a message has not the rows that it is of");
    return message;
}

/// What messages that have a number say together.
struct HostRun::Numbered {
    std::vector<record::Record> stacks, rows, printed;
    std::vector<record::Record> effects;  ///< firings that say what became of the aggregations, with their probes
    std::vector<std::uint64_t> sequences; ///< by aggregation
    std::uint64_t inOrder = 0;            ///< stacks, up to the first block that is missing

    void take(const Name& name, Message message)
    {
        if (name.first == Topic::Stacks && factOf(message, std::size_t{0}) == inOrder) inOrder += message.records.size();
        if (name.first != Topic::Rows) {
            auto& into = name.first == Topic::Stacks ? stacks : printed;
            std::move(message.records.begin(), message.records.end(), std::back_inserter(into));
            return;
        }
        sequences.resize(std::max<std::size_t>(sequences.size(), std::size_t{name.second} + 1));
        sequences[name.second] = message.sequence;
        for (auto& record : message.records) {
            auto& into = std::holds_alternative<record::AggregationRows>(record) ? rows : effects;
            if (&into == &rows || std::find(effects.begin(), effects.end(), record) == effects.end()) into.push_back(std::move(record));
        }
    }
};

Result<HostRun::State> HostRun::state(const Origin& origin) const
{
    State state;
    DSCOPE_TRY(auto begin, message({Topic::Program, 0}));
    if (begin.records.size() != 1) return damaged("it has no program");
    const auto& program = std::get<record::Program>(begin.records.front());
    if (program.host != origin.host) return Error{0, "it says that it is the host \"" + program.host + '"'};
    state.number = m_latest.at({Topic::Program, 0}).number;
    state.records = std::move(begin.records);

    Numbered told;
    for (const auto& [name, latest] : m_latest) {
        if (name.first != Topic::Stacks && name.first != Topic::Rows && name.first != Topic::Printed) continue;
        DSCOPE_TRY(auto one, message(name));
        told.take(name, std::move(one));
    }
    if (!told.printed.empty()) {
        state.printed = state.records;
        state.printed.insert(state.printed.end(), told.stacks.begin(), told.stacks.end());
    }

    DSCOPE_TRY(auto losses, message({Topic::Losses, 0}));
    for (const auto& record : losses.records)
        if (const auto* drop = std::get_if<record::Drop>(&record)) state.drops += drop->count;
    const auto printed = factOf(losses, Fact::FiringsLeft);
    state.firingsLeft = printed - std::min<std::uint64_t>(printed, told.printed.size());
    if (const auto left = factOf(losses, Fact::NotesLeft); left > 0)
        losses.records.emplace_back(warning(origin.host + ": " + std::to_string(left) + " more errors and warnings are not shown"));
    const auto unsent = factOf(losses, Fact::Unsent);
    if (unsent > 0) losses.records.emplace_back(warning(origin.host + ": " + std::to_string(unsent) + " stacks could not be sent"));

    DSCOPE_TRY(auto end, message({Topic::End, 0}));
    state.hasEnded = hasEnded();
    state.isTold = state.hasEnded || told.rows.size() == std::get<record::Program>(state.records.front()).aggregations.size();
    state.isCut = state.hasEnded && factOf(end, EndFact::IsCut) != 0;
    state.isWhole = state.hasEnded && unsent == 0 && factOf(end, EndFact::Stacks) == told.inOrder
        && losses.sequence >= factOf(end, EndFact::LossesSequence);
    for (auto i = static_cast<std::size_t>(EndFact::RowsSequences); i < end.facts.size(); ++i) {
        const auto id = i - static_cast<std::size_t>(EndFact::RowsSequences);
        state.isWhole = state.isWhole && (id < told.sequences.size() ? told.sequences[id] : 0) >= end.facts[i];
    }

    for (auto* part : {&told.stacks, &losses.records, &told.rows, &told.effects, &end.records})
        std::move(part->begin(), part->end(), std::back_inserter(state.records));
    std::move(told.printed.begin(), told.printed.end(), std::back_inserter(state.printed));
    for (const auto* stream : {&state.records, &state.printed}) {
        record::StreamCheck check;
        for (const auto& record : *stream)
            if (auto fine = check.take(record); !fine) return damaged(fine.error().message);
    }
    return state;
}
} // namespace dscope::remote
