#pragma once
#include "cli/figures.h"
#include <memory>
#include <string>
#include <vector>
namespace dscope::text {
struct Imported;
}
namespace dscope::cli {
/// Checks every --report before anything runs: that a format exists and that the file can be written.
Result<> checkReports(const Arguments& arguments);
/// Reads the runs that --replay and --import name beyond the first, and those of an imported page beside its first.
Result<std::vector<OtherRun>> otherRuns(const Arguments& arguments, const text::Imported* page = nullptr);
/// What a report calls the run of a file, or a live one.
std::string runName(const Arguments& arguments);
/// Writes all reports. `isCut`: the recording of `data` ends before its run did. Error names the file and the cause.
Result<> writeReports(
    const Arguments& arguments, const std::string& name, FigureData& data, FigureData* before, bool isCut, std::vector<OtherRun>& others);
} // namespace dscope::cli
