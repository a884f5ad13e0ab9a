#include "engine/remote/relay.h"
namespace dscope::remote {
void Relay::take(const record::Record& record)
{
    if (const auto* program = std::get_if<record::Program>(&record)) {
        auto named = *program;
        named.host = m_host;
        m_state.take(named);
        m_told.resize(m_state.aggregations());
    } else {
        m_state.take(record);
    }
}

Result<> Relay::put(Topic topic, std::uint32_t number, const Message& message)
{
    DSCOPE_TRY(const auto packed, pack(message));
    const auto subject = m_collection.subjectOf({m_state.origin(), topic, number, {}});
    m_collection.take({subject, m_collection.nextNumber(), seal(Envelope::Kind::Whole, message.sequence, packed)});
    return {};
}

Result<bool> Relay::tell()
{
    if (!m_state.hasProgram()) return false;
    if (m_state.failure()) return *m_state.failure();
    bool isNew = !m_programTold;
    if (isNew) DSCOPE_CHECK(put(Topic::Program, 0, m_state.programMessage()));
    m_programTold = true;
    for (auto* blocks : {&m_state.stacks(), &m_state.printed()})
        for (const auto& told : blocks->take())
            DSCOPE_CHECK(put(told.topic, told.number, told.message));
    for (AggregationId id{0}; id.value < m_state.aggregations(); ++id.value) {
        const auto sequence = m_state.rowsSequence(id);
        if (sequence == m_told[id.value]) continue;
        Result<> done;
        m_state.tellRows(id, [&](const Message& rows) { done = put(Topic::Rows, id.value, rows); });
        DSCOPE_CHECK(done);
        m_told[id.value] = sequence;
        isNew = true;
    }
    if (m_state.lossesSequence() == m_lossesTold) return isNew;
    DSCOPE_CHECK(put(Topic::Losses, 0, m_state.losses(0)));
    m_lossesTold = m_state.lossesSequence();
    return true;
}

Result<> Relay::tellEnd()
{
    if (!m_state.hasProgram()) return {};
    DSCOPE_TRY([[maybe_unused]] const bool isNew, tell());
    return put(Topic::End, 0, m_state.end());
}
} // namespace dscope::remote
