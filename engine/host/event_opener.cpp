#include "engine/host/event_opener.h"
#include "engine/base/audited_processor.h"
#include "engine/host/open_event.h"
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>
namespace dscope::host {
namespace {
constexpr int kLine = 3; ///< descriptor of the opener's end

/// Leaves this process the calls that serving takes; by any other it ends.
bool allowServingOnly()
{
    constexpr auto kNumber = offsetof(seccomp_data, nr), kProcessor = offsetof(seccomp_data, arch), kFirst = offsetof(seccomp_data, args);
    constexpr std::array<std::uint32_t, 7> kAllowed{
        SYS_perf_event_open, SYS_recvmsg, SYS_sendmsg, SYS_close, SYS_exit_group, SYS_rt_sigreturn, SYS_restart_syscall};
    std::vector<sock_filter> code{
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kProcessor),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kAuditedProcessor, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber),
    };
    for (const auto call : kAllowed) {
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
        code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 3));
    code.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kFirst));
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, BPF_ENABLE_STATS, 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}
} // namespace

/// What is asked for: one message.
struct EventOpener::Wanted {
    enum class What : std::uint32_t { Event, ProgramTime } what = What::Event;
    std::int32_t pid = 0, cpu = 0;
    std::uint32_t hasFile = 0;
    perf_event_attr attributes{};
    std::array<char, PATH_MAX> file{};
};

Result<EventOpener::Ends> EventOpener::pair()
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return cannotStart();
    return Ends{Fd(ends[0]), Fd(ends[1])};
}

Error EventOpener::cannotStart() { return Error{errno, std::string("cannot start a process: ") + std::strerror(errno)}; }

void EventOpener::serve(Fd& line, bool isReady)
{
    ::setsid();
    for (int number = 1; number < NSIG; ++number)
        if (number != SIGKILL && number != SIGSTOP) ::signal(number, SIG_IGN);
    // It keeps no other descriptor: a reader of our output would wait for its end, too.
    constexpr int kAside = kLine + 64;
    const int aside = ::fcntl(line.get(), F_DUPFD, kAside);
    ::dup2(aside, kLine);
    ::syscall(SYS_close_range, 0U, 2U, 0U);
    ::syscall(SYS_close_range, static_cast<unsigned>(kLine) + 1U, ~0U, 0U);
    if (!isReady || !allowServingOnly()) ::_exit(1);
    for (Wanted wanted;;) {
        iovec in{&wanted, sizeof wanted};
        msghdr asked{};
        asked.msg_iov = &in;
        asked.msg_iovlen = 1;
        const auto got = ::recvmsg(kLine, &asked, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got != static_cast<ssize_t>(sizeof wanted)) ::_exit(0);
        wanted.file.back() = '\0';
        // Not a std::string: memory that has to be asked for is none of the calls that are left.
        if (wanted.hasFile) wanted.attributes.config1 = reinterpret_cast<std::uintptr_t>(wanted.file.data());
        const Fd opened = wanted.what == Wanted::What::Event ? openEventHere(wanted.attributes, wanted.pid, wanted.cpu, nullptr)
                                                             : countProgramTimeHere();
        int code = opened ? 0 : errno;

        iovec out{&code, sizeof code};
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
        msghdr answer{};
        answer.msg_iov = &out;
        answer.msg_iovlen = 1;
        if (opened) {
            answer.msg_control = room.data();
            answer.msg_controllen = room.size();
            auto* head = CMSG_FIRSTHDR(&answer);
            head->cmsg_level = SOL_SOCKET;
            head->cmsg_type = SCM_RIGHTS;
            head->cmsg_len = CMSG_LEN(sizeof(int));
            const int fd = opened.get();
            std::memcpy(CMSG_DATA(head), &fd, sizeof fd);
        }
        if (::sendmsg(kLine, &answer, MSG_NOSIGNAL) < 0) ::_exit(0);
    }
}

EventOpener::~EventOpener()
{
    m_line.reset();
    ::waitpid(m_pid, nullptr, 0);
}

Fd EventOpener::ask(const Wanted& wanted) const
{
    const std::lock_guard lock(m_asking);
    iovec out{const_cast<Wanted*>(&wanted), sizeof wanted};
    msghdr asked{};
    asked.msg_iov = &out;
    asked.msg_iovlen = 1;
    ssize_t done = 0;
    while ((done = ::sendmsg(m_line.get(), &asked, MSG_NOSIGNAL)) < 0 && errno == EINTR) { }
    if (done < 0) return {};

    int code = 0;
    iovec in{&code, sizeof code};
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
    msghdr answer{};
    answer.msg_iov = &in;
    answer.msg_iovlen = 1;
    answer.msg_control = room.data();
    answer.msg_controllen = room.size();
    while ((done = ::recvmsg(m_line.get(), &answer, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) { }
    if (done < 0) return {};
    int fd = -1;
    if (const auto* head = CMSG_FIRSTHDR(&answer); head && head->cmsg_type == SCM_RIGHTS) std::memcpy(&fd, CMSG_DATA(head), sizeof fd);
    errno = done != static_cast<ssize_t>(sizeof code) ? EPIPE : code; // it was ended
    if (fd < 0 && errno == 0) errno = EMFILE;                         // there was no room for a descriptor more
    return Fd(fd);
}

Fd EventOpener::open(const perf_event_attr& attributes, pid_t pid, int cpu, const std::string* file) const
{
    Wanted wanted;
    wanted.pid = pid;
    wanted.cpu = cpu;
    wanted.attributes = attributes;
    if (file && file->size() >= wanted.file.size()) {
        errno = E2BIG; // as the kernel
        return {};
    }
    if (file) std::memcpy(wanted.file.data(), file->data(), file->size());
    wanted.hasFile = file ? 1 : 0;
    return ask(wanted);
}

Fd EventOpener::countProgramTime() const
{
    Wanted wanted;
    wanted.what = Wanted::What::ProgramTime;
    return ask(wanted);
}
} // namespace dscope::host
