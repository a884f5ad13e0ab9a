#pragma once
#include "engine/sema/program.h"
namespace dscope::sema {
/// An analysed program as text, for tests and for people who wonder what became of theirs: D with every conversion
/// written out ("(int64_t)pid", "string(T->comm)"), names of variables, offsets of members.
std::string print(const Program& program);
std::string print(const Program& program, const Expr& expr);
std::string print(const Program& program, const Statement& statement);
} // namespace dscope::sema
