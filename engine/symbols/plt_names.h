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
/// Sections .plt, .plt.sec and .plt.got. They live as long as the file.
std::vector<const ElfFile::Section*> pltSections(const ElfFile& file);
/// The stubs of one of them, of x86-64 and of aarch64, told apart by the slot that each jumps through.
/// Source: System V ABI AMD64, 5.2 "Procedure Linkage Table".
std::vector<PltEntry> pltEntries(const ElfFile& file, const ElfFile::Section& section);
std::vector<PltEntry> pltEntries(const ElfFile& file); ///< of all
} // namespace dscope::symbols
