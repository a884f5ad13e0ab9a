#pragma once
#include "cli/arguments.h"
#include <string>
namespace dscope::cli {
/// Takes the words that are left over where no option gives a program for what other tracers take them for: behind -e a program to run,
/// behind -l descriptions of probes. dtrace ignores them, and so does dscope where DTrace for Linux's tests run.
void takeWordsLeftOver(Arguments& arguments);
} // namespace dscope::cli
