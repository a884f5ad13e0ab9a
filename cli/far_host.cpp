#include "cli/far_host.h"
#include "cli/schedule.h"
#include "engine/format/values.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
namespace dscope::cli {
namespace {
constexpr std::size_t kLongestLine = std::size_t{64} << 10;   ///< that is kept until its end
constexpr std::size_t kMostComplaints = std::size_t{4} << 20; ///< bytes of a host's standard error that are shown
constexpr std::size_t kMostQuoted = 60;                       ///< bytes of what is no recording
constexpr std::chrono::seconds kConnecting(2);                ///< that a host without an answer keeps others from connecting
constexpr int kMostDrained = 256; ///< reads after ssh has ended: more than a pipe holds, and an end where something writes on
constexpr int kSshFailed = 255;   // Source: ssh(1), EXIT STATUS
constexpr int kNotFound = 127;    // Source: POSIX, sh
constexpr std::string_view kAfterFor = "after --for was over";
/// What ssh and the command there left behind, as wait(2) gives it.
std::string reasonOf(int status)
{
    if (WIFSIGNALED(status)) return "ssh was killed by signal " + std::to_string(WTERMSIG(status));
    const int code = WEXITSTATUS(status);
    if (code == kSshFailed) return "ssh could not connect, or lost the connection";
    if (code == kNotFound) return "dscope is not installed there, or not in its PATH: --each dscope=PATH says where it is";
    return "dscope ended there with status " + std::to_string(code);
}
/// What comes in the place of a recording, as a sentence goes on.
std::string foreign(std::string line)
{
    if (line.empty()) return "it is no recording: a login shell there must print nothing";
    if (line.size() > kMostQuoted) line = line.substr(0, kMostQuoted) + "...";
    return "it is no recording and begins with \"" + format::escaped(line) + "\": a login shell there must print nothing";
}
/// "60 s", "1500 ms".
std::string textOf(std::chrono::nanoseconds time)
{
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}
std::chrono::nanoseconds sum(std::chrono::nanoseconds a, std::chrono::nanoseconds b)
{
    std::int64_t both = 0;
    return std::chrono::nanoseconds(__builtin_add_overflow(a.count(), b.count(), &both) ? INT64_MAX : both);
}
} // namespace

void NamedLines::take(std::string_view text)
{
    const auto room = m_most - std::min(m_most, m_taken);
    m_taken += text.size();
    for (const char c : text.substr(0, room)) {
        if (c != '\n') m_line += c;
        if (c != '\n' && m_line.size() < kLongestLine) continue;
        m_write(m_begin + m_line + '\n');
        m_line.clear();
    }
}

void NamedLines::finish()
{
    if (!m_line.empty()) m_write(m_begin + std::exchange(m_line, {}) + '\n');
    if (m_taken > m_most) m_write(m_begin + std::to_string(m_taken - m_most) + " more bytes of its standard error are left out\n");
}

FarHost::FarHost(std::string name, remote::Collection& collection, const Listeners& listeners, std::size_t printed, const Limits& limits)
    : m_name(std::move(name)), m_limits(limits), m_collection(collection), m_relay(collection, m_name, printed),
      m_said(m_name, listeners.complain, kMostComplaints)
{
    if (!listeners.print) return;
    m_printed.emplace(m_name, listeners.print);
    const auto complain = [this](std::string_view text) { m_said.take(text); };
    m_printer = std::make_unique<format::Printer>([this](std::string_view text) { m_printed->take(text); }, complain);
    m_printer->toTerminal(listeners.isTerminal);
    m_printer->groupDigits(format::environmentGrouping());
}

Result<> FarHost::start(const std::vector<std::string>& command)
{
    m_asked = wallClock();
    m_started = Clock::now();
    auto child = remote::Child::start(command);
    if (!child) return std::move(child).error();
    m_child.emplace(*std::move(child));
    m_reader = std::make_unique<record::Reader>(m_child->output());
    m_complains = true;
    if (m_limits.schedule.lasts) {
        const std::chrono::nanoseconds untilBegin(m_limits.schedule.at ? std::max<std::int64_t>(*m_limits.schedule.at - m_asked, 0) : 0);
        expectEnd(sum(untilBegin, *m_limits.schedule.lasts), kAfterFor);
    }
    return {};
}

bool FarHost::isConnecting(Clock::time_point now) const { return m_child && !m_hasAnswered && now - m_started < kConnecting; }

/// `after`: from now. `of`: what the grace follows, as a sentence says it.
void FarHost::expectEnd(std::chrono::nanoseconds after, std::string_view of)
{
    const auto now = Clock::now();
    const auto wait = sum(after, m_limits.grace);
    m_due = wait < Clock::time_point::max() - now ? now + wait : Clock::time_point::max();
    m_late = "its run had not ended " + textOf(m_limits.grace) + ' ' + std::string(of) + ": --each grace=TIME waits longer";
}

/// Its clock was read after ssh was started here and before that arrived here, which bounds how far it can be ahead of ours; every
/// reading narrows it.
void FarHost::compare(const record::ClockReading& clock)
{
    if (!clock.isKnown()) return;
    const record::ClockOffset now{clock.wall - wallClock(), clock.wall - m_asked};
    if (!m_clock) m_clock = now;
    m_clock->least = std::max(m_clock->least, now.least);
    m_clock->most = std::min(m_clock->most, now.most);
    // A clock that was set meanwhile has no one distance.
    if (m_clock->least <= m_clock->most) m_collection.measured(m_name, *m_clock);
}

void FarHost::fail(std::string why)
{
    if (m_failure.empty()) m_failure = std::move(why);
}

void FarHost::take(const record::Record& record)
{
    m_hasAnswered = true;
    if (const auto* program = std::get_if<record::Program>(&record)) compare(program->clock);
    if (const auto* exit = std::get_if<record::Exit>(&record)) {
        compare(exit->clock);
        expectEnd({}, "after its run had"); // its output need not end, which would wake us
    }
    if (const auto* told = std::get_if<record::Diagnostic>(&record)) {
        if (told->severity == record::Diagnostic::Severity::Error && m_error.empty())
            m_error = told->text;
        else
            m_said.take("dtrace: " + told->text + '\n');
        return;
    }
    if (const auto* drop = std::get_if<record::Drop>(&record)) m_drops += drop->count;
    m_relay.take(record);
    // Of the rest what is true of all hosts is printed once, at the end: aggregations that no clause prints, drops, errors.
    const bool isOwn = !std::holds_alternative<record::Exit>(record) && !std::holds_alternative<record::Drop>(record)
        && !std::holds_alternative<record::Fault>(record);
    if (m_printer && isOwn) m_printer->take(record);
}

void FarHost::read()
{
    auto more = m_reader->poll({}, [this](const record::Record& r) { take(r); });
    if (more && *more) return;
    if (!more && more.error().code != record::kNothingWritten) {
        // We do not read the rest, so ssh would wait for us, and we would wait for ssh.
        takeComplaints();
        const bool isForeign = more.error().code == record::kForeign;
        return giveUp("what it sends is wrong: " + (isForeign ? foreign(m_reader->firstLine()) : more.error().message));
    }

    m_isSilent = !more;
    m_isCut = m_reader->cut();
    m_reader.reset();
    if (!m_isStopped) expectEnd({}, "after its stream did");
}

void FarHost::readComplaints() { takeComplaints(); }

/// False: there is nothing more now.
bool FarHost::takeComplaints()
{
    if (!m_complains) return false;
    std::array<char, 4096> bytes{};
    const auto count = ::read(m_child->complaints(), bytes.data(), bytes.size());
    if (count > 0) m_said.take({bytes.data(), static_cast<std::size_t>(count)});
    m_complains = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
    return count > 0;
}

/// What ssh has left in its pipes. They do not end with it where another process holds them, such as a connection that others share
/// (ssh_config(5), ControlPersist).
void FarHost::takeRest()
{
    const auto isReadable = [](int fd) {
        pollfd readable{fd, POLLIN, 0};
        return ::poll(&readable, 1, 0) > 0;
    };
    for (int i = 0; i < kMostDrained && m_reader && isReadable(m_child->output()); ++i)
        read();
    for (int i = 0; i < kMostDrained && takeComplaints(); ++i) { }
}

void FarHost::keepWatch(Clock::time_point now)
{
    if (!m_child) return;
    if (m_child->hasEnded()) {
        takeRest();
        if (!m_isOver) end();
    } else if (now >= m_due) {
        giveUp(m_relay.hasEnded() ? std::string() : m_late);
    }
}

void FarHost::giveUp(std::string why)
{
    if (m_isOver) return;
    if (!m_error.empty()) fail(m_error); // its dscope knows more than we do
    if (!why.empty()) fail(std::move(why));
    m_reader.reset();
    if (m_child) m_child->kill();
    end();
}

void FarHost::end()
{
    const int status = m_child ? m_child->end() : 0;
    m_child.reset();
    m_complains = false;
    m_isOver = true;
    m_said.finish();
    if (m_printed) m_printed->finish();
    if (!m_error.empty()) fail(m_error);
    if (m_isSilent && status == 0) fail("it sends nothing");
    const bool hasBegun = m_isCut || m_hasAnswered || status == 0;
    if (m_isCut || !m_relay.hasEnded()) {
        const std::string reason = status == 0 ? "" : reasonOf(status);
        fail(hasBegun ? "its stream ended before its run did" + (reason.empty() ? "" : ": " + reason) : reason);
    }
    if (auto told = m_relay.tellEnd(); !told) fail(told.error().message);
}

bool FarHost::tell()
{
    if (m_isOver) return false;
    const auto told = m_relay.tell();
    if (!told) fail(told.error().message);
    return told && *told;
}

void FarHost::stop()
{
    m_isStopped = true;
    if (!m_child) return;
    m_child->closeInput();
    if (m_due - Clock::now() > m_limits.grace) expectEnd({}, "after it was asked to end");
}
} // namespace dscope::cli
