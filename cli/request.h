#pragma once
#include "cli/arguments.h"
#include "engine/tracer/request.h"
namespace dscope::cli {
/// What the command line asks to be traced. Error: a -p that is no process number.
Result<tracer::Request> requestOf(const Arguments& arguments);
} // namespace dscope::cli
