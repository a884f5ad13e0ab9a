#pragma once
#include "cli/schedule.h"
#include "engine/format/printer.h"
#include "engine/record/wire.h"
#include "engine/remote/child.h"
#include "engine/remote/relay.h"
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
namespace dscope::cli {
/// Text that comes from a host, as lines that begin with the host's name.
class NamedLines {
public:
    using Write = std::function<void(std::string_view)>;
    /// `most`: bytes that are written; finish() tells how many more came.
    NamedLines(std::string host, Write write, std::size_t most = SIZE_MAX)
        : m_begin(std::move(host) + ": "), m_write(std::move(write)), m_most(most)
    {
    }
    void take(std::string_view text);
    /// Ends a line that has begun.
    void finish();

private:
    const std::string m_begin;
    Write m_write;
    std::string m_line;
    const std::size_t m_most;
    std::size_t m_taken = 0; ///< bytes, also of what was left out
};
/// One of the hosts that run a program by ssh, and what came from it.
class FarHost {
public:
    using Clock = std::chrono::steady_clock;
    struct Listeners {
        NamedLines::Write print;    ///< what the program printed; empty: nobody wants it
        NamedLines::Write complain; ///< what went to standard error
        bool isTerminal = false;    ///< where `print` goes
    };
    /// How long a run may take. A host that takes longer is given up.
    struct Limits {
        Schedule schedule;
        /// After --for, counted from when ssh was started; after stop(); from the end of the stream to the end of ssh.
        std::chrono::nanoseconds grace;
    };
    /// `printed`: bytes of what its program prints that go to the collection.
    FarHost(std::string name, remote::Collection& collection, const Listeners& listeners, std::size_t printed, const Limits& limits);
    /// `command`: remote::commandOf() it. Error: ssh could not be started.
    Result<> start(const std::vector<std::string>& command);
    bool isStarted() const { return m_child.has_value() || m_isOver; }
    bool isOver() const { return m_isOver; }
    /// Whether it may still be connecting: it was started a moment ago, and has not answered.
    bool isConnecting(Clock::time_point now) const;
    int output() const { return m_reader ? m_child->output() : -1; }
    int complaints() const { return m_complains ? m_child->complaints() : -1; }
    /// Whether its stream has ended and ssh has not, as far as is known. Does not wake poll(2): keepWatch() notices.
    bool isEnding() const { return m_child && !m_reader; }
    /// Takes what is there without waiting.
    void read();
    void readComplaints();
    /// Notices that ssh has ended, and gives up a host that has not ended in time. To be called often.
    void keepWatch(Clock::time_point now);
    /// What is new to the collection; true: something is.
    bool tell();
    /// Asks the run to end, with its results.
    void stop();
    /// Ends ssh and takes what came until now. `why`: what is missing; empty: nothing.
    void giveUp(std::string why);

    const std::string& name() const { return m_name; }
    /// Why there is no whole run of it; empty: there is one.
    const std::string& failure() const { return m_failure; }
    std::uint64_t drops() const { return m_drops; }

private:
    void take(const record::Record& record);
    /// What both machines' clocks say when its stream tells one of its.
    void compare(const record::ClockReading& clock);
    void fail(std::string why);
    bool takeComplaints();
    void takeRest();
    void expectEnd(std::chrono::nanoseconds after, std::string_view of);
    void end();
    const std::string m_name;
    const Limits m_limits;
    Clock::time_point m_due = Clock::time_point::max(); ///< when it is given up
    std::string m_late;                                 ///< why it is then
    remote::Collection& m_collection;
    std::int64_t m_asked = 0; ///< ns since 1970, by our clock: when ssh was started
    Clock::time_point m_started;
    std::optional<record::ClockOffset> m_clock;
    remote::Relay m_relay;
    NamedLines m_said;
    std::optional<NamedLines> m_printed;
    std::unique_ptr<format::Printer> m_printer; ///< null: nobody wants text
    std::optional<remote::Child> m_child;
    std::unique_ptr<record::Reader> m_reader; ///< null: its output has ended
    bool m_complains = false;                 ///< its standard error is open
    bool m_hasAnswered = false, m_isOver = false;
    bool m_isStopped = false;
    bool m_isSilent = false; ///< its output ended before the first byte
    bool m_isCut = false;    ///< its output ended within a record or before the end was marked
    std::string m_error;     ///< its dscope's own
    std::string m_failure;
    std::uint64_t m_drops = 0;
};
} // namespace dscope::cli
