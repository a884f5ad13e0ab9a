#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/session/hold.h"
#include <optional>
#include <string>
#include <sys/types.h>
namespace dscope::session {
/// A traced process: a command of ours, held before its exec until released, or one that runs already.
/// A command that still runs when its Target goes away is killed, as dtrace does with what it started.
class Target {
public:
    /// Splits at blanks only, as dtrace does; Error when the command does not exist. The child waits on a pipe; it gets
    /// our environment, standard streams and directory, default signal actions and none of our other descriptors. With
    /// `as` it runs as that user (groups, HOME, USER): what a front end asks through pkexec or sudo is not run as root.
    /// `group`: Own is for front ends without a terminal. The command leads a process group then, and what it left in the background is
    /// killed with it. At a terminal it stays in ours, so that it may read from the terminal and Ctrl+C reaches it.
    enum class Group : std::uint8_t { Ours, Own };
    static Result<Target> launch(const std::string& command, std::optional<uid_t> as = {}, Group group = Group::Ours);
    /// Error when there is no such process.
    static Result<Target> grab(pid_t pid);
    Target(Target&& other) noexcept;
    Target& operator=(Target&& other) noexcept;
    ~Target();
    pid_t pid() const { return m_pid; }
    bool isChild() const { return m_child; }
    const std::string& command() const { return m_command; } ///< as given to launch(); empty when grabbed
    int pidFd() const { return m_pidFd.get(); }              ///< readable when the process has ended
    /// Lets a launched command exec and run up to `stage`, where it is held: probes in its libraries can be found then.
    /// Error when it could not be run. Nothing for others, and the second time. By the thread that calls release().
    Result<> advance(const host::Host& host, Stage stage);
    void release();                                          ///< let a held command run
    std::optional<int> ended();                              ///< wait status when it has ended (0 for a grabbed one)
    /// Why the command could not be run, known once ended().
    std::optional<Error> failure();

private:
    Target() = default;
    pid_t m_pid = 0;
    bool m_child = false, m_held = false, m_leads = false; ///< m_leads: a process group of its own
    std::string m_command;
    Fd m_gate, m_pidFd, m_failure;
    std::optional<int> m_status;
};
} // namespace dscope::session
