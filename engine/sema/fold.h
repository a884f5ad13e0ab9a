#pragma once
#include "engine/sema/program.h"
namespace dscope::sema {
/// `value` as an object of integer or pointer type `t` holds it, sign- or zero-extended.
std::int64_t fitted(std::int64_t value, const Type* t);
/// The same expression with constant parts computed: kids are folded already. Division by 0 is left as it is.
ExprPtr folded(ExprPtr expr);
/// An integer constant; `value` is fitted to `type`.
ExprPtr constant(std::int64_t value, const Type* type, Span at);
} // namespace dscope::sema
