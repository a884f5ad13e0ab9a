#pragma once
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/symbols/process_maps.h"
#include <cstdint>
namespace dscope::symbols {
/// What a process has mapped that can be executed, at this moment. From Linux 6.11 on the kernel is asked for these ranges alone, a
/// tenth of what it takes to write all of /proc/PID/maps as text, which is read elsewhere. None of a process that has no memory any more.
/// Error with errno where it is gone, or may not be looked at. Source: include/uapi/linux/fs.h of Linux 6.11, PROCMAP_QUERY
Result<ProcessMaps> mappedRanges(const host::Host& host, std::uint32_t pid);
} // namespace dscope::symbols
