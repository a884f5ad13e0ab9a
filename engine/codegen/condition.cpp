#include "engine/codegen/condition.h"
#include "engine/base/result.h"
namespace dscope::codegen {
using bpf::Cond;
namespace {
Cond opposite(Cond cond)
{
    switch (cond) {
    case Cond::Eq: return Cond::Ne;
    case Cond::Ne: return Cond::Eq;
    case Cond::Gt: return Cond::Le;
    case Cond::Le: return Cond::Gt;
    case Cond::Ge: return Cond::Lt;
    case Cond::Lt: return Cond::Ge;
    case Cond::Sgt: return Cond::Sle;
    case Cond::Sle: return Cond::Sgt;
    case Cond::Sge: return Cond::Slt;
    case Cond::Slt: return Cond::Sge;
    case Cond::Set: break;
    }
    DSCOPE_BUG("no condition is the opposite of having a bit in common");
}
} // namespace

Condition::Test Condition::Test::operator!() const { return {lhs, opposite(cond), rhs}; }

Condition::Condition(std::initializer_list<Condition> conditions, Needs needs) : m_needs(needs)
{
    for (const auto& condition : conditions) {
        DSCOPE_ASSERT(condition.m_tests.size() == 1);
        m_tests.push_back(condition.m_tests.front());
    }
}

Condition Condition::operator!() const
{
    auto result = *this;
    result.m_needs = m_needs == Needs::All ? Needs::One : Needs::All;
    for (auto& test : result.m_tests)
        test = !test;
    return result;
}
} // namespace dscope::codegen
