#include "engine/language/elsewhere.h"
#include "engine/language/language.h"
#include "engine/sema/analyser.h"
#include "engine/sema/builtins.h"
#include "engine/sema/kernel_data.h"
#include "engine/syntax/names.h"
#include <algorithm>
#include <limits>
/// Literals, names, sizes, casts: everything but operators, members and calls.
namespace dscope::sema {
Value Analyser::expression(const ast::Expr& e)
{
    using K = ast::ExprKind;
    switch (e.kind) {
    case K::Integer: return integerLiteral(e);
    case K::String: {
        auto s = make(ExprKind::String, m_types.string(), e.at);
        s->text = e.text;
        return {s};
    }
    case K::Identifier: return identifier(e);
    case K::Macro: return error("D_MACRO_UNDEF", e.at, "macro argument ", e.text, " is not defined");
    case K::ThisVariable: return scopedVariable(e, ast::Scope::This);
    case K::SelfVariable: return scopedVariable(e, ast::Scope::Self);
    case K::Aggregation: {
        if (!m_scope.aggregation(e.text)) {
            error("D_IDENT_UNDEF", e.at, "failed to resolve @", e.text, ": Unknown variable name");
            hintIfAggregation(m_aggregationType, e.text);
            return {};
        }
        return {make(ExprKind::Integer, m_aggregationType, e.at)};
    }
    case K::Index: return index(e);
    case K::Call: return call(e);
    case K::Member:
    case K::Arrow: return member(e);
    case K::Unary: return unary(e);
    case K::Binary: return binary(e);
    case K::Conditional: return conditional(e);
    case K::Assign: return assign(e);
    case K::Cast: return castTo(e);
    case K::SizeofType:
    case K::SizeofExpr: return sizeOf(e);
    case K::Offsetof: return offsetOf(e);
    case K::Stringof: return stringOf(e);
    case K::Xlate: return xlate(e);
    case K::Comma: return comma(e);
    }
    DSCOPE_BUG("an expression of no kind");
}

ExprPtr Analyser::rvalue(const Value& value, Span at)
{
    if (!value) return nullptr;
    // Translated data has no value as a whole. It gets a type of its own that no operator accepts.
    if (value.translator) return make(ExprKind::Integer, value.throughPointer ? m_translatedPointerType : m_translatedType, at);
    return value.expr;
}
ExprPtr Analyser::rvalue(const ast::Expr& e) { return rvalue(expression(e), e.at); }

ExprPtr Analyser::kept(const ExprPtr& value) const
{
    if (!value || (value->kind != ExprKind::Stack && value->kind != ExprKind::UserStack)) return value;
    auto frames = std::make_shared<Expr>(*value);
    frames->type = m_stackValue;
    return frames;
}
std::vector<ExprPtr> Analyser::keptAll(std::vector<ExprPtr> values) const
{
    for (auto& value : values)
        value = kept(value);
    return values;
}

/// The type of an integer constant: the first that holds it, unsigned ones only for octal, hexadecimal and u suffixes.
/// Source: ISO C99, 6.4.4.1, as dtrace follows it.
Value Analyser::integerLiteral(const ast::Expr& e)
{
    static constexpr std::string_view kTypes[] = {"int", "unsigned int", "long", "unsigned long", "long long", "unsigned long long"};
    static constexpr std::uint64_t kLimits[] = {0x7fffffff, 0xffffffff, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::uint64_t>::max()};
    const std::string_view spelling = e.text;
    const bool isHex = spelling.starts_with("0x") || spelling.starts_with("0X");
    const bool decimal = spelling.empty() || spelling[0] != '0' || spelling.size() == 1;
    std::size_t at = 0;
    bool isUnsigned = false;
    for (auto i = spelling.size(); i > 0; --i) {
        const char c = spelling[i - 1];
        if (c == 'u' || c == 'U') {
            isUnsigned = true;
            at += 1;
        } else if (c == 'l' || c == 'L')
            at += 2;
        else
            break;
    }

    // A character constant is an int; a hexadecimal one may end in no letter that is a suffix.
    if (!isHex && spelling.find('\'') != std::string_view::npos) at = 0;
    const std::size_t stride = (decimal || isUnsigned) ? 2 : 1;
    for (; at < std::size(kTypes); at += stride)
        if (e.value <= kLimits[at]) return {constant(static_cast<std::int64_t>(e.value), named(kTypes[at]), e.at)};
    return error("D_INT_OFLOW", e.at, "integer constant 0x", std::hex, e.value, " cannot be represented in any built-in integral type");
}

void Analyser::hintIfAggregation(const Type* t, std::string_view name)
{
    if (t != m_aggregationType && t != m_aggregatingType) return;
    const auto at = text('@', name);
    m_diagnostics.hint(t == m_aggregatingType ? std::string("an aggregating function is assigned to an aggregation: @ = count()")
                                              : text("programs can't read an aggregation: printa(", at,
                                                  ") prints it when it is consumed, and a variable (n++) can be compared"));
}

Value Analyser::undefined(const ast::Expr& e, const std::string& shown, std::string_view what, const std::vector<std::string>& candidates)
{
    if (!m_toldUndefined.insert(shown).second) return {};
    auto& d = m_diagnostics.error("D_IDENT_UNDEF", e.at, text("failed to resolve ", shown, ": ", what));
    if (auto foreign = language::foreignHint(language::Elsewhere::Variable, shown); !foreign.empty())
        d.hints.push_back(std::move(foreign));
    else if (auto argument = namesArgument(shown); !argument.empty())
        d.hints.push_back(std::move(argument));
    else if (auto hint = didYouMean(nearNames(shown, candidates)); !hint.empty())
        d.hints.push_back(std::move(hint));
    return {};
}

Value Analyser::identifier(const ast::Expr& e)
{
    if (e.text.find('`') != std::string::npos) return symbolReference(e);
    if (m_bindings)
        if (const auto it = m_bindings->names.find(e.text); it != m_bindings->names.end()) return it->second;
    if (auto v = builtin(e, e.text)) return v;
    if (m_where == Where::Provider && !m_scope.variable(ast::Scope::Global, e.text)) loadLibraryWith(e.text);
    if (isVisible(ast::Scope::Global, e.text)) {
        if (const auto* v = m_scope.variable(ast::Scope::Global, e.text)) {
            if (v->isArray()) return error("D_IDENT_BADREF", e.at, "associative array '", e.text, "' may not be referenced as scalar");
            return variableReference(*v, e.at);
        }
        if (isMissedAlready(ast::Scope::Global, e.text)) return {};
    }

    const bool isOwnTag = syntax::isYielding(e.text) && m_types.enumerator(e.text);
    for (int pass = 0; pass < 2 && !isOwnTag; ++pass) {
        if (const auto it = m_scope.inlines.find(e.text); it != m_scope.inlines.end()) {
            if (syntax::isYielding(e.text)) m_kept.insert(e.text);
            return expandInline(it->second, e);
        }
        if (pass == 0 && !loadLibraryWith(e.text)) break;
    }

    if (const auto array = findArray(e.text)) {
        auto& d = m_diagnostics.error("D_IDENT_BADREF", e.at, text("associative array '", e.text, "' may not be referenced as scalar"));
        if (array == BuiltinArray::Arguments) d.hints.emplace_back("an argument is args[0], or args.name where its provider knows names");
        return {};
    }
    if (e.text == "self" || e.text == "this")
        return error("D_IDENT_BADREF", e.at, "pointer '", e.text, "' may not be referenced as scalar");
    if (const auto tag = m_types.enumerator(e.text)) return {constant(tag->first, tag->second, e.at)};
    if (const auto kind = kindOfFunction(e.text); !kind.empty()) {
        if (!m_toldUndefined.insert(e.text).second) return {};
        auto& d = m_diagnostics.error("D_IDENT_BADREF", e.at, text(kind, " '", e.text, "' may not be referenced as scalar"));
        auto foreign = language::foreignHint(language::Elsewhere::Variable, e.text);
        d.hints.push_back(foreign.empty() ? e.text + " is a function: " + e.text + "( )" : std::move(foreign));
        return {};
    }

    std::vector<std::string> candidates;
    for (const auto& row : builtinRows())
        candidates.emplace_back(row.name);
    for (const auto& v : m_scope.variables)
        if (v.scope == ast::Scope::Global) candidates.push_back(v.name);
    for (const auto& [name, in] : m_scope.inlines)
        candidates.push_back(name);
    return undefined(e, e.text, "Unknown variable name", candidates);
}

Value Analyser::builtin(const ast::Expr& e, std::string_view name)
{
    if (const int n = argumentNumber(name); n >= 0 && m_where == Where::Program) {
        const auto index = static_cast<std::size_t>(n);
        const auto* type = named("int64_t");
        if (m_clause) {
            m_clause->arguments.insert(index);
            // Where the argument is a string that the provider fetched, argN is that string: there is no address to give.
            const auto& all = m_clause->descriptions;
            const bool isText = !all.empty() && std::all_of(all.begin(), all.end(), [&](const auto* d) {
                return d->args.size() > index && d->args[index].native == "string";
            });
            if (isText) type = m_types.string();
        }
        auto a = make(ExprKind::ProbeArgument, type, e.at);
        a->integer = n;
        return {.expr = a, .lvalue = true};
    }

    const auto* row = findBuiltin(name);
    if (!row) return {};
    const Type* type = nullptr;
    if (row->builtin == Builtin::Curthread) {
        const auto* task = m_types.find("struct task_struct");
        type = m_types.pointerTo(task ? task : m_types.voidType());
    } else if (row->builtin == Builtin::Curcpu) {
        const auto* info = findType("cpuinfo_t");
        DSCOPE_ASSERT(info); // of the base library
        type = m_types.pointerTo(info);
        if (m_program.cpus.empty()) m_program.cpus = describeCpus();
    } else
        type = named(row->type);
    if (row->builtin == Builtin::Caller || row->builtin == Builtin::StackDepth) m_asksKernelStack = true;
    auto b = make(ExprKind::Builtin, type, e.at);
    b->builtin = row->builtin;
    return {.expr = b, .lvalue = true};
}

std::vector<Cpu> Analyser::describeCpus() const
{
    const auto& host = m_environment.host;
    std::vector<Cpu> cpus(static_cast<std::size_t>(std::max(1, host.cpuCount())));
    for (std::size_t i = 0; i < cpus.size(); ++i) {
        cpus[i].id = static_cast<std::int32_t>(i);
        if (const auto chip = host.read("/sys/devices/system/cpu/cpu" + std::to_string(i) + "/topology/physical_package_id"))
            cpus[i].chip = std::max(0, std::atoi(chip->c_str()));
    }
    // "0-3,8-11": the processors of a memory node, which is what Linux has for latency groups.
    for (int node = 0; node < 1024; ++node) {
        const auto list = host.read("/sys/devices/system/node/node" + std::to_string(node) + "/cpulist");
        if (!list) break;
        for (const char* at = list->c_str(); *at >= '0' && *at <= '9';) {
            char* end = nullptr;
            const auto first = std::strtoul(at, &end, 10), last = *end == '-' ? std::strtoul(end + 1, &end, 10) : first;
            for (auto i = first; i <= last && i < cpus.size(); ++i)
                cpus[i].latencyGroup = node;
            at = *end == ',' ? end + 1 : end;
        }
    }
    return cpus;
}

Value Analyser::variableReference(const Variable& variable, Span at)
{
    auto v = make(ExprKind::Variable, variable.type, at);
    v->variable = variable.id;
    return {.expr = v, .lvalue = true, .writable = true};
}

/// Whether a variable is visible here. The expressions of a provider see the global variables of libraries, not the program's.
bool Analyser::isVisible(ast::Scope scope, const std::string& name) const
{
    return m_where == Where::Program || scope != ast::Scope::Global || m_libraryVariables.contains({scope, name});
}

Value Analyser::scopedVariable(const ast::Expr& e, ast::Scope scope)
{
    if (m_where == Where::Provider && !m_scope.variable(scope, e.text)) loadLibraryWith(e.text);
    const auto* v = isVisible(scope, e.text) ? m_scope.variable(scope, e.text) : nullptr;
    const std::string_view prefix = scope == ast::Scope::This ? "this->" : "self->";
    if (!v) {
        if (isNeverRun() || isMissedAlready(scope, e.text)) return {};
        if (m_someClauseSkipped || !m_toldUndefined.insert(std::string(prefix) + e.text).second) return {};
        auto& d = m_diagnostics.error("D_VAR_UNDEF", e.at, text(prefix, e.text, " has not yet been declared or assigned"));
        std::vector<std::string> candidates;
        for (const auto& each : m_scope.variables)
            if (each.scope == scope) candidates.push_back(each.name);
        auto near = nearNames(e.text, candidates);
        for (auto& n : near)
            n = std::string(prefix) + n;
        if (!near.empty()) d.hints.push_back(didYouMean(near));
        return {};
    }
    if (v->isArray()) return error("D_IDENT_BADREF", e.at, "associative array '", e.text, "' may not be referenced as scalar");
    return variableReference(*v, e.at);
}

/// `name, module`name: the address is the kernel's, the type what BTF knows of it.
Value Analyser::symbolReference(const ast::Expr& e)
{
    const auto tick = e.text.rfind('`');
    const auto module = e.text.substr(0, tick), name = e.text.substr(tick + 1);
    const auto shown = text(module, '`', name);
    const auto table = m_environment.host.read("/proc/kallsyms");
    if (!table) return error("D_IDENT_UNDEF", e.at, "failed to resolve ", shown, ": ", table.error().message);
    const auto symbol = kernelSymbol(*table, module, name);
    if (!symbol) {
        auto& d = m_diagnostics.error("D_IDENT_UNDEF", e.at, text("failed to resolve ", shown, ": Unknown symbol name"));
        // Every kernel has this one, where it tells of data at all.
        if (table->find(" init_task\n") == std::string::npos)
            d.hints.push_back("this kernel names its functions only (it was built without CONFIG_KALLSYMS_ALL): its variables are hidden");
        return {};
    }

    const auto* type = m_types.kernelFunction(name);
    const bool isCode = symbol->type == 't' || symbol->type == 'T';
    if (!type && !isCode) type = typeFromText(kernelDataType(*symbol, name), "kernel");
    if (!type) {
        auto& d = m_diagnostics.error("D_SYM_NOTYPES", e.at,
            text("no symbolic type information is available for ", symbol->module, '`', name, ": Module does not contain any CTF data"));
        d.hints.push_back("the kernel's BTF does not describe that function");
        return {};
    }
    return {.expr
        = make(ExprKind::Dereference, type, e.at, {constant(static_cast<std::int64_t>(symbol->address), m_types.pointerTo(type), e.at)}),
        .lvalue = true};
}

Value Analyser::sizeOf(const ast::Expr& e)
{
    const Type* type = nullptr;
    std::uint64_t size = 0;
    if (e.kind == ast::ExprKind::SizeofType) {
        type = resolve(*e.typeName);
        if (!type) return {};
        size = type->size;
    } else {
        const auto& operand = *e.kids[0];
        if (operand.kind == ast::ExprKind::Identifier && !findBuiltin(operand.text) && !m_scope.variable(ast::Scope::Global, operand.text))
            type = findType(operand.text); // sizeof (name): the parser cannot tell types from variables
        if (!type) {
            const auto value = expression(operand);
            if (!value) return {};
            if (value.expr->kind == ExprKind::Member && value.expr->bitWidth)
                return error("D_SIZEOF_BITFIELD", e.at, "cannot apply sizeof to a bit-field");
            type = typeOf(value);
            if (value.expr->kind == ExprKind::String) size = value.expr->text.size() + 1;
        }
        if (size == 0) size = types::shown(type)->size;
    }
    if (size == 0) return error("D_SIZEOF_TYPE", e.at, "cannot apply sizeof to an operand of unknown size");
    return {constant(static_cast<std::int64_t>(size), named("size_t"), e.at)};
}

Value Analyser::offsetOf(const ast::Expr& e)
{
    const auto* type = resolve(*e.typeName);
    if (!type) return {};
    std::uint32_t bits = 0;
    std::string_view path = e.text;
    while (!path.empty()) {
        if (!rules::isStructured(type) || type->size == 0)
            return error("D_OFFSETOF_TYPE", e.at, "offsetof operand must be a struct or union type");
        const auto dot = path.find('.');
        const auto part = path.substr(0, dot);
        const auto field = m_types.member(type, part);
        if (!field) return error("D_UNKNOWN", e.at, "failed to determine offset of ", part, ": Member name not found");
        if (field->bitWidth) return error("D_OFFSETOF_BITFIELD", e.at, "cannot take offset of a bit-field: ", part);
        bits += field->bitOffset;
        type = field->type;
        path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
    }
    return {constant(bits / 8, named("size_t"), e.at)};
}

Value Analyser::castTo(const ast::Expr& e)
{
    const auto* type = resolve(*e.typeName);
    if (!type) return {};
    const auto operand = expression(*e.kids[0]);
    const auto value = rvalue(operand, e.kids[0]->at);
    if (!value) return {};
    const auto* from = value->type;

    // (char *)curpsinfo->pr_psargs: an array in Solaris, whose address outlives the firing. Here it is a string without such an
    // address. It stays a value, since scripts keep such a pointer only for its text.
    if (rules::isString(from) && rules::isPointer(type) && rules::isStringLike(type)) return {value};
    // (int)args[pid] == 0: whether there is such a pointer, kept as a string.
    const bool isKept
        = rules::isString(from) && rules::isInteger(type) && (value->kind == ExprKind::Variable || value->kind == ExprKind::Element);
    const bool possible = isKept || rules::same(type, from) || (rules::isScalar(type) && (rules::isScalar(from) || rules::isFunction(from)))
        || rules::isVoid(type) || (types::resolved(type)->kind == types::Kind::Pointer && rules::isPointer(from))
        || (rules::isString(type) && (rules::isScalar(from) || rules::isStringLike(from)));
    if (!possible || rules::isDynamic(from))
        return error("D_CAST_INVAL", e.at, "invalid cast expression: \"", types::spelled(from), "\" to \"", types::spelled(type), '"');
    if (rules::isFunction(from)) return {make(ExprKind::Cast, type, e.at, {value->kids[0]})};
    if (from == m_tracingType)
        return error("D_CG_EXPR", e.at, "tracing function ", e.kids[0]->text,
            "( ) may not be called from a D expression (D program context required)");
    if (rules::isVoid(type)) return {make(ExprKind::Cast, type, e.at, {value})};
    if (from == type && rules::isInteger(type)) return {folded(make(ExprKind::Cast, type, e.at, {value}))}; // cuts what is too large
    // A cast of a writable pointer is writable too.
    return {.expr = converted(value, type), .writable = operand.writable};
}

Value Analyser::stringOf(const ast::Expr& e)
{
    const auto value = expression(*e.kids[0]);
    if (!value) return {};
    if (value.translator || rules::isDynamic(value.expr->type)
        || (!rules::isScalar(value.expr->type) && !rules::isPointer(value.expr->type) && !rules::isStringLike(value.expr->type)))
        return error("D_STRINGOF_TYPE", e.at, "cannot apply stringof to a value of type ", typeName(value));
    return {asString(value.expr)};
}
} // namespace dscope::sema
