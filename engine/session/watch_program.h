#pragma once
#include "engine/base/fd.h"
#include "engine/base/result.h"
#include "engine/session/watched.h"
#include <bpf/bpf.h>
#include <string>
#include <string_view>
namespace dscope::session {
/// Loads a small program written by hand (bpf::assemble). `attachType`: 0 where it does not matter.
Result<Fd> loadWatch(const char* name, std::string_view text, bpf_prog_type type, int attachType = 0);
/// Assembly: with kWaits in `what` the current process is stopped; then the number of the process in r6 is told with
/// `what`. Clobbers r0 to r5 and the eight bytes at [r10-8].
std::string stopAndTell(const Watched& watched, std::uint64_t what);
} // namespace dscope::session
