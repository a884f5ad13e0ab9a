#pragma once
#include "engine/types/type.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>
namespace dscope::symbols {
/// By which rules compilers of C and C++ pass arguments.
enum class CallingConvention : std::uint8_t { SystemVAmd64, Aapcs64 };
/// That of the machine that dscope runs on, and traces.
CallingConvention nativeConvention();
/// Where an argument is when its function is entered, or the result when it returns.
struct ArgumentPlace {
    enum class In : std::uint8_t {
        Register, ///< `number`: which of those that whole numbers and addresses come in, from 0
        Stack,    ///< `number`: bytes behind the first argument there
        Vector,   ///< in registers for floating point
        Several,  ///< in several registers
        Nowhere,  ///< it has no bytes
        Unknown,  ///< nobody tells
    };
    In in = In::Unknown;
    std::uint32_t number = 0;
    bool isAddress = false; ///< the argument lies where what is there says
    bool operator==(const ArgumentPlace&) const = default;
};
/// Members of a struct or union; null: unknown.
using MembersOf = std::function<const std::vector<types::Member>*(const types::Type*)>;
/// Of each parameter of `function` (Kind::Function). Behind one that is Unknown all are; all are if its `passing` is NotTold. Source:
/// System V Application Binary Interface, AMD64 Architecture Processor Supplement, 3.2.3; Procedure Call Standard for the Arm 64-bit
/// Architecture, 6.8.2; Itanium C++ ABI, 3.1.2.
std::vector<ArgumentPlace> argumentPlaces(const types::Type& function, const MembersOf& members, CallingConvention convention);
/// The place that a whole argument has in a register by its number in DWARF; nothing for one that no argument comes in.
std::optional<ArgumentPlace> placeInRegister(unsigned dwarf, CallingConvention convention);
/// Of what it gives when it returns; Register 0 is the one of results.
ArgumentPlace resultPlace(const types::Type& function, const MembersOf& members, CallingConvention convention);
} // namespace dscope::symbols
