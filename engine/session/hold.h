#pragma once
#include "engine/base/result.h"
#include "engine/host/host.h"
#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
namespace dscope::session {
/// How far a command runs before it is held. The D option evaltime.
enum class Stage : std::uint8_t {
    Exec,    ///< nothing of it has run
    Preinit, ///< its libraries are mapped and bound, none of their code has run but resolvers
    Main,    ///< all constructors have run, main() is about to; where main() is not found its first instructions have run
};
/// What became of a child that was let run up to a stage.
struct Held {
    bool ended = false;
    int status = 0; ///< wait status, when it ended before
};
/// Lets the child, which waits for `go()` to call exec, run up to `stage` and holds it there, in a stop of ptrace(2), which
/// is by the calling thread. A child that is held ends when we do. No code of it stays changed.
Result<Held> holdAt(const host::Host& host, Stage stage, pid_t child, void (*go)(void*), void* context);
/// Where a process's dynamic linker calls when the list of its objects has changed: a file, and the offset in it. None for
/// static programs.
struct LinkerCall {
    std::string file;
    std::uint64_t offset = 0;
};
std::optional<LinkerCall> linkerCall(const host::Host& host, pid_t process);
/// Whether the dynamic linker of a process still maps what the program was linked with, or has yet to begin. False where that can't be seen.
bool isBeingLinked(const host::Host& host, pid_t process);
/// Lets it go on; called by the same thread.
void letGo(pid_t child);
} // namespace dscope::session
