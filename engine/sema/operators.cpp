#include "engine/language/elsewhere.h"
#include "engine/sema/analyser.h"
#include <algorithm>
/// Unary, binary and other operators but assignment.
namespace dscope::sema {
using ast::Op;
namespace {
bool isNull(const ExprPtr& e) { return e->kind == ExprKind::Integer && e->integer == 0 && !rules::isDynamic(e->type); }
bool isLogical(Op op) { return op == Op::And || op == Op::Or || op == Op::LogXor; }
bool isComparison(Op op) { return op >= Op::Eq && op <= Op::Ge; }
/// Operators that take integers only, where * and / are said to take arithmetic types.
bool wantsIntegers(Op op)
{
    return op == Op::Mod || op == Op::Shl || op == Op::Shr || op == Op::BitAnd || op == Op::BitOr || op == Op::BitXor;
}
} // namespace

Value Analyser::incompatible(Op op, const ExprPtr& left, const ExprPtr& right, Span at)
{
    error("D_OP_INCOMPAT", at, "operands have incompatible types: \"", types::spelled(left->type), "\" ", rules::spelled(op), " \"",
        types::spelled(right->type), '"');
    hintIfAggregation(left->type);
    if (right->type != left->type) hintIfAggregation(right->type);
    if (op == Op::Add && rules::isStringLike(left->type) && rules::isStringLike(right->type))
        m_diagnostics.hint("strjoin(a, b) makes one string of two");
    return {};
}

Value Analyser::unary(const ast::Expr& e)
{
    switch (e.op) {
    case Op::Deref: return dereference(expression(*e.kids[0]), e.at);
    case Op::AddressOf: return addressOf(e);
    case Op::PreInc:
    case Op::PreDec:
    case Op::PostInc:
    case Op::PostDec: return step(e);
    default: break;
    }

    // What self->, this-> and [] name is brought to life by these as well: !self->traced may come first of all.
    const auto& kid = *e.kids[0];
    if (kid.kind == ast::ExprKind::SelfVariable || kid.kind == ast::ExprKind::ThisVariable) declaredBy(kid, named("int64_t"));
    if (!createElement(kid, named("int64_t"))) return {};
    const auto operand = rvalue(kid);
    if (!operand) return {};
    if (e.op == Op::Not) {
        if (!rules::isScalar(operand->type)) return error("D_OP_SCALAR", e.at, "operator ! requires an operand of scalar type");
        auto n = make(ExprKind::Unary, named("int"), e.at, {operand});
        n->op = e.op;
        return {folded(std::move(n))};
    }

    if (!rules::isInteger(operand->type)) {
        if (e.op == Op::BitNot) return error("D_OP_INT", e.at, "operator ~ requires an operand of integral type");
        return error("D_OP_ARITH", e.at, "operator ", rules::spelled(e.op), " requires an operand of arithmetic type");
    }

    const auto* type = rules::promoted(m_types, operand->type);
    auto promoted = converted(operand, type);
    if (e.op == Op::Plus) return {promoted};
    auto n = make(ExprKind::Unary, type, e.at, {promoted});
    n->op = e.op;
    return {folded(std::move(n))};
}

ExprPtr Analyser::arithmetic(Op op, ExprPtr left, ExprPtr right, Span at)
{
    if (!rules::isInteger(left->type) || !rules::isInteger(right->type)) {
        if (wantsIntegers(op))
            error("D_OP_INT", at, "operator ", rules::spelled(op), " requires operands of integral type");
        else
            error("D_OP_ARITH", at, "operator ", rules::spelled(op), " requires operands of arithmetic type");
        hintIfAggregation(rules::isInteger(left->type) ? right->type : left->type);
        return nullptr;
    }

    if ((op == Op::Div || op == Op::Mod) && right->kind == ExprKind::Integer && right->integer == 0) {
        error("D_DIV_ZERO", at, "expression contains division by zero");
        return nullptr;
    }

    const bool shift = op == Op::Shl || op == Op::Shr;
    const auto* narrow = shift ? left->type : rules::ranked(m_types, left->type, right->type);
    const auto* type = rules::isInWord(narrow) ? narrow : rules::promoted(m_types, narrow);
    if (!shift && types::resolved(narrow)->size < types::resolved(type)->size) {
        // Computed as int, of what both are in the smaller type.
        left = converted(std::move(left), narrow);
        right = converted(std::move(right), narrow);
        auto b = make(ExprKind::Binary, type, at, {converted(std::move(left), type), converted(std::move(right), type)});
        b->op = op;
        return converted(folded(std::move(b)), narrow);
    }
    // 5 * 1000000000 is what it says: a constant too large for int is a long.
    if (left->kind == ExprKind::Integer && right->kind == ExprKind::Integer && types::resolved(type)->isSigned) {
        const auto* wide = named("long");
        auto b = make(ExprKind::Binary, wide, at, {converted(left, wide), converted(right, wide)});
        b->op = op;
        auto value = folded(std::move(b));
        return fitted(value->integer, type) == value->integer ? constant(value->integer, type, at) : value;
    }
    auto b = make(ExprKind::Binary, type, at, {converted(std::move(left), type), converted(std::move(right), type)});
    b->op = op;
    return folded(std::move(b));
}

/// What NULL and 0 are where a string is wanted: less than any text, and a fault where text is needed.
ExprPtr Analyser::nullString(Span at) const
{
    auto s = make(ExprKind::String, m_types.string(), at);
    s->integer = 1;
    return s;
}

ExprPtr Analyser::comparison(const ast::Expr& e, ExprPtr left, ExprPtr right)
{
    const auto* l = left->type;
    const auto* r = right->type;
    std::vector<ExprPtr> kids;
    if (rules::isInteger(l) && rules::isInteger(r)) {
        const auto* type = rules::common(m_types, l, r);
        kids = {asIn(left, type), asIn(right, type)};
    } else if ((rules::isString(l) && isNull(right)) || (rules::isString(r) && isNull(left)))
        kids = {isNull(left) ? nullString(left->at) : left, isNull(right) ? nullString(right->at) : right};
    else if (rules::isStringLike(l) && rules::isStringLike(r) && (rules::isString(l) || rules::isString(r)))
        kids = {asString(left), asString(right)};
    else if (!rules::isDynamic(l) && !rules::isDynamic(r) && rules::pointersAgree(*left, *right)) {
        const auto* type = types::resolved(rules::isInteger(l) ? r : l);
        if (type->kind == types::Kind::Array) type = m_types.pointerTo(type->target);
        kids = {converted(std::move(left), type), converted(std::move(right), type)};
    } else {
        incompatible(e.op, left, right, e.at);
        for (const auto& operand : e.kids)
            if (auto hint = language::foreignHint(language::Elsewhere::Number, operand->text); !hint.empty())
                m_diagnostics.hint(std::move(hint));
        return nullptr;
    }
    auto b = make(ExprKind::Binary, named("int"), e.at, std::move(kids));
    b->op = e.op;
    return folded(std::move(b));
}

/// pointer + index or pointer - index, in units of what it points to.
/// An index that is not constant is checked when the program runs, as in DTrace for Linux. An array of one element is taken for
/// the beginning of a longer one, whose length the type does not say.
ExprPtr Analyser::indexInto(const Type* array, ExprPtr index, Span at)
{
    const auto* type = types::resolved(array);
    if (type->kind != types::Kind::Array || type->count <= 1) return index;
    const auto count = static_cast<std::int64_t>(type->count);
    if (index->kind == ExprKind::Integer && index->integer >= 0 && index->integer < count) return index;
    const auto* word = named("int64_t");
    auto checked = make(ExprKind::Index, word, at, {converted(std::move(index), word)});
    checked->integer = count;
    return checked;
}

ExprPtr Analyser::offsetPointer(Op op, const ExprPtr& pointer, ExprPtr index, Span at)
{
    const auto* type = pointer->type;
    const auto* target = types::resolved(rules::targetOf(type));
    if (target->size == 0) {
        error("D_OP_INCOMPLETE", at, "operator ", rules::spelled(op), " cannot be applied to a pointer to \"", types::spelled(target),
            "\": its size is not known");
        return nullptr;
    }
    const auto* word = named("int64_t");
    auto scaled = make(
        ExprKind::Binary, word, at, {converted(std::move(index), word), constant(static_cast<std::int64_t>(target->size), word, at)});
    scaled->op = Op::Mul;
    auto sum = make(ExprKind::Binary, type, at, {pointer, folded(std::move(scaled))});
    sum->op = op;
    return folded(std::move(sum));
}

Value Analyser::binary(const ast::Expr& e)
{
    const auto leftValue = expression(*e.kids[0]);
    auto left = rvalue(leftValue, e.kids[0]->at);
    ExprPtr right;
    // An enum on the left lends its tags to a bare name on the right.
    if (left && isComparison(e.op) && types::resolved(left->type)->kind == types::Kind::Enum
        && e.kids[1]->kind == ast::ExprKind::Identifier) {
        for (const auto& tag : types::resolved(left->type)->enumerators)
            if (tag.name == e.kids[1]->text) right = constant(tag.value, left->type, e.kids[1]->at);
    }
    if (!right) right = rvalue(*e.kids[1]);
    if (!left || !right) return {};
    if (isComparison(e.op)) return {comparison(e, left, right)};
    if (isLogical(e.op)) {
        if (!rules::isScalar(left->type) || !rules::isScalar(right->type))
            return error("D_OP_SCALAR", e.at, "operator ", rules::spelled(e.op), " requires operands of scalar type");
        auto b = make(ExprKind::Binary, named("int"), e.at, {left, right});
        b->op = e.op;
        return {folded(std::move(b))};
    }
    if (e.op != Op::Add && e.op != Op::Sub) return {arithmetic(e.op, left, right, e.at)};

    const auto stepsThrough = [](const ExprPtr& x) { return rules::isPointer(x->type) && !rules::isVoidOrFunctionPointer(x->type); };
    if (rules::isInteger(left->type) && rules::isInteger(right->type)) return {arithmetic(e.op, left, right, e.at)};
    if (stepsThrough(left) && rules::isInteger(right->type)) {
        const auto* array = types::resolved(left->type);
        if (array->kind == types::Kind::Array && right->kind == ExprKind::Integer && array->count > 1
            && static_cast<std::uint64_t>(right->integer) >= array->count)
            return error("D_ARR_BOUNDS", e.at, "index outside array bounds: ", static_cast<std::uint64_t>(right->integer), ", max is ",
                array->count);
        return {.expr = offsetPointer(e.op, decayed({.expr = left, .lvalue = true, .writable = leftValue.writable}), right, e.at),
            .writable = leftValue.writable};
    }
    // A string and a number: the text from there on.
    if (e.op == Op::Add && rules::isString(left->type) != rules::isString(right->type)) {
        const auto& string = rules::isString(left->type) ? left : right;
        const auto& index = rules::isString(left->type) ? right : left;
        if (rules::isInteger(index->type)) {
            auto where = make(ExprKind::Binary, m_types.pointerTo(named("char")), e.at, {string, converted(index, named("int64_t"))});
            where->op = Op::Add;
            return {make(ExprKind::StringFrom, m_types.string(), e.at, {where})};
        }
    }
    if (e.op == Op::Add && rules::isInteger(left->type) && stepsThrough(right))
        return {offsetPointer(e.op, decayed({.expr = right, .lvalue = true}), left, e.at)};
    if (e.op == Op::Sub && stepsThrough(left) && stepsThrough(right) && rules::pointersAgree(*left, *right)) {
        const auto size = types::resolved(rules::targetOf(left->type))->size;
        const auto* type = named("ptrdiff_t");
        auto difference = make(ExprKind::Binary, type, e.at, {converted(left, type), converted(right, type)});
        difference->op = Op::Sub;
        auto quotient = make(ExprKind::Binary, type, e.at,
            {folded(std::move(difference)), constant(static_cast<std::int64_t>(std::max<std::uint64_t>(size, 1)), type, e.at)});
        quotient->op = Op::Div;
        return {folded(std::move(quotient))};
    }
    return incompatible(e.op, left, right, e.at);
}

const ast::Expr* Analyser::chosen(const ast::Expr& e)
{
    if (!isConstant(*e.kids[0])) return nullptr;
    const auto condition = rvalue(*e.kids[0]);
    if (!condition || condition->kind != ExprKind::Integer) return nullptr;
    return e.kids[condition->integer ? 1 : 2].get();
}

/// Whether an expression consists only of numbers and of inlines without parameters, which have to be numbers.
bool Analyser::isConstant(const ast::Expr& e)
{
    switch (e.kind) {
    case ast::ExprKind::Integer: return true;
    case ast::ExprKind::Identifier: {
        const auto in = m_scope.inlines.find(e.text);
        return in != m_scope.inlines.end() && in->second.declaration->tuple.empty() && !m_scope.variable(ast::Scope::Global, e.text);
    }
    case ast::ExprKind::Unary:
    case ast::ExprKind::Binary:
    case ast::ExprKind::Cast: return std::all_of(e.kids.begin(), e.kids.end(), [&](const auto& kid) { return isConstant(*kid); });
    case ast::ExprKind::Conditional: {
        const auto* branch = chosen(e);
        return branch && isConstant(*branch);
    }
    default: return false;
    }
}

Value Analyser::conditional(const ast::Expr& e)
{
    // The other branch is not looked at, whatever it is; of two constants the type is C's, of both.
    if (const auto* branch = chosen(e); branch && !(isConstant(*e.kids[1]) && isConstant(*e.kids[2]))) return expression(*branch);
    const auto condition = rvalue(*e.kids[0]);
    auto left = rvalue(*e.kids[1]);
    auto right = rvalue(*e.kids[2]);
    if (!condition || !left || !right) return {};
    if (rules::isString(left->type) && isNull(right)) right = nullString(right->at);
    if (rules::isString(right->type) && isNull(left)) left = nullString(left->at);
    if (!rules::isScalar(condition->type)) return error("D_OP_SCALAR", e.at, "operator ?: expression must be of scalar type");
    if (left->type == m_tracingType || right->type == m_tracingType)
        return error("D_OP_ACT", e.at, "action cannot be used in a conditional context");
    if (rules::isDynamic(left->type) || rules::isDynamic(right->type))
        return error("D_OP_DYN", e.at, "operator ?: operands cannot be of dynamic type");
    const Type* type = nullptr;
    if (rules::isInteger(left->type) && rules::isInteger(right->type))
        type = rules::same(left->type, right->type) ? left->type : rules::common(m_types, left->type, right->type);
    else if (rules::isStringLike(left->type) && rules::isStringLike(right->type)
        && (rules::isString(left->type) || rules::isString(right->type)))
        type = m_types.string();
    else if (rules::same(left->type, right->type) && types::resolved(left->type)->kind != types::Kind::Array)
        type = left->type;
    else if (rules::pointersAgree(*left, *right)) {
        type = types::resolved(rules::isInteger(left->type) || rules::isVoidOrFunctionPointer(left->type) ? right->type : left->type);
        if (type->kind == types::Kind::Array) type = m_types.pointerTo(type->target);
    } else
        return error("D_OP_INCOMPAT", e.at, "operator ?: operands must have compatible types");
    auto c = make(ExprKind::Conditional, type, e.at, {condition, asIn(left, type), asIn(right, type)});
    return {folded(std::move(c))};
}

Value Analyser::comma(const ast::Expr& e)
{
    const auto left = rvalue(*e.kids[0]);
    const auto right = rvalue(*e.kids[1]);
    if (!left || !right) return {};
    if (left->type == m_tracingType || right->type == m_tracingType)
        return error("D_OP_ACT", e.at, "operator , operands cannot be actions");
    if (rules::isDynamic(left->type) || rules::isDynamic(right->type))
        return error("D_OP_DYN", e.at, "operator , operands cannot be of dynamic type");
    return {make(ExprKind::Comma, right->type, e.at, {left, right})};
}

Value Analyser::addressOf(const ast::Expr& e)
{
    const auto v = expression(*e.kids[0]);
    if (!v) return {};
    if (v.translator) return error("D_ADDROF_VAR", e.at, "cannot take address of dynamic object");
    if (rules::isDynamic(v.expr->type)) return error("D_ADDROF_VAR", e.at, "cannot take address of dynamic variable");
    const auto kind = v.expr->kind;
    if (kind == ExprKind::Variable || kind == ExprKind::Element || kind == ExprKind::Builtin || kind == ExprKind::ProbeArgument)
        return error("D_ADDROF_VAR", e.at, "cannot take address of dynamic variable");
    if (kind == ExprKind::Member && v.expr->bitWidth) return error("D_ADDROF_BITFIELD", e.at, "cannot take address of bit-field");
    // An array is no lvalue in C, yet its address is well defined.
    const bool isPlace = kind == ExprKind::Dereference || kind == ExprKind::Member;
    if (!isPlace || (!v.lvalue && types::resolved(v.expr->type)->kind != types::Kind::Array))
        return error("D_ADDROF_LVAL", e.at, "unacceptable operand for unary & operator");
    const auto* type = m_types.pointerTo(v.expr->type, types::spaceOf(v.expr->user));
    if (kind == ExprKind::Dereference) return {converted(v.expr->kids[0], type)};
    return {make(ExprKind::AddressOf, type, e.at, {v.expr})};
}

Value Analyser::step(const ast::Expr& e)
{
    // ++ and -- bring a variable to life, as int64_t.
    declaredBy(*e.kids[0], named("int64_t"));
    if (!createElement(*e.kids[0], named("int64_t"))) return {};
    const auto v = expression(*e.kids[0]);
    if (!v) return {};
    const auto sign = rules::spelled(e.op);
    if (v.translator || !rules::isScalar(v.expr->type))
        return error("D_OP_SCALAR", e.at, "operator ", sign, " requires operand of scalar type");
    if (rules::isVoidOrFunctionPointer(v.expr->type))
        return error("D_OP_VFPTR", e.at, "operator ", sign, " requires an operand of known size");
    if (!v.lvalue) {
        error("D_OP_LVAL", e.at, "operator ", sign, " requires modifiable lvalue as an operand");
        if (v.expr->type == m_aggregationType) m_diagnostics.hint("functions add to an aggregation: @ = count()");
        return {};
    }
    if (!v.writable) return error("D_OP_WRITE", e.at, "operator ", sign, " can only be applied to a writable variable");
    requireStorable(v, e.at);
    auto s = make(ExprKind::Step, v.expr->type, e.at, {v.expr});
    s->op = e.op;
    return {s};
}
} // namespace dscope::sema
