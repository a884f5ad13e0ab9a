#include "engine/session/guardian.h"
#include "engine/session/refusal.h"
#include <array>
#include <bpf/bpf.h>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
namespace dscope::session {
namespace {
constexpr int kLine = 3, kProcesses = 4; ///< descriptors of the guardian
/// Runs in the child: waits for a byte, or for our end.
[[noreturn]] void guard()
{
    ::setsid();
    for (int number = 1; number < NSIG; ++number)
        if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_IGN);
    char byte = 0;
    ssize_t got = 0;
    do
        got = ::read(kLine, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got == 1) ::_exit(0);
    // The BPF programs that stop processes end a moment after us: a process that is stopped in between is found by the next look.
    constexpr timespec kMoment{0, 20'000'000};
    for (int look = 0; look < 10; ++look, ::nanosleep(&kMoment, nullptr)) {
        std::uint32_t process = 0;
        for (bool more = bpf_map_get_next_key(kProcesses, nullptr, &process) == 0; more;
             more = bpf_map_get_next_key(kProcesses, &process, &process) == 0)
            if (process != 0) ::kill(static_cast<pid_t>(process), SIGCONT); // 0 is no process, but the map may have it
    }
    ::_exit(0);
}
} // namespace

Result<Guardian> Guardian::over(int processes)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return refusal("making a pipe", errno);
    Fd out(ends[0]), in(ends[1]);
    const pid_t child = ::fork();
    if (child < 0) return Error{errno, std::string("cannot start a process: ") + std::strerror(errno)};
    if (child == 0) {
        // It must keep no other descriptor open: a reader of our output would wait for its end too.
        constexpr int kAside = kProcesses + 64;
        const int line = ::fcntl(out.get(), F_DUPFD, kAside), map = ::fcntl(processes, F_DUPFD, kAside);
        ::dup2(line, kLine);
        ::dup2(map, kProcesses);
        ::syscall(SYS_close_range, 0U, 2U, 0U);
        ::syscall(SYS_close_range, static_cast<unsigned>(kProcesses) + 1U, ~0U, 0U);
        guard();
    }
    Guardian guardian;
    guardian.m_line = std::move(in);
    guardian.m_pid = child;
    return guardian;
}

Guardian::Guardian(Guardian&& other) noexcept { *this = std::move(other); }
Guardian& Guardian::operator=(Guardian&& other) noexcept
{
    std::swap(m_line, other.m_line);
    std::swap(m_pid, other.m_pid);
    return *this;
}
Guardian::~Guardian()
{
    if (!m_pid) return;
    const char done = 1;
    [[maybe_unused]] const auto written = ::write(m_line.get(), &done, 1);
    m_line.reset();
    ::waitpid(m_pid, nullptr, 0);
}
} // namespace dscope::session
