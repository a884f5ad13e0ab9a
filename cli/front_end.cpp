#include "cli/front_end.h"
#include "cli/messages.h"
#include "engine/base/descriptor_limit.h"
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>
namespace dscope::cli {
Asked askedBy(int control)
{
    constexpr char kPause = 'p', kGoOn = 'c';
    pollfd in{control, POLLIN, 0};
    if (control < 0) return Asked::End;
    if (::poll(&in, 1, 0) <= 0) return Asked::Nothing;
    char byte;
    if ((in.revents & (POLLHUP | POLLERR | POLLNVAL)) || ::read(control, &byte, 1) <= 0) return Asked::End;
    return byte == kPause ? Asked::Pause : byte == kGoOn ? Asked::GoOn : Asked::Nothing;
}

Result<Line> takeLine(int frames)
{
    Line line{Fd(::fcntl(frames, F_DUPFD_CLOEXEC, 3)), Fd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3))};
    if (!line.frames) return Error{errno, "--stream " + std::to_string(frames) + ": " + std::strerror(errno)};
    const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing) ::dup2(nothing.get(), STDIN_FILENO);
    if (frames == STDOUT_FILENO)
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
    else
        ::close(frames);
    return line;
}

record::Diagnostic warningOf(const std::string& message) { return {record::Diagnostic::Severity::Warning, {}, {}, 0, 0, message, message}; }
record::Diagnostic errorOf(const std::string& message) { return {record::Diagnostic::Severity::Error, {}, {}, 0, 0, message, message}; }

void Front::take(Line line)
{
    m_line = std::move(line);
    m_stream = std::make_unique<record::Writer>(m_line.frames.get());
}

Asked Front::asked() const { return isThere() ? askedBy(m_line.control.get()) : Asked::Nothing; }

void Front::tell(std::span<const record::Diagnostic> diagnostics)
{
    if (!m_stream) return print(diagnostics);
    for (const auto& d : diagnostics)
        m_stream->take(d);
    m_stream->flush();
}

int Front::fail(const std::string& message)
{
    tell(std::array{errorOf(message)});
    return end(1);
}

int Front::end(int status)
{
    if (const auto text = std::exchange(m_hasEnded, true) ? std::string() : unopenedText(); !text.empty())
        tell(std::array{warningOf(text)});
    if (auto stream = std::move(m_stream))
        if (auto done = stream->finish(); !done) return cli::fail("--stream: " + done.error().message);
    return status;
}
} // namespace dscope::cli
