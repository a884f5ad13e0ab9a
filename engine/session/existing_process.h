#pragma once
#include "engine/host/host.h"
#include "engine/record/record.h"
#include <optional>
namespace dscope::session {
/// What /proc knows of a process that runs already, as an Existing event; empty when it is gone.
std::optional<record::ProcessEvent> existingProcess(const host::Host& host, std::uint32_t pid, record::Nanoseconds when);
/// The parent of a process that runs; 0 when it is gone, or has none that can be seen.
std::uint32_t parentOf(const host::Host& host, std::uint32_t pid);
} // namespace dscope::session
