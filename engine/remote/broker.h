#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
namespace dscope::remote {
struct Address;
/// A message that a broker keeps: the last of its subject.
struct Kept {
    std::string subject;
    std::uint64_t number = 0; ///< counts up with each message that the broker keeps of the run
    Bytes payload;
};
/// Error::code of what may work later: no server answers, or none that may write just now.
constexpr int kAway = EAGAIN;
/// Error::code of keep() when the subject's message is not the one that its caller knows.
constexpr int kOther = ESTALE;
/// Keeps the last message of each subject of one run, and hands them to who asks. Used by one thread. Every call connects where that is
/// needed; it takes a few seconds at most. Errors with kAway pass; others don't.
class Broker {
public:
    virtual ~Broker() = default;
    /// Makes `payload` what is kept of `subject`, in the place of the message with number `after`; 0: in the place of none. Its number.
    virtual Result<std::uint64_t> keep(const std::string& subject, ByteView payload, std::uint64_t after) = 0;
    /// What is kept of the subject, which may have wildcards ('*' is a word): of those that it names the newest.
    virtual Result<std::optional<Kept>> last(const std::string& subject) = 0;
    /// The next of all that is kept of the run: first what is there, then what comes. Nothing: none came within `timeout`. May give
    /// one twice.
    virtual Result<std::optional<Kept>> next(std::chrono::milliseconds timeout) = 0;
    /// Whether next() has given the newest.
    virtual Result<bool> hasGivenAll() = 0;
    /// Bytes of the largest payload; known after the first call that worked.
    virtual std::size_t mostBytes() const = 0;
};
/// The broker of that address, which is not yet connected to. Error: NATS's client library is missing.
Result<std::unique_ptr<Broker>> natsBroker(const Address& address);
} // namespace dscope::remote
