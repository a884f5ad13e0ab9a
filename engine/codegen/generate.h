#pragma once
#include "engine/codegen/object.h"
#include "engine/sema/program.h"
#include <span>
#include <string_view>
namespace dscope::codegen {
/// Prototypes of all D subroutines, for sema::Environment.
std::span<const std::string_view> prototypes();
/// Code, maps and schema for `program`. Never fails for an analysed program: what cannot be compiled was refused before.
Object generate(const sema::Program& program);
} // namespace dscope::codegen
