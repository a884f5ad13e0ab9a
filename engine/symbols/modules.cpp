#include "engine/symbols/modules.h"
#include "engine/symbols/mapped_file.h"
#include <algorithm>
#include <elf.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <utility>
#include <vector>
namespace dscope::symbols {
namespace {
std::int64_t nanosecondsOf(const timespec& when) { return when.tv_sec * 1'000'000'000 + when.tv_nsec; }
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
    return m_vdso = std::make_shared<Module>(*std::move(file), "[vdso]", DebugPlaces{m_folders, {}, {}});
}

Modules::Key Modules::keyOf(const struct stat& s) { return {s.st_dev, s.st_ino, nanosecondsOf(s.st_mtim), s.st_size}; }

/// The file that was opened before under the mapping's name, if it still has that; else null.
const Modules::Known* Modules::asBefore(const Mapping& mapping, const Identity& mapped)
{
    // A build starts hundreds of processes a second that map the same files.
    constexpr auto kSoon = std::chrono::milliseconds(50);
    if (mapping.deleted) return nullptr;
    const auto found = m_byMapping.find(mapped);
    if (found == m_byMapping.end()) return nullptr;
    auto& known = found->second;
    const auto now = std::chrono::steady_clock::now();
    if (mapping.generation != 0 && now - known.looked < kSoon) return &known;
    const auto status = m_host.status(mapping.path);
    if (!status || keyOf(*status) != known.key) return nullptr;
    known = {known.key, nanosecondsOf(status->st_ctim), now};
    return &known;
}

std::shared_ptr<Module> Modules::open(std::uint32_t pid, Mapping& mapping)
{
    const auto mapped = identity(mapping);
    struct stat status { };
    Fd fd;
    Key key;
    // Each process maps what others have mapped: to ask for the name takes a fraction of what it takes to open the file.
    if (const auto* before = asBefore(mapping, mapped)) {
        key = before->key;
        mapping.changed = before->changed;
    } else if (fd = openMapped(m_host, pid, mapping); fd && ::fstat(fd.get(), &status) == 0) {
        key = keyOf(status);
        mapping.changed = nanosecondsOf(status.st_ctim);
    } else {
        const auto known = m_byMapping.find(mapped);
        if (known == m_byMapping.end()) return nullptr;
        key = known->second.key;
    }

    auto& known = m_byMapping[mapped];
    if (fd || known.key != key) known = {key, mapping.changed, std::chrono::steady_clock::now()};
    const auto& program = programOf(pid);
    if (program) mapping.main = program->st_ino == std::get<1>(key) && program->st_dev == std::get<0>(key);
    auto found = m_files.find(key);
    if (found == m_files.end()) {
        if (!fd) fd = openMapped(m_host, pid, mapping);
        if (!fd) return nullptr;
        auto file = ElfFile::open(std::move(fd));
        std::shared_ptr<Module> module;
        if (file)
            module
                = std::make_shared<Module>(*std::move(file), moduleName(mapping.path), DebugPlaces{m_folders, mapping.path, rootOf(pid)});
        if (module && m_servers) module->askServers(m_servers);
        if (module && m_lines) module->tellLines(m_lines);
        found = m_files.emplace(key, Entry{std::move(module), ++m_clock}).first;
        makeRoom(); // never drops the file that was used last
    }

    found->second.used = ++m_clock;
    const auto& module = found->second.module;
    if (module && !program) mapping.main = module->file().isProgram();
    return module;
}

std::shared_ptr<const FileRoot> Modules::rootOf(std::uint32_t pid)
{
    const auto identity = FileRoot::identityOf(m_host, pid);
    if (!identity) return nullptr;
    auto& kept = m_roots[*identity];
    auto root = kept.lock();
    if (!root) kept = root = FileRoot::ofProcess(m_host, pid);
    return root;
}

const std::optional<struct stat>& Modules::programOf(std::uint32_t pid)
{
    if (m_program.pid != pid || !m_program.isKnown) m_program = {pid, true, m_host.status("/proc/" + std::to_string(pid) + "/exe")};
    return m_program.status;
}

void Modules::forgetProgram(std::uint32_t pid)
{
    if (m_program.pid == pid) m_program = {};
}

bool Modules::knows(const Mapping& mapping)
{
    const auto mapped = identity(mapping);
    // Without a generation the name and the inode may be those of a file that has taken another one's place.
    return mapping.generation != 0 ? m_byMapping.contains(mapped) : asBefore(mapping, mapped) != nullptr;
}

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
    std::size_t open = 0, memory = 0;
    std::vector<std::pair<std::uint64_t, Key>> unmapped; // by when they were used, longest ago first
    for (const auto& [key, entry] : m_files) {
        open += entry.isOpen();
        if (entry.isMapped()) continue;
        memory += entry.memory();
        if (entry.used != m_clock) unmapped.emplace_back(entry.used, key);
    }

    std::sort(unmapped.begin(), unmapped.end());

    for (const auto& [used, key] : unmapped) {
        const auto entry = m_files.find(key);
        const bool inTheWay = open > m_limits.openFiles && entry->second.isOpen();
        if (m_files.size() <= m_limits.files && memory <= m_limits.unmappedMemory && !inTheWay) continue;
        open -= entry->second.isOpen();
        memory -= entry->second.memory();
        m_dropped += entry->second.memory();
        std::erase_if(m_byMapping, [&gone = key](const auto& mapping) { return mapping.second.key == gone; });
        m_files.erase(entry);
    }

    std::erase_if(m_roots, [](const auto& root) { return root.second.expired(); });
    boundNames();
    giveBack();
    if (open > m_limits.openMapped) settle(open - m_limits.openMapped / 4 * 3);
}

/// Reads so many files as a whole, and closes them.
void Modules::settle(std::size_t count)
{
    std::vector<Entry*> all;
    for (auto& [key, entry] : m_files)
        if (entry.isOpen()) all.push_back(&entry);
    std::sort(all.begin(), all.end(), [](const Entry* a, const Entry* b) { return a->used < b->used; });
    all.resize(std::min(all.size(), count));
    for (auto* entry : all)
        entry->module->settle();
}

/// Files that run all the time would keep the name of every address that was ever met.
void Modules::boundNames()
{
    auto memory = namedMemory();
    if (memory <= m_limits.namedMemory) return;
    std::vector<Entry*> all;
    for (auto& [key, entry] : m_files)
        if (entry.module && entry.module->namedMemory() > 0) all.push_back(&entry);
    std::sort(all.begin(), all.end(), [](const Entry* a, const Entry* b) { return a->used < b->used; });
    for (auto* entry : all) {
        if (memory <= m_limits.namedMemory / 2) return;
        memory -= entry->module->namedMemory();
        m_dropped += entry->module->namedMemory();
        entry->module->forgetNamed();
    }
}

void Modules::forgetRules() { forget(&Module::forgetRules); }
void Modules::forgetSymbols() { forget(&Module::forgetSymbols); }

void Modules::forget(void (Module::*what)())
{
    for (auto& [key, entry] : m_files) {
        const auto before = entry.memory();
        if (entry.module) (*entry.module.*what)();
        m_dropped += before - entry.memory();
    }
    giveBack();
}

/// What was dropped lies between what stays: of itself the C library gives none of it back to the machine.
void Modules::giveBack()
{
    constexpr std::size_t kMuch = 16 << 20;
    if (m_dropped < kMuch) return;
    m_dropped = 0;
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

std::size_t Modules::namedMemory() const
{
    std::size_t memory = 0;
    for (const auto& [key, entry] : m_files)
        memory += entry.module ? entry.module->namedMemory() : 0;
    return memory;
}

std::size_t Modules::unmappedMemory() const
{
    std::size_t memory = 0;
    for (const auto& [key, entry] : m_files)
        if (!entry.isMapped()) memory += entry.memory();
    return memory;
}
} // namespace dscope::symbols
