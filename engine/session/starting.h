#pragma once
#include "engine/host/host.h"
#include <chrono>
#include <cstdint>
#include <optional>
#include <sys/types.h>
namespace dscope::session {
// `prog & dscope -n 'prov'$!':::'` looks for probes before the shell's child has called exec(), or before its dynamic linker has mapped the
// libraries. A process older than `youth` is taken as it is: it may be a worker that never calls exec().
constexpr std::chrono::seconds kYouth{1};
/// Of a program that a process runs: another number once it has called exec().
using Image = std::uint64_t;
/// Waits until a young process is a program whose libraries are mapped. Nothing if it has ended.
std::optional<Image> awaitStart(const host::Host& host, pid_t process, std::chrono::milliseconds youth = kYouth);
/// Waits while the process is young and runs `image`: whether it runs another one now, as `sh -c 'sleep 0; exec prog'` does soon.
bool awaitNextImage(const host::Host& host, pid_t process, Image image, std::chrono::milliseconds youth = kYouth);
} // namespace dscope::session
