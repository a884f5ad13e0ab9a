#pragma once
#include "engine/codegen/object.h"
#include "engine/sema/program.h"
#include <optional>
#include <span>
#include <string_view>
namespace dscope::codegen {
/// Prototypes of all D subroutines, for sema::Environment.
std::span<const std::string_view> prototypes();
/// Code, maps and schema for `program`. Nothing when it asks for more than the kernel gives any program (memory, stack, clauses
/// of one probe): then `diagnostics` tells where.
std::optional<Object> generate(const sema::Program& program, Diagnostics& diagnostics);
} // namespace dscope::codegen
