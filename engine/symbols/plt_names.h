#pragma once
#include "engine/symbols/elf_file.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::symbols {
/// A stub by which a program calls a function of another file.
struct PltEntry {
    std::uint64_t start = 0, size = 0; ///< as the file is linked
    std::string function;              ///< mangled
};
/// The stubs of sections .plt, .plt.sec and .plt.got, of x86-64 and of aarch64, told apart by the slot that each jumps through.
/// Source: System V ABI AMD64, 5.2 "Procedure Linkage Table".
std::vector<PltEntry> pltEntries(const ElfFile& file);
} // namespace dscope::symbols
