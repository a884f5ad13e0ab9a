#include "engine/remote/outbox.h"
#include "engine/record/crc.h"
#include "engine/record/program_difference.h"
#include <algorithm>
#include <csignal>
#include <utility>
namespace dscope::remote {
namespace {
constexpr std::chrono::milliseconds kTryAgain(250);
constexpr std::chrono::seconds kPatience(2); ///< before it is told that the broker is away
} // namespace

Outbox::Outbox(std::unique_ptr<Broker> broker, std::string run, record::Program program, std::string shown, std::size_t room, Tell tell)
    : m_broker(std::move(broker)), m_run(std::move(run)), m_program(std::move(program)), m_shown(std::move(shown)), m_room(room),
      m_tell(std::move(tell)), m_thread([this] { this->run(); })
{
}

Outbox::~Outbox()
{
    {
        const std::lock_guard lock(m_mutex);
        m_stops = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

bool Outbox::put(Letter letter, Where where, Full full)
{
    const std::lock_guard lock(m_mutex);
    if (m_refusal) return true; // it is told once, and nothing is kept for it
    auto old = std::find_if(m_letters.begin(), m_letters.end(), [&](const Letter& one) { return one.place == letter.place; });
    const auto freed = old == m_letters.end() ? 0 : old->packed.size();
    if (full == Full::Refuse && m_bytes - freed + letter.packed.size() > m_room) return false;
    m_bytes += letter.packed.size() - freed;
    if (old != m_letters.end() && where == Where::InPlace) {
        *old = std::move(letter);
    } else {
        if (old != m_letters.end()) m_letters.erase(old);
        m_letters.push_back(std::move(letter));
    }
    m_changed.notify_all();
    return true;
}

bool Outbox::isWaiting(const Place& place) const
{
    const std::lock_guard lock(m_mutex);
    return m_sending == place || std::any_of(m_letters.begin(), m_letters.end(), [&](const Letter& one) { return one.place == place; });
}

std::size_t Outbox::waiting() const
{
    const std::lock_guard lock(m_mutex);
    return m_letters.size() + (m_sending ? 1 : 0);
}

std::optional<Error> Outbox::refusal() const
{
    const std::lock_guard lock(m_mutex);
    return m_refusal;
}

std::string Outbox::lastTrouble() const
{
    const std::lock_guard lock(m_mutex);
    return m_trouble;
}

bool Outbox::drain(std::chrono::nanoseconds patience)
{
    std::unique_lock lock(m_mutex);
    const auto isDone = [this] { return m_refusal || (m_letters.empty() && !m_sending); };
    for (auto sent = m_sent;; sent = m_sent) {
        m_changed.wait_for(lock, patience, [&] { return isDone() || m_sent != sent; });
        if (isDone()) return !m_refusal;
        if (m_sent == sent) return false;
    }
}

void Outbox::run()
{
    sigset_t all; // they are for the thread that traces, and threads of the broker's library inherit it
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, nullptr);
    std::chrono::steady_clock::time_point since; // it is away
    bool isAway = false, isTold = false;
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_stops || !m_letters.empty(); });
        if (m_stops) return;
        auto letter = std::move(m_letters.front());
        m_letters.pop_front();
        m_sending = letter.place;
        for (;;) {
            lock.unlock();
            auto done = check();
            if (done) done = send(letter);
            const auto now = std::chrono::steady_clock::now();
            if (done && isTold) m_tell(m_shown + " is there again");
            if (!done && done.error().code == kAway && isAway && !isTold && now - since > kPatience) {
                m_tell("waiting for " + m_shown + ": " + done.error().message);
                isTold = true;
            }
            lock.lock();
            if (done) {
                isAway = isTold = false;
                break;
            }
            m_trouble = done.error().message;
            if (done.error().code != kAway) {
                m_refusal = std::move(done).error();
                m_letters.clear();
                break;
            }
            if (!std::exchange(isAway, true)) since = now;
            if (m_changed.wait_for(lock, kTryAgain, [this] { return m_stops; })) return;
        }
        m_bytes -= std::min(m_bytes, letter.packed.size());
        m_sending.reset();
        ++m_sent;
        m_changed.notify_all();
        if (m_refusal) return;
    }
}

/// Whether the run is of our program.
Result<> Outbox::check()
{
    if (m_isChecked) return {};
    DSCOPE_TRY(const auto kept, m_broker->last("dscope." + m_run + ".*.*.program"));
    m_isChecked = true;
    const auto place = kept ? placeOf(m_run, kept->subject) : std::nullopt;
    if (!place) return {};
    const auto envelope = open(kept->payload);
    if (!envelope || envelope->kind != Envelope::Kind::Whole) return {};
    const auto message = unpack(envelope->sequence, envelope->body);
    const auto* program = message && message->records.size() == 1 ? std::get_if<record::Program>(&message->records.front()) : nullptr;
    if (!program) return {};
    const auto differs = record::difference(*program, place->origin.host, m_program, "here");
    if (differs.empty()) return {};
    return Error{0, m_shown + " is a run of another program: " + differs + "\n    hint: give this one a run of its own"};
}

Result<> Outbox::send(const Letter& letter)
{
    const auto most = m_broker->mostBytes();
    if (letter.packed.size() + kEnvelopeSize > most) return sendParts(letter);
    return store(subjectOf(m_run, letter.place), letter.sequence, seal(Envelope::Kind::Whole, letter.sequence, letter.packed));
}

/// Makes it what is kept, unless what is kept is as new; of a part, which means nothing without its list, in any case.
Result<> Outbox::store(const std::string& subject, std::uint64_t sequence, ByteView payload, Replaces replaces)
{
    constexpr int kTries = 8; // somebody else sends the same run
    auto& known = m_known[subject];
    for (int i = 0; i < kTries; ++i) {
        if (replaces == Replaces::Older && known.sequence >= sequence) return {};
        auto number = m_broker->keep(subject, payload, known.number);
        if (number) {
            known = {*number, sequence};
            return {};
        }
        if (number.error().code != kOther) return std::move(number).error();
        DSCOPE_TRY(const auto kept, m_broker->last(subject));
        const auto envelope = kept ? open(kept->payload) : Result<Envelope>(Envelope{});
        known = {kept ? kept->number : 0, envelope ? envelope->sequence : 0};
    }
    return Error{kAway, "somebody else sends to " + subject};
}

Result<> Outbox::sendParts(const Letter& letter)
{
    auto place = letter.place;
    const auto subject = subjectOf(m_run, place);
    if (!m_slots.contains(subject)) {
        DSCOPE_TRY(const auto kept, m_broker->last(subject));
        const auto envelope = kept ? open(kept->payload) : Result<Envelope>(Envelope{});
        const auto list = envelope && envelope->kind == Envelope::Kind::Parts ? partListOf(envelope->body) : Result<PartList>(PartList{1});
        m_known[subject] = {kept ? kept->number : 0, envelope ? envelope->sequence : 0};
        m_slots[subject] = list ? list->slot : 1;
    }
    if (m_known[subject].sequence >= letter.sequence) return {};

    const auto room = m_broker->mostBytes() - kEnvelopeSize;
    const ByteView all(letter.packed);
    PartList list{1 - m_slots[subject], 0, all.size(), record::Crc32c().add(all).value()};
    for (std::size_t from = 0; from < all.size(); from += room) {
        place.part = {list.slot, list.count++};
        const auto part = all.subspan(from, std::min(room, all.size() - from));
        DSCOPE_CHECK(store(subjectOf(m_run, place), letter.sequence, seal(Envelope::Kind::Part, letter.sequence, part), Replaces::Any));
    }
    if (list.count > kMostParts) return Error{0, "a message is too large for the broker: raise its max_payload"};
    DSCOPE_CHECK(store(subject, letter.sequence, seal(Envelope::Kind::Parts, letter.sequence, bytesOf(list))));
    m_slots[subject] = list.slot;
    return {};
}
} // namespace dscope::remote
