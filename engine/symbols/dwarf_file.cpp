#include "engine/symbols/dwarf_file.h"
#ifdef DSCOPE_HAS_LIBDW
#include <sys/stat.h>
namespace dscope::symbols {
std::unique_ptr<DwarfFile> DwarfFile::open(const DwarfLibrary& library, Fd file)
{
    struct stat status { };
    if (!file || ::fstat(file.get(), &status) != 0) return nullptr;
    std::unique_ptr<DwarfFile> opened(new DwarfFile(library, std::move(file), static_cast<std::uint64_t>(status.st_size)));
    opened->m_elf = library.elfBegin(opened->m_file.get(), ELF_C_READ, nullptr);
    if (opened->m_elf) opened->m_dwarf = library.begin(opened->m_elf, DWARF_C_READ, nullptr);
    return opened->m_dwarf ? std::move(opened) : nullptr;
}

DwarfFile::~DwarfFile()
{
    if (m_dwarf) m_dw.end(m_dwarf);
    if (m_elf) m_dw.elfEnd(m_elf);
}

std::vector<DwarfFile::Unit> DwarfFile::units() const
{
    std::vector<Unit> all;
    Dwarf_CU* cu = nullptr;
    Dwarf_Half version = 0;
    std::uint8_t type = 0;
    Unit unit;
    Dwarf_Die split;
    while (m_dw.getUnits(m_dwarf, cu, &cu, &version, &type, &unit.places, &split) == 0) {
        unit.tag = m_dw.tag(&unit.places);
        unit.tree = type == DW_UT_skeleton && split.addr ? split : unit.places;
        all.push_back(unit);
    }
    return all;
}
} // namespace dscope::symbols
#endif
