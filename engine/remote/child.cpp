#include "engine/remote/child.h"
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <utility>
namespace dscope::remote {
namespace {
struct Pipe {
    Fd read, write;
};
Result<Pipe> makePipe()
{
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return Error{errno, std::string("cannot make a pipe: ") + std::strerror(errno)};
    return Pipe{Fd(ends[0]), Fd(ends[1])};
}
void doNotWait(const Fd& fd) { ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK); }
} // namespace

Result<Child> Child::start(const std::vector<std::string>& words, int input)
{
    DSCOPE_TRY(auto in, makePipe());
    DSCOPE_TRY(auto out, makePipe());
    DSCOPE_TRY(auto complaints, makePipe());
    std::vector<std::string> copies = words;
    std::vector<char*> argv;
    for (auto& word : copies)
        argv.push_back(word.data());
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, input < 0 ? in.read.get() : input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, out.write.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, complaints.write.get(), STDERR_FILENO);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    sigset_t signals;
    ::sigemptyset(&signals);
    for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP})
        ::sigaddset(&signals, signal);
    ::posix_spawnattr_setsigdefault(&attributes, &signals);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    Child child;
    const int failed = ::posix_spawnp(&child.m_pid, argv[0], &actions, &attributes, argv.data(), environ);
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) {
        child.m_pid = 0;
        return Error{failed, "cannot run " + words.front() + ": " + std::strerror(failed)};
    }

    child.m_input = std::move(in.write);
    child.m_output = std::move(out.read);
    child.m_complaints = std::move(complaints.read);
    doNotWait(child.m_output);
    doNotWait(child.m_complaints);
    return child;
}

Child::Child(Child&& other) noexcept
    : m_pid(std::exchange(other.m_pid, 0)), m_input(std::move(other.m_input)), m_output(std::move(other.m_output)),
      m_complaints(std::move(other.m_complaints))
{
}

Child::~Child()
{
    kill();
    (void)end();
}

void Child::kill()
{
    if (m_pid > 0) ::kill(-m_pid, SIGKILL);
}

bool Child::hasEnded() const
{
    siginfo_t ended{};
    return m_pid <= 0 || ::waitid(P_PID, static_cast<id_t>(m_pid), &ended, WEXITED | WNOHANG | WNOWAIT) != 0 || ended.si_pid == m_pid;
}

int Child::end()
{
    m_input.reset();
    m_output.reset();
    m_complaints.reset();
    int status = 0;
    if (m_pid > 0)
        while (::waitpid(m_pid, &status, 0) < 0 && errno == EINTR) { }
    m_pid = 0;
    return status;
}

Result<std::string> outputOf(const std::vector<std::string>& words, int input)
{
    constexpr std::size_t kMost = 16U << 20U;
    DSCOPE_TRY(auto child, Child::start(words, input));
    child.closeInput();
    std::array<std::string, 2> texts; // output, complaints
    std::array<pollfd, 2> ends{{{child.output(), POLLIN, 0}, {child.complaints(), POLLIN, 0}}};
    while (ends[0].fd >= 0 || ends[1].fd >= 0) {
        if (::poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) break;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].fd < 0 || ends[i].revents == 0) continue;
            std::array<char, 4096> bytes{};
            const auto count = ::read(ends[i].fd, bytes.data(), bytes.size());
            if (count > 0 && texts[i].size() + static_cast<std::size_t>(count) > kMost)
                return Error{0, words.front() + " is ended: it prints more than 16 MiB"};
            if (count > 0)
                texts[i].append(bytes.data(), static_cast<std::size_t>(count));
            else if (count == 0 || (errno != EAGAIN && errno != EINTR))
                ends[i].fd = -1;
        }
    }
    const int status = child.end();
    for (auto& text : texts)
        while (text.ends_with('\n'))
            text.pop_back();
    if (status != 0) return Error{0, words.front() + " fails: " + (texts[1].empty() ? "it does not say why" : texts[1])};
    return std::move(texts[0]);
}
} // namespace dscope::remote
