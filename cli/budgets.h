#pragma once
#include "cli/figures.h"
namespace dscope::cli {
/// checkExports(), checkReports() and checkBudgets(). Error: all that is wrong.
Result<> checkOutputs(const Arguments& arguments);
/// Reads what --budget says, into Arguments::budgets. Error: where it is wrong.
Result<> takeBudget(const std::string& text, Arguments& into);
/// Checks --budget and --budget-report before anything runs.
Result<> checkBudgets(const Arguments& arguments);
/// The same for what the program yields, which its shape tells before it runs. `before`: null where nothing is compared.
Result<> checkBudgets(const Arguments& arguments, const record::Program& program, const FigureData* before);
/// Whether the run is within its budgets.
enum class Kept : std::uint8_t { All, NotAll };
/// Judges every budget, tells a line each on standard error, and writes the report. `name`: of the run. Error: what a run lacks, or why
/// the report can't be written.
Result<Kept> judgeBudgets(const Arguments& arguments, const std::string& name, const FigureData& data, const FigureData* before);
/// The exit status where a budget was not kept.
constexpr int kOverBudget = 4;
} // namespace dscope::cli
