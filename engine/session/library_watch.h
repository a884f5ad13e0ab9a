#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/session/attach.h"
#include "engine/session/guardian.h"
#include "engine/session/ring.h"
#include <set>
#include <span>
#include <sys/types.h>
namespace dscope::session {
/// Stops processes for a moment whenever their dynamic linker has changed what is mapped, so that probes are in a library
/// before any of its code runs. A process that we have stopped goes on when we end, however that comes about.
class LibraryWatch {
public:
    /// Processes without a dynamic linker are left out.
    static Result<LibraryWatch> make(std::span<const pid_t> processes, const host::Host& host);
    /// Readable when a process waits.
    int fd() const { return m_map.get(); }
    /// The processes that wait for resume().
    std::set<pid_t> waiting();
    static void resume(pid_t process);
    bool empty() const { return m_links.empty(); }
    void end() { detach(m_links); }

private:
    Fd m_map, m_program;
    Guardian m_guardian;
    Ring m_ring;
    Attachments m_links;
};
} // namespace dscope::session
