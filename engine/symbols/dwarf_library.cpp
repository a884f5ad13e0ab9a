#include "engine/symbols/dwarf_library.h"
#include <dlfcn.h>
#include <type_traits>
namespace dscope::symbols {
#ifdef DSCOPE_HAS_LIBDW
Result<DwarfLibrary> DwarfLibrary::load()
{
    void* const handle = ::dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    DwarfLibrary dw;
    bool whole = handle != nullptr;
    // Those of libelf, too: it is loaded with libdw.
    const auto take = [&](auto& function, const char* name) {
        if (whole) function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(handle, name));
        whole = whole && function != nullptr;
    };

    take(dw.elfVersion, "elf_version");
    take(dw.elfBegin, "elf_begin");
    take(dw.elfEnd, "elf_end");
    take(dw.begin, "dwarf_begin_elf");
    take(dw.end, "dwarf_end");
    take(dw.getUnits, "dwarf_get_units");
    take(dw.tag, "dwarf_tag");
    take(dw.unitOf, "dwarf_diecu");
    take(dw.unitInfo, "dwarf_cu_info");
    take(dw.locationAt, "dwarf_getlocation_addr");
    take(dw.ranges, "dwarf_ranges");
    take(dw.hasPc, "dwarf_haspc");
    take(dw.child, "dwarf_child");
    take(dw.siblingOf, "dwarf_siblingof");
    take(dw.attributeIntegrated, "dwarf_attr_integrate");
    take(dw.attribute, "dwarf_attr");
    take(dw.text, "dwarf_formstring");
    take(dw.number, "dwarf_formudata");
    take(dw.signedNumber, "dwarf_formsdata");
    take(dw.reference, "dwarf_formref_die");
    take(dw.sourceLine, "dwarf_getsrc_die");
    take(dw.sourceLines, "dwarf_getsrclines");
    take(dw.lineOf, "dwarf_onesrcline");
    take(dw.lineAddress, "dwarf_lineaddr");
    take(dw.lineBegins, "dwarf_linebeginstatement");
    take(dw.lineEnds, "dwarf_lineendsequence");
    take(dw.lineFile, "dwarf_linesrc");
    take(dw.lineNumber, "dwarf_lineno");
    take(dw.sourceFiles, "dwarf_getsrcfiles");
    take(dw.fileName, "dwarf_filesrc");
    if (!whole || dw.elfVersion(EV_CURRENT) == EV_NONE)
        return Error{0, "debug information is read by libdw.so.1, which cannot be loaded; Debian's package libdw1 has it"};
    return dw;
}
#else
Result<DwarfLibrary> DwarfLibrary::load() { return Error{0, "debug information is not read: dscope was built without elfutils/libdw.h"}; }
#endif
} // namespace dscope::symbols
