#pragma once
#include "cli/arguments.h"
#include <getopt.h>
#include <string>
#include <vector>
namespace dscope::cli {
/// The long options that say what figures show and how they look, as getopt_long() takes them. Their values begin at kFirstFigureOption.
std::vector<::option> figureOptions();
constexpr int kFirstFigureOption = 2000;
/// Takes one of them. Error: what is wrong with the value, and which there are.
Result<> takeFigureOption(int option, const std::string& value, Arguments& into);
/// After the last option: what options that came in any order make together.
/// Error: what does not go together.
Result<> finishFigureOptions(Arguments& arguments);
/// Whether the options suit a kind of view. Error: which option does not, and for which views it is.
Result<> checkOptions(const Arguments& arguments, const graph::ViewFacts& view);
} // namespace dscope::cli
