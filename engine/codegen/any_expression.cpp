#include "engine/codegen/any_expression.h"
#include <algorithm>
namespace dscope::codegen {
bool anyOf(const sema::ExprPtr& e, Asked is) { return e && (is(*e) || anyOf(e->kids, is)); }

bool anyOf(const std::vector<sema::ExprPtr>& list, Asked is)
{
    return std::any_of(list.begin(), list.end(), [is](const auto& e) { return anyOf(e, is); });
}

bool anyOf(const std::vector<sema::Statement>& statements, Asked is)
{
    return std::any_of(statements.begin(), statements.end(), [is](const sema::Statement& s) {
        return anyOf(s.expr, is) || anyOf(s.keys, is) || anyOf(s.values, is) || anyOf(s.args, is) || anyOf(s.then, is)
            || anyOf(s.otherwise, is);
    });
}

bool anyOf(const sema::Program& program, Asked is)
{
    return std::any_of(
        program.clauses.begin(), program.clauses.end(), [is](const auto& c) { return anyOf(c.predicate, is) || anyOf(c.body, is); });
}
} // namespace dscope::codegen
