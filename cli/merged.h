#pragma once
#include "cli/arguments.h"
#include "engine/record/record.h"
namespace dscope::cli {
/// The runs of Arguments::merged as one (engine/record/merged_runs.h). True when one of them is cut: it went on after what is shown.
Result<bool> readMerged(const Arguments& arguments, const record::Source::Deliver& deliver);
} // namespace dscope::cli
