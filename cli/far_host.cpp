#include "cli/far_host.h"
#include "cli/schedule.h"
#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>
namespace dscope::cli {
namespace {
constexpr std::size_t kLongestLine = std::size_t{64} << 10; ///< that is kept until its end
constexpr int kSshFailed = 255;                             // Source: ssh(1), EXIT STATUS
constexpr int kNotFound = 127;                              // Source: POSIX, sh
/// What ssh and the command there left behind, as wait(2) gives it.
std::string reasonOf(int status)
{
    if (WIFSIGNALED(status)) return "ssh was killed by signal " + std::to_string(WTERMSIG(status));
    const int code = WEXITSTATUS(status);
    if (code == kSshFailed) return "ssh could not connect, or lost the connection";
    if (code == kNotFound) return "dscope is not installed there, or not in its PATH: --each dscope=PATH says where it is";
    return "dscope ended there with status " + std::to_string(code);
}
} // namespace

void NamedLines::take(std::string_view text)
{
    for (const char c : text) {
        if (c != '\n') m_line += c;
        if (c != '\n' && m_line.size() < kLongestLine) continue;
        m_write(m_begin + m_line + '\n');
        m_line.clear();
    }
}

void NamedLines::finish()
{
    if (!m_line.empty()) take("\n");
}

FarHost::FarHost(std::string name, remote::Collection& collection, const Listeners& listeners, std::size_t printed)
    : m_name(std::move(name)), m_collection(collection), m_relay(collection, m_name, printed), m_said(m_name, listeners.complain)
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
    auto child = remote::Child::start(command);
    if (!child) return std::move(child).error();
    m_child.emplace(*std::move(child));
    m_reader = std::make_unique<record::Reader>(m_child->output());
    m_complains = true;
    return {};
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
    if (const auto* exit = std::get_if<record::Exit>(&record)) compare(exit->clock);
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
    const bool isCut = m_reader->cut();
    m_reader.reset();
    if (!more) m_wrong = more.error().message;
    if (isCut) fail("its stream ended before its run did");
    endIfDone();
}

void FarHost::readComplaints()
{
    std::array<char, 4096> bytes{};
    const auto count = ::read(m_child->complaints(), bytes.data(), bytes.size());
    if (count > 0) m_said.take({bytes.data(), static_cast<std::size_t>(count)});
    if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR))) return;
    m_complains = false;
    endIfDone();
}

/// When both its streams have ended, it has.
void FarHost::endIfDone()
{
    if (m_reader || m_complains) return;
    const int status = m_child->end();
    m_child.reset();
    m_isOver = true;
    m_said.finish();
    if (m_printed) m_printed->finish();
    if (!m_error.empty()) fail(m_error);
    // Where ssh or dscope fails, there is no stream at all, and that says less.
    if (!m_wrong.empty() && (m_hasAnswered || status == 0)) fail("what it sends is wrong: " + m_wrong);
    if (!m_relay.hasEnded()) fail(reasonOf(status));
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
    if (m_child) m_child->closeInput();
}
} // namespace dscope::cli
