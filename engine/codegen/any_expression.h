#pragma once
#include "engine/sema/program.h"
/// Whether a program has an expression of some kind anywhere.
namespace dscope::codegen {
using Asked = bool (*)(const sema::Expr&);
bool anyOf(const sema::ExprPtr& e, Asked is); ///< it, or one within it; false of null
bool anyOf(const std::vector<sema::ExprPtr>& list, Asked is);
bool anyOf(const std::vector<sema::Statement>& statements, Asked is);
bool anyOf(const sema::Program& program, Asked is); ///< of its clauses
} // namespace dscope::codegen
