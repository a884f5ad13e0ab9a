#pragma once
#include "engine/host/host.h"
#include <string>
namespace dscope::host {
/// Why there is no tracefs, and no probe by it, where lockdown is the reason, and what to do; "" where it is not.
/// Source: kernel_lockdown(7); include/linux/security.h, LOCKDOWN_TRACEFS
std::string whyLockdownHidesTracefs(const Host& host);
} // namespace dscope::host
