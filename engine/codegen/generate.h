#pragma once
#include "engine/object/object.h"
#include "engine/sema/program.h"
#include <optional>
namespace dscope::codegen {
/// Code, maps and schema for `program`. Nothing when it asks for more than the kernel gives any program (memory, stack, clauses
/// of one probe): then `diagnostics` tells where.
std::optional<object::Object> generate(const sema::Program& program, Diagnostics& diagnostics);
} // namespace dscope::codegen
