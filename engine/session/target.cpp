#include "engine/session/target.h"
#include "engine/base/asker.h"
#include "engine/base/descriptor_limit.h"
#include "engine/session/refusal.h"
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
namespace dscope::session {
namespace {
Error cannotRun(const std::string& command, int code) { return Error{code, "failed to execute " + command + ": " + std::strerror(code)}; }

std::vector<std::string> words(const std::string& command)
{
    constexpr auto kBlanks = " \t\n\v\f\r";
    std::vector<std::string> all;
    std::size_t at = 0;
    while ((at = command.find_first_not_of(kBlanks, at)) != std::string::npos) {
        const auto end = std::min(command.find_first_of(kBlanks, at), command.size());
        all.push_back(command.substr(at, end - at));
        at = end;
    }
    return all;
}

/// errno of what execvp() would meet when looking for `name`, 0 when it would find it.
int lookUp(const std::string& name)
{
    if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? 0 : errno;
    const char* path = std::getenv("PATH");
    std::string rest = path ? path : "/bin:/usr/bin";
    int code = ENOENT;
    for (;;) {
        const auto colon = rest.find(':');
        auto folder = rest.substr(0, colon);
        if (folder.empty()) folder = ".";
        if (::access((folder + "/" + name).c_str(), X_OK) == 0) return 0;
        if (errno == EACCES) code = EACCES;
        if (colon == std::string::npos) return code;
        rest.erase(0, colon + 1);
    }
}

struct Pipe {
    Fd out, in;
};
Result<Pipe> makePipe()
{
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return refusal("making a pipe", errno);
    return Pipe{Fd(ends[0]), Fd(ends[1])};
}

/// What the child does: wait to be let go (or for us to vanish), then become the command.
[[noreturn]] void become(char** argv, Fd& gate, int failure, const std::optional<User>& owner)
{
    for (int number = 1; number < NSIG; ++number)
        if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::syscall(SYS_close_range, 3U, ~0U, CLOSE_RANGE_CLOEXEC);
    char go = 0;
    ssize_t got = 0;
    do
        got = ::read(gate.get(), &go, 1);
    while (got < 0 && errno == EINTR);
    if (got != 1) ::_exit(127);
    restoreDescriptorLimit();
    if (!owner || becomeUser(*owner)) ::execvp(argv[0], argv);
    const int code = errno;
    [[maybe_unused]] const auto written = ::write(failure, &code, sizeof code);
    ::_exit(127);
}

Fd openProcess(pid_t pid) { return Fd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))); }
} // namespace

Result<Target> Target::launch(const std::string& command, std::optional<uid_t> as, Group group)
{
    auto parts = words(command);
    if (parts.empty()) return cannotRun("an empty command", ENOENT);
    if (const int code = lookUp(parts.front())) return cannotRun(parts.front(), code);
    std::vector<char*> argv;
    for (auto& part : parts)
        argv.push_back(part.data());
    argv.push_back(nullptr);
    std::optional<User> owner; // looked up before the fork, because the child may do very little
    if (as) {
        auto user = userOf(*as);
        if (!user) return Error{user.error().code, "cannot run a command as user " + std::to_string(*as) + ": " + user.error().message};
        owner = *std::move(user);
    }
    DSCOPE_TRY(Pipe gate, makePipe());
    DSCOPE_TRY(Pipe failure, makePipe());
    const pid_t pid = ::fork();
    if (pid < 0) return cannotRun(parts.front(), errno);
    if (pid == 0) {
        if (group == Group::Own) ::setpgid(0, 0);
        gate.in.reset();
        become(argv.data(), gate.out, failure.in.get(), owner);
    }
    Target target;
    target.m_pid = pid;
    target.m_child = true;
    // Here, too: the child may not have come so far when it is killed. It has not exec'd yet, so this cannot be refused.
    target.m_leads = group == Group::Own && ::setpgid(pid, pid) == 0;
    target.m_command = command;
    target.m_gate = std::move(gate.in);
    target.m_failure = std::move(failure.out);
    target.m_pidFd = openProcess(pid);
    if (!target.m_pidFd) return refusal("watching a process", errno);
    return target;
}

Result<Target> Target::grab(pid_t pid)
{
    Target target;
    target.m_pid = pid;
    target.m_pidFd = openProcess(pid);
    if (!target.m_pidFd) {
        const int code = errno == EINVAL ? ESRCH : errno; // EINVAL: a thread, not a process, or no pid at all
        return Error{code, "failed to grab pid " + std::to_string(pid) + ": " + std::strerror(code)};
    }
    return target;
}

Target::Target(Target&& other) noexcept { *this = std::move(other); }
Target& Target::operator=(Target&& other) noexcept
{
    std::swap(m_pid, other.m_pid);
    std::swap(m_child, other.m_child);
    std::swap(m_held, other.m_held);
    std::swap(m_leads, other.m_leads);
    std::swap(m_command, other.m_command);
    std::swap(m_gate, other.m_gate);
    std::swap(m_pidFd, other.m_pidFd);
    std::swap(m_failure, other.m_failure);
    std::swap(m_status, other.m_status);
    return *this;
}
Target::~Target()
{
    if (!m_child || m_status) return;
    // Not reaped yet, so the pid is still the child's.
    ::kill(m_leads ? -m_pid : m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
}

Result<> Target::advance(const host::Host& host, Stage stage)
{
    if (!m_gate) return {};
    const auto go = [](void* target) { static_cast<Target*>(target)->release(); };
    DSCOPE_TRY(const auto held, holdAt(host, stage, m_pid, go, this));
    m_held = !held.ended;
    if (!held.ended) return {};
    m_status = held.status;
    if (auto why = failure()) return *std::move(why);
    return Error{0, m_command + " ended before it could be probed"};
}

void Target::release()
{
    if (m_held) letGo(m_pid);
    m_held = false;
    if (!m_gate) return;
    const char go = 1;
    [[maybe_unused]] const auto written = ::write(m_gate.get(), &go, 1);
    m_gate.reset();
}

std::optional<int> Target::ended()
{
    if (m_status) return m_status;
    if (m_child) {
        int status = 0;
        if (::waitpid(m_pid, &status, WNOHANG) == m_pid) m_status = status;
    } else {
        pollfd watch{m_pidFd.get(), POLLIN, 0};
        if (::poll(&watch, 1, 0) == 1) m_status = 0;
    }
    return m_status;
}

std::optional<Error> Target::failure()
{
    if (!m_failure || !ended()) return std::nullopt;
    int code = 0;
    const auto got = ::read(m_failure.get(), &code, sizeof code);
    m_failure.reset();
    if (got != static_cast<ssize_t>(sizeof code)) return std::nullopt;
    return cannotRun(words(m_command).front(), code);
}
} // namespace dscope::session
