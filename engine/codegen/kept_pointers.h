#pragma once
#include "engine/sema/program.h"
#include <set>
namespace dscope::codegen {
/// The this-> variables (by VariableId) that hold pointers into what alloca() or copyin() gave, and that some clause reads
/// without having assigned them before: an earlier clause of the same firing did. What they point to has to outlive the clause
/// that allocated it; all other allocations end with their clause.
std::set<std::uint32_t> keptPointers(const sema::Program& program);
} // namespace dscope::codegen
