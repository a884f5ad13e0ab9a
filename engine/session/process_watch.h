#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/session/attach.h"
#include "engine/session/watched.h"
#include <vector>
namespace dscope::session {
/// Tells of processes when they become another program, and of what the watched ones fork, as their Watched::Role says.
class ProcessWatch {
public:
    /// Of whom it is told that they became another program. Others than the watched are not stopped for it.
    enum class Execs : std::uint8_t { OfWatched, OfAll };
    /// `tgid`: where struct task_struct has its member of that name.
    static Result<ProcessWatch> make(const Watched& watched, Execs execs, std::uint32_t tgid);
    void end() { detach(m_links); }

private:
    std::vector<Fd> m_programs;
    Attachments m_links;
};
} // namespace dscope::session
