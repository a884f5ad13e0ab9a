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
    /// Its value as a D expression over raw[], the words of struct pt_regs of x86-64.
    std::string value;
};
/// Where a symbol lies in the process that is traced; none when it is not known.
using SymbolAddress = std::function<std::optional<std::uint64_t>(std::string_view)>;
/// The arguments of a note ("8@%rdi -4@$5 4@counter+4(%rip)"), in order. One that is not understood has an empty value.
std::vector<Operand> operandsOf(std::string_view arguments, const SymbolAddress& symbol);
} // namespace dscope::symbols
