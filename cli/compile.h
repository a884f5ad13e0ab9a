#pragma once
#include "cli/arguments.h"
#include "engine/codegen/object.h"
#include "engine/probe/registry.h"
#include "engine/sema/program.h"
#include <optional>
namespace dscope::cli {
/// A program ready to run, and what its readers need of it.
struct Compiled {
    sema::Program program;
    codegen::Object object;
    std::string stability; ///< what -v tells, else empty
};
/// All texts of the command line as one program; std::nullopt after telling on standard error what is wrong.
/// `target` is $target, 0 when there is none.
std::optional<Compiled> compile(const Arguments& arguments, const host::Host& host, const probe::Registry& registry, int target);
/// What -l asks for: the descriptions that the texts of the command line are about, in order; std::nullopt as above.
std::optional<std::vector<probe::Pattern>> described(
    const Arguments& arguments, const host::Host& host, const probe::Registry& registry, int target);
} // namespace dscope::cli
