#pragma once
#include "engine/base/fd.h"
#include "engine/host/host.h"
#include "engine/symbols/process_maps.h"
#include <cstdint>
namespace dscope::symbols {
/// Opens the file of a mapping while the process lives: by /proc/PID/map_files (the very file, even if deleted or in a container), then as
/// its /proc/PID/exe, then by its path in the process's root, then by its path in ours, when inode and device do not contradict.
/// None if it is gone, or no regular file.
Fd openMapped(const host::Host& host, std::uint32_t pid, const Mapping& mapping);
} // namespace dscope::symbols
