#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <sys/types.h>
namespace dscope::session {
/// A child process that lets stopped processes continue if dscope is killed before it could do so itself.
class Guardian {
public:
    Guardian() = default;
    /// `processes`: a map of BPF whose keys, u32, are those that may have been stopped by then.
    static Result<Guardian> over(int processes);
    Guardian(Guardian&& other) noexcept;
    Guardian& operator=(Guardian&& other) noexcept;
    ~Guardian();

private:
    Fd m_line;
    pid_t m_pid = 0;
};
} // namespace dscope::session
