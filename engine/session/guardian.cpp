#include "engine/session/guardian.h"
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>
namespace dscope::session {
namespace {
constexpr int kLine = 3, kFirst = 4; ///< descriptors of the guardian
/// Runs in the child: waits for a byte, or for our end.
[[noreturn]] void guard(int line, std::span<const int> processes)
{
    ::setsid();
    for (int number = 1; number < NSIG; ++number)
        if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_IGN);
    char byte = 0;
    ssize_t got = 0;
    do
        got = ::read(line, &byte, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1)
        for (const int process : processes)
            ::syscall(SYS_pidfd_send_signal, process, SIGCONT, nullptr, 0);
    ::_exit(0);
}
} // namespace

Result<Guardian> Guardian::over(std::span<const pid_t> processes)
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return Error{errno, std::string("cannot make a pipe: ") + std::strerror(errno)};
    Fd out(ends[0]), in(ends[1]);
    std::vector<Fd> held;
    std::vector<int> numbers;
    for (const auto pid : processes) {
        held.emplace_back(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
        if (held.back()) numbers.push_back(held.back().get());
    }
    const pid_t child = ::fork();
    if (child < 0) return Error{errno, std::string("cannot start a process: ") + std::strerror(errno)};
    if (child == 0) {
        // Nothing else of ours may stay open in it: whoever waits for the end of our output waits for it too.
        const int base = kFirst + static_cast<int>(numbers.size()) + 64;
        int line = ::fcntl(out.get(), F_DUPFD, base);
        for (auto& number : numbers)
            number = ::fcntl(number, F_DUPFD, base);
        ::dup2(line, kLine);
        for (std::size_t i = 0; i < numbers.size(); ++i)
            numbers[i] = ::dup2(numbers[i], kFirst + static_cast<int>(i));
        ::syscall(SYS_close_range, 0U, 2U, 0U);
        ::syscall(SYS_close_range, static_cast<unsigned>(kFirst) + static_cast<unsigned>(numbers.size()), ~0U, 0U);
        guard(kLine, numbers);
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
