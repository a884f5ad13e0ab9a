#pragma once
#include "cli/figures.h"
namespace dscope::cli {
/// Takes --push and --receiver as they were given. Error: what is wrong with them, or with them beside others.
Result<> takePushed(Arguments& arguments);
/// What is pushed as the export that it is.
Export exportOf(const Push& push);
/// Sends the stacks of a run to all --push, and tries again where that may help. Error names who did not take them, and why; the others
/// are sent to all the same.
Result<> push(const Arguments& arguments, const FigureData& data);
} // namespace dscope::cli
