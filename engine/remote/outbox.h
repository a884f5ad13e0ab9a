#pragma once
#include "engine/remote/broker.h"
#include "engine/remote/message.h"
#include "engine/remote/subject.h"
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
namespace dscope::remote {
/// Sends messages of one run on one host in their order, by a thread of its own, and tries again while the broker is away. Holds a bound
/// of bytes. What the broker has that is as new is not replaced: who was killed and begins again goes on where it was.
class Outbox {
public:
    using Tell = std::function<void(const std::string&)>;
    struct Letter {
        Place place;
        std::uint64_t sequence = 0;
        Bytes packed; ///< of pack()
    };
    /// `room`: bytes that may wait. `tell`: how it goes with the broker; called by the thread.
    Outbox(std::unique_ptr<Broker> broker, std::string run, record::Program program, std::string shown, std::size_t room, Tell tell);
    ~Outbox(); ///< what is not sent then is not sent
    Outbox(const Outbox&) = delete;
    Outbox& operator=(const Outbox&) = delete;

    enum class Full : std::uint8_t { Refuse, Ignore };
    /// To the end. Of the same place what waits is replaced: where it waits, or at the end. False: there is no room.
    enum class Where : std::uint8_t { InPlace, Behind };
    bool put(Letter letter, Where where, Full full = Full::Refuse);
    bool isWaiting(const Place& place) const;
    /// Waits until all is sent, or until nothing has been sent for that long. True: all is.
    bool drain(std::chrono::nanoseconds patience);
    std::size_t waiting() const; ///< messages that are not sent
    /// Why nothing will be sent any more, or why it is not sent just now.
    std::optional<Error> refusal() const;
    std::string lastTrouble() const;

private:
    void run();
    Result<> check();
    Result<> send(const Letter& letter);
    enum class Replaces : std::uint8_t { Older, Any };
    Result<> store(const std::string& subject, std::uint64_t sequence, ByteView payload, Replaces replaces = Replaces::Older);
    Result<> sendParts(const Letter& letter);

    std::unique_ptr<Broker> m_broker;
    const std::string m_run;
    const record::Program m_program;
    const std::string m_shown;
    const std::size_t m_room;
    const Tell m_tell;
    // Of the thread alone.
    struct Known {
        std::uint64_t number = 0, sequence = 0; ///< 0: it keeps nothing, or that is not known
    };
    std::map<std::string, Known> m_known;           ///< by subject: what the broker keeps, as far as is known
    std::map<std::string, std::uint32_t> m_slots;   ///< by subject: the one that is whole
    bool m_isChecked = false;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Letter> m_letters;
    std::optional<Place> m_sending;
    std::size_t m_bytes = 0;
    std::uint64_t m_sent = 0;
    bool m_stops = false;
    std::optional<Error> m_refusal;
    std::string m_trouble = "it takes nothing";
    std::thread m_thread;
};
} // namespace dscope::remote
