#pragma once
#include "engine/symbols/process_maps.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
namespace dscope::symbols {
/// The files that processes have mapped, each opened once whoever maps it, known by device, inode, time of change and
/// size. Those used least recently are let go when there are many.
class Modules {
public:
    struct Limits {
        std::size_t files = 1000;        ///< kept at most
        std::size_t openFiles = 200;     ///< more than that are read at once and closed
        std::size_t memory = 256ull << 20; ///< bytes of rows and symbols, about
    };
    Modules() = default;
    explicit Modules(Limits limits) : m_limits(limits) { }
    /// Find the file of a mapping while the process lives: by /proc/PID/map_files (the very file, even if deleted or in
    /// a container), then as its /proc/PID/exe, then by its path in the process's root, then by its path in ours, when inode and device do
    /// not contradict. Sets the mapping's module, displacement, main, resolved.
    void resolve(std::uint32_t pid, Mapping& mapping);
    /// Whether a file mapped under this name was opened before.
    bool knows(const Mapping& mapping) const;
    std::size_t size() const { return m_files.size(); }

private:
    using Key = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t>; // device, inode, change time in ns, size
    struct Entry {
        std::shared_ptr<Module> module; ///< null: not an ELF file
        std::uint64_t used = 0;
    };
    std::shared_ptr<Module> open(std::uint32_t pid, Mapping& mapping);
    std::shared_ptr<Module> vdso();
    void makeRoom();

    Limits m_limits;
    std::map<Key, Entry> m_files;
    /// How a mapping names its file, also when the process is gone: device, inode, its generation, path.
    using Identity = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::string>;
    static Identity identity(const Mapping& mapping);
    std::map<Identity, Key> m_byMapping;
    std::shared_ptr<Module> m_vdso;
    std::uint64_t m_clock = 0;
};
} // namespace dscope::symbols
