#pragma once
#include <sched.h>
#include <sys/mount.h>
namespace dscope::tests {
/// What this process mounts from now on is seen by nobody else and goes with it, however it ends. Needs root.
inline bool hasOwnMounts() { return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0; }
} // namespace dscope::tests
