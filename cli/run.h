#pragma once
#include "cli/arguments.h"
namespace dscope::cli {
int run(const Arguments& arguments);        ///< compiles and traces; the exit status
int replay(const Arguments& arguments);     ///< --replay; the exit status
int importText(const Arguments& arguments); ///< --import; the exit status
int list(const Arguments& arguments);   ///< -l; the exit status
int header(const Arguments& arguments); ///< -h; the exit status
int link(const Arguments& arguments);   ///< -G; the exit status
} // namespace dscope::cli
