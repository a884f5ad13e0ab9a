#pragma once
#include "cli/arguments.h"
#include "engine/host/host.h"
#include "engine/sema/program.h"
#include "engine/session/growth.h"
#include "engine/session/target.h"
#include <memory>
#include <vector>
namespace dscope::cli {
/// The processes of -c and -p: commands are started, and wait before their exec.
Result<std::vector<session::Target>> targets(const Arguments& arguments);
/// The machine we run on, and the commands that wait on it: reading what one has mapped lets it run as far as the option
/// evaltime says.
/// `targets` must outlive it.
std::unique_ptr<host::Host> heldHost(std::vector<session::Target>& targets, const options::Options& options);
/// Lets the commands run as far as the option evaltime says: to main() unless it is set. Only programs that trace the
/// processes themselves see how those begin, from their exec on.
Result<> advance(std::vector<session::Target>& targets, const sema::Program& program);
/// What may bring probes while the program runs: its descriptions, as `registry` has them, may mean functions and marks of
/// libraries that are yet to be loaded, and marks of programs that are yet to be started.
session::Growth::Request growth(const sema::Program& program, const host::Host& host, const probe::Registry& registry);
} // namespace dscope::cli
