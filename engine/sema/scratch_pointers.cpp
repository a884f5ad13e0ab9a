#include "engine/language/subroutines.h"
#include "engine/sema/analyser.h"
#include <algorithm>
/// Pointers into the memory that alloca() and copyin() give: the only memory besides variables that a program may write to.
/// Like a type, it is known when compiling whether an expression is such a pointer.
namespace dscope::sema {
namespace {
bool isNull(const Expr& e) { return e.kind == ExprKind::Integer && e.integer == 0; }
} // namespace

bool Analyser::isScratch(const Expr& e) const
{
    switch (e.kind) {
    case ExprKind::Call: return language::kSubroutines[e.subroutine].sizeArgument != language::kNoArgument;
    case ExprKind::Cast:
    case ExprKind::AddressOf:
    case ExprKind::Member: return isScratch(*e.kids[0]);
    case ExprKind::Dereference: return types::resolved(e.type)->kind != types::Kind::Pointer && isScratch(*e.kids[0]);
    case ExprKind::Binary:
        return std::any_of(e.kids.begin(), e.kids.end(), [&](const auto& kid) { return rules::isPointer(kid->type) && isScratch(*kid); });
    case ExprKind::Conditional: return isScratch(*e.kids[1]) || isScratch(*e.kids[2]);
    case ExprKind::Assign:
    case ExprKind::Comma: return isScratch(*e.kids[1]);
    case ExprKind::Variable:
    case ExprKind::Element: {
        const auto at = m_holdsScratch.find(e.variable.value);
        return at != m_holdsScratch.end() && at->second;
    }
    default: return false;
    }
}

/// Whether a pointer leads into what copyin() or alloca() gave: as isScratch(), but a pointer that stands in such memory leads elsewhere.
bool Analyser::leadsIntoScratch(const Expr& e) const
{
    switch (e.kind) {
    case ExprKind::Cast: return leadsIntoScratch(*e.kids[0]);
    case ExprKind::Assign:
    case ExprKind::Comma: return leadsIntoScratch(*e.kids[1]);
    case ExprKind::Member:
    case ExprKind::Dereference: return types::resolved(e.type)->kind != types::Kind::Pointer && isScratch(e);
    case ExprKind::Binary:
        return std::any_of(
            e.kids.begin(), e.kids.end(), [&](const auto& kid) { return rules::isPointer(kid->type) && leadsIntoScratch(*kid); });
    case ExprKind::Conditional: return leadsIntoScratch(*e.kids[1]) && leadsIntoScratch(*e.kids[2]);
    case ExprKind::Variable:
    case ExprKind::Element: {
        const auto at = m_leadsIntoScratch.find(e.variable.value);
        return at != m_leadsIntoScratch.end() && at->second;
    }
    default: return isScratch(e);
    }
}

/// Whether what a pointer leads to is in a process's memory. Its type says so, but for what copyin() has brought from there.
bool Analyser::leadsIntoProcess(const Expr& e) const { return rules::isUserPointer(e.type) && !leadsIntoScratch(e); }

/// Notes the kind of pointer that a variable holds. It must be the same in the whole program: if not, an error and false.
bool Analyser::keepsScratch(const Expr& target, const Expr& value, Span at)
{
    if ((target.kind != ExprKind::Variable && target.kind != ExprKind::Element) || !rules::isPointer(target.type) || isNull(value))
        return true;
    if (value.kind == ExprKind::Conditional && !isNull(*value.kids[1]) && !isNull(*value.kids[2])
        && isScratch(*value.kids[1]) != isScratch(*value.kids[2])) {
        error("D_ALLOCA_INCOMPAT", at, "ternary conditional with alloca and non-alloca branches cannot be assigned to a variable");
        return false;
    }
    const bool leads = leadsIntoScratch(value);
    if (const auto [before, isNew] = m_leadsIntoScratch.emplace(target.variable.value, leads); !isNew)
        before->second = before->second && leads;
    const bool scratch = isScratch(value);
    const auto [known, isNew] = m_holdsScratch.emplace(target.variable.value, scratch);
    if (isNew || known->second == scratch) return true;
    error("D_ALLOCA_INCOMPAT", at, m_scope.variables[target.variable.value].name,
        ": cannot reuse the same identifier for both alloca and non-alloca allocations");
    return false;
}
} // namespace dscope::sema
