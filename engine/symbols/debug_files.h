#pragma once
#include "engine/symbols/elf_file.h"
#include "engine/symbols/file_root.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>
namespace dscope::symbols {
constexpr const char* kDebugFolder = "/usr/lib/debug";
/// Where the separate debug file of a program or library may lie.
struct DebugPlaces {
    std::string folders;                  ///< "/usr/lib/debug", or several with ":" between them; empty: debug files are not looked for
    std::string path;                     ///< of the program or library, as the kernel shows it to us; "" where it has none
    std::shared_ptr<const FileRoot> root; ///< of the process that mapped it; null: ours
    /// Those of a file that a process has mapped, or had.
    static DebugPlaces ofProcess(const host::Host& host, std::uint32_t pid, std::string path);
};
/// The file with what was stripped off `file`: by its build id (FOLDER/.build-id/xx/yyy.debug), else by the name in its
/// .gnu_debuglink, beside it, in .debug beside it, or in FOLDER followed by the path; folders are asked in turn. Each is looked for in the process's
/// root, then in ours. A file with another build id is never taken; one without must have the checksum of the link.
/// Source: GDB's manual, "Debugging Information in Separate Files".
std::optional<ElfFile> debugFileOf(const ElfFile& file, const DebugPlaces& places);
/// That of a build whose file is not at hand.
std::optional<ElfFile> debugFileOf(const std::string& buildId, const DebugPlaces& places);
/// The ELF file that .gnu_debugdata holds: symbols of functions that .dynsym does not name, compressed with xz. None where there is none,
/// it is damaged, or larger than `most` bytes. Source: GDB's manual, "Debugging information in a special section".
std::optional<ElfFile> miniDebugFileOf(const ElfFile& file, std::size_t most = 256 << 20);
/// The files besides `file` that name its functions: its debug file, and what .gnu_debugdata holds unless .symtab tells it all.
std::vector<ElfFile> symbolFilesOf(const ElfFile& file, const DebugPlaces& places);
} // namespace dscope::symbols
