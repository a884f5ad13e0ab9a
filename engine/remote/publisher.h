#pragma once
#include "engine/remote/address.h"
#include "engine/remote/outbox.h"
#include "engine/remote/run_state.h"
#include <memory>
namespace dscope::remote {
/// Sends what of a run merges with those of other hosts: its aggregations as they stand, every Address::every, and what was lost. The run
/// goes on while the broker is away; meanwhile at most 64 MiB wait, since of each aggregation only the last state does.
class Publisher final : public record::Sink {
public:
    enum class Of : std::uint8_t {
        Run,   ///< never waits before finish()
        Replay ///< waits for the broker where Address::every is 0: each state is sent
    };
    static constexpr std::size_t kRoom = std::size_t{64} << 20;
    /// `room`: bytes that may wait for the broker.
    Publisher(std::unique_ptr<Broker> broker, Address address, Of what, Outbox::Tell tell, std::size_t room = kRoom);
    void take(const record::Record& record) override;
    /// Called often.
    void keepUp();
    /// Why nothing can be sent any more; given once.
    std::optional<Error> takeFailure();
    /// Sends how it ended and waits for the broker, Address::wait since the last message that it took. Error: what could not be sent; not
    /// what takeFailure() gave.
    Result<> finish();

private:
    enum class Last : std::uint8_t { No, Yes };
    void put(Last last);
    /// False: there was no room.
    bool put(Topic topic, std::uint32_t number, const Message& message, Outbox::Where where, Outbox::Full full = Outbox::Full::Ignore);
    /// What has been put of Blocks.
    struct Put {
        std::uint32_t block = 0;   ///< the last that had room
        std::uint64_t records = 0; ///< and how many it had then
        std::uint64_t lost = 0;    ///< records that never had room
    };
    void put(Blocks& blocks, Put& put, Last last);
    Place placeOf(Topic topic, std::uint32_t number) const { return {m_state.origin(), topic, number, {}}; }

    std::unique_ptr<Broker> m_broker; ///< until the program is known
    Address m_address;
    Of m_of;
    Outbox::Tell m_tell;
    RunState m_state;
    std::size_t m_room;
    std::unique_ptr<Outbox> m_outbox;
    std::vector<std::uint64_t> m_sent; ///< by aggregation: sequence
    std::uint64_t m_lossesSent = 0;
    Put m_stacks, m_printed;
    std::chrono::steady_clock::time_point m_put;
    std::optional<Error> m_failure;
    bool m_isTold = false;
};
} // namespace dscope::remote
