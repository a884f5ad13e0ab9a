#pragma once
#include <QByteArray>
#include <QList>
#include <QStringList>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <map>
#include <set>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>
#include <vector>
namespace dscope::tests {
/// A child of the test's own, in a process group of its own, whose threads stop at every system call: after it was asked for and
/// before any probe at its entry fires. It ends with this object, and by SIGALRM after kMostSeconds.
class TracedChild {
public:
    static constexpr unsigned kMostSeconds = 60;
    /// Stopped in its exec; writes and reads /dev/null. `environment`: NAME=VALUE, set before.
    explicit TracedChild(const QStringList& command, const QStringList& environment = {})
    {
        std::vector<QByteArray> words, settings;
        for (const auto& word : command)
            words.push_back(word.toLocal8Bit());
        for (const auto& setting : environment)
            settings.push_back(setting.toLocal8Bit());
        std::vector<char*> argv;
        for (auto& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        m_pid = ::fork();
        if (m_pid == 0) {
            ::setpgid(0, 0);
            ::alarm(kMostSeconds);
            const int null = ::open("/dev/null", O_RDWR);
            for (int fd = 0; fd < 3; ++fd)
                ::dup2(null, fd);
            for (auto& setting : settings)
                ::putenv(setting.data());
            ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
            ::execvp(argv[0], argv.data());
            ::_exit(127);
        }
        ::setpgid(m_pid, m_pid);
        int status = 0;
        while (::waitpid(m_pid, &status, __WALL) < 0 && errno == EINTR) { }
        m_alive = WIFSTOPPED(status);
        if (m_alive)
            ::ptrace(PTRACE_SETOPTIONS, m_pid, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC);
    }
    TracedChild(const TracedChild&) = delete;
    TracedChild& operator=(const TracedChild&) = delete;
    ~TracedChild() { end(); }
    pid_t pid() const { return m_pid; }
    bool alive() const { return m_alive; }

    enum class Next {
        GoOn,
        Twice, ///< the thread asks for another system call at this very place first, a harmless one, and then for its own
        Stop,
    };
    /// Runs it. `entered` is called with the thread, its instruction and stack pointer where one has asked for a system call.
    /// Returns when it says Stop, or when the child is gone.
    template <typename Entered> void run(Entered entered)
    {
        if (!m_alive) return;
        go(m_pid, 0);
        for (;;) {
            int status = 0;
            const auto thread = ::waitpid(-m_pid, &status, __WALL);
            if (thread < 0 && errno == EINTR) continue;
            if (thread < 0) break;
            if (!WIFSTOPPED(status)) {
                if (thread == m_pid) break;
                continue;
            }
            const int signal = WSTOPSIG(status), event = status >> 16;
            if (signal == (SIGTRAP | 0x80)) {
                __ptrace_syscall_info info{};
                const auto size = ::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info);
                if (size > 0 && info.op == PTRACE_SYSCALL_INFO_ENTRY) {
                    const auto next = entered(thread, info.instruction_pointer, info.stack_pointer);
                    if (next == Next::Stop) return;
                    if (next == Next::Twice) askInstead(thread);
                } else if (const auto own = m_own.find(thread); own != m_own.end()) {
                    ::ptrace(PTRACE_SETREGS, thread, nullptr, &own->second);
                    m_own.erase(own);
                }
                go(thread, 0);
            } else if (event != 0 || (signal == SIGSTOP && m_met.insert(thread).second)) {
                go(thread, 0); // a thread that is new begins stopped
            } else {
                go(thread, signal);
            }
        }
        m_alive = false;
    }
    void end()
    {
        if (!m_alive) return;
        ::kill(-m_pid, SIGKILL);
        int status = 0;
        while (::waitpid(-m_pid, &status, __WALL) > 0 || errno == EINTR) { }
        m_alive = false;
    }

private:
    /// Another system call in place of the one that was asked for, to which the thread goes back after it.
    void askInstead(pid_t thread)
    {
        constexpr unsigned kInstruction = 2; // bytes of `syscall`
        user_regs_struct own{};
        if (::ptrace(PTRACE_GETREGS, thread, nullptr, &own) != 0) return;
        auto other = own;
        other.orig_rax = SYS_getppid;
        ::ptrace(PTRACE_SETREGS, thread, nullptr, &other);
        own.rax = own.orig_rax;
        own.orig_rax = ~0ULL; // nothing to restart
        own.rip -= kInstruction;
        m_own[thread] = own;
    }
    static void go(pid_t thread, long signal) { ::ptrace(PTRACE_SYSCALL, thread, nullptr, signal); }
    pid_t m_pid = -1;
    bool m_alive = false;
    std::set<pid_t> m_met;
    std::map<pid_t, user_regs_struct> m_own; ///< registers to go back to, by thread
};
} // namespace dscope::tests
