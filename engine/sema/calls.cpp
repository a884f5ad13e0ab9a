#include "engine/language/elsewhere.h"
#include "engine/language/language.h"
#include "engine/sema/analyser.h"
#include "engine/sema/functions.h"
#include "engine/syntax/names.h"
#include <algorithm>
#include <utility>
/// Calls within expressions.
namespace dscope::sema {
std::vector<ExprPtr> Analyser::rvalues(const std::vector<ast::ExprPtr>& kids, std::size_t from)
{
    std::vector<ExprPtr> all;
    for (std::size_t i = from; i < kids.size(); ++i)
        if (auto v = rvalue(*kids[i])) all.push_back(std::move(v));
    return all;
}

/// "f( ) prototype mismatch: 1 arg passed, at least 2 expected".
bool Analyser::checkCount(const ast::Expr& e, std::string_view name, std::size_t least, std::size_t most)
{
    const auto given = e.kids.size();
    if (given >= least && given <= most) return true;
    const std::string_view bound = least == most ? "" : given < least ? "at least " : "at most ";
    error("D_PROTO_LEN", e.at, name, "( ) prototype mismatch: ", given, given == 1 ? " arg " : " args ", "passed, ", bound,
        given < least ? least : most, " expected");
    if (name == "exit" && given == 0) m_diagnostics.hint("exit(0) ends with status 0");
    return false;
}

/// Keys against the tuple they must match; `what` is "key" or "argument".
bool Analyser::checkSignature(
    std::string_view name, std::string_view what, const std::vector<const Type*>& wanted, const std::vector<ExprPtr>& given, Span at)
{
    const bool keys = what == "key";
    const std::string_view brackets = keys ? "[ ]" : "( )";
    if (given.size() != wanted.size()) {
        error("D_PROTO_LEN", at, name, brackets, " prototype mismatch: ", given.size(), keys ? " key" : " arg",
            given.size() == 1 ? " " : "s ", "passed, ", wanted.size(), " expected");
        return false;
    }
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (rules::accepts(wanted[i], *given[i])) continue;
        error("D_PROTO_ARG", at, name, brackets, ' ', what, " #", i + 1,
            " is incompatible with prototype:\n\tprototype: ", types::spelled(wanted[i]), "\n\t", std::string(9 - what.size(), ' '), what,
            ": ", types::spelled(given[i]->type));
        return false;
    }
    return true;
}

/// Compiles a construct as the D `text`, in which the name `given` is the expression `given`.
Value Analyser::madeOf(std::string_view construct, std::string_view text, const ExprPtr& given)
{
    Bindings bound;
    bound.names["given"] = Value{given};
    const auto file = m_sources.addLibrary(std::string(construct), std::string(text));
    const auto& tree = m_trees.emplace_back(syntax::parseExpression(m_sources, file, m_diagnostics));
    const auto outer = std::exchange(m_bindings, &bound);
    auto value = expression(*tree);
    m_bindings = outer;
    return value;
}

Value Analyser::call(const ast::Expr& e)
{
    const auto version = m_program.options.text("version");
    if (syntax::isYounger(e.text, version)) {
        m_diagnostics.error("D_FUNC_UNDEF", e.at, text("undefined function name: ", e.text))
            .hints.push_back(text(e.text, "( ) is younger than version ", version, " of D, which option version asks for"));
        return {};
    }

    if (const auto* row = findSymbolFunction(e.text)) return symbolCall(e, *row);
    if (const auto* row = findStackFunction(e.text)) return stackCall(e, *row);
    if (findAggregator(e.text)) return {make(ExprKind::Integer, m_aggregatingType, e.at)};
    if (const auto* row = findAction(e.text)) {
        if (!checkCount(e, e.text, row->least, row->most)) return {};
        return {make(ExprKind::Integer, m_tracingType, e.at)};
    }

    if (const auto index = language::subroutineIndex(e.text); index < language::kSubroutines.size()) return subroutine(e, index);
    for (const auto& row : language::kConstructs)
        if (row.name() == e.text) return construct(e, row);
    if (m_scope.variable(ast::Scope::Global, e.text))
        return error("D_FUNC_IDKIND", e.at, "scalar '", e.text, "' may not be referenced as a function");
    auto& d = m_diagnostics.error("D_FUNC_UNDEF", e.at, text("undefined function name: ", e.text));
    const auto known = language::functionNames();
    if (auto foreign = language::foreignHint(language::Elsewhere::Function, e.text); !foreign.empty())
        d.hints.push_back(std::move(foreign));
    else if (findBuiltin(e.text))
        d.hints.push_back(e.text + " is a variable in D: it is written without ( )");
    else if (auto hint = didYouMean(nearNames(e.text, {known.begin(), known.end()})); !hint.empty())
        d.hints.push_back(std::move(hint));
    return {};
}

Value Analyser::construct(const ast::Expr& e, const language::Construct& row)
{
    if (!row.refusal.empty()) {
        m_diagnostics.error("D_UNKNOWN", e.at, text(e.text, "( ) is not supported")).hints.emplace_back(row.refusal);
        return {};
    }
    if (!checkCount(e, e.text, 1, 1)) return {};

    const auto given = rvalue(*e.kids[0]);
    if (!given) return {};

    const auto prototype = language::soleArgumentIn(row.prototype);
    const auto* wanted = named(prototype);
    if (!rules::accepts(wanted, *given))
        return error("D_PROTO_ARG", e.at, e.text, "( ) argument #1 is incompatible with prototype:\n\tprototype: ", prototype,
            "\n\t argument: ", types::spelled(given->type));
    return madeOf(e.text, row.meaning, converted(given, wanted));
}

/// A prototype is parsed when a program first calls the subroutine: most programs call few.
const syntax::Prototype& Analyser::prototype(std::size_t index)
{
    auto& known = m_prototypes.at(index);
    if (!known) known = syntax::parsePrototype(language::kSubroutines[index].prototype);
    return *known;
}

/// copyinstr(arg0) of openat, whose path is arg1: the argument is no address, and each firing ends in an error.
void Analyser::warnOfNoAddress(const ast::Expr& call, const Expr& address)
{
    if (address.kind != ExprKind::ProbeArgument || !m_clause || m_inLibrary) return;
    const auto isText = [](const probe::Arg& arg) { return arg.native.find("char *") != std::string::npos; };
    for (std::size_t i = 0; i < m_clause->descriptions.size(); ++i) {
        const auto& args = m_clause->descriptions[i]->args;
        const auto n = static_cast<std::size_t>(address.integer);
        if (n >= args.size() || args[n].native.find('*') != std::string::npos || args[n].native == "string") continue;
        const auto meant = std::find_if(args.begin(), args.end(), isText);
        if (meant == args.end()) continue;
        const auto name = m_clause->probes[i].name.spelled();
        m_diagnostics.warning({}, call.at, text("arg", n, " of ", name, " is no address (", args[n].native, ')'))
            .hints.push_back(text("its string is arg", meant - args.begin(), ": copyinstr(arg", meant - args.begin(), ')'));
        return;
    }
}

Value Analyser::subroutine(const ast::Expr& e, std::size_t index)
{
    const auto& row = language::kSubroutines[index];
    const auto& p = prototype(index);
    std::vector<ExprPtr> given = rvalues(e.kids);
    if (given.size() != e.kids.size()) return {};
    if (p.name == "copyinstr" && !given.empty()) warnOfNoAddress(e, *given.front());
    if (!checkCount(e, p.name, p.required, p.variadic ? std::max(e.kids.size(), p.required) : p.parameters.size())) return {};
    for (std::size_t i = 0; i < given.size() && i < p.parameters.size(); ++i) {
        if (p.parameters[i].base == "@" || p.parameters[i].base == "...") continue;
        const auto* wanted = resolve(p.parameters[i]);
        if (!wanted) return {};
        // A string parameter is C's const char *: that is how it is called in messages, and null pointers pass.
        const bool isText = rules::isString(wanted);
        if (isText) wanted = m_types.pointerTo(named("char"));
        if (p.parameters[i].isConst && given[i]->kind != ExprKind::Integer)
            return error("D_PROTO_ARG", e.at, p.name, "( ) argument #", i + 1,
                " is incompatible with prototype:\n\tprototype: integer constant\n\t argument: ", types::spelled(given[i]->type));
        if (static_cast<int>(i) == row.targetArgument) {
            const bool isPointer = rules::isPointer(given[i]->type) || rules::isInteger(given[i]->type);
            if (isPointer ? !isScratch(*given[i]) : rules::isString(given[i]->type))
                return error("D_PROTO_ARG", e.at, p.name, "( ) argument #", i + 1,
                    " is incompatible with prototype:\n\tprototype: alloca pointer\n\t argument: non-alloca pointer");
        }
        // Where any memory will do, a string's is meant.
        const auto* plain = types::resolved(wanted);
        if (plain->kind == types::Kind::Pointer && rules::isVoid(plain->target) && rules::isString(given[i]->type)) continue;
        if (!rules::accepts(wanted, *given[i]))
            return error("D_PROTO_ARG", e.at, p.name, "( ) argument #", i + 1,
                " is incompatible with prototype:\n\tprototype: ", types::spelled(wanted),
                "\n\t argument: ", types::spelled(given[i]->type));
        if (isText && rules::isInteger(given[i]->type)) given[i] = converted(given[i], wanted);
        given[i] = isText || rules::isStringLike(wanted) ? asString(given[i]) : converted(given[i], wanted);
    }

    const auto* result = resolve(p.result);
    if (!result) return {};
    if (const auto sizeAt = static_cast<std::size_t>(row.sizeArgument); sizeAt < given.size() && given[sizeAt]->kind == ExprKind::Integer) {
        const auto size = static_cast<std::uint64_t>(given[sizeAt]->integer);
        const auto room = std::max(m_program.options.number("scratchsize"), std::uint64_t{m_program.scratchByDefault});
        if (size > room) {
            m_diagnostics.error("D_ALLOCA_SIZE", e.at, text(p.name, '(', size, ") size larger than scratchsize ", room))
                .hints.emplace_back("-x scratchsize=SIZE gives alloca() and copyin() more room, 1m at most");
            return {};
        }
    }

    if (row.effect == language::Effect::Destructive) {
        if (m_clause && m_clause->speculates) return error("D_ACT_SPEC", e.at, "destructive actions may not follow speculate( )");
        m_program.destructive = true;
    }
    auto c = make(ExprKind::Call, result, e.at, std::move(given));
    c->subroutine = index;
    return {c};
}

Value Analyser::stackCall(const ast::Expr& e, const StackRow& row)
{
    if (!checkCount(e, e.text, row.least, row.most)) return {};
    const bool user = row.of == StackRow::Of::Process;
    auto frames = static_cast<std::int64_t>(m_program.options.number(row.framesOption));
    std::uint64_t nameBytes = row.bytesOption.empty() ? 0 : m_program.options.number(row.bytesOption);
    for (std::size_t i = 0; i < e.kids.size(); ++i) {
        const auto n = rvalue(*e.kids[i]);
        if (!n) return {};
        if (!rules::accepts(named("uint32_t"), *n))
            return error("D_PROTO_ARG", e.at, e.text, "( ) argument #", i + 1,
                " is incompatible with prototype:\n\tprototype: uint32_t\n\t argument: ", types::spelled(n->type));
        const bool isConstant = n->kind == ExprKind::Integer && n->integer >= 0;
        if (i == 1 && !isConstant) return error("D_USTACK_STRSIZE", e.at, "ustack( ) argument #2 must be a positive integer constant");
        if (i == 1) {
            nameBytes = static_cast<std::uint64_t>(n->integer);
            continue;
        }
        if (!isConstant || n->integer == 0)
            return error(
                user ? "D_USTACK_FRAMES" : "D_STACK_SIZE", e.at, e.text, "( ) argument #1 must be a non-zero positive integer constant");
        frames = n->integer;
    }

    if (!user) m_asksKernelStack = true;
    auto s = make(user ? ExprKind::UserStack : ExprKind::Stack, m_types.stack(), e.at);
    s->byDefault = e.kids.empty();
    s->nameBytes = static_cast<std::uint32_t>(nameBytes);
    if (const auto most = std::max<std::int64_t>(1, static_cast<std::int64_t>(m_program.options.number("maxframes")));
        m_program.options.isSet("maxframes") && most < frames) {
        frames = most;
        s->byDefault = false; // so many frames were asked for
    }
    s->integer = frames;
    return {s};
}

/// sym(address), func(), mod(), usym(), ufunc(), umod() and uaddr().
Value Analyser::symbolCall(const ast::Expr& e, const SymbolRow& row)
{
    if (!checkCount(e, e.text, 1, 1)) return {};
    const auto address = rvalue(*e.kids[0]);
    if (!address) return {};
    const auto* wanted = named("uintptr_t");
    if (!rules::accepts(wanted, *address))
        return error("D_PROTO_ARG", e.at, e.text,
            "( ) argument #1 is incompatible with prototype:\n\tprototype: uintptr_t\n\t argument: ", types::spelled(address->type));
    auto s = make(ExprKind::Cast, m_types.symbol(), e.at, {converted(address, wanted)});
    s->symbol = row.symbol;
    return {s};
}
} // namespace dscope::sema
