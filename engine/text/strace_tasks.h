#pragma once
#include "engine/text/importer.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text::strace {
/// The processes and threads that a log of strace tells of: whose a line is, who started whom, what each ran and how it ended. Much of it
/// is told only later: that a number is a thread's stands where clone() returns in its parent, and the first process of a log on standard
/// error has no number until there is another. So they are numbered here as they come, and get their own numbers in put().
class Tasks {
public:
    using Number = std::size_t; ///< of a task, from 0 in the order of their coming
    explicit Tasks(Imported& out) : m_out(out) { }
    static constexpr std::int64_t kUntold = -1;
    /// The time of what happens next; ns, or kUntold where its line does not say it.
    void now(std::int64_t when) { m_now = when; }
    /// Whose a line is, by its prefix. `event`: what it tells, which can tell the first process from others.
    Number of(std::optional<std::uint32_t> pid, std::string_view command, std::string_view event);
    /// The file is named "log.101", as those of strace -ff are: the number of what has none in it.
    void nameFirst(std::uint32_t pid) { m_ofFile = pid; }
    /// "strace: Process 101 attached with 3 threads".
    void attached(std::uint32_t pid, std::uint32_t threads);
    void detached(std::uint32_t pid);
    /// What a line says of its own thread's number, in the machine's name space where that is known.
    void saysItIs(Number task, std::uint32_t pid);
    /// A call that began and has not returned, as its line spells it.
    void suspend(Number task, std::string call);
    /// "<pid changed to 100 ...>": what begins as this thread returns as the process's first.
    void suspendAs(std::uint32_t pid, std::string call);
    const std::string& suspended(Number task) const { return m_tasks[task].suspended; } ///< empty: none is
    /// The beginning of the call that `name` ends; nothing where it began before the log.
    std::optional<std::string> resume(Number task, std::string_view name);
    /// "+++ superseded by execve in pid 102 +++": gives the process whose first thread goes on.
    Number superseded(Number task, std::optional<std::uint32_t> by, bool hasPrefix);
    void forked(Number task, std::uint32_t child, bool isThread, bool waits);
    void execed(Number task, record::ProcessEvent event);
    void changedFolder(Number task, std::string path) { process(task).folder = std::move(path); }
    /// `status` as wait(2) gives it.
    void ended(Number task, std::int32_t status);
    bool empty() const { return m_tasks.empty(); }
    /// Gives what was put among the records its numbers, leaves out what turned out to be threads, and lets nothing be before `began`.
    /// False: of some of it nobody knows when it happened, so that none of it has a time.
    bool put(std::int64_t began);

private:
    struct Task {
        std::optional<std::uint32_t> pid;
        bool isSure = true; ///< strace itself has called it that
        bool isAlive = true;
        bool hasParent = false;
        std::size_t process = 0;             ///< of a thread, one nearer to the first of its process; else itself
        std::size_t birth = 0;               ///< the record that tells of it first
        std::size_t suspendedAt = 0;         ///< how many records there were when its call began
        std::uint32_t unseenThreads = 0;     ///< that strace has attached to and not named
        std::string name, folder, suspended; ///< name and folder: of a process
    };
    Number leaderOf(Number task) const; ///< the first thread of its process
    Task& process(Number task) { return m_tasks[leaderOf(task)]; }
    Number create(std::optional<std::uint32_t> pid, std::string_view command);
    Number withoutPrefix();
    bool isFirst(std::string_view event) const;
    void callFirst(std::uint32_t pid, bool isSure);
    void leave(Number task);
    bool forks(const Task& task) const;
    void record(record::ProcessEvent event, Number task);
    void settleFirst();
    std::vector<std::uint32_t> numbers() const;

    Imported& m_out;
    std::vector<Task> m_tasks;
    std::map<std::uint32_t, Number> m_alive; ///< by their numbers
    std::vector<Number> m_threaded;          ///< those that have unseen threads
    std::map<std::uint32_t, Number> m_gone;  ///< by their numbers, those that ended before anybody told who started them
    std::optional<std::size_t> m_begunAt;    ///< where the call of this line began, if that was another line: how many records there were
    std::map<Number, Number> m_execing;      ///< by process, the thread that began an exec last
    std::optional<Number> m_first;           ///< the one whose lines have no prefix while it is alone
    std::optional<std::uint32_t> m_ofFile;
    Number m_last = 0;
    std::int64_t m_now = 0;
    bool m_announces = false; ///< strace says when it attaches to a process
};
} // namespace dscope::text::strace
