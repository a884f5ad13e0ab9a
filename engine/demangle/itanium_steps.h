#pragma once
#include "engine/demangle/itanium_reader.h"
namespace dscope::demangle {
/// Counts one level of nesting while it lives; too deep a name, or too many steps, makes the reader fail.
struct ItaniumReader::Deeper {
    explicit Deeper(ItaniumReader& owner) : o(owner)
    {
        if (++o.m_depth > kDeepest || ++o.m_steps > kMostSteps) o.spend();
    }
    ~Deeper() { --o.m_depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ItaniumReader& o;
};
/// An operator as its code in mangled names, its sign, and how many operands it has in expressions; 0: none.
struct ItaniumOperator {
    std::string_view code, sign;
    int operands;
};
const ItaniumOperator* operatorOf(std::string_view code);
} // namespace dscope::demangle
