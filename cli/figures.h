#pragma once
#include "cli/arguments.h"
#include "graph/store.h"
namespace dscope::cli {
/// Checks every --export before anything runs: that its format exists and its view can be written in it.
Result<> checkExports(const Arguments& arguments);
/// Writes all --export figures. Error names the file and the cause; the others are written all the same.
Result<> writeFigures(const Arguments& arguments, const graph::Store& store);
/// NAME<TAB>TITLE a line.
std::string views(const graph::Store& store);
} // namespace dscope::cli
