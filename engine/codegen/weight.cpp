#include "engine/codegen/weight.h"
#include "engine/codegen/any_expression.h"
#include "engine/codegen/stacks.h"
#include "engine/object/raw.h"
#include <algorithm>
#include <functional>
namespace dscope::codegen {
using sema::EnabledProbe;
std::uint32_t recordSize(const Unit& unit, const Plan& plan)
{
    std::uint32_t most = sizeof(RawHeader);
    const auto grow = [&](std::uint32_t payload, std::uint32_t stacks) {
        most = std::max(most, payload + stacks * (static_cast<std::uint32_t>(sizeof(RawUserStack)) + userStackRoom(payload, stacks)));
    };

    std::function<void(const std::vector<sema::Statement>&)> samples = [&](const std::vector<sema::Statement>& statements) {
        for (const auto& s : statements) {
            if (s.kind == sema::Statement::Kind::Aggregate && unit.aggregation(s.aggregation).sampled) {
                const auto& key = unit.aggregation(s.aggregation).key;
                grow(static_cast<std::uint32_t>(sizeof(RawHeader)) + 16 + key.layout.rawSize, key.userStacks);
            }
            samples(s.then);
            samples(s.otherwise);
        }
    };

    const auto fits = [&](const EnabledProbe& probe) {
        for (const auto index : probe.clauses) {
            const auto& clause = unit.program.clauses.at(index);
            for (const auto& segment : unit.segments(clause))
                grow(static_cast<std::uint32_t>(sizeof(RawHeader)) + segment.payload.layout.rawSize, segment.payload.userStacks);
            samples(clause.body);
        }
    };

    for (const auto& group : plan.groups)
        fits(*group.members.front().probe);
    if (const auto* error = unit.errorProbe()) fits(*error);
    return most;
}

namespace {
bool isName(const sema::Expr& e)
{
    return e.kind == sema::ExprKind::Builtin
        && (e.builtin == sema::Builtin::ProbeProv || e.builtin == sema::Builtin::ProbeMod || e.builtin == sema::Builtin::ProbeFunc
            || e.builtin == sema::Builtin::ProbeName);
}
} // namespace
bool usesNames(const Unit& unit, const Plan& plan)
{
    for (const auto& group : plan.groups)
        for (const auto index : group.members.front().probe->clauses) {
            const auto& clause = unit.program.clauses.at(index);
            if (anyOf(clause.predicate, isName) || anyOf(clause.body, isName)) return true;
        }
    return false;
}

namespace {
std::uint32_t mostUserFrames(const sema::ExprPtr& e)
{
    constexpr std::int64_t kByDefault = 100;
    if (!e) return 0;
    std::uint32_t most = 0;
    if (e->kind == sema::ExprKind::Builtin && e->builtin == sema::Builtin::UstackDepth) most = kMostFrames;
    if (e->kind == sema::ExprKind::UserStack)
        most = static_cast<std::uint32_t>(std::clamp<std::int64_t>(e->integer > 0 ? e->integer : kByDefault, 1, kMostFrames));
    for (const auto& kid : e->kids)
        most = std::max(most, mostUserFrames(kid));
    return most;
}
std::uint32_t mostUserFrames(const std::vector<sema::Statement>& statements)
{
    std::uint32_t most = 0;
    for (const auto& s : statements) {
        most = std::max({most, mostUserFrames(s.expr), mostUserFrames(s.then), mostUserFrames(s.otherwise)});
        for (const auto* list : {&s.keys, &s.values, &s.args})
            for (const auto& e : *list)
                most = std::max(most, mostUserFrames(e));
    }
    return most;
}
} // namespace
std::uint32_t mostUserFrames(const sema::Program& program)
{
    std::uint32_t most = 0;
    for (const auto& clause : program.clauses)
        most = std::max({most, mostUserFrames(clause.predicate), mostUserFrames(clause.body)});
    return most;
}

namespace {
/// About how many instructions an expression takes.
std::size_t weightOf(const sema::ExprPtr& e)
{
    std::size_t weight = 8;
    if (e)
        for (const auto& kid : e->kids)
            weight += weightOf(kid);
    return weight;
}
std::size_t weightOf(const std::vector<sema::Statement>& statements)
{
    std::size_t weight = 0;
    for (const auto& s : statements) {
        weight += 30 + weightOf(s.expr) + weightOf(s.then) + weightOf(s.otherwise);
        for (const auto* list : {&s.keys, &s.values, &s.args})
            for (const auto& e : *list)
                weight += weightOf(e);
    }
    return weight;
}
} // namespace
std::size_t weightOf(const sema::Program& program, const EnabledProbe& probe)
{
    std::size_t weight = 0;
    for (const auto index : probe.clauses)
        weight += 30 + weightOf(program.clauses.at(index).predicate) + weightOf(program.clauses.at(index).body);
    return weight;
}
} // namespace dscope::codegen
