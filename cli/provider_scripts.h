#pragma once
#include "cli/arguments.h"
#include "cli/probe_objects.h"
#include <optional>
#include <string>
#include <vector>
namespace dscope::cli {
/// A script with declarations of providers, for -h and -G.
struct ParsedScript {
    std::string stem; ///< of its file's name: what is made of it is called so
    ast::Program program;
    DeclaredProbes probes;
};
/// All of -s and the like; none after an error, which was told on stderr.
std::optional<std::vector<ParsedScript>> parsedScripts(const Arguments& arguments);
} // namespace dscope::cli
