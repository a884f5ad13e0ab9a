#pragma once
#include "engine/base/result.h"
#include "engine/host/host.h"
#include "engine/symbols/elf_file.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// A file whose code a process has mapped.
struct ProcessObject {
    std::string path;  ///< as the process has it
    std::string file;  ///< where we and the kernel find the very file
    std::string name;  ///< the last part of `path`: what probes show as their module
    bool main = false; ///< the program itself
    std::uint64_t inode = 0;
    struct Range {
        std::uint64_t start = 0, end = 0, offset = 0;
    };
    std::vector<Range> ranges; ///< executable ones: addresses in the process, and the file offset of the first
    /// What to add to an address that the file is linked for to have that in the process.
    std::uint64_t bias(const ElfFile& file) const;
};
/// In the order of their addresses. Error, with ESRCH, when there is no such process.
Result<std::vector<ProcessObject>> objectsOf(const host::Host& host, int pid);
/// Whether an object is meant by the module part of a description, as dtrace takes it: "a.out" is the program; else the
/// path, the name, or the name up to one of its dots ("libc", "libc.so"); wildcards match the name. Empty matches all.
bool isModule(const ProcessObject& object, std::string_view module);
} // namespace dscope::symbols
