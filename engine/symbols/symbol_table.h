#pragma once
#include "engine/symbols/elf_file.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// Names of code by address. Built once, then only searched. Of several names for one address one is chosen by rule, so
/// that the same file always yields the same name: known size, then not local, then not of an old version, then fewer leading underscores
/// (C libraries define close() as __close() and make `close` a weak name of it), then global before weak, then shorter, then alphabetical.
class SymbolTable {
public:
    enum class Binding : std::uint8_t { Global, Weak, Local };
    enum class Version : std::uint8_t { Default, Old }; ///< Old: there for programs that were linked earlier
    struct Symbol {
        std::uint64_t start = 0;
        std::uint64_t size = 0; ///< 0: not told; reaches to the next symbol, at most to the end of its section
        std::string_view name;  ///< lives as long as the table
    };
    /// The functions of .symtab (or .dynsym where there is none) and of both where the two differ.
    void add(const ElfFile& file);
    /// Copies the name. `limit`: the end of what a symbol without a size may cover.
    void add(std::uint64_t start, std::uint64_t size, std::string_view name, Binding binding, std::uint64_t limit,
        Version version = Version::Default);
    /// Call once after the last add().
    void finish();

    /// The innermost symbol that covers an address; no label (of size 0) within a function whose size is known.
    std::optional<Symbol> find(std::uint64_t address) const;
    std::size_t size() const { return m_entries.size(); }
    std::size_t memory() const; ///< bytes, about

private:
    struct Entry {
        std::uint64_t start = 0, size = 0, limit = 0;
        std::uint32_t name = 0, length = 0, around = 0; ///< around: 1 + index of the nearest entry that encloses this one
        Binding binding = Binding::Local;
        Version version = Version::Default;
        std::uint8_t text = 0; ///< which of m_texts has the name
    };
    void keepOneOfEachAddress();
    void add(Entry entry, std::uint8_t text, std::size_t name, std::size_t length);
    void addNamed(const Entry& entry, std::string_view name);
    void addSection(const ElfFile& file, const ElfFile::Section& symbols);
    bool better(const Entry& a, const Entry& b) const;
    std::string_view nameOf(const Entry& e) const { return {reinterpret_cast<const char*>(m_texts[e.text].data()) + e.name, e.length}; }
    std::uint64_t endOf(const Entry& e) const { return e.size > 0 ? e.start + e.size : e.limit; }

    std::vector<Bytes> m_texts{1}; ///< names that were given one by one, and the files' own tables of names
    std::vector<Entry> m_entries;
};
} // namespace dscope::symbols
