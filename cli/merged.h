#pragma once
#include "cli/arguments.h"
#include "engine/record/record.h"
#include <functional>
namespace dscope::cli {
/// Takes a record of one of the runs that are merged, as it is in that run.
using TakeOfRun = std::function<void(std::size_t run, const record::Record& record)>;
/// Runs as one (engine/record/merged_runs.h). `each` may be empty. True when one of them is cut: it went on after what is shown.
Result<bool> readMerged(
    const std::vector<OtherInput>& inputs, record::MergedBy by, const record::Source::Deliver& deliver, const TakeOfRun& each = {});
} // namespace dscope::cli
