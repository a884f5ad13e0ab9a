#pragma once
#include "cli/arguments.h"
/// Options by which a run is one of several: --by, --diff of several, --publish, --collect, --on.
namespace dscope::cli {
/// Called with each option: the words about the program go to the hosts of --on as they are. (A script goes as its text.)
void keepForHosts(int option, const std::string& value, Arguments& arguments);
/// When all options are known: what is one data set. Error: options that do not go together.
Result<> takeMerged(Arguments& arguments);
} // namespace dscope::cli
