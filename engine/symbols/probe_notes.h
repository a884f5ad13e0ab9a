#pragma once
#include "engine/symbols/elf_file.h"
#include <cstdint>
#include <string>
#include <vector>
namespace dscope::symbols {
/// A USDT probe that <sys/sdt.h> put into a program (DTRACE_PROBE, STAP_PROBE).
/// Source: systemtap's wiki, "UserSpaceProbeImplementation"; <sys/sdt.h> of systemtap-sdt-dev.
struct ProbeNote {
    std::string provider, name;
    std::string arguments;       ///< "8@%rdi -4@$5 4@-8(%rbp)": bytes, negative when signed, and an operand of the assembler
    std::uint64_t address = 0;   ///< of the nop, as the file is linked
    std::uint64_t semaphore = 0; ///< linked address of the count of tracers; 0: none
};
/// Every note of a file, in its order; malformed ones are left out.
std::vector<ProbeNote> probeNotes(const ElfFile& file);
} // namespace dscope::symbols
