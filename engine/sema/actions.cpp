#include "engine/sema/analyser.h"
#include "engine/sema/functions.h"
/// Actions: calls that are statements.
namespace dscope::sema {
using record::ActionKind;

/// Records the value of an argument as written in D; false when it has none.
void Analyser::record(Statement& statement, const ast::Expr& from, ExprPtr value)
{
    statement.args.push_back(std::move(value));
    statement.argNames.push_back(written(from));
}

/// What may follow what in a clause that speculates or commits.
bool Analyser::recordsData(ActionKind kind, Effect effect, Span at)
{
    auto& c = *m_clause;
    const auto wrong = [&](std::string_view tag, std::string_view message) {
        if (!c.outOfOrder) error(tag, at, message);
        c.outOfOrder = true;
        return false;
    };

    switch (kind) {
    case ActionKind::Commit:
        c.commits = true;
        return !c.records || wrong("D_COMM_DREC", "commit( ) may not follow data-recording action(s)");
    case ActionKind::Discard: return true;
    case ActionKind::Speculate:
        if (c.speculates) return wrong("D_SPEC_SPEC", "speculate( ) may not follow speculate( )");
        if (c.commits) return wrong("D_SPEC_COMM", "speculate( ) may not follow commit( )");
        if (c.records || c.aggregates) return wrong("D_SPEC_DREC", "speculate( ) may not follow data-recording action(s)");
        c.speculates = true;
        return true;
    default: break;
    }

    if (c.speculates && effect == Effect::Destructive) return wrong("D_ACT_SPEC", "destructive actions may not follow speculate( )");
    if (c.speculates && kind == ActionKind::Exit) return wrong("D_EXIT_SPEC", "exit( ) may not follow speculate( )");
    if (kind == ActionKind::Chill || kind == ActionKind::Raise || kind == ActionKind::Stop) return true; // they record nothing
    if (c.commits) return wrong("D_DREC_COMM", "data-recording actions may not follow commit( )");
    c.records = true;
    return true;
}

/// False when `call` names no action.
bool Analyser::action(const ast::Expr& call, Span at, std::vector<Statement>& into)
{
    Statement made;
    made.kind = Statement::Kind::Action;
    made.at = at;
    if (findStackFunction(call.text) || findSymbolFunction(call.text)) {
        if (stackAction(call, made) && recordsData(made.action, Effect::Harmless, at)) into.push_back(std::move(made));
        return true;
    }

    const auto* row = findAction(call.text);
    if (!row) return false;
    made.action = row->kind;
    const auto effect = row->destructive ? Effect::Destructive : Effect::Harmless;
    if (!checkCount(call, call.text, row->least, row->most)) return true;
    if (!row->refusal.empty()) {
        if (!recordsData(row->kind, effect, at)) return true;
        auto& d = m_diagnostics.error("D_UNKNOWN", at, text(call.text, "( ) is not supported"));
        d.hints.emplace_back(row->refusal);
        return true;
    }

    bool right = false;
    switch (row->kind) {
    case ActionKind::Trace: right = traceAction(call, made); break;
    case ActionKind::Tracemem: right = row->isPacket ? pcapAction(call, made) : tracememAction(call, made); break;
    case ActionKind::Print: right = printAction(call, made); break;
    case ActionKind::Printf:
    case ActionKind::System: right = printfAction(call, made); break;
    case ActionKind::Freopen: right = freopenAction(call, made); break;
    case ActionKind::Printa: right = printaAction(call, made); break;
    case ActionKind::Clear:
    case ActionKind::Trunc:
    case ActionKind::Normalize:
    case ActionKind::Denormalize: right = aggregationAction(call, made); break;
    case ActionKind::Setopt: right = setoptAction(call, made); break;
    default: right = plainAction(call, made); break;
    }

    if (!right || !recordsData(row->kind, effect, at)) return true;
    if (row->destructive) m_program.destructive = true;
    made.givesResult = row->givesResult;
    into.push_back(std::move(made));
    using Kind = ActionKind;
    const bool controls
        = row->kind == Kind::Clear || row->kind == Kind::Trunc || row->kind == Kind::Normalize || row->kind == Kind::Denormalize;
    if (controls && keepsCpus()) controlByCpu(into);
    return true;
}

bool Analyser::traceAction(const ast::Expr& call, Statement& into)
{
    const auto v = expression(*call.kids[0]);
    if (!v) return false;
    const auto wrong = [&](std::string_view tag, std::string_view what) {
        error(tag, call.at, "trace( ) may not be applied to a ", what, " expression");
        return false;
    };
    if (v.translator || rules::isDynamic(v.expr->type)) {
        wrong("D_TRACE_DYN", "dynamic");
        if (!v.translator) hintIfAggregation(v.expr->type, call.kids[0]->text);
        return false;
    }
    const auto* t = v.expr->type;
    if (rules::isVoid(t)) return wrong("D_TRACE_VOID", "void");
    if (rules::isFloat(t) || rules::isFunction(t)) {
        error("D_PROTO_ARG", call.at,
            "trace( ) argument #1 is incompatible with prototype:\n\tprototype: scalar or string\n\t argument: ", types::spelled(t));
        return false;
    }
    record(into, *call.kids[0], v.expr);
    return true;
}

bool Analyser::tracememAction(const ast::Expr& call, Statement& into)
{
    const auto address = rvalue(*call.kids[0]);
    const auto size = rvalue(*call.kids[1]);
    if (!address || !size) return false;
    if (!rules::isInteger(address->type) && !rules::isPointer(address->type)) {
        error("D_TRACEMEM_ADDR", call.at,
            "tracemem( ) argument #1 is incompatible with prototype:\n\tprototype: pointer or integer\n\t argument: ",
            types::spelled(address->type));
        return false;
    }

    if (!rules::accepts(named("size_t"), *size)) {
        error("D_PROTO_ARG", call.at,
            "tracemem( ) argument #2 is incompatible with prototype:\n\tprototype: size_t\n\t argument: ", types::spelled(size->type));
        return false;
    }

    if (size->kind != ExprKind::Integer || size->integer <= 0) {
        error("D_TRACEMEM_SIZE", call.at, "tracemem( ) argument #2 must be a non-zero positive integral constant expression");
        return false;
    }

    // The bytes themselves are the field: an array of `size` bytes at the address.
    const auto* bytes = m_types.arrayOf(named("unsigned char"), static_cast<std::uint64_t>(size->integer));
    const bool user = leadsIntoProcess(*address);
    auto memory
        = make(ExprKind::Dereference, bytes, call.kids[0]->at, {converted(address, m_types.pointerTo(bytes, types::spaceOf(user)))});
    memory->user = user;
    record(into, *call.kids[0], memory);
    if (call.kids.size() > 2) {
        const auto most = rvalue(*call.kids[2]);
        if (!most) return false;
        if (!rules::isInteger(most->type)) {
            error("D_PROTO_ARG", call.at,
                "tracemem( ) argument #3 is incompatible with prototype:\n\tprototype: size_t\n\t argument: ", types::spelled(most->type));
            return false;
        }
        record(into, *call.kids[2], converted(most, named("size_t")));
    }
    return true;
}

/// The format, which must be a string constant.
std::optional<std::string> Analyser::formatArgument(const ast::Expr& call)
{
    const auto& first = *call.kids[0];
    if (first.kind == ast::ExprKind::String) return first.text;
    const auto v = expression(first);
    if (!v) return std::nullopt;
    // printf's own prototype asks for a string; a string that is no constant passes that and fails as a format.
    const bool isString = !v.translator && rules::isStringLike(v.expr->type);
    if (const auto* row = findAction(call.text); row && row->kind == ActionKind::Printf && !isString)
        error("D_PROTO_ARG", call.at,
            "printf( ) argument #1 is incompatible with prototype:\n\tprototype: string\n\t argument: ", typeName(v));
    else
        error("D_PRINTF_ARG_FMT", call.at, call.text,
            "( ) argument #1 is incompatible with prototype:\n\tprototype: string constant\n\t argument: ", typeName(v));
    if (const auto as = written(first.at); as.starts_with('\''))
        m_diagnostics.hint("text stands between double quotes: \"" + as.substr(1, as.size() - 2) + '"');
    else if (!v.translator)
        hintIfAggregation(v.expr->type, first.text);
    return std::nullopt;
}

bool Analyser::printfAction(const ast::Expr& call, Statement& into)
{
    const auto format = formatArgument(call);
    if (!format) return false;
    into.format = *format;
    std::vector<ExprPtr> args;
    for (std::size_t i = 1; i < call.kids.size(); ++i) {
        const auto v = expression(*call.kids[i]);
        auto plain = v && v.translator ? rvalue(v, call.kids[i]->at) : v.expr;
        if (!plain) return false;
        args.push_back(std::move(plain));
    }
    if (!checkFormat(call, *format, 2, args, nullptr)) return false;
    for (std::size_t i = 0; i < args.size(); ++i)
        record(into, *call.kids[i + 1], args[i]);
    return true;
}

bool Analyser::freopenAction(const ast::Expr& call, Statement& into)
{
    // freopen("") goes back to the output there was: the one format that may be empty.
    if (call.kids.size() == 1 && call.kids[0]->kind == ast::ExprKind::String && call.kids[0]->text.empty()) return true;
    if (call.kids[0]->kind == ast::ExprKind::String && call.kids[0]->text == ".") {
        error("D_FREOPEN_INVALID", call.at, "freopen( ) argument #1 cannot be \".\"");
        return false;
    }
    return printfAction(call, into);
}

bool Analyser::printaAction(const ast::Expr& call, Statement& into)
{
    std::size_t first = 0;
    if (call.kids[0]->kind == ast::ExprKind::String) {
        into.format = call.kids[0]->text;
        first = 1;
        if (call.kids.size() == 1) {
            error("D_PRINTA_PROTO", call.at, "printa( ) prototype mismatch: 1 args passed, 2 expected");
            return false;
        }
    }

    const Aggregation* lead = nullptr;
    for (std::size_t i = first; i < call.kids.size(); ++i) {
        const auto* a = aggregationArgument(call, i, "D_PRINTA_AGGARG", "D_PRINTA_AGGBAD");
        if (!a) return false;
        into.aggregations.push_back(a->id);
        if (!lead) {
            lead = a;
            continue;
        }
        const auto l = lead->keys.size(), r = a->keys.size();
        if (l != r) {
            error("D_PRINTA_AGGKEY", call.at, "printa( ): @", lead->name, " and @", a->name, " do not have matching key signatures: @",
                lead->name, " has ", l, " key", l == 1 ? "" : "s", ", @", a->name, " has ", r, " key", r == 1 ? "" : "s");
            return false;
        }
        for (std::size_t k = 0; k < l; ++k) {
            if (rules::accepts(lead->keys[k], *make(ExprKind::Variable, a->keys[k], call.at))) continue;
            const auto padded = [](const std::string& name) { return std::string(name.size() < 9 ? 9 - name.size() : 0, ' ') + name; };
            error("D_PRINTA_AGGPROTO", call.at, "printa( ): @", a->name, "[ ] key #", k + 1, " is incompatible with @", lead->name, ":\n",
                padded(lead->name), " key #", k + 1, ": ", types::spelled(lead->keys[k]), '\n', padded(a->name), " key #", k + 1, ": ",
                types::spelled(a->keys[k]));
            return false;
        }
    }

    if (first == 0) return true;
    std::vector<ExprPtr> keys;
    for (const auto* t : lead->keys)
        keys.push_back(make(ExprKind::Variable, t, call.at));
    if (!checkFormat(call, into.format, 2, keys, lead)) return false;

    for (std::size_t k = 0; k < keys.size(); ++k)
        if (rules::isSymbol(keys[k]->type) && !rules::isSymbol(lead->keys[k]))
            for (const auto id : into.aggregations)
                if (auto& ofProcess = m_addresses[{id.value, k}]; keys[k]->symbol.ofProcess) ofProcess = true;
    return true;
}

/// Keys that printa() names by %a or %A get their names when they are recorded, as an argument of printf() does: the process may be
/// gone when they are printed. Where both print one key, an address is of one space only, and the other prints it as a number. Done at the
/// end, since printa() may come before or after what aggregates.
void Analyser::nameAddresses(std::vector<Statement>& body)
{
    for (auto& statement : body) {
        if (statement.kind == Statement::Kind::Aggregate)
            for (std::size_t k = 0; k < statement.keys.size(); ++k)
                if (const auto at = m_addresses.find({statement.aggregation.value, k}); at != m_addresses.end()) {
                    auto symbol = std::make_shared<Expr>(*namedAddress(statement.keys[k], types::spaceOf(at->second)));
                    symbol->symbol.by = SymbolName::By::Number;
                    statement.keys[k] = symbol;
                }
        nameAddresses(statement.then);
        nameAddresses(statement.otherwise);
    }
}
void Analyser::nameAddresses()
{
    if (m_addresses.empty()) return;
    if (keepsCpus())
        for (const auto& [key, ofProcess] : std::map(m_addresses))
            m_addresses.try_emplace({key.first + 1, key.second}, ofProcess);
    for (auto& clause : m_program.clauses)
        nameAddresses(clause.body);
    for (const auto& [key, ofProcess] : m_addresses)
        m_scope.aggregations[key.first].keys[key.second] = m_types.symbol();
}

bool Analyser::aggregationAction(const ast::Expr& call, Statement& into)
{
    struct Tags {
        std::string_view type, undefined;
    };
    const auto tags = into.action == ActionKind::Clear ? Tags{"D_CLEAR_AGGARG", "D_CLEAR_AGGBAD"}
        : into.action == ActionKind::Trunc             ? Tags{"D_TRUNC_AGGARG", "D_TRUNC_AGGBAD"}
                                                       : Tags{"D_NORMALIZE_AGGARG", "D_NORMALIZE_AGGBAD"};
    const auto* a = aggregationArgument(call, 0, tags.type, tags.undefined);
    if (!a) return false;
    into.aggregations.push_back(a->id);
    if (call.kids.size() < 2) return true;
    const auto number = rvalue(*call.kids[1]);
    if (!number) return false;
    const auto* wanted = named(into.action == ActionKind::Trunc ? "int64_t" : "uint64_t");
    if (!rules::accepts(wanted, *number)) {
        error("D_PROTO_ARG", call.at, call.text, "( ) argument #2 is incompatible with prototype:\n\tprototype: ", types::spelled(wanted),
            "\n\t argument: ", types::spelled(number->type));
        return false;
    }
    record(into, *call.kids[1], converted(number, wanted));
    return true;
}

bool Analyser::stackAction(const ast::Expr& call, Statement& into)
{
    const auto v = expression(call);
    if (!v) return false;
    into.action = rules::isSymbol(v.expr->type) ? ActionKind::Symbol
        : v.expr->kind == ExprKind::UserStack   ? ActionKind::UserStack
                                                : ActionKind::Stack;
    record(into, call, v.expr);
    return true;
}

bool Analyser::setoptAction(const ast::Expr& call, Statement& into)
{
    for (const auto& kid : call.kids) {
        const auto v = rvalue(*kid);
        if (!v) return false;
        if (!rules::isStringLike(v->type)) {
            error("D_PROTO_ARG", call.at, "setopt( ) argument #", into.args.size() + 1,
                " is incompatible with prototype:\n\tprototype: char *\n\t argument: ", types::spelled(v->type));
            return false;
        }
        record(into, *kid, asString(v));
    }
    return true;
}

/// Actions with no or one argument of a fixed type: exit, raise, stop, chill, commit, ...
bool Analyser::plainAction(const ast::Expr& call, Statement& into)
{
    const auto* row = findAction(call.text);
    for (const auto& kid : call.kids) {
        const auto v = expression(*kid);
        if (!v) return false;
        const auto* wanted = named(row->argument);
        if (v.translator || !rules::accepts(wanted, *v.expr)) {
            error("D_PROTO_ARG", call.at, call.text, "( ) argument #", into.args.size() + 1,
                " is incompatible with prototype:\n\tprototype: ", types::spelled(wanted), "\n\t argument: ", typeName(v));
            return false;
        }
        record(into, *kid, converted(v.expr, wanted));
    }
    return true;
}
} // namespace dscope::sema
