#include "engine/sema/analyser.h"
#include <algorithm>
/// Option aggpercpu: behind each aggregation there is another one, which has the CPU as one key more. What is done to the first is
/// done to the second, and printers show the second below the first.
namespace dscope::sema {
namespace {
/// Whether it does another thing, or gives another value, when it is evaluated again.
bool isOnceOnly(const ast::Expr& e)
{
    using Written = ast::ExprKind;
    const bool steps = e.kind == Written::Unary
        && (e.op == ast::Op::PreInc || e.op == ast::Op::PreDec || e.op == ast::Op::PostInc || e.op == ast::Op::PostDec);
    if (steps || e.kind == Written::Assign) return true;
    if (e.kind == Written::Call && (e.text == "rand" || e.text == "speculation")) return true;
    return std::any_of(e.kids.begin(), e.kids.end(), [](const auto& kid) { return kid && isOnceOnly(*kid); });
}
} // namespace

bool Analyser::keepsCpus() const { return m_program.options.flag("aggpercpu"); }

Aggregation& Analyser::addAggregation(const std::string& name)
{
    auto& made = m_scope.addAggregation(name);
    if (keepsCpus()) m_scope.addAggregation(name.empty() ? "by CPU" : name + " by CPU"); // no name that a program can write
    return made;
}

/// `into` ends with the statement that was made of `assignment`.
void Analyser::aggregateByCpu(const ast::Expr& assignment, std::vector<Statement>& into)
{
    const auto& target = *assignment.kids[0];
    for (const auto* part : {assignment.kids[0].get(), assignment.kids[1].get()})
        if (std::any_of(part->kids.begin(), part->kids.end(), [](const auto& kid) { return kid && isOnceOnly(*kid); })) {
            error("D_UNKNOWN", assignment.at, "option aggpercpu: @", target.text,
                " is aggregated twice, by its keys and by CPU: assign what changes to a variable before");
            return;
        }
    const auto* all = m_scope.aggregation(target.text);
    if (!all || !m_diagnostics.ok()) return;
    const auto cpu = providerExpression("cpu", "int", "aggpercpu");
    if (!cpu) return;
    auto& byCpu = m_scope.aggregations[all->id.value + 1];
    const auto id = byCpu.id;
    auto name = byCpu.name;
    byCpu = *all;
    byCpu.id = id;
    byCpu.name = std::move(name);
    byCpu.keys.push_back(cpu->type);
    byCpu.keyNames.emplace_back("cpu");
    auto statement = into.back();
    statement.aggregation = id;
    statement.keys.push_back(cpu);
    into.push_back(std::move(statement));
}

/// `into` ends with clear(), trunc(), normalize() or denormalize() of an aggregation.
void Analyser::controlByCpu(std::vector<Statement>& into)
{
    auto statement = into.back();
    if (statement.action == record::ActionKind::Trunc && !statement.args.empty()) { // which keys are left is up to the first alone
        if (statement.aggregations.empty()) return;
        into.back().aggregations.push_back({statement.aggregations.front().value + 1});
        return;
    }
    for (auto& id : statement.aggregations)
        ++id.value;
    into.push_back(std::move(statement));
}
} // namespace dscope::sema
