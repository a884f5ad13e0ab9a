#pragma once
#include "engine/sema/program.h"
#include <string>
namespace dscope::cli {
/// The variables that a program reads and writes, as option -S tells of them: a table, the clauses that use each in RANGE.
/// `offsets`: by VariableId, in bytes.
std::string variablesText(const sema::Program& program, const std::vector<std::uint32_t>& offsets);
} // namespace dscope::cli
