#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <memory>
#include <mutex>
#include <string>
#include <sys/types.h>
struct perf_event_attr;
namespace dscope::host {
/// A process that opens events for one that has given up root: kernels that Debian and Ubuntu build want CAP_SYS_ADMIN for them
/// (kernel.perf_event_paranoid at 3), with which almost anything can be done. It reads no file, and a filter leaves it the system calls
/// that this takes, so that with it a process can trace and do nothing else. It ends with this object, or with the process that has it.
class EventOpener {
public:
    /// Starts it; `giveUp` runs in it first, and it ends at once where that gives false.
    template <typename GiveUp> static Result<std::unique_ptr<EventOpener>> start(GiveUp giveUp)
    {
        DSCOPE_TRY(Ends ends, pair());
        const pid_t child = ::fork();
        if (child < 0) return cannotStart();
        if (child == 0) serve(ends.theirs, giveUp());
        return std::unique_ptr<EventOpener>(new EventOpener(std::move(ends.ours), child));
    }
    ~EventOpener();
    EventOpener(const EventOpener&) = delete;
    /// As Host::openEvent() and Host::countProgramTime(). From any thread.
    Fd open(const perf_event_attr& attributes, pid_t pid, int cpu, const std::string* file) const;
    Fd countProgramTime() const;

private:
    struct Ends {
        Fd ours, theirs;
    };
    struct Wanted;
    EventOpener(Fd line, pid_t child) : m_line(std::move(line)), m_pid(child) { }
    static Result<Ends> pair();
    static Error cannotStart();
    [[noreturn]] static void serve(Fd& line, bool isReady);
    Fd ask(const Wanted& wanted) const;
    Fd m_line;
    pid_t m_pid;
    mutable std::mutex m_asking;
};
} // namespace dscope::host
