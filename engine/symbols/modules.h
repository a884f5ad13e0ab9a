#pragma once
#include "engine/base/descriptor_limit.h"
#include "engine/host/host.h"
#include "engine/symbols/process_maps.h"
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <sys/stat.h>
#include <tuple>
namespace dscope::symbols {
/// The files that processes have mapped, each opened once whoever maps it, known by device, inode, time of change and
/// size. A file is mapped as long as somebody keeps a Mapping that resolve() found it for. Files that are not mapped any
/// more are kept within limits, for the next process that runs them: those used least recently are dropped first.
class Modules {
public:
    struct Limits {
        std::size_t files = 1000;    ///< above this number, files that are not mapped are dropped
        std::size_t openFiles = 200; ///< the same for open ones
        /// Above this number of open files, those used least recently are read as a whole and closed, though they are mapped. That takes
        /// the memory of all their names and rules, asked for or not: only where descriptors are few.
        std::size_t openMapped = descriptorLimit() / 4;
        std::size_t unmappedMemory = 64 << 20; ///< bytes of rows and symbols of files that are not mapped, about
        std::size_t namedMemory = 16 << 20; ///< bytes of names of addresses, of all files: beyond, those used least recently forget theirs
    };
    /// `host` must outlive it.
    explicit Modules(const host::Host& host) : m_host(host) { }
    Modules(const host::Host& host, Limits limits) : m_host(host), m_limits(limits) { }
    /// Find the file of a mapping while the process lives (openMapped()). Sets the mapping's module, displacement, main, resolved.
    void resolve(std::uint32_t pid, Mapping& mapping);
    /// Debug files that are not here are asked of the servers from now on.
    void askServers(std::shared_ptr<Debuginfod> servers) { m_servers = std::move(servers); }
    /// Where debug files are looked for (DebugPlaces::folders), of modules opened from now on.
    void lookIn(std::string folders) { m_folders = std::move(folders); }
    /// Modules opened from now on give source lines and inlined functions.
    void tellLines(std::shared_ptr<SourceLines> lines) { m_lines = std::move(lines); }
    /// Whether a file mapped under this name was opened before.
    bool knows(const Mapping& mapping);
    /// The process has become another program, or is another process.
    void forgetProgram(std::uint32_t pid);
    /// Drops files that are not mapped, as the limits say. Call it when mappings were given up; resolve() does it when it
    /// opens a file.
    void makeRoom();
    /// No stack is unwound any more: the memory of all rules is given back, as Module::forgetRules() says.
    void forgetRules();
    void forgetSymbols(); ///< the same, as Module::forgetSymbols()
    std::size_t size() const { return m_files.size(); }
    std::size_t unmappedMemory() const; ///< bytes, about
    std::size_t namedMemory() const;    ///< likewise

private:
    using Key = std::tuple<std::uint64_t, std::uint64_t, std::int64_t, std::int64_t>; // device, inode, change time in ns, size
    struct Entry {
        std::shared_ptr<Module> module; ///< null: not an ELF file
        std::uint64_t used = 0;
        bool isMapped() const { return module.use_count() > 1; }
        bool isOpen() const { return module && module->file().isOpen(); }
        std::size_t memory() const { return module ? module->memory() : 0; }
    };
    static Key keyOf(const struct stat& s);
    void settle(std::size_t count);
    void boundNames();
    void forget(void (Module::*what)());
    void giveBack();
    std::shared_ptr<Module> open(std::uint32_t pid, Mapping& mapping);
    std::shared_ptr<Module> vdso();
    std::shared_ptr<const FileRoot> rootOf(std::uint32_t pid);

    const host::Host& m_host;
    Limits m_limits;
    std::shared_ptr<Debuginfod> m_servers;
    std::shared_ptr<SourceLines> m_lines;
    std::string m_folders = kDebugFolder;
    std::map<Key, Entry> m_files;
    /// How a mapping names its file, also when the process is gone: device, inode, its generation, path.
    using Identity = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::string>;
    static Identity identity(const Mapping& mapping);
    /// The file that a mapping's name stood for when it was last looked at.
    struct Known {
        Key key;
        std::int64_t changed = 0; ///< as Mapping::changed
        std::chrono::steady_clock::time_point looked{};
    };
    const Known* asBefore(const Mapping& mapping, const Identity& mapped);
    const std::optional<struct stat>& programOf(std::uint32_t pid);
    struct {
        std::uint32_t pid = 0;
        bool isKnown = false;
        std::optional<struct stat> status;
    } m_program; ///< of the process that was asked about last
    std::map<Identity, Known> m_byMapping;
    std::shared_ptr<Module> m_vdso;
    std::map<FileRoot::Identity, std::weak_ptr<const FileRoot>> m_roots;
    std::uint64_t m_clock = 0;
    std::size_t m_dropped = 0; ///< bytes, since memory was given back last
};
} // namespace dscope::symbols
