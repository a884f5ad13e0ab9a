#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/session/attach.h"
#include "engine/session/watched.h"
#include <set>
#include <string>
#include <sys/types.h>
namespace dscope::session {
/// Stops processes for a moment whenever their dynamic linker has changed what is mapped, so that probes are in a library
/// before any of its code runs.
class LibraryWatch {
public:
    static Result<LibraryWatch> make(const Watched& watched);
    /// Nothing is done for a process without a dynamic linker, nor once more for one that has it still.
    Result<> add(pid_t process, const host::Host& host, Attachments& out);
    void forget(pid_t process);

private:
    Fd m_program;
    std::set<std::pair<pid_t, std::string>> m_added;
};
} // namespace dscope::session
