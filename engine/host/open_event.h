#pragma once
#include "engine/base/fd.h"
#include <string>
#include <sys/types.h>
struct perf_event_attr;
namespace dscope::host {
/// perf_event_open(2) by this process, as Host::openEvent() says.
Fd openEventHere(const perf_event_attr& attributes, pid_t pid, int cpu, const std::string* file);
/// BPF_ENABLE_STATS by this process.
Fd countProgramTimeHere();
/// A mount of tracefs that is nowhere in the file system: only its holder sees it, and it is gone when closed.
Fd mountTracefs();
} // namespace dscope::host
