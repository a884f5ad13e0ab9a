#include "engine/codegen/kept_pointers.h"
namespace dscope::codegen {
using sema::Expr;
using sema::ExprKind;
using sema::ExprPtr;
using sema::Statement;
namespace {
/// Walks one clause in the order of its evaluation.
class Clause {
public:
    Clause(const sema::Program& program, std::set<std::uint32_t>& kept) : m_program(program), m_kept(kept) { }

    void expression(const ExprPtr& e)
    {
        if (!e) return;
        switch (e->kind) {
        case ExprKind::Variable:
        case ExprKind::Element:
            all(e->kids);
            if (isPointer(*e) && !m_assigned.contains(e->variable.value)) m_kept.insert(e->variable.value);
            break;

        case ExprKind::Assign: {
            const auto& target = *e->kids[0];
            if (target.kind == ExprKind::Variable)
                expression(e->kids[1]);
            else
                all(e->kids);
            if (target.kind == ExprKind::Variable && isPointer(target)) m_assigned.insert(target.variable.value);
            break;
        }

        case ExprKind::Conditional:
            expression(e->kids[0]);
            maybe([&] { expression(e->kids[1]); });
            maybe([&] { expression(e->kids[2]); });
            break;

        case ExprKind::Binary:
            expression(e->kids[0]);
            if (e->op == ast::Op::And || e->op == ast::Op::Or)
                maybe([&] { expression(e->kids[1]); });
            else
                expression(e->kids[1]);
            break;

        default: all(e->kids);
        }
    }

    void statements(const std::vector<Statement>& list)
    {
        for (const auto& s : list) {
            expression(s.expr);
            all(s.keys);
            all(s.values);
            all(s.args);
            maybe([&] { statements(s.then); });
            maybe([&] { statements(s.otherwise); });
        }
    }

private:
    bool isPointer(const Expr& variable) const
    {
        const auto& known = m_program.variables.at(variable.variable.value);
        return known.scope == ast::Scope::This && known.holdsScratch;
    }

    void all(const std::vector<ExprPtr>& list)
    {
        for (const auto& e : list)
            expression(e);
    }

    /// What may be skipped assigns nothing for certain.
    template <typename Walk> void maybe(Walk walk)
    {
        const auto before = m_assigned;
        walk();
        m_assigned = before;
    }

    const sema::Program& m_program;
    std::set<std::uint32_t>& m_kept;
    std::set<std::uint32_t> m_assigned; ///< always, at this point
};
} // namespace

std::set<std::uint32_t> keptPointers(const sema::Program& program)
{
    std::set<std::uint32_t> kept;
    for (const auto& c : program.clauses) {
        Clause clause(program, kept);
        clause.expression(c.predicate);
        clause.statements(c.body);
    }
    return kept;
}
} // namespace dscope::codegen
