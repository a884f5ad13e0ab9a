#pragma once
#include "engine/object/abilities.h"
#include "engine/object/object.h"
#include "engine/sema/program.h"
#include <optional>
namespace dscope::codegen {
/// Code, maps and schema for `program`. Nothing when it asks for more than the kernel gives any program (memory, stack, clauses
/// of one probe): then `diagnostics` tells where.
/// `has`: what the kernel gives programs. Without something there is dearer code where there can be, else an error that says
/// which kernel brought it.
std::optional<object::Object> generate(
    const sema::Program& program, Diagnostics& diagnostics, const object::Abilities& has = object::Abilities::all());
} // namespace dscope::codegen
