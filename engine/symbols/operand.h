#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// One argument of a <sys/sdt.h> probe: where its value is when the probe fires.
struct Operand {
    int size = 8; ///< bytes: 1, 2, 4 or 8
    bool isSigned = false;
    /// Its value as a D expression over raw[], the words of struct pt_regs of the processor.
    std::string value;
};
/// Where a symbol lies in the process that is traced; none when it is not known.
using SymbolAddress = std::function<std::optional<std::uint64_t>(std::string_view)>;
/// In whose assembler's words a note is written.
enum class OperandsOf : std::uint8_t { X86, Aarch64 };
#if defined(__aarch64__)
constexpr auto kOperands = OperandsOf::Aarch64;
#else
constexpr auto kOperands = OperandsOf::X86;
#endif
/// The arguments of a note ("8@%rdi -4@$5 4@counter+4(%rip)", "8@x0 -4@[sp, 12]"), in order. One that is not understood has an empty value.
std::vector<Operand> operandsOf(std::string_view arguments, const SymbolAddress& symbol, OperandsOf processor = kOperands);
} // namespace dscope::symbols
