#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <optional>
#include <string>
#include <sys/types.h>
namespace dscope::session {
/// A traced process: a command of ours, held before its exec until released, or one that runs already.
class Target {
public:
    /// Splits at blanks only, as dtrace does; Error when the command does not exist. The child waits on a pipe.
    static Result<Target> launch(const std::string& command);
    static Result<Target> grab(pid_t pid);
    pid_t pid() const { return m_pid; }
    bool isChild() const { return m_child; }
    void release();                             ///< let a launched command exec
    std::optional<int> ended();                 ///< wait status when it has ended (0 for a grabbed one)

private:
    pid_t m_pid = 0;
    bool m_child = false;
    Fd m_gate, m_pidFd;
    std::optional<int> m_status;
};
} // namespace dscope::session
