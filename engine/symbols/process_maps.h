#pragma once
#include "engine/symbols/module.h"
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// An executable range of a process's address space.
struct Mapping {
    std::uint64_t start = 0, end = 0;   ///< addresses, half open
    std::uint64_t offset = 0;           ///< of `start` in the file
    std::uint32_t major = 0, minor = 0; ///< device of the file
    std::uint64_t inode = 0;            ///< 0: no file
    std::uint64_t generation = 0;       ///< tells files apart that had one inode after another; 0: not known
    std::string path;                   ///< as /proc/PID/maps shows it, without " (deleted)"; "" or "[vdso]", "//anon"
    bool deleted = false;               ///< the file has no name any more

    // Found when first needed (see Modules).
    bool resolved = false;
    std::int64_t changed = 0;           ///< the file's st_ctim in ns; 0: not known
    bool main = false;              ///< of the process's executable
    std::uint64_t displacement = 0; ///< linked address = address - displacement
    std::shared_ptr<Module> module; ///< null: no ELF file

    /// Sets the path, and whether the file is deleted, from what the kernel shows.
    void setShownPath(std::string_view shown);

    /// Memory for code that a program makes while it runs: of no file that has code.
    bool mayBeGenerated() const
    {
        if (inode == 0) return path != "[vdso]" && path != "[vsyscall]";
        return path.starts_with("/memfd:") || path.starts_with("/dev/");
    }

    bool sameFile(const Mapping& o) const
    {
        const bool sameGeneration = generation == 0 || o.generation == 0 || generation == o.generation;
        return start == o.start && end == o.end && offset == o.offset && major == o.major && minor == o.minor && inode == o.inode
            && sameGeneration && path == o.path;
    }
};
/// The last component of a mapping's path; what its frames show as their module.
std::string moduleName(std::string_view path);

/// The executable mappings of one process, by address.
class ProcessMaps {
public:
    /// Reads the text of /proc/PID/maps. Lines that are not understood are skipped. Source: proc(5).
    static ProcessMaps parse(std::string_view text);
    /// The mapping that covers an address, or null.
    Mapping* find(std::uint64_t address);
    /// Add what was mapped later; what it overlaps is cut or removed, as mmap(2) with MAP_FIXED does.
    void add(Mapping mapping);
    /// Take over what was found out about mappings that have not changed.
    void inherit(const ProcessMaps& before);
    std::vector<Mapping>& all() { return m_all; }
    const std::vector<Mapping>& all() const { return m_all; }

private:
    std::vector<Mapping> m_all;
    std::size_t m_last = 0; // stacks stay within few mappings: look where the last question was answered
};
} // namespace dscope::symbols
