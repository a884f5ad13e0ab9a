#pragma once
#include "engine/base/bytes.h"
#include "engine/symbols/elf_file.h"
#include <string>
#include <string_view>
#include <unordered_set>
namespace dscope::symbols {
/// A name of a symbol table without its version, and whether programs that are linked now get what it names.
struct SymbolName {
    std::string_view name;
    bool isOld = false; ///< of a version that is there for older programs: memcpy@GLIBC_2.2.5
};
/// .symtab has versions in its names: memcpy@@GLIBC_2.14. What else follows an `@` belongs to the name, as in Crystal's `*Hash(K,
/// V)@Object#each`. Source: gABI's symbol versioning as in binutils' ld/ldelf.c and ELF_VER_CHR of include/elf/common.h.
SymbolName symbolName(std::string_view written);

/// Which symbols of .dynsym are of an older version. Empty for other tables.
class OldVersions {
public:
    OldVersions(const ElfFile& file, std::uint32_t tableType);
    /// `index`: that of the symbol in .dynsym.
    bool contains(std::size_t index) const;

private:
    Bytes m_versions; ///< .gnu.version: a half word for each symbol
};

std::size_t leadingUnderscores(std::string_view name);

/// Linkers cut names in .dynsym at an `@`: names of one address of which another one is the beginning up to there. Give it all names of the
/// address.
class CutNames {
public:
    void note(std::string_view name);
    /// Whether what was noted is more than `name`, which is its beginning.
    bool contains(std::string_view name) const { return m_cut.contains(std::string(name)); }
    void clear() { m_cut.clear(); }

private:
    std::unordered_set<std::string> m_cut;
};
} // namespace dscope::symbols
