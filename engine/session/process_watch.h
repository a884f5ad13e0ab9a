#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/session/attach.h"
#include "engine/session/watched.h"
#include <vector>
namespace dscope::session {
/// Reports exec of processes, and fork of the watched ones as their Watched::Role asks.
class ProcessWatch {
public:
    /// Whose exec is reported. Only watched processes are stopped at it.
    enum class Execs : std::uint8_t { OfWatched, OfAll };
    /// `tgid`: where struct task_struct has its member of that name.
    static Result<ProcessWatch> make(const Watched& watched, Execs execs, std::uint32_t tgid);
    void end() { detach(m_links); }

private:
    std::vector<Fd> m_programs;
    Attachments m_links;
};
} // namespace dscope::session
