#include "engine/syntax/grammar.h"
namespace dscope::syntax {
/// What an expression of constants is worth; nullopt when it takes types or values to know.
std::optional<std::int64_t> Grammar::constant(const ast::Expr& expr) const
{
    using ast::ExprKind;
    using ast::Op;
    const auto kid = [&](std::size_t i) { return constant(*expr.kids[i]); };
    const auto wrap = [](std::uint64_t v) { return static_cast<std::int64_t>(v); };
    switch (expr.kind) {
    case ExprKind::Integer: return wrap(expr.value);
    case ExprKind::Identifier: {
        const auto found = m_constants.find(expr.text);
        if (found == m_constants.end()) return std::nullopt;
        return found->second;
    }
    case ExprKind::Unary: {
        const auto v = kid(0);
        if (!v) return std::nullopt;
        const auto u = static_cast<std::uint64_t>(*v);
        switch (expr.op) {
        case Op::Plus: return *v;
        case Op::Neg: return wrap(0 - u);
        case Op::Not: return *v == 0;
        case Op::BitNot: return wrap(~u);
        default: return std::nullopt;
        }
    }
    case ExprKind::Conditional: {
        const auto v = kid(0);
        if (!v) return std::nullopt;
        return kid(*v != 0 ? 1 : 2);
    }
    case ExprKind::Binary: {
        const auto a = kid(0), b = kid(1);
        if (!a || !b) return std::nullopt;
        const auto x = static_cast<std::uint64_t>(*a), y = static_cast<std::uint64_t>(*b);
        const bool undefined = *b == 0 || (*a == INT64_MIN && *b == -1);
        switch (expr.op) {
        case Op::Add: return wrap(x + y);
        case Op::Sub: return wrap(x - y);
        case Op::Mul: return wrap(x * y);
        case Op::Div: return undefined ? std::nullopt : std::optional(*a / *b);
        case Op::Mod: return undefined ? std::nullopt : std::optional(*a % *b);
        case Op::Shl: return y < 64 ? std::optional(wrap(x << y)) : std::nullopt;
        case Op::Shr: return y < 64 ? std::optional(*a >> y) : std::nullopt;
        case Op::BitAnd: return wrap(x & y);
        case Op::BitOr: return wrap(x | y);
        case Op::BitXor: return wrap(x ^ y);
        case Op::And: return *a != 0 && *b != 0;
        case Op::Or: return *a != 0 || *b != 0;
        case Op::LogXor: return (*a != 0) != (*b != 0);
        case Op::Eq: return *a == *b;
        case Op::Ne: return *a != *b;
        case Op::Lt: return *a < *b;
        case Op::Le: return *a <= *b;
        case Op::Gt: return *a > *b;
        case Op::Ge: return *a >= *b;
        default: return std::nullopt;
        }
    }
    default: return std::nullopt;
    }
}
} // namespace dscope::syntax
