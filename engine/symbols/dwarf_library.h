#pragma once
#include "engine/base/result.h"
#if __has_include(<elfutils/libdw.h>)
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <libelf.h>
#define DSCOPE_HAS_LIBDW
#endif
namespace dscope::symbols {
#ifdef DSCOPE_HAS_LIBDW
/// The functions of libdw and libelf that debug information is read with. Linked, they would be loaded by every run.
struct DwarfLibrary {
    decltype(&::elf_version) elfVersion = nullptr;
    decltype(&::elf_begin) elfBegin = nullptr;
    decltype(&::elf_end) elfEnd = nullptr;
    decltype(&::dwarf_begin_elf) begin = nullptr;
    decltype(&::dwarf_end) end = nullptr;
    decltype(&::dwarf_get_units) getUnits = nullptr;
    decltype(&::dwarf_tag) tag = nullptr;
    decltype(&::dwarf_diecu) unitOf = nullptr;
    decltype(&::dwarf_cu_info) unitInfo = nullptr;
    decltype(&::dwarf_getlocation_addr) locationAt = nullptr;
    decltype(&::dwarf_ranges) ranges = nullptr;
    decltype(&::dwarf_haspc) hasPc = nullptr;
    decltype(&::dwarf_child) child = nullptr;
    decltype(&::dwarf_siblingof) siblingOf = nullptr;
    decltype(&::dwarf_attr_integrate) attributeIntegrated = nullptr;
    decltype(&::dwarf_attr) attribute = nullptr;
    decltype(&::dwarf_formstring) text = nullptr;
    decltype(&::dwarf_formudata) number = nullptr;
    decltype(&::dwarf_formsdata) signedNumber = nullptr;
    decltype(&::dwarf_formref_die) reference = nullptr;
    decltype(&::dwarf_getsrc_die) sourceLine = nullptr;
    decltype(&::dwarf_getsrclines) sourceLines = nullptr;
    decltype(&::dwarf_onesrcline) lineOf = nullptr;
    decltype(&::dwarf_lineaddr) lineAddress = nullptr;
    decltype(&::dwarf_linebeginstatement) lineBegins = nullptr;
    decltype(&::dwarf_lineendsequence) lineEnds = nullptr;
    decltype(&::dwarf_linesrc) lineFile = nullptr;
    decltype(&::dwarf_lineno) lineNumber = nullptr;
    decltype(&::dwarf_getsrcfiles) sourceFiles = nullptr;
    decltype(&::dwarf_filesrc) fileName = nullptr;

    /// Loads them. Error, with the way out, if the library is missing.
    static Result<DwarfLibrary> load();
};
#else
/// Where dscope was built without libdw: loading it is refused.
struct DwarfLibrary {
    static Result<DwarfLibrary> load();
};
#endif
} // namespace dscope::symbols
