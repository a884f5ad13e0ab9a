#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include <cstdint>
#include <span>
#include <string>
#include <sys/types.h>
namespace dscope::session {
/// Attach type of programs for uprobe links, which the headers of Linux 6.1 do not name.
constexpr int kTraceUprobeMulti = 48;
/// What one link holds on to: places in one file, in one process.
struct UprobeSet {
    std::string file;
    pid_t pid = 0;
    bool atReturn = false;
    std::span<const std::uint64_t> offsets;
    std::span<const std::uint64_t> cookies;  ///< by index into `offsets`, or empty
    std::span<const std::uint64_t> counters; ///< the same: offsets of USDT's semaphores, or empty
};
/// The Error's code is errno: EINVAL where the kernel has no such links, 524 when an instruction cannot be probed (one
/// such fails them all).
Result<Fd> linkUprobes(int program, const UprobeSet& set);
} // namespace dscope::session
