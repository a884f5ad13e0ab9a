#pragma once
#include "cli/arguments.h"
namespace dscope::cli {
/// The program as cpp(1) leaves it, told what -D, -U, -I, -H and the options about cpp say. What cpp complains of goes to
/// standard error; Error when it refuses the program or cannot be run.
Result<std::string> preprocessed(const ProgramText& program, const Arguments& arguments);
} // namespace dscope::cli
