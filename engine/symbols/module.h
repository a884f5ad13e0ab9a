#pragma once
#include "engine/symbols/elf_file.h"
#include "engine/symbols/frame_rows.h"
#include "engine/symbols/symbol_table.h"
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
namespace dscope::symbols {
/// One mapped file: its unwind rows and its symbols, each read when first asked for. Addresses are those the file is
/// linked for.
class Module {
public:
    /// `name`: what its frames show. `debugRoot`: where separate debug files lie by build id ("/usr/lib/debug").
    Module(ElfFile file, std::string name, std::string debugRoot);
    const std::string& name() const { return m_name; }
    const ElfFile& file() const { return m_file; }
    const FrameRows& rows();
    const SymbolTable& symbols();
    /// Whether this is the first instruction of a signal trampoline that no unwind entry tells of, as in musl.
    bool isRestorer(std::uint64_t address);
    struct Named {
        std::string function;     ///< demangled; empty when no symbol covers the address
        std::uint64_t offset = 0; ///< into the function; without one, the start of the unwind entry around the address, or the address
        bool signal = false;      ///< within a signal trampoline
    };
    /// Kept, so that the second question for an address costs one search.
    const Named& named(std::uint64_t address);
    /// Read everything now and close the file.
    void settle();
    bool isSettled() const { return m_rows && m_symbols; }
    std::size_t memory() const; ///< bytes, about

private:
    std::string m_name, m_debugRoot;
    ElfFile m_file;
    std::unique_ptr<ElfFile> debugFile() const;
    std::unique_ptr<FrameRows> m_rows;
    std::unique_ptr<SymbolTable> m_symbols;
    std::vector<std::uint64_t> m_restorers; // filled with m_rows
    std::unordered_map<std::uint64_t, Named> m_named;
};
} // namespace dscope::symbols
