#include "engine/language/subroutines.h"
#include "engine/sema/analyser.h"
#include "engine/sema/builtins.h"
/// Assignments, and the variables that they declare.
namespace dscope::sema {
namespace {
std::string_view prefixOf(ast::Scope scope) { return scope == ast::Scope::This ? "this->" : scope == ast::Scope::Self ? "self->" : ""; }
std::optional<ast::Scope> scopeOf(const ast::Expr& e)
{
    switch (e.kind) {
    case ast::ExprKind::Identifier: return ast::Scope::Global;
    case ast::ExprKind::ThisVariable: return ast::Scope::This;
    case ast::ExprKind::SelfVariable: return ast::Scope::Self;
    default: return std::nullopt;
    }
}
} // namespace

/// The variable that assigning to `target` brings to life; nullptr when it is there already, or is no plain variable.
Variable* Analyser::declaredBy(const ast::Expr& target, const Type* type)
{
    const auto scope = scopeOf(target);
    if (!scope || m_scope.variable(*scope, target.text) || m_where != Where::Program) return nullptr;
    if (*scope == ast::Scope::Global) {
        const auto& name = target.text;
        if (name.find('`') != std::string::npos || findBuiltin(name) || argumentNumber(name) >= 0
            || (m_bindings && m_bindings->names.contains(name)))
            return nullptr;
        if (m_scope.inlines.contains(name) || findArray(name) == BuiltinArray::Arguments || name == "self" || name == "this")
            return nullptr;
    }
    if (isMissedAlready(*scope, target.text)) return nullptr;
    return &addUndeclared(*scope, target.text, type);
}

Value Analyser::assign(const ast::Expr& e)
{
    const auto& target = *e.kids[0];
    if (target.kind == ast::ExprKind::Aggregation) {
        if (e.compound) {
            error("D_OP_LVAL", e.at, "operator ", rules::spelled(e.op), "= requires modifiable lvalue as an operand");
            m_diagnostics.hint("functions add to an aggregation: @" + target.text + " = sum(x), or count()");
            return {};
        }
        error("D_AGG_FUNC", e.at, "@", target.text, " must be assigned the result of an aggregating function");
        hintOfVariable(target);
        return {};
    }

    const auto scope = scopeOf(target);
    const auto& base = target.kind == ast::ExprKind::Index ? *target.kids[0] : target;
    if (scopeOf(base) == ast::Scope::Global) giveWay(base.text);
    const auto opText = e.compound ? std::string(rules::spelled(e.op)) + "=" : std::string("=");
    if (!e.compound) {
        const auto right = expression(*e.kids[1]);
        if (right.translator && !right.throughPointer) return assignTranslated(target, right, e.at);
        const auto value = right ? kept(rvalue(right, e.kids[1]->at)) : nullptr;
        if (!value) {
            if (scope && !m_scope.variable(*scope, target.text)) m_scope.poisoned.insert({*scope, target.text});
            if (target.kind == ast::ExprKind::Index)
                if (const auto inner = scopeOf(*target.kids[0]); inner && !m_scope.variable(*inner, target.kids[0]->text))
                    m_scope.poisoned.insert({*inner, target.kids[0]->text});
            return {};
        }
        if (auto letter = assignLetter(target, value, e.at)) return *letter;
        const auto place = assignTarget(target, value);
        if (!place) return {};
        return {assigned(place, value, opText, e.at)};
    }

    // a op= b is a = a op b.
    if (scope && !m_scope.variable(*scope, target.text) && !m_scope.poisoned.contains({*scope, target.text})) {
        if (*scope == ast::Scope::Global) loadLibraryWith(target.text); // it may merely mention the name
        const bool known = m_scope.variable(*scope, target.text)
            || (*scope == ast::Scope::Global
                && (findBuiltin(target.text) || argumentNumber(target.text) >= 0 || m_scope.inlines.contains(target.text)));
        if (!known) return error("D_VAR_UNDEF", target.at, prefixOf(*scope), target.text, " has not yet been declared or assigned");
    }

    const auto left = expression(target);
    const auto right = rvalue(*e.kids[1]);
    if (!left || !right) return {};
    if (left.translator) return error("D_OP_LVAL", e.at, "operator ", opText, " requires modifiable lvalue as an operand");
    const auto* l = left.expr->type;
    ExprPtr value;
    if (e.op == ast::Op::Add || e.op == ast::Op::Sub) {
        const auto mismatch = [&] {
            error("D_OP_INCOMPAT", e.at, "operands have incompatible types: \"", types::spelled(l), "\" ", opText, " \"",
                types::spelled(right->type), '"');
            if (rules::isString(l) && e.op == ast::Op::Add) m_diagnostics.hint("strjoin(a, b) makes one string of two");
            return Value();
        };
        if (rules::isString(l) || rules::isString(right->type)) return mismatch();
        if (rules::isInteger(l) && rules::isInteger(right->type))
            value = arithmetic(e.op, left.expr, right, e.at);
        else if (!rules::isPointer(l) || rules::isVoidOrFunctionPointer(l))
            return error("D_OP_VFPTR", e.at, "operator ", opText, " requires left-hand scalar operand of known size");
        else if (!rules::isInteger(right->type))
            return mismatch();
        else
            value = offsetPointer(e.op, left.expr, right, e.at);
    } else {
        if (!rules::isInteger(l) || !rules::isInteger(right->type)) {
            if (e.op == ast::Op::Mul || e.op == ast::Op::Div)
                return error("D_OP_ARITH", e.at, "operator ", opText, " requires operands of arithmetic type");
            return error("D_OP_INT", e.at, "operator ", opText, " requires operands of integral type");
        }
        value = arithmetic(e.op, left.expr, right, e.at);
    }
    if (!value) return {};
    return {assigned(left, value, opText, e.at)};
}

/// A struct of what a translator gives: member by member.
Value Analyser::assignTranslated(const ast::Expr& target, const Value& translated, Span at)
{
    const auto* type = translated.translator->output;
    const auto place = assignTarget(target, make(ExprKind::Variable, type, at));
    if (!place) return {};
    if (place.translator || !rules::same(place.expr->type, type))
        return error("D_OP_INCOMPAT", at, "operands have incompatible types: \"", typeName(place), "\" = \"", typeName(translated), '"');
    ExprPtr all = constant(0, named("int"), at);
    for (const auto& [name, definition] : translated.translator->members) {
        const auto value = translatedMember(translated, name, at);
        const auto member = memberOf(place, name, MemberOp::Dot, at);
        if (!value || !member) return {};
        if (value.translator) return error("D_OP_INCOMPAT", at, "translated data cannot be kept in member ", name);
        auto one = assigned(member, value.expr, "=", at);
        if (!one) return {};
        all = make(ExprKind::Comma, one->type, at, {all, one});
    }
    return {all};
}

/// May a variable hold this type?
bool Analyser::assignable(const Type* t, const ExprPtr& value, Span at)
{
    if (rules::isStack(t) || rules::isSymbol(t)) {
        error("D_CG_EXPR", value->at, "tracing function ", written(value->at),
            " may not be called from a D expression (D program context required)");
        return false;
    }
    const auto kind = types::resolved(t)->kind;
    if (kind == types::Kind::Array || kind == types::Kind::Function) {
        auto& d
            = m_diagnostics.error("D_OP_ARRFUN", at, text("operator = may not be applied to operand of type \"", types::spelled(t), '"'));
        if (rules::isCharArray(t)) d.hints.push_back("stringof(" + written(value->at) + ") makes a string of it");
        return false;
    }
    if (rules::isVoid(t) || rules::isDynamic(t)) {
        error("D_OP_INCOMPAT", at, "operands have incompatible types: \"", types::spelled(t), "\" = \"", types::spelled(t), '"');
        hintIfAggregation(t);
        return false;
    }
    return true;
}

/// An associative array that writing to `target` brings to life: its tuple is that of the keys. False after an error.
bool Analyser::createElement(const ast::Expr& target, const Type* type)
{
    if (target.kind != ast::ExprKind::Index) return true;
    const auto& base = *target.kids[0];
    const auto scope = scopeOf(base);
    if (!scope || m_scope.variable(*scope, base.text) || m_scope.poisoned.contains({*scope, base.text})) return true;
    if (*scope == ast::Scope::Global) {
        const bool taken = findArray(base.text) == BuiltinArray::Arguments || findBuiltin(base.text) || argumentNumber(base.text) >= 0
            || base.text.find('`') != std::string::npos || (m_bindings && m_bindings->names.contains(base.text));
        if (taken) return true;
        if (!m_scope.inlines.contains(base.text) && libraryDefinesInline(base.text)) loadLibraryWith(base.text);
        if (m_scope.inlines.contains(base.text)) return true;
    }
    if (*scope == ast::Scope::This) {
        error("D_ARR_LOCAL", target.at, "local variables may not be used as associative arrays: ", base.text);
        return false;
    }
    const auto keys = keptAll(rvalues(target.kids, 1));
    if (keys.size() + 1 != target.kids.size()) return false;
    std::vector<const Type*> tuple;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto* t = keys[i]->type;
        if (rules::isDynamic(t) || rules::isVoid(t)) {
            error("D_KEY_TYPE", keys[i]->at, types::spelled(t), " expression may not be used as associative array index: key #", i + 1);
            return false;
        }
        tuple.push_back(rules::isCharArray(t) ? m_types.string() : t);
    }
    addUndeclared(*scope, base.text, type, std::move(tuple));
    return true;
}

/// s[i] = c of a string s: assigns s a copy of itself with another letter. Nothing if it is not such an assignment.
std::optional<Value> Analyser::assignLetter(const ast::Expr& target, const ExprPtr& value, Span at)
{
    if (target.kind != ast::ExprKind::Index || target.kids.size() != 2 || !rules::isInteger(value->type)) return std::nullopt;
    const auto& base = *target.kids[0];
    const auto scope = scopeOf(base);
    if (!scope && base.kind != ast::ExprKind::Index) return std::nullopt;
    if (scope) {
        const auto* variable = m_scope.variable(*scope, base.text);
        if (!variable || variable->isArray() || !rules::isString(variable->type)) return std::nullopt;
    } else {
        const auto inner = scopeOf(*base.kids[0]);
        const auto* variable = inner ? m_scope.variable(*inner, base.kids[0]->text) : nullptr;
        if (!variable || !variable->isArray() || !rules::isString(variable->type)) return std::nullopt;
    }
    const auto text = expression(base);
    const auto index = rvalue(*target.kids[1]);
    if (!text || !index) return Value{};
    if (!rules::isInteger(index->type)) return std::nullopt;
    auto changed
        = make(ExprKind::Call, m_types.string(), at, {text.expr, converted(index, named("int64_t")), converted(value, named("char"))});
    constexpr auto kWithLetter = language::subroutineIndex("__with_letter");
    static_assert(kWithLetter < language::kSubroutines.size());
    changed->subroutine = kWithLetter;
    return Value{assigned(text, changed, "=", at)};
}

/// The target of an assignment. A new variable is declared with the type of `value`.
Value Analyser::assignTarget(const ast::Expr& target, const ExprPtr& value)
{
    const auto scope = scopeOf(target);
    if (m_where == Where::Provider) return expression(target);
    if (scope && !m_scope.variable(*scope, target.text)) {
        if (*scope == ast::Scope::Global && !m_scope.inlines.contains(target.text) && libraryDefinesInline(target.text))
            loadLibraryWith(target.text);
        const bool isNew = *scope != ast::Scope::Global
            || (!findBuiltin(target.text) && argumentNumber(target.text) < 0 && !m_scope.inlines.contains(target.text));
        if (isNew && !assignable(value->type, value, target.at)) {
            m_scope.poisoned.insert({*scope, target.text});
            return {};
        }
        declaredBy(target, value->type);
    }
    if (target.kind == ast::ExprKind::Index) {
        const auto inner = scopeOf(*target.kids[0]);
        const bool isNew = inner && !m_scope.variable(*inner, target.kids[0]->text);
        const auto variables = m_scope.variables.size();
        if (!createElement(target, value->type)) return {};
        if (isNew && m_scope.variables.size() > variables && !assignable(value->type, value, target.at)) return {};
    }
    return expression(target);
}

/// A program may write to its variables and to what alloca() gave it. A process's memory is right D, and is refused only
/// when nothing else is wrong with the program.
void Analyser::requireStorable(const Value& target, Span at)
{
    if (target.expr->user)
        m_unsupported.push_back({at, "assignment to memory of a process is not supported",
            "Linux lets no program write there: keep the value in a this->, self-> or global variable"});
}

ExprPtr Analyser::assigned(const Value& target, const ExprPtr& value, std::string_view op, Span at)
{
    if (target.translator) {
        error("D_OP_LVAL", at, "operator ", op, " requires modifiable lvalue as an operand");
        return nullptr;
    }
    const auto* type = target.expr->type;
    const auto kind = types::resolved(type)->kind;
    if (kind == types::Kind::Array || kind == types::Kind::Function) {
        error("D_OP_ARRFUN", at, "operator ", op, " may not be applied to operand of type \"", types::spelled(type), '"');
        return nullptr;
    }
    const bool isZero = value->kind == ExprKind::Integer && value->integer == 0;
    // 0 makes a string NULL, and deletes what a dynamic variable holds.
    const bool empties = isZero && rules::isString(type);
    const bool isDynamicVariable = target.expr->kind == ExprKind::Element
        || (target.expr->kind == ExprKind::Variable && m_scope.variables[target.expr->variable.value].scope == ast::Scope::Self);
    const bool deletes = isZero && isDynamicVariable && rules::isStructured(type);
    // What copyin() has brought from a process has the types it has there.
    const bool isCopy = rules::isUserPointer(type) && leadsIntoScratch(*value)
        && rules::accepts(m_types.pointerTo(rules::targetOf(type), types::spaceOf(rules::isUserPointer(value->type))), *value);
    if (!empties && !deletes && !isCopy && !rules::accepts(type, *value)) {
        error("D_OP_INCOMPAT", at, "operands have incompatible types: \"", types::spelled(type), "\" ", op, " \"",
            types::spelled(value->type), '"');
        hintIfAggregation(value->type);
        return nullptr;
    }
    if (!target.lvalue) {
        error("D_OP_LVAL", at, "operator ", op, " requires modifiable lvalue as an operand");
        return nullptr;
    }
    if (!target.writable) {
        auto& d = m_diagnostics.error("D_OP_WRITE", at, text("operator ", op, " can only be applied to a writable variable"));
        if (op == "=") d.hints.emplace_back("= assigns; to compare, write ==");
        return nullptr;
    }
    requireStorable(target, at);
    if (!keepsScratch(*target.expr, *value, at)) return nullptr;
    giveVariable(*target.expr, value->type);
    ExprPtr source = empties ? nullString(value->at) : asIn(value, type);
    return make(ExprKind::Assign, type, at, {target.expr, source});
}
} // namespace dscope::sema
