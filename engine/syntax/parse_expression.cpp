#include "engine/syntax/grammar.h"
#include <algorithm>
#include <array>
#include <functional>
namespace dscope::syntax {
using ast::ExprKind;
using ast::ExprPtr;
using ast::Op;
namespace {
struct BinaryOperator {
    std::string_view spelling;
    int precedence; ///< higher binds tighter
    Op op;
};
constexpr std::array<BinaryOperator, 19> kBinary{{
    {"||", 1, Op::Or},
    {"^^", 2, Op::LogXor},
    {"&&", 3, Op::And},
    {"|", 4, Op::BitOr},
    {"^", 5, Op::BitXor},
    {"&", 6, Op::BitAnd},
    {"==", 7, Op::Eq},
    {"!=", 7, Op::Ne},
    {"<", 8, Op::Lt},
    {"<=", 8, Op::Le},
    {">", 8, Op::Gt},
    {">=", 8, Op::Ge},
    {"<<", 9, Op::Shl},
    {">>", 9, Op::Shr},
    {"+", 10, Op::Add},
    {"-", 10, Op::Sub},
    {"*", 11, Op::Mul},
    {"/", 11, Op::Div},
    {"%", 11, Op::Mod},
}};
constexpr std::array<BinaryOperator, 10> kCompound{{
    {"+=", 0, Op::Add},
    {"-=", 0, Op::Sub},
    {"*=", 0, Op::Mul},
    {"/=", 0, Op::Div},
    {"%=", 0, Op::Mod},
    {"<<=", 0, Op::Shl},
    {">>=", 0, Op::Shr},
    {"&=", 0, Op::BitAnd},
    {"^=", 0, Op::BitXor},
    {"|=", 0, Op::BitOr},
}};
constexpr std::array<BinaryOperator, 8> kPrefixes{{
    {"+", 0, Op::Plus},
    {"-", 0, Op::Neg},
    {"!", 0, Op::Not},
    {"~", 0, Op::BitNot},
    {"*", 0, Op::Deref},
    {"&", 0, Op::AddressOf},
    {"++", 0, Op::PreInc},
    {"--", 0, Op::PreDec},
}};
template <typename Table> const BinaryOperator* find(const Table& table, const Token& token)
{
    if (token.kind != Token::Kind::Punctuation) return nullptr;
    const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.spelling == token.text; });
    return found == table.end() ? nullptr : &*found;
}
/// Whether a token can begin an operand, so that a parenthesized name before it has to be a cast.
bool beginsOperand(const Token& token)
{
    switch (token.kind) {
    case Token::Kind::Word:
    case Token::Kind::Integer:
    case Token::Kind::String:
    case Token::Kind::Macro:
    case Token::Kind::Aggregation: return true;
    default: return token.is("(") || token.is("~") || token.is("!");
    }
}
} // namespace

ExprPtr Grammar::make(ExprKind kind, Span begin)
{
    auto expr = std::make_unique<ast::Expr>();
    expr->kind = kind;
    expr->at = since(begin);
    return expr;
}
ExprPtr Grammar::with(ExprPtr parent, ExprPtr kid)
{
    parent->height = std::max(parent->height, kid->height + 1);
    parent->kids.push_back(std::move(kid));
    parent->at.end = std::max(parent->at.end, m_end);
    if (parent->height > kMaxDepth) fail("D_SYNTAX", parent->at, "expression is nested too deeply");
    return parent;
}

/// `condition` is taken for true or false.
void Grammar::noteCondition(const ast::Expr& condition) const
{
    if (m_macros && condition.isTarget) m_macros->asksForTarget = true;
}
void Grammar::noteComparison(const ast::Expr& left, const ast::Expr& right) const
{
    const auto isZero = [](const ast::Expr& e) { return e.kind == ExprKind::Integer && e.value == 0 && !e.isTarget; };
    if (m_macros && ((left.isTarget && isZero(right)) || (isZero(left) && right.isTarget))) m_macros->asksForTarget = true;
}

/// `right` is not reached where `left` is 0: scripts whose options are inlines name $target behind the one that says that there is a
/// command.
void Grammar::noteGuard(const ast::Expr& left, const ast::Expr& right) const
{
    const std::function<bool(const ast::Expr&)> namesTarget = [&](const ast::Expr& e) {
        return e.isTarget || std::any_of(e.kids.begin(), e.kids.end(), [&](const ExprPtr& kid) { return kid && namesTarget(*kid); });
    };
    if (m_macros && constant(left) == 0 && namesTarget(right)) m_macros->asksForTarget = true;
}

ExprPtr Grammar::expression()
{
    const auto begin = m_token.at;
    auto left = assignment();
    while (at(",") && !m_failure) {
        advance();
        auto right = assignment();
        left = with(with(make(ExprKind::Comma, begin), std::move(left)), std::move(right));
    }
    return left;
}

ExprPtr Grammar::assignment()
{
    const Deeper deeper(*this);
    const auto begin = m_token.at;
    auto left = conditional();
    const auto* compound = find(kCompound, m_token);
    if (!at("=") && !compound) return left;
    const bool assignable
        = left->parenthesized || (left->kind != ExprKind::Binary && left->kind != ExprKind::Conditional && left->kind != ExprKind::Cast);
    if (!assignable) {
        unexpected(at("=") && m_mode == Mode::Predicate ? std::vector<std::string>{"did you mean == ?"} : std::vector<std::string>{});
        return left;
    }
    advance();
    auto right = assignment();
    auto assign = make(ExprKind::Assign, begin);
    if (compound) {
        assign->op = compound->op;
        assign->compound = true;
    }
    return with(with(std::move(assign), std::move(left)), std::move(right));
}

ExprPtr Grammar::conditional()
{
    const Deeper deeper(*this);
    const auto begin = m_token.at;
    auto condition = binary(1);
    if (!accept("?")) return condition;
    noteCondition(*condition);
    auto then = expression();
    expect(":");
    auto otherwise = conditional();
    return with(with(with(make(ExprKind::Conditional, begin), std::move(condition)), std::move(then)), std::move(otherwise));
}

ExprPtr Grammar::binary(int precedence)
{
    const auto begin = m_token.at;
    auto left = cast();
    while (!m_failure) {
        const auto* found = find(kBinary, m_token);
        if (!found || found->precedence < precedence) break;
        advance();
        auto right = binary(found->precedence + 1);
        auto both = make(ExprKind::Binary, begin);
        both->op = found->op;
        if (found->op == Op::And || found->op == Op::Or || found->op == Op::LogXor) {
            noteCondition(*left);
            noteCondition(*right);
            if (found->op == Op::And) noteGuard(*left, *right);
        } else if (found->op >= Op::Eq && found->op <= Op::Ge)
            noteComparison(*left, *right);
        left = with(with(std::move(both), std::move(left)), std::move(right));
    }
    return left;
}

/// At an opening parenthesis: is what it holds a type, so that a cast begins here?
/// D has no declared list of types (the kernel's are known later), so the shape of the text decides for unknown names.
bool Grammar::beginsCast()
{
    Lexer ahead = m_lexer;
    const Token first = ahead.next(Mode::Expression);
    if (!first.isWord()) return false;
    if (isTypeKeyword(first.text)) return true;
    if (isKeyword(first.text)) return false;
    if (isType(first.text)) return true;
    Token next = ahead.next(Mode::Expression);
    if (first.is("userland") && next.isWord()) return true;
    bool pointer = false;
    while (next.is("*") || next.is("const") || next.is("volatile")) {
        pointer = pointer || next.is("*");
        next = ahead.next(Mode::Expression);
    }

    if (!next.is(")")) return false;
    if (pointer) return true;
    if (m_variables.contains(first.text) || isBuiltin(first.text)) return false;
    next = ahead.next(Mode::Expression);
    if (next.is("(") || next.is("~") || next.is("!")) return isLikelyType(first.text);
    if (next.is("-") || next.is("*") || next.is("&") || next.is("+")) return isLikelyType(first.text) && !m_seen.contains(first.text);
    return beginsOperand(next)
        && !(next.isWord() && isKeyword(next.text) && !next.is("this") && !next.is("self") && !next.is("sizeof") && !next.is("stringof")
            && !next.is("xlate") && !next.is("offsetof"));
}

ExprPtr Grammar::cast()
{
    const Deeper deeper(*this);
    if (!at("(") || !beginsCast()) return unary();
    const auto begin = m_token.at;
    advance();
    auto type = typeName();
    expect(")");
    auto operand = cast();
    auto expr = make(ExprKind::Cast, begin);
    expr->typeName = std::move(type);
    return with(std::move(expr), std::move(operand));
}

ExprPtr Grammar::unary()
{
    const Deeper deeper(*this);
    const auto begin = m_token.at;
    if (const auto* found = find(kPrefixes, m_token)) {
        advance();
        const bool step = found->op == Op::PreInc || found->op == Op::PreDec;
        auto operand = step ? unary() : cast();
        if (found->op == Op::Not) noteCondition(*operand);
        auto expr = make(ExprKind::Unary, begin);
        expr->op = found->op;
        return with(std::move(expr), std::move(operand));
    }
    if (at("sizeof")) return sizeofExpression();
    if (accept("stringof")) {
        auto operand = unary();
        return with(make(ExprKind::Stringof, begin), std::move(operand));
    }
    return postfix();
}

/// After sizeof, at a parenthesis: unlike in a cast nothing has to follow, so a bare name counts by what is known of it.
bool Grammar::beginsParenthesizedType() const
{
    Lexer ahead = m_lexer;
    const Token first = ahead.next(Mode::Expression);
    if (!first.isWord()) return false;
    if (isTypeKeyword(first.text) || isType(first.text)) return true;
    if (isKeyword(first.text) || m_variables.contains(first.text) || isBuiltin(first.text)) return false;
    Token next = ahead.next(Mode::Expression);
    if (first.is("userland") && next.isWord()) return true;
    bool pointer = false;
    for (; next.is("*"); next = ahead.next(Mode::Expression))
        pointer = true;
    return next.is(")") && (pointer || isLikelyType(first.text));
}

ExprPtr Grammar::sizeofExpression()
{
    const auto begin = m_token.at;
    advance();
    if (at("(") && beginsParenthesizedType()) {
        advance();
        auto type = typeName();
        expect(")");
        auto expr = make(ExprKind::SizeofType, begin);
        expr->typeName = std::move(type);
        return expr;
    }
    auto operand = unary();
    return with(make(ExprKind::SizeofExpr, begin), std::move(operand));
}

void Grammar::arguments(ast::Expr& into, std::string_view closing)
{
    if (accept(closing)) return;
    do {
        auto argument = assignment();
        into.height = std::max(into.height, argument->height + 1);
        into.kids.push_back(std::move(argument));
    } while (!m_failure && accept(","));
    expect(closing);
}

ExprPtr Grammar::postfix()
{
    const auto begin = m_token.at;
    auto expr = primary();
    while (!m_failure) {
        if (accept("[")) {
            if (at("]")) {
                unexpected();
                break;
            }
            const bool keys = expr->kind == ExprKind::Aggregation && expr->kids.empty() && !expr->parenthesized;
            if (!keys) {
                if (expr->kind == ExprKind::Identifier) m_variables.insert(expr->text);
                expr = with(make(ExprKind::Index, begin), std::move(expr));
            }
            arguments(*expr, "]");
        } else if (at("(")) {
            if (expr->kind != ExprKind::Identifier || expr->parenthesized) {
                fail("D_FUNC_IDENT", expr->at, "function designator is not of function type");
                break;
            }
            advance();
            expr->kind = ExprKind::Call;
            arguments(*expr, ")");
        } else if (at(".") || at("->")) {
            const auto kind = at(".") ? ExprKind::Member : ExprKind::Arrow;
            advance();
            const bool prefix = kind == ExprKind::Arrow && expr->kind == ExprKind::Identifier && !expr->parenthesized
                && (expr->text == "this" || expr->text == "self");
            auto member = name();
            if (prefix)
                expr->kind = expr->text == "this" ? ExprKind::ThisVariable : ExprKind::SelfVariable;
            else
                expr = with(make(kind, begin), std::move(expr));
            expr->text = std::move(member);
        } else if (at("++") || at("--")) {
            const auto op = at("++") ? Op::PostInc : Op::PostDec;
            advance();
            expr = with(make(ExprKind::Unary, begin), std::move(expr));
            expr->op = op;
        } else
            break;
        expr->at = since(begin);
        if (expr->height > kMaxDepth) fail("D_SYNTAX", expr->at, "expression is nested too deeply");
    }
    return expr;
}

ExprPtr Grammar::primary()
{
    const Deeper deeper(*this);
    const auto begin = m_token.at;
    auto expr = std::make_unique<ast::Expr>();
    expr->at = begin;
    expr->text = m_token.text;
    switch (m_token.kind) {
    case Token::Kind::Integer: {
        expr->value = m_token.number;
        expr->isTarget = m_token.isTarget;
        const bool negative = m_token.negative;
        advance();
        if (!negative) return expr;
        auto negated = make(ExprKind::Unary, begin);
        negated->op = Op::Neg;
        negated->parenthesized = true;
        return with(std::move(negated), std::move(expr));
    }
    case Token::Kind::String:
        expr->kind = ExprKind::String;
        advance();
        for (; m_token.kind == Token::Kind::String; advance())
            expr->text += m_token.text;
        expr->at = since(begin);
        return expr;
    case Token::Kind::Macro:
        expr->kind = ExprKind::Macro;
        advance();
        return expr;
    case Token::Kind::Aggregation:
        expr->kind = ExprKind::Aggregation;
        advance();
        return expr;
    case Token::Kind::Word: break;
    default:
        if (!accept("(")) {
            unexpected();
            return expr;
        }
        expr = expression();
        expect(")");
        expr->parenthesized = true;
        expr->at = since(begin);
        return expr;
    }

    if (at("offsetof")) {
        advance();
        expect("(");
        auto type = typeName();
        expect(",");
        auto member = name();
        while (!m_failure && accept("."))
            member += "." + name();
        expect(")");
        expr->text = std::move(member);
        expr->kind = ExprKind::Offsetof;
        expr->typeName = std::move(type);
        expr->at = since(begin);
        return expr;
    }

    if (at("xlate")) {
        advance();
        expect("<");
        auto type = typeName();
        expect(">");
        expect("(");
        auto operand = expression();
        expect(")");
        expr->text.clear();
        expr->kind = ExprKind::Xlate;
        expr->typeName = std::move(type);
        return with(std::move(expr), std::move(operand));
    }

    const bool prefix = at("this") || at("self");
    if (isKeyword(m_token.text) && !prefix) {
        const bool loop = at("for") || at("while") || at("do");
        unexpected(loop ? std::vector<std::string>{"D has no loops; a probe that fires often, such as tick-1s, can take a loop's place"}
                        : std::vector<std::string>{});
        return expr;
    }

    expr->kind = ExprKind::Identifier;
    advance();
    if (at("=") || at("++") || at("--")) m_variables.insert(expr->text);
    return expr;
}
} // namespace dscope::syntax
