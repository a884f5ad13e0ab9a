#include "engine/symbols/modules.h"
#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <elf.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
namespace dscope::symbols {
namespace {
constexpr const char* kDebugRoot = "/usr/lib/debug";

Fd openFile(const std::string& path) { return Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)); }

std::string hex(std::uint64_t v)
{
    char text[20];
    std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(v));
    return text;
}

/// The file at a path is the mapped one unless its inode differs on the same device (it was replaced). Overlay and btrfs
/// file systems show other device numbers in maps than in stat: there the path has to do.
bool contradicts(const struct stat& status, const Mapping& mapping)
{
    return ::major(status.st_dev) == mapping.major && ::minor(status.st_dev) == mapping.minor && status.st_ino != mapping.inode;
}

/// Whether the file had its inode after, or before, the mapped one. Source: ioctl_iflags(2), kernel/events/core.c.
bool isOtherGeneration(const Fd& fd, const Mapping& mapping)
{
    unsigned int generation = 0;
    return mapping.generation != 0 && ::ioctl(fd.get(), FS_IOC_GETVERSION, &generation) == 0 && generation != 0
        && generation != static_cast<unsigned int>(mapping.generation);
}

/// By the time that we look, another file may be mapped at the same addresses: a plugin that came after another one.
bool isOtherFile(const Fd& fd, const struct stat& status, const Mapping& mapping)
{
    if (contradicts(status, mapping)) return true;
    if (::major(status.st_dev) == mapping.major && ::minor(status.st_dev) == mapping.minor) return false;
    if (status.st_ino == mapping.inode) return false;
    std::array<char, PATH_MAX> path;
    const auto length = ::readlink(("/proc/self/fd/" + std::to_string(fd.get())).c_str(), path.data(), path.size());
    return length <= 0 || moduleName(std::string_view(path.data(), static_cast<std::size_t>(length))) != moduleName(mapping.path);
}

Fd openMapped(std::uint32_t pid, const Mapping& mapping, struct stat& status)
{
    const auto process = "/proc/" + std::to_string(pid);
    const auto good
        = [&](const Fd& fd) { return fd && ::fstat(fd.get(), &status) == 0 && S_ISREG(status.st_mode) && !isOtherGeneration(fd, mapping); };
    auto fd = openFile(process + "/map_files/" + hex(mapping.start) + "-" + hex(mapping.end));
    if (good(fd) && !isOtherFile(fd, status, mapping)) return fd;
    // Without privileges map_files is closed, but the program itself is not.
    fd = openFile(process + "/exe");
    if (good(fd) && status.st_ino == mapping.inode && !contradicts(status, mapping)) return fd;
    if (mapping.deleted) return Fd();
    for (const auto& path : {process + "/root" + mapping.path, mapping.path}) {
        fd = openFile(path);
        if (good(fd) && !contradicts(status, mapping)) return fd;
    }
    return Fd();
}

std::int64_t changed(const struct stat& s) { return s.st_mtim.tv_sec * 1'000'000'000 + s.st_mtim.tv_nsec; }
} // namespace

Modules::Identity Modules::identity(const Mapping& m) { return {std::uint64_t{m.major} << 32 | m.minor, m.inode, m.generation, m.path}; }

std::shared_ptr<Module> Modules::vdso()
{
    if (m_vdso) return m_vdso;
    // The kernel maps the same pages into every process. They end with the section headers.
    const auto address = ::getauxval(AT_SYSINFO_EHDR);
    if (address == 0) return nullptr;
    const auto* image = reinterpret_cast<const std::byte*>(address);
    Elf64_Ehdr header;
    std::memcpy(&header, image, sizeof header);
    const auto size = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize;
    auto file = ElfFile::inMemory(Bytes(image, image + size));
    if (!file) return nullptr;
    return m_vdso = std::make_shared<Module>(*std::move(file), "[vdso]", kDebugRoot);
}

std::shared_ptr<Module> Modules::open(std::uint32_t pid, Mapping& mapping)
{
    const auto mapped = identity(mapping);
    struct stat status { };
    auto fd = openMapped(pid, mapping, status);
    Key key;
    if (fd)
        key = {status.st_dev, status.st_ino, changed(status), status.st_size};
    else {
        const auto known = m_byMapping.find(mapped);
        if (known == m_byMapping.end()) return nullptr;
        key = known->second;
    }
    m_byMapping[mapped] = key;
    struct stat program { };
    if (::stat(("/proc/" + std::to_string(pid) + "/exe").c_str(), &program) == 0)
        mapping.main = program.st_ino == std::get<1>(key) && program.st_dev == std::get<0>(key);
    auto found = m_files.find(key);
    if (found == m_files.end()) {
        if (!fd) return nullptr;
        auto file = ElfFile::open(std::move(fd));
        std::shared_ptr<Module> module;
        if (file) module = std::make_shared<Module>(*std::move(file), moduleName(mapping.path), kDebugRoot);
        found = m_files.emplace(key, Entry{std::move(module), ++m_clock}).first;
        makeRoom(); // never removes what was used last
    }
    found->second.used = ++m_clock;
    const auto& module = found->second.module;
    if (module && program.st_ino == 0) mapping.main = module->file().isProgram();
    return module;
}

bool Modules::knows(const Mapping& mapping) const { return m_byMapping.contains(identity(mapping)); }

void Modules::resolve(std::uint32_t pid, Mapping& mapping)
{
    if (mapping.resolved) return;
    mapping.resolved = true;
    if (mapping.path == "[vdso]")
        mapping.module = vdso();
    else if (mapping.inode != 0 && mapping.path.starts_with('/'))
        mapping.module = open(pid, mapping);
    if (!mapping.module) return;
    const auto linked = mapping.module->file().displacement(mapping.offset, mapping.end - mapping.start);
    if (linked)
        mapping.displacement = mapping.start - mapping.offset - *linked;
    else
        mapping.module = nullptr;
}

void Modules::makeRoom()
{
    std::size_t memory = 0, open = 0;
    for (const auto& [key, entry] : m_files) {
        if (!entry.module) continue;
        memory += entry.module->memory();
        open += entry.module->file().isOpen();
    }
    if (open > m_limits.openFiles)
        for (auto& [key, entry] : m_files)
            if (entry.module && entry.module->file().isOpen()) entry.module->settle();
    while (m_files.size() > 1 && (m_files.size() > m_limits.files || memory > m_limits.memory)) {
        const auto oldest
            = std::min_element(m_files.begin(), m_files.end(), [](const auto& a, const auto& b) { return a.second.used < b.second.used; });
        if (oldest->second.module) memory -= std::min(memory, oldest->second.module->memory());
        std::erase_if(m_byMapping, [&](const auto& m) { return m.second == oldest->first; });
        m_files.erase(oldest);
    }
}
} // namespace dscope::symbols
