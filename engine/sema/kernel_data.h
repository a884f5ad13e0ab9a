#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
namespace dscope::sema {
/// A symbol of the kernel as /proc/kallsyms tells it.
struct KernelSymbol {
    std::string module; ///< "vmlinux" for the kernel itself
    std::uint64_t address = 0;
    char type = 't';        ///< as nm(1) has it; 't' and 'T': code
    std::uint64_t room = 0; ///< bytes to the next symbol
};
/// `module` empty: the first of that name.
std::optional<KernelSymbol> kernelSymbol(std::string_view kallsyms, std::string_view module, std::string_view name);
/// The C type of a data symbol. BTF does not tell it: for what scripts ask for we know it from the kernel's source, anything
/// else is a number as wide as there is room for.
std::string kernelDataType(const KernelSymbol& symbol, std::string_view name);
} // namespace dscope::sema
