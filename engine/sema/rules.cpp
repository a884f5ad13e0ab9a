#include "engine/sema/rules.h"
namespace dscope::sema::rules {
using types::Kind;
using types::resolved;
namespace {
Kind kindOf(const Type* t) { return resolved(t)->kind; }
bool isChar(const Type* t)
{
    const auto* r = resolved(t);
    return r->kind == Kind::Integer && r->size == 1 && r->name != "_Bool";
}
bool isZero(const Expr& e) { return e.kind == ExprKind::Integer && e.integer == 0 && isScalar(e.type); }
} // namespace

bool isInteger(const Type* t) { return kindOf(t) == Kind::Integer || kindOf(t) == Kind::Enum; }
bool isPointer(const Type* t) { return kindOf(t) == Kind::Pointer || kindOf(t) == Kind::Array; }
bool isScalar(const Type* t) { return isInteger(t) || kindOf(t) == Kind::Pointer; }
bool isVoid(const Type* t) { return kindOf(t) == Kind::Void && resolved(t)->name == "void"; }
bool isDynamic(const Type* t) { return kindOf(t) == Kind::Void && resolved(t)->name != "void"; }
bool isString(const Type* t) { return kindOf(t) == Kind::String; }
bool isStructured(const Type* t) { return kindOf(t) == Kind::Struct || kindOf(t) == Kind::Union; }
bool isFunction(const Type* t) { return kindOf(t) == Kind::Function; }
bool isFloat(const Type* t) { return kindOf(t) == Kind::Float; }
bool isStack(const Type* t) { return kindOf(t) == Kind::Stack; }
bool isSymbol(const Type* t) { return kindOf(t) == Kind::Symbol; }
bool isCharArray(const Type* t) { return kindOf(t) == Kind::Array && isChar(resolved(t)->target); }
bool isStringLike(const Type* t)
{
    if (isString(t)) return true;
    return isPointer(t) && isChar(resolved(t)->target);
}
bool isVoidOrFunctionPointer(const Type* t)
{
    if (kindOf(t) != Kind::Pointer) return false;
    const auto target = kindOf(resolved(t)->target);
    return target == Kind::Void || target == Kind::Function;
}
bool isUserPointer(const Type* t) { return kindOf(t) == Kind::Pointer && resolved(t)->isUser; }
const Type* targetOf(const Type* t) { return resolved(t)->target; }

bool same(const Type* a, const Type* b)
{
    a = resolved(a);
    b = resolved(b);
    if (a == b) return true;
    if (a->kind != b->kind) return false;
    switch (a->kind) {
    case Kind::Pointer: return a->isUser == b->isUser && same(a->target, b->target);
    case Kind::Array: return a->count == b->count && same(a->target, b->target);
    case Kind::Integer: return a->size == b->size && a->isSigned == b->isSigned && a->name == b->name;
    case Kind::Struct:
    case Kind::Union:
    case Kind::Enum: return !a->name.empty() && a->name == b->name;
    default: return false;
    }
}

bool pointersAgree(const Expr& a, const Expr& b)
{
    if (isInteger(a.type) && isInteger(b.type)) return false;
    if (isZero(a) && isPointer(b.type)) return true;
    if (isZero(b) && isPointer(a.type)) return true;
    if (!isPointer(a.type) || !isPointer(b.type) || isUserPointer(a.type) != isUserPointer(b.type)) return false;
    const auto* x = resolved(targetOf(a.type));
    const auto* y = resolved(targetOf(b.type));
    if (x->kind == Kind::Integer && y->kind == Kind::Integer) return x->size == y->size;
    return x->kind == Kind::Void || y->kind == Kind::Void || same(x, y);
}

bool accepts(const Type* parameter, const Expr& argument)
{
    const auto* t = argument.type;
    if (isDynamic(t)) return false;
    if (isInteger(parameter) && isInteger(t)) return true;
    if (isStringLike(parameter) && isStringLike(t)) return true;
    if (isStack(parameter) && isStack(t)) return true;
    if (isSymbol(parameter) && isSymbol(t)) return true;
    if (isStructured(parameter) || isFunction(parameter)) return same(parameter, t);
    Expr formal;
    formal.kind = ExprKind::Variable;
    formal.type = parameter;
    return pointersAgree(formal, argument);
}

bool isInWord(const Type* t) { return resolved(t)->shownAs != nullptr; }
const Type* promoted(const types::TypeTable& table, const Type* t)
{
    const auto* r = types::shown(t);
    if (r->kind != Kind::Enum && r->size >= 4) return t;
    const auto* plain = table.integer(4, types::Sign::Signed);
    return isInWord(t) ? table.inWord(plain) : plain;
}
/// The one of higher rank: by size, the unsigned one of two equals; `a`'s name where they are the same. In a word if one of them is.
static const Type* higher(const types::TypeTable& table, const Type* a, const Type* b)
{
    const auto rank = [](const Type* t) { return types::shown(t)->size * 2 + (types::shown(t)->isSigned ? 0 : 1); };
    const auto* type = rank(b) > rank(a) ? b : a;
    return isInWord(a) || isInWord(b) ? table.inWord(type) : type;
}
/// Whether the value of arithmetic with both may be negative, and has room for that.
static bool keepsSign(const Type* a, const Type* b)
{
    const auto isSigned = [](const Type* t) { return types::shown(t)->isSigned; };
    return (isInWord(a) || isInWord(b)) && types::shown(a)->size == types::shown(b)->size && isSigned(a) != isSigned(b);
}
const Type* common(const types::TypeTable& table, const Type* a, const Type* b)
{
    return higher(table, promoted(table, a), promoted(table, b));
}
const Type* ranked(const types::TypeTable& table, const Type* a, const Type* b)
{
    const auto asInteger = [&](const Type* t) { return resolved(t)->kind == Kind::Enum ? promoted(table, t) : t; };
    a = asInteger(a);
    b = asInteger(b);
    if (keepsSign(a, b)) return table.inWord(types::shown(a)->isSigned ? a : b);
    return higher(table, a, b);
}

std::string_view spelled(ast::Op op)
{
    using enum ast::Op;
    switch (op) {
    case Add:
    case Plus: return "+";
    case Sub:
    case Neg: return "-";
    case Mul:
    case Deref: return "*";
    case Div: return "/";
    case Mod: return "%";
    case Shl: return "<<";
    case Shr: return ">>";
    case BitAnd:
    case AddressOf: return "&";
    case BitOr: return "|";
    case BitXor: return "^";
    case And: return "&&";
    case Or: return "||";
    case LogXor: return "^^";
    case Eq: return "==";
    case Ne: return "!=";
    case Lt: return "<";
    case Le: return "<=";
    case Gt: return ">";
    case Ge: return ">=";
    case Not: return "!";
    case BitNot: return "~";
    case PreInc:
    case PostInc: return "++";
    case PreDec:
    case PostDec: return "--";
    }
    return "?";
}
} // namespace dscope::sema::rules
