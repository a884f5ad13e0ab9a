#include "engine/symbols/rule_numbers.h"
namespace dscope::symbols {
std::uint32_t RuleNumbers::of(std::uint64_t rule)
{
    const auto known = m_numbers.find(rule);
    if (known != m_numbers.end()) return known->second;
    if (m_rules.size() == object::kWalkRules) return 0;
    const auto number = static_cast<std::uint32_t>(m_rules.size());
    m_rules.push_back(rule);
    m_numbers.emplace(rule, number);
    return number;
}
} // namespace dscope::symbols
