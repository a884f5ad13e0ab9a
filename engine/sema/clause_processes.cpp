#include "engine/sema/clause_processes.h"
#include "engine/language/subroutines.h"
#include "engine/sema/rules.h"
#include <algorithm>
#include <array>
#include <functional>
namespace dscope::sema {
namespace {
using Processes = record::Clause::Processes;

bool isTask(const Type* type)
{
    const auto* pointed = rules::isPointer(type) ? types::resolved(rules::targetOf(type)) : types::resolved(type);
    return pointed && pointed->name == "struct task_struct";
}
bool readsProcess(const Expr& e)
{
    if (e.kind == ExprKind::Call) {
        for (const auto* name : {"progenyof", "dscope_cgroup", "dscope_container"})
            if (e.subroutine == language::subroutineIndex(name)) return true;
        return false;
    }
    if (e.kind != ExprKind::Builtin) return false;
    switch (e.builtin) {
    case Builtin::Pid:
    case Builtin::Tid:
    case Builtin::Ppid:
    case Builtin::Uid:
    case Builtin::Gid:
    case Builtin::Execname:
    case Builtin::Curthread:
    case Builtin::Execargs: return true;
    default: return false;
    }
}
/// The process that fires the probe, or another one that its arguments are about.
bool isAboutProcess(const Expr& e) { return readsProcess(e) || (e.type && isTask(e.type)); }
/// Whether processes of the whole machine fire it. Not so for probes within certain processes (pid, USDT), and for those that no
/// process fires: BEGIN, END, ERROR, tick.
bool firesForAll(const EnabledProbe& probe)
{
    return std::any_of(probe.hooks.begin(), probe.hooks.end(), [](const EnabledProbe::Hook& hook) {
        if (const auto* event = std::get_if<probe::PerfEvent>(&hook.at)) return event->everyCpu;
        return !std::holds_alternative<probe::Manual>(hook.at) && !std::holds_alternative<probe::Uprobe>(hook.at);
    });
}
bool firesInProcesses(const EnabledProbe& probe)
{
    return std::any_of(probe.hooks.begin(), probe.hooks.end(),
        [](const EnabledProbe::Hook& hook) { return std::holds_alternative<probe::Uprobe>(hook.at); });
}
/// What somebody else has put there.
bool readsMemory(const Expr& e)
{
    return e.kind == ExprKind::Variable || e.kind == ExprKind::Element || e.kind == ExprKind::Dereference || e.kind == ExprKind::StringFrom
        || (e.kind == ExprKind::Call && !readsProcess(e));
}
bool anyOf(const Expr& e, const std::function<bool(const Expr&)>& test)
{
    return test(e) || std::any_of(e.kids.begin(), e.kids.end(), [&](const ExprPtr& kid) { return kid && anyOf(*kid, test); });
}
const Expr& withoutCasts(const Expr& e) { return e.kind == ExprKind::Cast && e.kids.size() == 1 ? withoutCasts(*e.kids[0]) : e; }

bool isZero(const Expr& e) { return withoutCasts(e).kind == ExprKind::Integer && withoutCasts(e).integer == 0; }

/// The parts of `a && b && c`.
void eachPart(const Expr& predicate, const std::function<void(const Expr&)>& take)
{
    if (predicate.kind != ExprKind::Binary || predicate.op != ast::Op::And) return take(withoutCasts(predicate));
    for (const auto& kid : predicate.kids)
        eachPart(withoutCasts(*kid), take);
}

class Finder {
public:
    Finder(Program& program, std::int64_t target) : m_program(program), m_target(target) { }

    void find()
    {
        m_ofProbes = std::vector<Processes>(m_program.clauses.size(), Processes::NotTold);
        for (const auto& probe : m_program.probes)
            for (const auto clause : probe.clauses) {
                if (firesForAll(probe)) m_ofProbes[clause] = Processes::All;
                if (firesInProcesses(probe) && m_ofProbes[clause] == Processes::NotTold) m_ofProbes[clause] = Processes::Some;
            }
        for (auto& clause : m_program.clauses)
            clause.readsProcess = clause.namesTarget || (clause.predicate && anyOf(*clause.predicate, isAboutProcess))
                || anyIn(clause.body, isAboutProcess);
        for (auto& clause : m_program.clauses)
            clause.yieldsData = clause.defaultAction || yieldsData(clause.body);

        // What a clause chooses is known when it is known who sets the variables that it asks for.
        for (std::size_t pass = 0; pass <= m_program.clauses.size(); ++pass) {
            bool isSame = true;
            for (std::size_t i = 0; i < m_program.clauses.size(); ++i) {
                const auto found = processesOf(i);
                isSame = isSame && found == m_program.clauses[i].processes;
                m_program.clauses[i].processes = found;
            }
            if (isSame) return;
        }
    }

private:
    Processes processesOf(std::size_t index) const
    {
        const auto& clause = m_program.clauses[index];
        auto found = m_ofProbes[index];
        if (found == Processes::NotTold) return found;
        bool isUnknown = asksWithin(clause.body), isNever = false;
        if (clause.predicate)
            eachPart(*clause.predicate, [&](const Expr& part) {
                isNever = isNever || isZero(part);
                const auto chosen = chosenBy(part);
                if (chosen == Processes::NotTold) isUnknown = true;
                found = std::max(found, chosen);
            });
        if (isNever) return Processes::NotTold;
        return found == Processes::All && isUnknown ? Processes::NotTold : found;
    }

    Processes chosenBy(const Expr& part) const
    {
        if (isTarget(part)) return Processes::Target;
        if (anyOf(part, readsProcess)) return Processes::Some;
        if (part.kind == ExprKind::Variable) return setFor(part.variable);
        if (part.kind == ExprKind::Binary && part.op == ast::Op::Ne) // `/self->in != 0/`
            for (const auto& kid : part.kids)
                if (const auto& read = withoutCasts(*kid); read.kind == ExprKind::Variable) return setFor(read.variable);
        return anyOf(part, readsMemory) ? Processes::NotTold : Processes::All;
    }

    /// `pid == $target`, `progenyof($target)`
    bool isTarget(const Expr& part) const
    {
        const auto isNumber = [&](const Expr& e) {
            return m_target != 0 && withoutCasts(e).kind == ExprKind::Integer && withoutCasts(e).integer == m_target;
        };
        if (part.kind == ExprKind::Call && readsProcess(part)) return part.kids.size() == 1 && isNumber(*part.kids[0]);
        if (part.kind != ExprKind::Binary || part.op != ast::Op::Eq) return false;
        const auto isPid
            = [](const Expr& e) { return withoutCasts(e).kind == ExprKind::Builtin && withoutCasts(e).builtin == Builtin::Pid; };
        return (isPid(*part.kids[0]) && isNumber(*part.kids[1])) || (isPid(*part.kids[1]) && isNumber(*part.kids[0]));
    }

    /// For which processes a variable of a thread or of a firing is anything but 0.
    Processes setFor(VariableId id) const
    {
        if (m_program.variables[id.value].scope == ast::Scope::Global) return Processes::NotTold;
        std::optional<Processes> found;
        for (const auto& clause : m_program.clauses) {
            const auto sets = [&](const Expr& e) {
                const bool isStep = e.kind == ExprKind::Step;
                if ((e.kind != ExprKind::Assign && !isStep) || e.kids[0]->kind != ExprKind::Variable || e.kids[0]->variable != id)
                    return false;
                return isStep || !isZero(*e.kids[1]);
            };
            const bool isSet = anyIn(clause.body, sets) || (clause.predicate && anyOf(*clause.predicate, sets));
            if (isSet) found = std::min(found.value_or(clause.processes), clause.processes);
        }
        return found.value_or(Processes::NotTold);
    }

    /// Whether something of a firing is seen later: what is recorded, aggregated or done to processes, and what any thread may read. 0 in
    /// a variable is what was there before.
    bool yieldsData(const std::vector<Statement>& body) const
    {
        return std::any_of(body.begin(), body.end(), [&](const Statement& s) {
            switch (s.kind) {
            case Statement::Kind::Aggregate: return true;
            case Statement::Kind::If: return yieldsData(s.then) || yieldsData(s.otherwise);
            case Statement::Kind::Expression: return anyOf(*s.expr, [this](const Expr& e) { return setsGlobal(e); });
            case Statement::Kind::Action: break;
            }
            using Kind = record::ActionKind;
            constexpr std::array kQuiet{
                Kind::Clear, Kind::Trunc, Kind::Normalize, Kind::Denormalize, Kind::Setopt, Kind::Commit, Kind::Discard, Kind::Speculate};
            return std::find(kQuiet.begin(), kQuiet.end(), s.action) == kQuiet.end();
        });
    }
    bool setsGlobal(const Expr& e) const
    {
        const bool isStep = e.kind == ExprKind::Step;
        if (e.kind != ExprKind::Assign && !isStep) return false;
        const auto& to = *e.kids[0];
        const bool isVariable = to.kind == ExprKind::Variable || to.kind == ExprKind::Element;
        return isVariable && m_program.variables[to.variable.value].scope == ast::Scope::Global && (isStep || !isZero(*e.kids[1]));
    }

    static bool anyIn(const std::vector<Statement>& body, const std::function<bool(const Expr&)>& test)
    {
        return std::any_of(body.begin(), body.end(), [&](const Statement& s) {
            const auto any = [&](const std::vector<ExprPtr>& all) {
                return std::any_of(all.begin(), all.end(), [&](const ExprPtr& e) { return e && anyOf(*e, test); });
            };
            return (s.expr && anyOf(*s.expr, test)) || any(s.keys) || any(s.values) || any(s.args) || anyIn(s.then, test)
                || anyIn(s.otherwise, test);
        });
    }

    /// Whether what a clause does depends on more than its predicate.
    static bool asksWithin(const std::vector<Statement>& body)
    {
        return std::any_of(body.begin(), body.end(), [](const Statement& s) {
            return s.kind == Statement::Kind::If
                && (anyOf(*s.expr, [](const Expr& e) { return readsProcess(e) || readsMemory(e); }) || asksWithin(s.then)
                    || asksWithin(s.otherwise));
        });
    }

    Program& m_program;
    std::int64_t m_target;
    std::vector<Processes> m_ofProbes;
};
} // namespace

void findProcesses(Program& program, std::int64_t target) { Finder(program, target).find(); }
} // namespace dscope::sema
