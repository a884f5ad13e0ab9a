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
/// Every note of a file, in its order, also those of DTrace for Linux's own form; malformed ones are left out.
std::vector<ProbeNote> probeNotes(const ElfFile& file);

/// What a provider's declaration says of a probe, as -G writes it beside the notes: the types that notes lack.
/// Source: what dtrace -G of DTrace for Linux 2.0.7 writes into .note.usdt: for each provider its name, five words of stability, the
/// number of probes, and of each its name, the types of arguments that are passed, and the types that tracers see with the number of
/// the one passed; lists begin with a byte that counts.
struct ProbeDeclaration {
    std::string provider, name; ///< name: with dashes
    std::vector<std::string> passed;
    struct Seen {
        std::string type;
        std::size_t from = 0; ///< which of `passed`
    };
    std::vector<Seen> seen;
};
std::vector<ProbeDeclaration> probeDeclarations(const ElfFile& file);
} // namespace dscope::symbols
