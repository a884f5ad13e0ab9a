#include "engine/sema/scope.h"
namespace dscope::sema {
Variable* Scope::variable(ast::Scope scope, std::string_view name)
{
    const auto it = m_variables.find({scope, std::string(name)});
    return it == m_variables.end() ? nullptr : &variables[it->second];
}
Variable& Scope::add(ast::Scope scope, std::string_view name, const Type* type, std::vector<const Type*> tuple)
{
    const auto index = variables.size();
    m_variables[{scope, std::string(name)}] = index;
    return variables.emplace_back(
        Variable{VariableId{static_cast<std::uint32_t>(index)}, scope, std::string(name), type, std::move(tuple)});
}
Aggregation* Scope::aggregation(std::string_view name)
{
    const auto it = m_aggregations.find(name);
    return it == m_aggregations.end() ? nullptr : &aggregations[it->second];
}
Aggregation& Scope::addAggregation(std::string_view name)
{
    m_aggregations[std::string(name)] = aggregations.size();
    auto& a = aggregations.emplace_back();
    a.id = AggregationId{static_cast<std::uint32_t>(aggregations.size() - 1)};
    a.name = name;
    return a;
}
} // namespace dscope::sema
