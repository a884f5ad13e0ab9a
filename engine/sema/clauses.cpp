#include "engine/sema/analyser.h"
#include "engine/sema/builtins.h"
#include "engine/sema/stability.h"
#include <algorithm>
#include <array>
#include <string_view>
/// Clauses: which probes, under which condition, which statements.
namespace dscope::sema {
namespace {
using Written = ast::ExprKind;
/// Does any part of `e` answer yes?
template <typename Question> bool any(const ast::Expr& e, const Question& question)
{
    if (question(e)) return true;
    for (const auto& kid : e.kids)
        if (kid && any(*kid, question)) return true;
    return false;
}
template <typename Question> bool any(const std::vector<ast::Statement>& body, const Question& question)
{
    for (const auto& s : body)
        if ((s.expr && any(*s.expr, question)) || any(s.then, question) || any(s.otherwise, question)) return true;
    return false;
}
/// args.name
bool namesArgs(const ast::Expr& e)
{
    return e.kind == Written::Member && e.kids[0]->kind == Written::Identifier && findArray(e.kids[0]->text) == BuiltinArray::Arguments;
}
bool usesArgs(const ast::Expr& e) { return e.kind == Written::Identifier && findArray(e.text) == BuiltinArray::Arguments; }
/// A predicate that brings variables to life is analysed before the statements, any other after them: each order
/// serves programs that the other would refuse.
bool assigns(const ast::Expr& e)
{
    if (e.kind == Written::Assign) return true;
    return e.kind == Written::Unary
        && (e.op == ast::Op::PreInc || e.op == ast::Op::PreDec || e.op == ast::Op::PostInc || e.op == ast::Op::PostDec);
}
/// Does `body` assign to a name that `predicate` reads?
bool provides(const std::vector<ast::Statement>& body, const ast::Expr& predicate)
{
    return any(body, [&](const ast::Expr& e) {
        if (!assigns(e) || e.kids.empty()) return false;
        const auto* target = e.kids[0].get();
        while (target->kind == Written::Index && !target->kids.empty())
            target = target->kids[0].get();
        return any(predicate, [&](const ast::Expr& used) { return used.kind == target->kind && used.text == target->text; });
    });
}
enum class Names : std::uint8_t { Matter, AreNotUsed };
/// Clauses are compiled once for each set of args[] types that their probes have, and of names if they use them.
std::string signature(const probe::Description& d, Names names)
{
    std::string all;
    for (const auto& a : d.args)
        all += a.native + '\n' + a.translated + '\n';
    if (names == Names::Matter && d.argNames)
        for (const auto& name : d.argNames())
            all += name + '\n';
    return all;
}
} // namespace

void Analyser::clause(const ast::Clause& clause)
{
    requireStability(clause);
    const bool usesArguments = (clause.predicate && any(*clause.predicate, usesArgs)) || any(clause.body, usesArgs);
    const auto names
        = (clause.predicate && any(*clause.predicate, namesArgs)) || any(clause.body, namesArgs) ? Names::Matter : Names::AreNotUsed;
    std::vector<std::pair<std::string, ClauseState>> instances;
    bool wrong = false;
    for (const auto& spec : clause.probes) {
        auto matched = match(spec, !clause.hasBody && !clause.predicate);
        if (!matched) {
            wrong = true;
            continue;
        }
        // A probe that a description finds by two names is one; two descriptions that name it fire the clause twice.
        std::set<std::uint32_t> once;
        std::erase_if(matched->probes, [&](const auto& probe) { return !once.insert(probe.id.value).second; });
        m_matches += matched->probes.size();
        if (m_firstProbe.empty()) m_firstProbe = spec.text;
        std::string key;
        std::vector<const probe::Description*> descriptions;
        for (const auto& probe : matched->probes) {
            const auto* d = describe(probe, spec.at, usesArguments ? Types::Known : Types::AreNotAskedFor);
            if (!d) {
                wrong = true;
                break;
            }
            descriptions.push_back(d);
        }
        if (usesArguments && !descriptions.empty()) key = signature(*descriptions.front(), names);
        auto it = std::find_if(instances.begin(), instances.end(), [&](const auto& i) { return i.first == key; });
        if (it == instances.end()) {
            it = instances.insert(instances.end(), {key, {}});
            it->second.description = matched->description;
        }
        auto& state = it->second;
        if (descriptions.size() != matched->probes.size()) continue;
        state.probes.insert(state.probes.end(), matched->probes.begin(), matched->probes.end());
        state.descriptions.insert(state.descriptions.end(), descriptions.begin(), descriptions.end());
    }
    if (wrong && instances.empty()) return;
    const auto told = m_diagnostics.all().size();
    for (auto& [key, state] : instances)
        instance(clause, std::move(state));
    // Of structures that nobody has described each use is an error, in texts of ours that nobody wrote, too.
    if (m_diagnostics.ok() || m_types.knowsKernel()) return;
    const auto at = clause.probes.empty() ? clause.at : clause.probes.front().at;
    // So is a constant or a probe of the kernel's that a provider's text names: those are found by its types.
    static constexpr std::array<std::string_view, 5> kOfStructures{
        "D_OP_SOU", "D_OP_INCOMPLETE", "D_OFFSETOF_TYPE", "D_SIZEOF_TYPE", "D_XLATE_NONE"};
    const auto comesOfIt = [&](const Diagnostic& d) {
        return m_sources.at(d.at.file).isProvider || std::find(kOfStructures.begin(), kOfStructures.end(), d.tag) != kOfStructures.end();
    };
    m_diagnostics.merge(told, comesOfIt,
        {Diagnostic::Severity::Error, "D_UNKNOWN", at, m_types.kernelTypesNeeded(), {std::string(types::TypeTable::kWhoHasKernelTypes)}});
}

/// Option amin: what a program may not do without.
void Analyser::requireStability(const ast::Clause& clause)
{
    const auto text = m_program.options.text("amin");
    if (text.empty() || m_inLibrary || m_sources.at(clause.at.file).isLibrary || !m_diagnostics.ok()) return;
    const auto minimum = attributesFromText(text);
    const auto require = [&](const Attributes& is, std::string_view what, Span at) {
        if (isLess(is, minimum) && m_diagnostics.ok()) // dtrace stops at the first
            error("D_ATTR_MIN", at, "attributes for ", what, " (", spelled(is), ") are less than predefined minimum");
    };
    const auto parts = m_sources.at(clause.at.file).parts;
    for (const auto& spec : clause.probes) {
        // In dtrace's order: the clause as a whole, with the line where it ends; its statements; its predicate.
        require(attributesOf(m_environment.probes, spec, parts), "clause", {clause.at.file, clause.at.end - 1, clause.at.end});
        const auto pattern = probe::parsePattern(spec.text, parts);
        const auto arguments = argumentAttributes(m_environment.probes, pattern ? std::string_view(pattern->provider) : std::string_view());
        const auto each = [&](const ast::Expr& e) {
            const auto what = e.typeName ? "type " + e.typeName->base : e.kind == Written::Call ? e.text + "( )" : "identifier " + e.text;
            require(attributesOf(e, arguments), what, e.at);
            return false;
        };
        any(clause.body, each);
        if (clause.predicate) any(*clause.predicate, each);
    }
}

void Analyser::instance(const ast::Clause& clause, ClauseState state)
{
    m_clause = &state;
    Clause made;
    made.id = ClauseId{static_cast<std::uint32_t>(m_program.clauses.size())};
    made.at = clause.at;
    for (const auto& spec : clause.probes)
        made.probes += (made.probes.empty() ? "" : ",") + spec.text;
    made.defaultAction = clause.body.empty();
    const auto isTarget = [](const ast::Expr& e) { return e.isTarget; };
    made.namesTarget = (clause.predicate && any(*clause.predicate, isTarget)) || any(clause.body, isTarget);
    const bool predicateFirst = clause.predicate && (any(*clause.predicate, assigns) || !provides(clause.body, *clause.predicate));
    const auto predicate = [&] {
        m_diagnostics.setRegion("predicate");
        made.predicate = condition(*clause.predicate, "D_PRED_SCALAR", "predicate result must be of scalar type");
    };

    const auto body = [&] {
        m_diagnostics.setRegion("action list");
        made.body = statements(clause.body);
    };

    if (predicateFirst) predicate();
    body();
    if (clause.predicate && !predicateFirst) predicate();
    m_diagnostics.setRegion({});
    m_clause = nullptr;
    const auto index = static_cast<std::uint32_t>(m_program.clauses.size());
    m_program.clauses.push_back(std::move(made));
    if (!m_diagnostics.ok()) return; // what follows only costs time then
    for (std::size_t i = 0; i < state.probes.size(); ++i) {
        auto& probe = m_program.probes[enabled(state.probes[i], clause.at)];
        requireArguments(probe, *state.descriptions[i], state.arguments, clause.at);
        probe.clauses.push_back(index);
    }
}

ExprPtr Analyser::condition(const ast::Expr& e, std::string_view tag, std::string_view message)
{
    const auto v = expression(e);
    if (!v) return nullptr;
    if (v.translator || !rules::isScalar(v.expr->type)) {
        error(tag, e.at, message);
        if (!v.translator) hintIfAggregation(v.expr->type, e.text);
        return nullptr;
    }
    return v.expr;
}

std::vector<Statement> Analyser::statements(const std::vector<ast::Statement>& body)
{
    std::vector<Statement> made;
    for (const auto& s : body)
        statement(s, made);
    return made;
}

void Analyser::statement(const ast::Statement& s, std::vector<Statement>& into)
{
    Statement made;
    made.at = s.at;
    switch (s.kind) {
    case ast::Statement::Kind::Empty: return;
    case ast::Statement::Kind::Declaration:
        for (const auto& d : s.declarations)
            declare(d);
        return;
    case ast::Statement::Kind::If:
        made.kind = Statement::Kind::If;
        made.expr = condition(*s.expr, "D_OP_SCALAR", "condition of if must be of scalar type");
        made.then = statements(s.then);
        made.otherwise = statements(s.otherwise);
        if (made.expr) into.push_back(std::move(made));
        return;
    case ast::Statement::Kind::Expression: break;
    }
    // OPT_time ? printf(...) : 1 with a constant OPT_time is how scripts leave out what an option did not ask for.
    const auto* whole = s.expr.get();
    while (whole->kind == Written::Conditional) {
        const auto* branch = chosen(*whole);
        if (!branch) break;
        whole = branch;
    }
    const auto& e = *whole;
    if (e.kind == Written::Call && action(e, s.at, into)) return;
    if (e.kind == Written::Aggregation) {
        if (!e.kids.empty() || expression(e)) error("D_AGG_NULL", e.at, "expression has null effect: @", e.text);
        return;
    }
    const auto* base = &e;
    while (base->kind == Written::Assign || base->kind == Written::Index)
        base = base->kids[0].get();
    if (base->kind == Written::Aggregation && base != &e) {
        const auto& target = e.kind == Written::Assign ? *e.kids[0] : e;
        if (target.kind == Written::Index) {
            error("D_AGG_MDIM", e.at, "improper attempt to reference @", base->text, " as a multi-dimensional array");
            return;
        }
        if (target.kind == Written::Assign) {
            error("D_OP_LVAL", e.at, "operator = requires modifiable lvalue as an operand");
            return;
        }
        if (!e.compound) {
            made.kind = Statement::Kind::Aggregate;
            aggregate(e, made);
            into.push_back(std::move(made));
            if (keepsCpus()) aggregateByCpu(e, into);
            return;
        }
    }
    made.expr = rvalue(e);
    if (!made.expr) return;
    if (made.expr->type == m_aggregatingType) {
        error("D_CG_EXPR", e.at, "aggregating function ", e.text, "( ) may not be called from a D expression (D program context required)");
        return;
    }
    if (rules::isDynamic(made.expr->type)) {
        error("D_CG_DYN", e.at, "expression cannot evaluate to result of dynamic type");
        return;
    }
    into.push_back(std::move(made));
}
} // namespace dscope::sema
