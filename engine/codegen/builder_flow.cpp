#include "engine/codegen/builder.h"
/// Structured flow. The shortest code for each form: no jump leads to the place behind it, and none stands where nothing comes,
/// which the verifier refuses.
namespace dscope::codegen {
/// False behind a jump or an exit.
bool Builder::isReached() const
{
    return m_code.empty() || (!std::holds_alternative<bpf::Jump>(m_code.back().op) && !std::holds_alternative<bpf::Exit>(m_code.back().op));
}

/// Goes to `to` where the condition does not hold.
void Builder::branchUnless(const Condition& condition, Label to)
{
    const auto& tests = condition.tests();
    const auto put = [&](const Condition::Test& test, Label label) { this->put(bpf::Branch{test.cond, test.lhs, test.rhs, label}); };
    if (condition.needs() == Condition::Needs::All) {
        for (const auto& test : tests)
            put(!test, to);
        return;
    }
    const auto holds = label();
    for (std::size_t i = 0; i + 1 < tests.size(); ++i)
        put(tests[i], holds);
    put(!tests.back(), to);
    if (tests.size() > 1) bind(holds);
}

void Builder::when(const Condition& condition, const Body& body)
{
    const auto before = facts;
    const auto end = label();
    branchUnless(condition, end);
    body();
    bind(end);
    facts = before;
}

void Builder::either(const Condition& condition, const Body& body, const Body& otherwise)
{
    const auto before = facts;
    const auto other = label(), end = label();
    branchUnless(condition, other);
    body();
    if (isReached()) jump(end);
    bind(other);
    facts = before;
    otherwise();
    bind(end);
    facts = before;
}

void Builder::block(const LeavableBody& body)
{
    const auto before = facts;
    const auto out = label();
    body(out);
    bind(out);
    facts = before;
}

void Builder::loop(const LeavableBody& body, const Condition& again)
{
    const auto before = facts;
    const auto top = label(), out = label();
    bind(top);
    body(out);
    branch(again, top);
    bind(out);
    facts = before;
}

void Builder::repeat(Reg counter, std::int32_t times, const LeavableBody& body)
{
    mov(counter, 0);
    loop(
        [&](Label out) {
            body(out);
            alu(AluOp::Add, counter, 1);
        },
        {counter, Cond::Lt, times});
}

void Builder::switchOn(Reg reg, std::initializer_list<Case> cases, const Body& otherwise)
{
    const auto before = facts;
    const auto end = label();
    std::vector<Label> labels;
    for (const auto& one : cases)
        branch(Cond::Eq, reg, one.value, labels.emplace_back(label()));
    if (otherwise) otherwise();
    if (isReached()) jump(end);
    for (std::size_t i = 0; i < labels.size(); ++i) {
        bind(labels[i]);
        facts = before;
        cases.begin()[i].body();
        if (i + 1 < labels.size() && isReached()) jump(end);
    }
    bind(end);
    facts = before;
}
} // namespace dscope::codegen
