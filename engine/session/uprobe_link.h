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
/// One link from a program to many offsets of a file, in one process. The Error's code is errno: EINVAL where the
/// kernel has no such links, 524 when an instruction cannot be probed (one such fails them all).
Result<Fd> linkUprobes(int program, const std::string& file, std::span<const std::uint64_t> offsets, bool atReturn, pid_t pid);
} // namespace dscope::session
