#pragma once
#include "engine/bpf/insn.h"
#include <initializer_list>
#include <vector>
namespace dscope::codegen {
/// What structured flow asks (Builder::when() and others): a comparison of a register, `{R0, Cond::Eq, 0}`, or several.
class Condition {
public:
    Condition(bpf::Reg lhs, bpf::Cond cond, bpf::Reg rhs) : m_tests{{lhs, cond, rhs}} { }
    Condition(bpf::Reg lhs, bpf::Cond cond, std::int32_t rhs) : m_tests{{lhs, cond, bpf::Imm{rhs}}} { }
    /// True if each holds, if one does. They are compared in this order, up to the first that decides. Comparisons only.
    static Condition all(std::initializer_list<Condition> conditions) { return {conditions, true}; }
    static Condition any(std::initializer_list<Condition> conditions) { return {conditions, false}; }
    /// Compares the opposites: none of them may be Cond::Set, which has none.
    Condition operator!() const;

    struct Test {
        bpf::Reg lhs;
        bpf::Cond cond;
        bpf::Operand rhs;
        Test operator!() const;
    };
    const std::vector<Test>& tests() const { return m_tests; }
    bool needsAll() const { return m_needsAll; }

private:
    Condition(std::initializer_list<Condition> conditions, bool needsAll);
    std::vector<Test> m_tests;
    bool m_needsAll = true;
};
} // namespace dscope::codegen
