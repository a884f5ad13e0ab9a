#include "engine/sema/fold.h"
#include "engine/sema/rules.h"
#include <optional>
namespace dscope::sema {
namespace {
bool isConstant(const ExprPtr& e) { return e->kind == ExprKind::Integer; }

std::optional<std::int64_t> binary(ast::Op op, std::int64_t a, std::int64_t b, const Type* t)
{
    using enum ast::Op;
    // Two's complement throughout: what the machine does.
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    const auto* kind = types::resolved(t);
    const auto bits = kind->size * 8;
    switch (op) {
    case Add: return static_cast<std::int64_t>(x + y);
    case Sub: return static_cast<std::int64_t>(x - y);
    case Mul: return static_cast<std::int64_t>(x * y);
    case Div:
    case Mod:
        if (b == 0) return std::nullopt;
        if (!kind->isSigned) return static_cast<std::int64_t>(op == Div ? x / y : x % y);
        if (b == -1) return op == Div ? static_cast<std::int64_t>(0 - x) : 0;
        return op == Div ? a / b : a % b;
    case Shl: return static_cast<std::int64_t>(x << (y & (bits - 1)));
    case Shr: return kind->isSigned ? a >> (y & (bits - 1)) : static_cast<std::int64_t>(x >> (y & (bits - 1)));
    case BitAnd: return a & b;
    case BitOr: return a | b;
    case BitXor: return a ^ b;
    case And: return a && b;
    case Or: return a || b;
    case LogXor: return !a != !b;
    case Eq: return a == b;
    case Ne: return a != b;
    case Lt: return kind->isSigned ? a < b : x < y;
    case Le: return kind->isSigned ? a <= b : x <= y;
    case Gt: return kind->isSigned ? a > b : x > y;
    case Ge: return kind->isSigned ? a >= b : x >= y;
    default: return std::nullopt;
    }
}
} // namespace

std::int64_t fitted(std::int64_t value, const Type* type)
{
    const auto* t = types::resolved(type);
    if (t->name == "_Bool") return value != 0;
    switch (t->size) {
    case 1: return t->isSigned ? std::int64_t{static_cast<std::int8_t>(value)} : std::int64_t{static_cast<std::uint8_t>(value)};
    case 2: return t->isSigned ? std::int64_t{static_cast<std::int16_t>(value)} : std::int64_t{static_cast<std::uint16_t>(value)};
    case 4: return t->isSigned ? std::int64_t{static_cast<std::int32_t>(value)} : std::int64_t{static_cast<std::uint32_t>(value)};
    default: return value;
    }
}

ExprPtr constant(std::int64_t value, const Type* type, Span at)
{
    auto e = std::make_shared<Expr>();
    e->kind = ExprKind::Integer;
    e->integer = fitted(value, type);
    e->type = type;
    e->at = at;
    return e;
}

ExprPtr folded(ExprPtr e)
{
    switch (e->kind) {
    case ExprKind::Unary: {
        if (!isConstant(e->kids[0])) return e;
        const auto v = e->kids[0]->integer;
        switch (e->op) {
        case ast::Op::Neg: return constant(static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(v)), e->type, e->at);
        case ast::Op::BitNot: return constant(~v, e->type, e->at);
        case ast::Op::Not: return constant(v == 0, e->type, e->at);
        default: return e;
        }
    }
    case ExprKind::Binary: {
        if (!isConstant(e->kids[0]) || !isConstant(e->kids[1])) return e;
        const auto v = binary(e->op, e->kids[0]->integer, e->kids[1]->integer, e->kids[0]->type);
        // The machine computes in 64 bits whatever the type is, and does not wrap before a value is kept.
        return v && fitted(*v, e->type) == *v ? constant(*v, e->type, e->at) : e;
    }
    case ExprKind::Conditional: return isConstant(e->kids[0]) ? e->kids[e->kids[0]->integer ? 1 : 2] : e;
    case ExprKind::Cast:
        if (!isConstant(e->kids[0]) || !rules::isScalar(e->type)) return e;
        return constant(e->kids[0]->integer, e->type, e->at);
    default: return e;
    }
}
} // namespace dscope::sema
