#include "engine/host/processor.h"
#include "engine/language/elsewhere.h"
#include "engine/sema/analyser.h"
#include "engine/sema/builtins.h"
/// Members, pointers, arrays, associative arrays, args[].
namespace dscope::sema {
using types::Kind;
using types::resolved;

/// An array where a pointer is wanted: the address of its first element.
ExprPtr Analyser::decayed(const Value& value)
{
    const auto& e = value.expr;
    const auto* array = resolved(e->type);
    if (array->kind != Kind::Array) return e;
    const auto* type = m_types.pointerTo(array->target, types::spaceOf(e->user));
    if (e->kind == ExprKind::Dereference) return make(ExprKind::Cast, type, e->at, {e->kids[0]});
    return make(ExprKind::AddressOf, type, e->at, {e});
}

Value Analyser::dereference(const Value& pointer, Span at)
{
    if (!pointer) return {};
    if (pointer.translator) {
        if (!pointer.throughPointer) return error("D_DEREF_NONPTR", at, "cannot dereference non-pointer type");
        auto object = pointer;
        object.throughPointer = false;
        return object;
    }
    const auto* type = resolved(pointer.expr->type);
    if (type->kind != Kind::Pointer && type->kind != Kind::Array) return error("D_DEREF_NONPTR", at, "cannot dereference non-pointer type");
    const auto* target = type->target;
    if (rules::isVoid(target)) return error("D_DEREF_VOID", at, "cannot dereference pointer to void");
    if (rules::isFunction(target)) return error("D_DEREF_FUNC", at, "cannot dereference pointer to function");
    auto d = make(ExprKind::Dereference, target, at, {decayed(pointer)});
    d->user = leadsIntoProcess(*pointer.expr) || (type->kind == Kind::Array && pointer.expr->user);
    return {.expr = d, .lvalue = resolved(target)->kind != Kind::Array, .writable = pointer.writable};
}

/// The members of a struct or union, those of its anonymous ones among them.
std::vector<Choice> Analyser::choicesOf(const types::Type* type)
{
    std::vector<Choice> choices;
    for (const auto& m : m_types.members(type)) {
        if (!m.name.empty()) {
            choices.push_back({m.name, types::spelled(m.type)});
            continue;
        }
        auto inner = choicesOf(m.type);
        std::move(inner.begin(), inner.end(), std::back_inserter(choices));
    }
    return choices;
}

Value Analyser::member(const ast::Expr& e)
{
    const auto& object = *e.kids[0];
    const bool isArguments = e.kind == ast::ExprKind::Member && m_where == Where::Program && object.kind == ast::ExprKind::Identifier
        && findArray(object.text) == BuiltinArray::Arguments && !(m_bindings && m_bindings->names.contains(object.text))
        && !m_scope.variable(ast::Scope::Global, object.text);
    if (isArguments) return argumentByName(e);
    return memberOf(expression(*e.kids[0]), e.text, e.kind == ast::ExprKind::Arrow ? MemberOp::Arrow : MemberOp::Dot, e.at);
}

Value Analyser::memberOf(const Value& object, const std::string& name, MemberOp by, Span at)
{
    if (!object) return {};
    const bool arrow = by == MemberOp::Arrow;
    const std::string_view op = arrow ? "->" : ".";
    if (object.translator) {
        if (arrow && !object.throughPointer) return error("D_OP_PTR", at, "operator -> must be applied to a pointer");
        return translatedMember(object, name, at);
    }
    Value whole = object;
    if (arrow) {
        const auto* pointer = resolved(object.expr->type);
        if (pointer->kind != Kind::Pointer) return error("D_OP_PTR", at, "operator -> must be applied to a pointer");
        const auto* target = resolved(pointer->target);
        if (!rules::isStructured(target))
            return error("D_OP_SOU", at, "operator -> cannot be applied to pointer to type \"", types::spelled(pointer->target),
                "\"; must be applied to a struct or union pointer");
        whole = dereference(object, at);
    }
    whole.expr = kept(whole.expr);
    const auto* type = whole.expr->type;
    if (!rules::isStructured(type))
        return error("D_OP_SOU", at, "operator ", op, " cannot be applied to type \"", types::spelled(type),
            "\"; must be applied to a struct or union");
    const auto field = m_types.member(type, name);
    if (!field) {
        if (m_types.members(type).empty())
            return error("D_OP_INCOMPLETE", at, "operator ", op, " cannot be applied to a forward declaration: no ",
                types::spelled(resolved(type)), " definition is available");
        auto& d = m_diagnostics.error("D_TYPE_MEMBER", at, text(name, " is not a member of ", types::spelled(resolved(type))));
        d.choices = choicesOf(type);
        std::vector<std::string> names;
        for (const auto& choice : d.choices)
            names.push_back(choice.name);
        const bool isThread = types::spelled(resolved(type)) == "struct task_struct";
        if (auto foreign = language::foreignHint(language::Elsewhere::Member, name); isThread && !foreign.empty())
            d.hints.push_back(std::move(foreign));
        else if (auto hint = didYouMean(nearNames(name, names)); !hint.empty())
            d.hints.push_back(std::move(hint));
        return {};
    }
    auto m = make(ExprKind::Member, field->type, at, {whole.expr});
    m->bitOffset = field->bitOffset;
    m->bitWidth = field->bitWidth;
    m->user = whole.expr->user;
    const bool isArray = resolved(field->type)->kind == Kind::Array;
    return {.expr = m, .lvalue = !isArray && (arrow || whole.lvalue), .writable = whole.writable};
}

Value Analyser::index(const ast::Expr& e)
{
    const auto& base = *e.kids[0];
    const bool isName = base.kind == ast::ExprKind::Identifier && base.text.find('`') == std::string::npos;
    const bool bound = isName && m_bindings && m_bindings->names.contains(base.text);
    if (isName && !bound) {
        const auto array = findArray(base.text);
        if (array == BuiltinArray::Raw && m_where == Where::Provider) return rawWord(e);
        if (array == BuiltinArray::Arguments && m_where == Where::Program && !m_scope.variable(ast::Scope::Global, base.text))
            return argumentsElement(e);
        if (m_where == Where::Provider && !m_scope.variable(ast::Scope::Global, base.text)) loadLibraryWith(base.text);
        const auto* v = isVisible(ast::Scope::Global, base.text) ? m_scope.variable(ast::Scope::Global, base.text) : nullptr;
        if (!v && array == BuiltinArray::UserRegisters) return userRegister(e);
        if (v && v->isArray()) return element(*v, e);
        if (!v && !findBuiltin(base.text) && argumentNumber(base.text) < 0) {
            if (isNeverRun() || isMissedAlready(ast::Scope::Global, base.text)) return {};
            if (!m_scope.inlines.contains(base.text)) loadLibraryWith(base.text);
            const auto in = m_scope.inlines.find(base.text);
            if (in != m_scope.inlines.end() && !in->second.declaration->tuple.empty()) return expandInline(in->second, e);
            if (in == m_scope.inlines.end()) {
                if (rvalues(e.kids, 1).size() + 1 != e.kids.size()) return {};
                if (!m_toldUndefined.insert(base.text + "[]").second) return {};
                return error("D_VAR_UNDEF", e.at, base.text, " has not yet been declared or assigned");
            }
        }
    }
    if (base.kind == ast::ExprKind::ThisVariable || base.kind == ast::ExprKind::SelfVariable) {
        const auto scope = base.kind == ast::ExprKind::ThisVariable ? ast::Scope::This : ast::Scope::Self;
        if (const auto* v = m_scope.variable(scope, base.text); v && v->isArray()) return element(*v, e);
    }
    // Load averages as Solaris has them. Linux keeps others, in 2048ths, and where kernels hide their data we have these still.
    if (constexpr std::string_view name = "`hp_avenrun"; base.text.ends_with(name) && e.kids.size() == 2) {
        const auto at = rvalue(*e.kids[1]);
        if (!at || !checkSignature(name, "key", {named("int")}, {at}, e.at)) return {};
        return madeOf(name, "__load_average(given)", at);
    }
    // E1[E2] is *((E1) + (E2)).
    const auto array = expression(base);
    if (!array) return {};
    if (e.kids.size() > 2)
        return error("D_ARR_BADREF", e.at, "cannot access ", base.kind == ast::ExprKind::Identifier ? "scalar " : "", written(base),
            " as an associative array");
    const auto at = rvalue(*e.kids[1]);
    if (!at) return {};
    // A letter of a string: its value is where its bytes are.
    if (!array.translator && rules::isString(array.expr->type) && rules::isInteger(at->type)) {
        const auto* letter = named("char");
        auto where = make(ExprKind::Binary, m_types.pointerTo(letter), e.at, {array.expr, converted(at, named("int64_t"))});
        where->op = ast::Op::Add;
        return {make(ExprKind::Dereference, letter, e.at, {where})};
    }
    if (array.translator || !rules::isPointer(array.expr->type) || !rules::isInteger(at->type)
        || rules::isVoidOrFunctionPointer(array.expr->type)) {
        if (array.translator || rules::isDynamic(array.expr->type) || rules::isScalar(array.expr->type))
            return array.translator || !rules::isInteger(array.expr->type) || !rules::isInteger(at->type)
                ? error("D_OP_INCOMPAT", e.at, "operands have incompatible types: \"", typeName(array), "\" + \"", types::spelled(at->type),
                    '"')
                : error("D_DEREF_NONPTR", e.at, "cannot dereference non-pointer type");
        return incompatible(ast::Op::Add, array.expr, at, e.at);
    }
    const auto* type = resolved(array.expr->type);
    // Arrays within associative arrays are checked when the program runs, as dtrace does.
    if (type->kind == Kind::Array && array.expr->kind != ExprKind::Element && at->kind == ExprKind::Integer && type->count > 1
        && static_cast<std::uint64_t>(at->integer) >= type->count)
        return error(
            "D_ARR_BOUNDS", e.at, "index outside array bounds: ", static_cast<std::uint64_t>(at->integer), ", max is ", type->count);
    const auto where = offsetPointer(ast::Op::Add, decayed(array), indexInto(type, at, e.at), e.at);
    if (!where) return {};
    Value pointer{.expr = where, .writable = array.writable};
    return dereference(pointer, e.at);
}

Value Analyser::element(const Variable& variable, const ast::Expr& e)
{
    auto keys = keptAll(rvalues(e.kids, 1));
    if (keys.size() + 1 != e.kids.size()) return {};
    if (!checkSignature(variable.name, "key", variable.tuple, keys, e.at)) return {};
    giveKeys(variable, keys);
    for (std::size_t i = 0; i < keys.size(); ++i)
        keys[i] = asIn(keys[i], variable.tuple[i]);
    auto x = make(ExprKind::Element, variable.type, e.at, std::move(keys));
    x->variable = variable.id;
    return {.expr = x, .lvalue = true, .writable = true};
}

/// raw[n], in provider descriptions only.
Value Analyser::rawWord(const ast::Expr& e)
{
    const auto n = rvalue(*e.kids[1]);
    if (!n) return {};
    if (n->kind != ExprKind::Integer || n->integer < 0) return error("D_PROTO_ARG", e.at, "raw[ ] takes a constant");
    auto c = make(ExprKind::Context, named("uint64_t"), e.at);
    c->integer = n->integer;
    return {c};
}

/// uregs[n]: a register of the thread as it left user space, numbered as the constants R_* of the base library are.
Value Analyser::userRegister(const ast::Expr& e)
{
    constexpr std::int64_t kRegisters = host::isX86() ? 26 : host::kProcessor.size / 8; // x86-64: and five that are elsewhere
    if (e.kids.size() != 2)
        return error("D_PROTO_LEN", e.at, "uregs[ ] prototype mismatch: ", e.kids.size() - 1, " args passed, 1 expected");
    const auto n = rvalue(*e.kids[1]);
    if (!n) return {};
    if (n->kind != ExprKind::Integer)
        return error("D_PROTO_ARG", e.at,
            "uregs[ ] argument #1 is incompatible with prototype:\n\tprototype: integer constant\n\t argument: ", types::spelled(n->type));
    if (n->integer < 0 || n->integer >= kRegisters) return error("D_UNKNOWN", e.at, "uregs[]: index out of bounds (", n->integer, ')');
    auto b = make(ExprKind::Builtin, named("uint64_t"), e.at);
    b->builtin = Builtin::Uregs;
    b->integer = n->integer;
    return {.expr = b, .lvalue = true};
}

Value Analyser::argumentsElement(const ast::Expr& e)
{
    if (e.kids.size() != 2)
        return error("D_PROTO_LEN", e.at, "args[ ] prototype mismatch: ", e.kids.size() - 1, " args passed, 1 expected");
    const auto n = rvalue(*e.kids[1]);
    if (!n) return {};
    if (n->kind != ExprKind::Integer)
        return error("D_PROTO_ARG", e.at,
            "args[ ] argument #1 is incompatible with prototype:\n\tprototype: integer constant\n\t argument: ", types::spelled(n->type));
    if (!m_clause) return error("D_ARGS_NONE", e.at, "args[ ] may not be referenced outside of a probe clause");
    if (m_clause->descriptions.empty()) return {};
    const auto& known = m_clause->descriptions.front()->args;
    if (n->integer < 0 || static_cast<std::size_t>(n->integer) >= known.size())
        return error("D_ARGS_IDX", e.at, "index ", n->integer, " is out of range for ", m_clause->description, " args[ ]");
    return probeArgument(static_cast<std::size_t>(n->integer), e.at);
}

/// args.name: the argument that the provider knows by that name, which has to be the same one of all probes.
Value Analyser::argumentByName(const ast::Expr& e)
{
    if (!m_clause) return error("D_ARGS_NONE", e.at, "args[ ] may not be referenced outside of a probe clause");
    if (m_clause->descriptions.empty()) return {};
    std::optional<std::size_t> place;
    for (std::size_t i = 0; i < m_clause->descriptions.size(); ++i) {
        const auto& d = *m_clause->descriptions[i];
        const auto names = d.argNames ? d.argNames() : std::vector<std::string>();
        const auto n = static_cast<std::size_t>(std::find(names.begin(), names.end(), e.text) - names.begin());
        if (n >= std::min(names.size(), d.args.size())) {
            auto& told = m_diagnostics.error(
                "D_ARGS_IDX", e.at, text("no argument of ", m_clause->probes[i].name.spelled(), " is known by the name ", e.text));
            std::string known;
            for (const auto& name : names)
                if (!name.empty()) known += (known.empty() ? "" : ", ") + name;
            told.hints.push_back(known.empty() ? "nothing tells the names of its arguments: args[0], args[1], ... are they in their order"
                                               : "its arguments are " + known);
            for (const auto& name : names)
                if (!name.empty()) told.choices.push_back({name, {}});
            return {};
        }
        if (place && *place != n)
            return error("D_ARGS_MULTI", e.at, "args[ ] may not be referenced because probe description ", m_clause->description,
                " matches an unstable set of probes");
        place = n;
    }
    return probeArgument(*place, e.at);
}

/// "read is args.fd ...": what to write for a name that is an argument's; empty where it is none.
std::string Analyser::namesArgument(const std::string& name) const
{
    if (!m_clause || m_where != Where::Program) return {};
    for (std::size_t i = 0; i < m_clause->descriptions.size(); ++i) {
        const auto& d = *m_clause->descriptions[i];
        const auto names = d.argNames ? d.argNames() : std::vector<std::string>();
        if (std::find(names.begin(), names.end(), name) != names.end())
            return name + " is an argument of " + m_clause->probes[i].name.spelled() + ": args." + name;
    }
    return {};
}

/// args[n] of functions whose compilers pass by type. An object in memory is had by its address.
Value Analyser::argumentElsewhere(std::size_t n, const Type* native, Span at)
{
    bool isObject = false;
    for (std::size_t i = 0; i < m_clause->descriptions.size(); ++i) {
        const auto& elsewhere = m_clause->descriptions[i]->args[n].elsewhere;
        isObject = isObject || (elsewhere && elsewhere->isObject);
        if (!elsewhere || elsewhere->why.empty()) continue;
        auto& told
            = m_diagnostics.error("D_ARGS_TYPE", at, text("args[", n, "] of ", m_clause->probes[i].name.spelled(), ' ', elsewhere->why));
        if (!elsewhere->hint.empty()) told.hints.push_back(elsewhere->hint);
        return {};
    }
    m_clause->arguments.insert(kElsewhere + n);
    auto a = make(ExprKind::ProbeArgument, isObject ? m_types.pointerTo(native, types::Space::User) : native, at);
    a->integer = static_cast<std::int64_t>(kElsewhere + n);
    return isObject ? dereference({.expr = a, .lvalue = true}, at) : Value{.expr = a, .lvalue = true};
}

Value Analyser::probeArgument(std::size_t n, Span at)
{
    const auto& first = m_clause->descriptions.front()->args[n];
    for (const auto* other : m_clause->descriptions)
        if (other->args.size() <= n || other->args[n].native != first.native || other->args[n].translated != first.translated)
            return error("D_ARGS_MULTI", at, "args[ ] may not be referenced because probe description ", m_clause->description,
                " matches an unstable set of probes");
    if (first.elsewhere && !first.elsewhere->why.empty()) return argumentElsewhere(n, nullptr, at); // its type may have no name in D
    const auto* native = typeFromText(first.native, m_clause->description);
    if (!native) return error("D_ARGS_TYPE", at, "failed to resolve native type for args[", n, ']');
    if (std::any_of(m_clause->descriptions.begin(), m_clause->descriptions.end(), [&](const auto* d) { return d->args[n].elsewhere; }))
        return argumentElsewhere(n, native, at);
    m_clause->arguments.insert(n);
    auto a = make(ExprKind::ProbeArgument, native, at);
    a->integer = static_cast<std::int64_t>(n);
    if (first.translated.empty()) return {.expr = a, .lvalue = true};
    const auto* output = typeFromText(first.translated, m_clause->description);
    if (!output) return error("D_ARGS_TYPE", at, "failed to resolve translated type for args[", n, ']');
    if (!translatorFor(*a, output)) {
        if (rules::accepts(native, *make(ExprKind::Variable, output, at))) {
            a->type = output;
            return {.expr = a, .lvalue = true};
        }
        return error("D_ARGS_XLATOR", at, "translator for args[", n, "] from ", types::spelled(native), " to ", types::spelled(output),
            " is not defined");
    }
    return translated(a, output, at);
}
} // namespace dscope::sema
