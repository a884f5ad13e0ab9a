#pragma once
#include "cli/arguments.h"
#include <string>
namespace dscope::cli {
/// What to say where -e or -l is given what other tracers take there, a program or the description of probes, and dtrace ignores it; else
/// empty. Empty, too, where DTrace for Linux's tests want its messages alone.
std::string wordsLeftOver(const Arguments& arguments);
} // namespace dscope::cli
