#include "engine/session/walk_tables.h"
#include "engine/session/control.h"
#include "engine/session/refusal.h"
#include "engine/symbols/walk_table.h"
#include "engine/symbols/whole_table.h"
#include <algorithm>
#include <atomic>
#include <bpf/bpf.h>
#include <cerrno>
#include <sys/mman.h>
#include <unistd.h>
namespace dscope::session {
using object::WalkMapping;
using object::WalkSpace;
namespace {
constexpr auto kPartBits = symbols::FrameParts::kPartBits;
constexpr std::uint32_t kPagesOfPart = 1U << (kPartBits - object::kWalkPageBits);
constexpr std::uint64_t kPageBytes = std::uint64_t{1} << object::kWalkPageBits;
constexpr std::uint64_t kRule = (std::uint64_t{1} << object::kRowShift) - 1; ///< of a row of a WalkTable

} // namespace

void WalkTables::Unmap::operator()(std::byte* memory) const { ::munmap(memory, size); }

Result<WalkTables::Shared> WalkTables::share(const Maps& maps, MapId id)
{
    const auto& map = maps.description(id);
    constexpr std::size_t kPage = 4096;
    const auto size = (std::size_t{map.valueSize} * map.maxEntries + kPage - 1) / kPage * kPage;
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, maps.fd(id), 0);
    if (memory == MAP_FAILED) return refusal("sharing map " + map.name, errno);
    return Shared(static_cast<std::byte*>(memory), Unmap(size));
}

Result<WalkTables> WalkTables::open(const Maps& maps, const object::Object::Walks& walks)
{
    WalkTables tables;
    tables.m_maps = &maps;
    tables.m_ids = walks;
    tables.m_rowsRoom = std::size_t{maps.description(walks.rows).maxEntries} * object::kRowsOfChunk;
    DSCOPE_TRY(tables.m_forgotten, share(maps, walks.forgotten));
    DSCOPE_CHECK(tables.addNobodysSpace());
    DSCOPE_TRY(tables.m_epochs, share(maps, walks.epochs));
    DSCOPE_TRY(tables.m_pages, share(maps, walks.pages));
    DSCOPE_TRY(tables.m_rules, share(maps, walks.rules));
    return tables;
}

std::uint64_t WalkTables::epoch(std::uint32_t pid) const
{
    auto* words = reinterpret_cast<std::uint64_t*>(m_epochs.get());
    return std::atomic_ref(words[pid % object::kWalkEpochs]).load();
}

WalkTables::Table& WalkTables::table(const std::shared_ptr<symbols::Module>& module, std::uint64_t from, std::uint64_t to)
{
    const auto run = symbols::runOfCode(module->file(), from, to);
    const auto& id = module->file().buildId();
    const auto [table, isNew] = [&] {
        if (id.empty()) {
            const auto [known, added] = m_byModule.try_emplace(NoId{module, run.begin});
            if (added) std::erase_if(m_byModule, [](const auto& one) { return one.first.module.expired(); });
            return std::pair<Table*, bool>(&known->second, added);
        }
        const auto [known, added] = m_byBuildId.try_emplace({id, run.begin});
        return std::pair<Table*, bool>(&known->second, added);
    }();
    if (!isNew) return *table;
    table->number = ++m_tables;
    if (run.begin >= run.end) return *table;
    table->begin = run.begin;
    table->base = run.base();
    table->pages = static_cast<std::uint32_t>(std::min<std::uint64_t>(run.pages(), object::kWalkPages));
    return *table;
}

/// Gives the table its pages, empty ones; false where there are too few.
bool WalkTables::place(Table& table)
{
    if (table.pages == 0 || table.isPlaced) return true;
    if (m_nextPage + table.pages > object::kWalkPages) return false;
    table.firstPage = static_cast<std::uint32_t>(m_nextPage);
    table.isPlaced = true;
    m_nextPage += table.pages;
    return true;
}

/// Rows are written once. What of their array is in our memory counts as ours, so none of it stays there.
template <typename Row> bool WalkTables::putRows(std::size_t first, std::size_t count, Row row) const
{
    using object::WalkRow;
    if (count == 0) return true;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = first * sizeof(WalkRow), from = begin / page * page, size = begin - from + count * sizeof(WalkRow);
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, m_maps->fd(m_ids.rows), static_cast<off_t>(from));
    if (memory == MAP_FAILED) return false;
    const Shared window(static_cast<std::byte*>(memory), Unmap(size));
    auto* const rows = reinterpret_cast<WalkRow*>(window.get() + (begin - from));
    for (std::size_t i = 0; i < count; ++i)
        rows[i] = row(i);
    return true;
}

std::uint32_t WalkTables::numberOf(std::uint64_t rule)
{
    const auto known = m_numbers.rules().size();
    const auto number = m_numbers.of(rule);
    if (number >= known) reinterpret_cast<std::uint64_t*>(m_rules.get())[number] = rule;
    return number;
}

bool WalkTables::load(const std::shared_ptr<symbols::Module>& module, std::uint64_t address)
{
    auto& table = this->table(module, address, address + 1);
    const auto part = (address - table.base) >> kPartBits;
    if (address < table.base || (part + 1) * kPagesOfPart > table.pages) return true; // not its code
    if (!place(table)) return false;
    auto* const pages = reinterpret_cast<std::uint32_t*>(m_pages.get()) + table.firstPage + part * kPagesOfPart;
    if (std::atomic_ref(*pages).load() != 0) return true;

    const auto base = table.base + (part << kPartBits);
    const auto compiled = symbols::compileWalkTable(module->frames().around(address), base, kPagesOfPart, module->restorers(),
        module->stackEnds(base, base + symbols::FrameParts::kPart), module->stubs());
    // Rows begin at a boundary that none of their pages crosses, or fit before the next one.
    auto first = m_nextRow;
    if (first % object::kRowsOfChunk + compiled.rows.size() > object::kRowsOfChunk)
        first = (first + object::kRowsOfChunk - 1) / object::kRowsOfChunk * object::kRowsOfChunk;
    if (first + compiled.rows.size() > m_rowsRoom) return false;
    const auto row = [&](std::size_t i) {
        return object::walkRow(static_cast<std::uint32_t>(compiled.rows[i] >> object::kRowShift), numberOf(compiled.rows[i] & kRule));
    };
    if (!putRows(first, compiled.rows.size(), row)) return true; // the kernel refuses: its stacks are copied
    m_nextRow = first + compiled.rows.size();
    // The first page of a part is written last: it tells that the part is there.
    for (auto i = compiled.pages.size(); i-- > 0;)
        std::atomic_ref(pages[i]).store(compiled.pages[i] + static_cast<std::uint32_t>(first), std::memory_order_release);
    return true;
}

bool WalkTables::loadMissed(const std::shared_ptr<symbols::Module>& module, std::uint64_t address)
{
    if (!load(module, address)) return false;
    auto& table = this->table(module, address, address + 1);
    // Twice as much each time: of a compiler's libraries thousands of pages are met, and each miss costs a stack that may be cut.
    constexpr unsigned kMostDoublings = 8; // takes about 30 ms
    const auto parts = table.pages / kPagesOfPart;
    const auto part = (address - table.base) >> kPartBits;
    if (address < table.base || part >= parts) return true;
    auto left = std::uint64_t{1} << std::min(++table.misses, kMostDoublings);
    constexpr std::uint64_t kMany = 8;
    if (left >= kMany) module->frames().load();
    const auto* const pages = reinterpret_cast<std::uint32_t*>(m_pages.get()) + table.firstPage;
    const auto loadPart = [&](std::uint64_t number) {
        // What is met must find room, too.
        if (left == 0 || number >= parts || pages[number * kPagesOfPart] != 0 || 2 * m_nextRow > m_rowsRoom) return;
        --left;
        load(module, std::max(table.base + (number << kPartBits), table.begin));
    };
    for (std::uint64_t away = 1; away < parts && left > 0 && 2 * m_nextRow <= m_rowsRoom; ++away) {
        loadPart(part + away);
        if (away <= part) loadPart(part - away);
    }
    return true;
}

bool WalkTables::loadWhole(const std::shared_ptr<symbols::Module>& module, const symbols::WholeTable& whole)
{
    const auto first = (m_nextRow + object::kRowsOfChunk - 1) / object::kRowsOfChunk * object::kRowsOfChunk;
    if (first + whole.rows.size() > mostOfFile()) return false;
    std::vector<Table*> tables;
    for (const auto& run : whole.runs) {
        auto& table = this->table(module, run.base, run.base + run.pages * kPageBytes);
        if (table.base != run.base || table.pages != run.pages) return true; // of another file with its build id
        if (!place(table)) return false;
        tables.push_back(&table);
    }

    std::vector<std::uint32_t> numbers(whole.rules.size());
    std::transform(whole.rules.begin(), whole.rules.end(), numbers.begin(), [this](std::uint64_t rule) { return numberOf(rule); });
    constexpr auto kNumber = object::walkRow(0, ~0U >> object::kWalkPageBits);
    const auto row = [&](std::size_t i) { return (whole.rows[i] & ~kNumber) | numbers[object::ruleOf(whole.rows[i])]; };
    if (!putRows(first, whole.rows.size(), row)) return true;
    m_nextRow = first + whole.rows.size();
    std::size_t from = 0;
    for (const auto* table : tables) {
        auto* const pages = reinterpret_cast<std::uint32_t*>(m_pages.get()) + table->firstPage;
        for (std::size_t i = table->pages; i-- > 0;) // as in load()
            std::atomic_ref(pages[i]).store(whole.pages[from + i] + static_cast<std::uint32_t>(first), std::memory_order_release);
        from += table->pages;
    }
    module->forgetParts(); // those of what was met before the table came
    return true;
}

bool WalkTables::hasRoomFor(std::span<const symbols::Mapping> mappings) const
{
    return m_told.size() + std::min<std::size_t>(mappings.size(), WalkSpace::kMost) <= object::kWalkFiles;
}

Result<> WalkTables::install(std::uint32_t pid, std::uint64_t epoch, std::span<const symbols::Mapping> mappings)
{
    DSCOPE_ASSERT(hasRoomFor(mappings));
    WalkSpace space{};
    space.generation = ++m_generation;
    space.epoch = epoch;
    for (const auto& mapping : mappings) {
        // Where there are too many, those that have no tables are left out: their code is not walked through anyway.
        if (mapping.start >= INT64_MAX) continue; // [vsyscall], which the kernel's signed search would take for the lowest
        const bool isFile = mapping.inode != 0 || mapping.path == "[vdso]";
        if (space.count == WalkSpace::kMost || (mappings.size() > WalkSpace::kMost && isFile && !mapping.module)) continue;
        auto& out = space.mappings[space.count++];
        out = {
            .start = mapping.start, .end = mapping.end, .base = 0, .firstPage = 0, .pages = 0, .table = 0, .kind = WalkMapping::Unloaded};
        // What has no file, or one that tells nothing: a program made it while it ran.
        if (!isFile || (mapping.resolved && !mapping.module)) out.kind = WalkMapping::Unwritten;
        if (!mapping.module) continue;
        auto& table = this->table(mapping.module, mapping.start - mapping.displacement, mapping.end - mapping.displacement);
        if (!place(table)) continue;
        out.kind = table.pages == 0 ? WalkMapping::Unwritten : WalkMapping::Table;
        out.base = table.base + mapping.displacement;
        out.firstPage = table.firstPage;
        out.pages = table.pages;
        out.table = table.number;
        tell(mapping, out);
    }

    for (auto i = space.count; i < WalkSpace::kMost; ++i)
        space.mappings[i].start = space.mappings[i].end = INT64_MAX;
    const std::uint64_t key = pid;
    if (bpf_map_update_elem(m_maps->fd(m_ids.spaces), &key, &space, BPF_ANY) != 0 && errno != E2BIG && errno != ENOMEM)
        return refusal("telling the kernel what a process has mapped", errno);
    return {};
}

/// Whoever else maps that file is walked without being looked at.
void WalkTables::tell(const symbols::Mapping& mapping, const WalkMapping& known)
{
    constexpr std::int64_t kSecond = 1'000'000'000;
    if (mapping.changed == 0) return;
    // Source: include/linux/kdev_t.h
    const object::WalkFileKey key{.device = std::uint64_t{mapping.major} << 20U | mapping.minor,
        .inode = mapping.inode,
        .changed = static_cast<std::uint64_t>(mapping.changed / kSecond),
        .changedNs = static_cast<std::uint64_t>(mapping.changed % kSecond),
        .offset = mapping.offset};
    if (!m_told.emplace(key.device, key.inode, mapping.changed, key.offset).second) return;
    const object::WalkFile file{
        .base = known.base - mapping.start, .firstPage = known.firstPage, .pages = known.pages, .table = known.table, .kind = known.kind};
    bpf_map_update_elem(m_maps->fd(m_ids.files), &key, &file, BPF_ANY); // without it stacks are copied until the process is looked at
}

void WalkTables::remove(std::uint32_t pid)
{
    const std::uint64_t key = pid;
    bpf_map_delete_elem(m_maps->fd(m_ids.spaces), &key); // may not be there
}

Result<> WalkTables::addNobodysSpace()
{
    auto space = std::make_unique<WalkSpace>();
    for (auto& mapping : space->mappings)
        mapping.start = mapping.end = INT64_MAX;
    const std::int64_t key = object::kNobodysSpace;
    if (bpf_map_update_elem(m_maps->fd(m_ids.spaces), &key, space.get(), BPF_ANY) != 0)
        return refusal("telling the kernel of processes", errno);
    return {};
}

void WalkTables::forgetAll()
{
    m_numbers = {};
    // A walk that has looked a process up goes on by what it found, and a fork hands it on: until there is neither.
    const auto spaces = m_maps->fd(m_ids.spaces), files = m_maps->fd(m_ids.files);
    for (object::WalkFileKey key{}; bpf_map_get_next_key(files, nullptr, &key) == 0;)
        bpf_map_delete_elem(files, &key);
    m_told.clear();
    ++*reinterpret_cast<std::uint64_t*>(m_forgotten.get()); // nor does one use what it found
    for (bool some = true; some;) {
        some = false;
        for (std::uint64_t pid = 0; bpf_map_get_next_key(spaces, nullptr, &pid) == 0; some = true)
            bpf_map_delete_elem(spaces, &pid);
        awaitRunning();
    }
    std::ignore = addNobodysSpace(); // there is room: all are gone
    std::memset(m_pages.get(), 0, m_nextPage * sizeof(std::uint32_t));
    m_nextPage = m_nextRow = 0;
    m_byBuildId.clear();
    m_byModule.clear();
}
} // namespace dscope::session
