#pragma once
#include "engine/base/near_names.h"
#include "engine/sema/program.h"
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
namespace dscope::sema {
/// translator OUT < IN NAME > { member = expression; ... }: kept as written, expanded where a member is used.
struct Translator {
    const Type* output = nullptr;
    const ast::TypeName* input = nullptr;
    std::string inputName;
    std::map<std::string, const ast::Expr*, std::less<>> members;
    Span at;
};
/// inline T name = expression; or inline T name[K key] = expression; expanded where it is used.
struct Inline {
    const Type* type = nullptr;
    const ast::Declaration* declaration = nullptr;
};
/// Names of one program: D has one name space for globals, one each for self-> and this->, one for aggregations.
class Scope {
public:
    /// Variables in order of appearance; VariableId indexes them.
    std::deque<Variable> variables;
    std::deque<Aggregation> aggregations;
    std::map<std::string, Inline, std::less<>> inlines;
    std::vector<Translator> translators;
    /// Names of variables whose first assignment was wrong: using them is no further error.
    std::set<std::pair<ast::Scope, std::string>> poisoned;

    Variable* variable(ast::Scope scope, std::string_view name);
    Variable& add(ast::Scope scope, std::string_view name, const Type* type, std::vector<const Type*> tuple = {});
    Aggregation* aggregation(std::string_view name);
    Aggregation& addAggregation(std::string_view name);

private:
    std::map<std::pair<ast::Scope, std::string>, std::size_t> m_variables;
    std::map<std::string, std::size_t, std::less<>> m_aggregations;
};
} // namespace dscope::sema
