#pragma once
#include "engine/base/fd.h"
#include "engine/symbols/dwarf_library.h"
#include <cstdint>
#include <memory>
#include <vector>
#ifdef DSCOPE_HAS_LIBDW
namespace dscope::symbols {
/// A file's debug information, open as long as this is. Entries (Dwarf_Die) that it gave are not to be used after it.
class DwarfFile {
public:
    /// Null if libdw finds no debug information there. The file is read, not mapped: its owner may truncate it.
    static std::unique_ptr<DwarfFile> open(const DwarfLibrary& library, Fd file);
    ~DwarfFile();
    DwarfFile(const DwarfFile&) = delete;
    DwarfFile& operator=(const DwarfFile&) = delete;
    const DwarfLibrary& library() const { return m_dw; }
    /// Bytes. It has no more entries than that, unless they go in circles.
    std::uint64_t size() const { return m_size; }
    struct Unit {
        int tag = 0;
        Dwarf_Die places; ///< has the ranges of code and the table of lines
        Dwarf_Die tree;   ///< has what is declared: another one when that is in a file of its own (-gsplit-dwarf)
    };
    std::vector<Unit> units() const;

private:
    DwarfFile(const DwarfLibrary& library, Fd file, std::uint64_t size) : m_dw(library), m_file(std::move(file)), m_size(size) { }
    DwarfLibrary m_dw;
    Fd m_file;
    std::uint64_t m_size;
    Elf* m_elf = nullptr;
    Dwarf* m_dwarf = nullptr;
};
} // namespace dscope::symbols
#endif
