#pragma once
#include "engine/host/host.h"
#include "engine/probe/registry.h"
#include "engine/sema/program.h"
#include "engine/session/growth.h"
namespace dscope::tracer {
/// Whether a probe description's provider part is a glob that stands for providers of processes ("python*") and for none of
/// the kernel's.
bool meansProcesses(const std::string& provider, const probe::Registry& registry);

/// What may bring probes while the program runs: its descriptions, as `registry` has them, may mean functions and marks of
/// libraries that are yet to be loaded, and marks of programs that are yet to be started. `host` and `registry` must outlive
/// the request.
session::Growth::Request lateProbes(const sema::Program& program, const host::Host& host, const probe::Registry& registry);
} // namespace dscope::tracer
