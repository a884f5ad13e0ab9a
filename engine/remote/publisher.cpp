#include "engine/remote/publisher.h"
namespace dscope::remote {
Publisher::Publisher(std::unique_ptr<Broker> broker, Address address, Of what, Outbox::Tell tell, std::size_t room)
    : m_broker(std::move(broker)), m_address(std::move(address)), m_of(what), m_tell(std::move(tell)), m_state(m_address.printed),
      m_room(room)
{
}

void Publisher::take(const record::Record& record)
{
    m_state.take(record);
    if (m_state.failure() && !m_failure) m_failure = m_state.failure();
    if (m_state.hasProgram() && !m_outbox) {
        m_outbox = std::make_unique<Outbox>(std::move(m_broker), m_address.run, m_state.program(), m_address.shown, m_room, m_tell);
        m_sent.resize(m_state.aggregations());
        put(Topic::Program, 0, m_state.programMessage(), Outbox::Where::Behind);
        m_put = std::chrono::steady_clock::now();
    }
    const bool isEach = m_of == Of::Replay && m_address.every.count() == 0;
    if (!isEach || !std::holds_alternative<record::AggregationRows>(record)) return;
    put(Last::No);
    m_outbox->drain(m_address.wait);
}

void Publisher::keepUp()
{
    const auto now = std::chrono::steady_clock::now();
    if (!m_outbox || now - m_put < m_address.every) return;
    m_put = now;
    put(Last::No);
}

bool Publisher::put(Topic topic, std::uint32_t number, const Message& message, Outbox::Where where, Outbox::Full full)
{
    auto packed = pack(message);
    if (packed) return m_outbox->put({placeOf(topic, number), message.sequence, *std::move(packed)}, where, full);
    if (!m_failure) m_failure = std::move(packed).error();
    return true;
}

void Publisher::put(Blocks& blocks, Put& known, Last last)
{
    const auto where = last == Last::Yes ? Outbox::Where::Behind : Outbox::Where::InPlace;
    for (const auto& told : blocks.take()) {
        bool isPut = put(told.topic, told.number, told.message, where, Outbox::Full::Refuse);
        if (!isPut && (m_of == Of::Replay || last == Last::Yes) && m_outbox->drain(m_address.wait))
            isPut = put(told.topic, told.number, told.message, where, Outbox::Full::Refuse);
        const auto records = told.message.records.size();
        if (isPut) {
            known.block = told.number;
            known.records = records;
        } else if (told.number == blocks.growing() && last == Last::No) {
            blocks.giveAgain(); // there may be room later
        } else {
            known.lost += records - (known.block == told.number ? known.records : 0);
        }
    }
}

/// What is new. Stacks go before the rows that name them, and a state that waits is sent before a newer one is made.
void Publisher::put(Last last)
{
    using Where = Outbox::Where;
    put(m_state.stacks(), m_stacks, last);
    for (AggregationId id{0}; id.value < m_state.aggregations(); ++id.value) {
        const auto sequence = m_state.rowsSequence(id);
        if (sequence == m_sent[id.value] || (last == Last::No && m_outbox->isWaiting(placeOf(Topic::Rows, id.value)))) continue;
        m_state.tellRows(id, [&](const Message& rows) { put(Topic::Rows, id.value, rows, Where::Behind); });
        m_sent[id.value] = sequence;
    }
    const auto losses = m_state.lossesSequence() + m_stacks.lost;
    if (losses != m_lossesSent && (last == Last::Yes || !m_outbox->isWaiting(placeOf(Topic::Losses, 0)))) {
        put(Topic::Losses, 0, m_state.losses(m_stacks.lost), Where::Behind);
        m_lossesSent = losses;
    }
    put(m_state.printed(), m_printed, last); // what has no room is among the firings that losses() counts
}

std::optional<Error> Publisher::takeFailure()
{
    if (m_isTold) return {};
    auto failure = m_failure;
    if (!failure && m_outbox) failure = m_outbox->refusal();
    m_isTold = failure.has_value();
    return failure;
}

Result<> Publisher::finish()
{
    if (auto failure = takeFailure()) return std::move(*failure);
    if (!m_outbox || m_isTold) return {};
    put(Last::Yes);
    put(Topic::End, 0, m_state.end(), Outbox::Where::Behind);
    const bool isSent = m_outbox->drain(m_address.wait);
    if (auto failure = takeFailure()) return std::move(*failure);
    if (!isSent)
        return Error{0,
            std::to_string(m_outbox->waiting()) + " messages of this run could not be sent to " + m_address.shown + ": "
                + m_outbox->lastTrouble() + "\n    hint: --record keeps a run, and --replay with --publish sends it later"};
    if (m_stacks.lost > 0)
        return Error{
            0, std::to_string(m_stacks.lost) + " stacks could not be sent to " + m_address.shown + ", which was away for too long"};
    return {};
}
} // namespace dscope::remote
