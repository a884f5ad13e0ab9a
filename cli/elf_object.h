#pragma once
#include "engine/base/bytes.h"
#include "engine/base/result.h"
#include <cstddef>
#include <cstdint>
#include <elf.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::cli {
/// A relocatable object (ELF, x86-64): sections that may be changed and added to, then written again.
/// Source: System V ABI, chapters 4 and 5; elf(5).
class ElfObject {
public:
    struct Section {
        Elf64_Shdr head{};
        Bytes data;
    };
    /// Errors: not such an object; one that is cut or damaged.
    static Result<ElfObject> read(const Bytes& file);
    /// One that is empty.
    static ElfObject made();
    /// The number of the section that is added.
    std::size_t add(std::string_view name, std::uint32_t type, std::uint64_t flags, std::uint64_t alignment, Bytes data);
    bool hasSymbols() const { return m_symbols && sections[*m_symbols].head.sh_link < sections.size(); }
    std::size_t symbolTable() const { return *m_symbols; } ///< number of its section; only where there are symbols
    std::size_t symbolCount() const { return m_symbols ? sections[*m_symbols].data.size() / sizeof(Elf64_Sym) : 0; }
    Elf64_Sym symbol(std::size_t i) const { return readAt<Elf64_Sym>(sections[*m_symbols].data, i * sizeof(Elf64_Sym)); }
    void setSymbol(std::size_t i, const Elf64_Sym& symbol);
    std::string symbolName(std::size_t i) const;
    /// The number of the global symbol of that name, which is added where it is not there.
    std::size_t globalSymbol(const std::string& name, Elf64_Sym otherwise);
    Bytes write() const; ///< the file

    std::vector<Section> sections;

private:
    std::uint32_t named(std::size_t table, std::string_view name);

    Elf64_Ehdr m_head{};
    std::optional<std::size_t> m_symbols; ///< number of their section
};
} // namespace dscope::cli
