#pragma once
#include "engine/base/bytes.h"
#include "engine/base/fd.h"
#include "engine/symbols/stack_walker.h"
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <string>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
/// A child of the test's own that runs under ptrace, and what its stack looks like by libdw's lights.
class StoppedProcess {
public:
    /// Stopped at its first instruction; its output goes to /dev/null.
    explicit StoppedProcess(const std::vector<std::string>& command)
    {
        m_pid = ::fork();
        if (m_pid == 0) {
            const int null = ::open("/dev/null", O_RDWR);
            ::dup2(null, 0);
            ::dup2(null, 1);
            ::dup2(null, 2);
            std::vector<char*> argv;
            for (const auto& word : command)
                argv.push_back(const_cast<char*>(word.c_str()));
            argv.push_back(nullptr);
            ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        m_tid = m_pid;
        wait();
        if (m_alive) ::ptrace(PTRACE_SETOPTIONS, m_pid, nullptr, PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD);
    }
    /// Another thread of a child, which it stops.
    StoppedProcess(std::uint32_t pid, std::uint32_t tid)
        : m_pid(static_cast<pid_t>(pid)), m_tid(static_cast<pid_t>(tid)), m_ownsProcess(false)
    {
        if (::ptrace(PTRACE_SEIZE, m_tid, nullptr, nullptr) != 0 || ::ptrace(PTRACE_INTERRUPT, m_tid, nullptr, nullptr) != 0) return;
        wait();
    }
    StoppedProcess(const StoppedProcess&) = delete;
    StoppedProcess& operator=(const StoppedProcess&) = delete;
    ~StoppedProcess()
    {
        if (!m_alive) return;
        if (!m_ownsProcess) {
            ::ptrace(PTRACE_DETACH, m_tid, nullptr, nullptr);
            return;
        }
        ::kill(m_pid, SIGKILL);
        while (m_alive)
            wait();
    }
    std::uint32_t pid() const { return static_cast<std::uint32_t>(m_pid); }
    bool alive() const { return m_alive; }
    int signal() const { return m_signal; } ///< that stopped it; SIGTRAP | 0x80 at a system call

    /// On to the next signal (which is then withheld) or the end.
    void run() { go(PTRACE_CONT, 0); }
    /// The same, delivering a signal first.
    void deliver(int signal) { go(PTRACE_CONT, signal); }
    void steps(int count)
    {
        for (int i = 0; i < count && m_alive; ++i)
            go(PTRACE_SINGLESTEP, m_signal == SIGTRAP ? 0 : m_signal & 0x7f);
    }
    /// Over so many stops at entries to and exits of system calls.
    void systemCalls(int count)
    {
        for (int i = 0; i < count && m_alive; ++i)
            go(PTRACE_SYSCALL, 0);
    }
    user_regs_struct registers() const
    {
        user_regs_struct r{};
        ::ptrace(PTRACE_GETREGS, m_tid, nullptr, &r);
        return r;
    }
    dscope::Bytes memory(std::uint64_t address, std::size_t size) const
    {
        const dscope::Fd fd(::open(("/proc/" + std::to_string(m_pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC));
        dscope::Bytes bytes(size);
        const auto n = ::pread(fd.get(), bytes.data(), size, static_cast<off_t>(address));
        bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return bytes;
    }
    /// What a probe would hand over; `stack` keeps the bytes alive.
    dscope::symbols::UserContext context(dscope::Bytes& stack, std::size_t size = 1 << 20) const
    {
        const auto r = registers();
        stack = memory(r.rsp, size);
        return {r.rip, r.rsp, r.rbp, r.rbx, r.r12, r.r13, r.r14, r.r15, stack};
    }
    /// libdw's walk of the same stack: instruction pointers from the innermost frame out.
    std::vector<std::uint64_t> libdwStack(std::uint32_t limit) const
    {
        struct Walk {
            std::vector<std::uint64_t> found;
            std::uint32_t limit;
        } walk{{}, limit};
        Dwfl_Callbacks callbacks{};
        callbacks.find_elf = dwfl_linux_proc_find_elf;
        callbacks.find_debuginfo
            = [](Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*, GElf_Word, char**) { return -1; };
        Dwfl* dwfl = dwfl_begin(&callbacks);
        dwfl_linux_proc_report(dwfl, m_pid);
        dwfl_report_end(dwfl, nullptr, nullptr);
        if (dwfl_linux_proc_attach(dwfl, m_pid, true) == 0)
            dwfl_getthread_frames(
                dwfl, m_tid,
                [](Dwfl_Frame* frame, void* data) -> int {
                    auto& w = *static_cast<Walk*>(data);
                    Dwarf_Addr pc = 0;
                    if (w.found.size() >= w.limit || !dwfl_frame_pc(frame, &pc, nullptr)) return DWARF_CB_ABORT;
                    w.found.push_back(pc);
                    return DWARF_CB_OK;
                },
                &walk);
        dwfl_end(dwfl);
        return walk.found;
    }

private:
    void go(int request, int signal)
    {
        if (!m_alive) return;
        ::ptrace(static_cast<__ptrace_request>(request), m_tid, nullptr, signal);
        wait();
    }
    void wait()
    {
        int status = 0;
        while (::waitpid(m_tid, &status, __WALL) < 0 && errno == EINTR) { }
        m_alive = WIFSTOPPED(status);
        m_signal = m_alive ? WSTOPSIG(status) : 0;
    }
    pid_t m_pid = -1, m_tid = -1;
    bool m_ownsProcess = true;
    int m_signal = 0;
    bool m_alive = false;
};
