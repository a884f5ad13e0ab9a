#pragma once
#include "engine/bpf/insn.h"
#include <cstdint>
#include <initializer_list>
#include <vector>
namespace dscope::codegen {
/// What structured flow asks (Builder::when() and others): a comparison of a register, `{R0, Cond::Eq, 0}`, or several.
class Condition {
public:
    Condition(bpf::Reg lhs, bpf::Cond cond, bpf::Reg rhs) : m_tests{{lhs, cond, rhs}} { }
    Condition(bpf::Reg lhs, bpf::Cond cond, std::int32_t rhs) : m_tests{{lhs, cond, bpf::Imm{rhs}}} { }
    /// True if each holds, if one does. They are compared in this order, up to the first that decides. Comparisons only.
    static Condition all(std::initializer_list<Condition> conditions) { return {conditions, Needs::All}; }
    static Condition any(std::initializer_list<Condition> conditions) { return {conditions, Needs::One}; }
    /// Compares the opposites: none of them may be Cond::Set, which has none.
    Condition operator!() const;

    struct Test {
        bpf::Reg lhs;
        bpf::Cond cond;
        bpf::Operand rhs;
        Test operator!() const;
    };
    const std::vector<Test>& tests() const { return m_tests; }
    /// How many of them have to hold.
    enum class Needs : std::uint8_t { One, All };
    Needs needs() const { return m_needs; }

private:
    Condition(std::initializer_list<Condition> conditions, Needs needs);
    std::vector<Test> m_tests;
    Needs m_needs = Needs::All;
};
} // namespace dscope::codegen
