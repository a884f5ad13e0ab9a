#pragma once
#include "engine/object/object.h"
#include "engine/probe/registry.h"
#include "engine/sema/program.h"
#include "engine/tracer/request.h"
#include <optional>
#include <vector>
namespace dscope::tracer {
using Messages = std::vector<record::Diagnostic>;

/// A program ready to run, and what its readers need of it.
struct Compiled {
    sema::Program program;
    object::Object object;
    std::string stability; ///< what -v tells; empty unless Request::reports
    std::string written;   ///< the texts as D; empty unless Request::writes
};

/// All texts of the request as one program. Nothing when one of `messages`, which gains what is wrong, is an error.
/// `target` is $target, 0 when there is none.
std::optional<Compiled> compile(
    const Request& request, const host::Host& host, const probe::Registry& registry, int target, Messages& messages);

/// The probe descriptions that the texts of the request are about, in order; nothing as above.
std::optional<std::vector<probe::Pattern>> described(
    const Request& request, const host::Host& host, const probe::Registry& registry, int target, Messages& messages);
} // namespace dscope::tracer
