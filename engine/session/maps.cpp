#include "engine/session/maps.h"
#include "engine/session/abilities.h"
#include "engine/session/refusal.h"
#include "engine/session/storage_types.h"
#include <algorithm>
#include <bpf/bpf.h>
#include <cerrno>
#include <fcntl.h>
#include <numeric>
#include <optional>
namespace dscope::session {
namespace {
using object::Map;
using object::MapKind;
constexpr int kNotSupported = 524; // ENOTSUPP. Source: include/linux/errno.h

bpf_map_type kernelType(MapKind kind)
{
    switch (kind) {
    case MapKind::Array: return BPF_MAP_TYPE_ARRAY;
    case MapKind::PerCpuArray: return BPF_MAP_TYPE_PERCPU_ARRAY;
    case MapKind::Hash: return BPF_MAP_TYPE_HASH;
    case MapKind::PerCpuHash: return BPF_MAP_TYPE_PERCPU_HASH;
    case MapKind::TaskStorage: return BPF_MAP_TYPE_TASK_STORAGE;
    case MapKind::RingBuffer: return BPF_MAP_TYPE_RINGBUF;
    case MapKind::Programs: return BPF_MAP_TYPE_PROG_ARRAY;
    }
    DSCOPE_BUG("map kind");
}

Result<> fill(int fd, const Map& map)
{
    if (map.initial.empty()) return {};
    DSCOPE_ASSERT(map.kind == MapKind::Array);
    std::vector<std::uint32_t> indices((map.initial.size() + map.valueSize - 1) / map.valueSize);
    DSCOPE_ASSERT(indices.size() <= map.maxEntries);
    std::iota(indices.begin(), indices.end(), 0U);
    Bytes values = map.initial;
    values.resize(indices.size() * map.valueSize);
    auto count = static_cast<std::uint32_t>(indices.size());
    if (bpf_map_update_batch(fd, indices.data(), values.data(), &count, nullptr) != 0) return refusal("filling map " + map.name, errno);
    return {};
}

/// A hash that takes its elements from the kernel's allocator refuses a burst of new keys, which may not wait for memory:
/// what is small gets its memory at once.
bool isSmall(const Map& map, int cpus)
{
    constexpr std::uint64_t kElement = 64, kMost = 8U << 20U, kMostPerCpu = 8192;
    const auto value = std::uint64_t{(map.valueSize + 7) & ~7U};
    if (map.kind == MapKind::Hash) return map.maxEntries * (kElement + map.keySize + value) <= kMost;
    // Memory of every CPU is handed out slowly, half a microsecond each.
    return map.maxEntries <= kMostPerCpu && map.maxEntries * (kElement + map.keySize + value * static_cast<std::uint64_t>(cpus)) <= kMost;
}

/// Whether the kernel wants hashes of this program to have all their memory from the beginning.
bool wantsMemory(const object::Object& object)
{
    const auto samples = [](const object::Code& code) { return code.type == object::ProgramType::PerfEvent; };
    return std::any_of(object.programs.begin(), object.programs.end(), samples) && !samplesGrowMaps();
}

enum class Use : std::uint8_t { Control, Data };
Result<Fd> createOne(const Map& map, Use use, bool wantsMemory, int cpus)
{
    bpf_map_create_opts options{};
    options.sz = sizeof options;
    StorageTypes types;
    std::uint32_t keySize = map.keySize, valueSize = map.valueSize, entries = map.maxEntries;
    switch (map.kind) {
    case MapKind::Hash:
    case MapKind::PerCpuHash:
        if (!map.preallocate && !wantsMemory && !isSmall(map, cpus)) options.map_flags |= BPF_F_NO_PREALLOC;
        break;
    case MapKind::TaskStorage: {
        DSCOPE_TRY(types, storageTypes(valueSize));
        options.map_flags |= BPF_F_NO_PREALLOC;
        options.btf_fd = static_cast<std::uint32_t>(types.btf.get());
        options.btf_key_type_id = types.key;
        options.btf_value_type_id = types.value;
        keySize = 4;
        entries = 0;
        break;
    }
    case MapKind::RingBuffer: keySize = valueSize = 0; break;
    case MapKind::Array:
        if (use == Use::Control || map.shared) options.map_flags |= BPF_F_MMAPABLE;
        if (map.forEachCpu) entries *= static_cast<std::uint32_t>(cpus);
        break;
    case MapKind::PerCpuArray:
    case MapKind::Programs: break;
    }

    if (map.frozen) options.map_flags |= BPF_F_RDONLY_PROG;
    Fd fd(bpf_map_create(kernelType(map.kind), map.name.c_str(), keySize, valueSize, entries, &options));
    if (!fd) {
        const int code = errno;
        const auto& found = abilities();
        const auto kind = map.kind == MapKind::RingBuffer ? std::optional(object::Ability::RingBuffer)
            : map.kind == MapKind::TaskStorage            ? std::optional(object::Ability::TaskStorage)
                                                          : std::nullopt;
        if (kind && found.isKnown() && !found.has.has(*kind)) return lacking(*kind);
        return refusal("creating map " + map.name, code);
    }
    DSCOPE_CHECK(fill(fd.get(), map));
    if (map.frozen && bpf_map_freeze(fd.get()) != 0) return refusal("freezing map " + map.name, errno);
    return fd;
}
} // namespace

Result<Maps> Maps::create(const object::Object& object, int cpus)
{
    Maps maps;
    maps.m_cpus = cpus;
    maps.m_maps.reserve(object.maps.size());
    for (std::size_t i = 0; i < object.maps.size(); ++i) {
        DSCOPE_TRY(Fd fd, createOne(object.maps[i], object.control.value == i ? Use::Control : Use::Data, wantsMemory(object), cpus));
        Map description = object.maps[i];
        description.initial.clear();
        maps.m_maps.push_back({std::move(description), std::move(fd)});
    }
    return maps;
}

Result<Maps> Maps::extended(const object::Object& object) const
{
    Maps maps;
    maps.m_cpus = m_cpus;
    auto next = m_maps.begin();
    for (const auto& wanted : object.maps) {
        Map description = wanted;
        description.initial.clear();
        if (wanted.isOfCode) {
            DSCOPE_TRY(Fd fd, createOne(wanted, Use::Data, wantsMemory(object), m_cpus));
            maps.m_maps.push_back({std::move(description), std::move(fd)});
            continue;
        }
        // Both come in the same order; there may be more programs, with tables of their own, than before.
        next = std::find_if(next, m_maps.end(), [&](const Entry& e) { return !e.map.isOfCode; });
        if (next == m_maps.end() || wanted.name != next->map.name || wanted.kind != next->map.kind)
            return Error{0, "the program has other maps with the new probes than before"};
        const auto& ours = next->map;
        if (wanted.keySize != ours.keySize || wanted.valueSize != ours.valueSize)
            return Error{0, "a variable or key of the program would have another size with the new probes (" + wanted.name + ")"};
        Fd fd(::fcntl(next->fd.get(), F_DUPFD_CLOEXEC, 3));
        if (!fd) return refusal("sharing map " + wanted.name, errno);
        ++next;
        maps.m_maps.push_back({std::move(description), std::move(fd)});
    }
    return maps;
}

std::vector<int> Maps::fds() const
{
    std::vector<int> all;
    for (const auto& entry : m_maps)
        all.push_back(entry.fd.get());
    return all;
}

std::size_t Maps::valueBytes(const Map& map) const
{
    const bool perCpu = map.kind == MapKind::PerCpuHash || map.kind == MapKind::PerCpuArray;
    return perCpu ? roundedTo8(map.valueSize) * static_cast<std::size_t>(m_cpus) : map.valueSize;
}

Result<> Maps::read(MapId id, const std::function<void(ByteView, std::span<const std::byte>)>& each) const
{
    const auto& map = description(id);
    if (map.kind == MapKind::PerCpuArray) {
        DSCOPE_ASSERT(map.maxEntries == 1);
        DSCOPE_TRY(const Bytes values, element(id, 0));
        each(Bytes(map.keySize), values);
        return {};
    }
    DSCOPE_ASSERT(map.kind == MapKind::Hash || map.kind == MapKind::PerCpuHash);
    // Most maps hold little: room for more comes where a batch filled what there was.
    constexpr std::size_t kFirstBytes = 64U << 10U, kMostBytes = 4U << 20U, kLeast = 64;
    const auto value = valueBytes(map);
    const auto roomIn = [&](std::size_t bytes) {
        return static_cast<std::uint32_t>(std::min<std::size_t>(map.maxEntries, std::max(kLeast, bytes / (map.keySize + value))));
    };

    const auto most = roomIn(kMostBytes);
    auto room = roomIn(kFirstBytes);
    Bytes keys, values;
    std::uint32_t at = 0;
    bool begun = false;
    for (;;) {
        keys.resize(std::size_t{room} * map.keySize);
        values.resize(std::size_t{room} * value);
        std::uint32_t count = room, next = 0;
        const int status = bpf_map_lookup_batch(fd(id), begun ? &at : nullptr, &next, keys.data(), values.data(), &count, nullptr);
        const int code = status == 0 ? 0 : errno;
        // A batch ends at a whole hash bucket: ENOSPC says that one bucket alone holds more entries than asked for.
        if (code == ENOSPC && room < map.maxEntries) {
            room = std::min(map.maxEntries, room * 2);
            continue;
        }
        if (code != 0 && code != ENOENT) return refusal("reading map " + map.name, code);
        for (std::size_t i = 0; i < count; ++i)
            each(ByteView(keys).subspan(i * map.keySize, map.keySize), std::span<const std::byte>(values).subspan(i * value, value));
        if (code == ENOENT) return {};
        at = next;
        begun = true;
        room = std::max(room, std::min(most, room * 4));
    }
}

Result<Bytes> Maps::take(MapId id, ByteView key) const
{
    Bytes value(valueBytes(description(id)));
    if (bpf_map_lookup_and_delete_elem(fd(id), key.data(), value.data()) == 0) return value;
    // Kernels before 5.14 do not take both at once from a hash. Source: kernel/bpf/hashtab.c, htab_map_ops
    const bool isOld = errno == EINVAL || errno == ENOTSUP || errno == kNotSupported;
    if (isOld && bpf_map_lookup_elem(fd(id), key.data(), value.data()) == 0 && bpf_map_delete_elem(fd(id), key.data()) == 0) return value;
    if (errno == ENOENT) return Bytes{};
    return refusal("removing a key of map " + description(id).name, errno);
}

Result<> Maps::setProgram(MapId id, std::uint32_t index, int program) const
{
    if (bpf_map_update_elem(fd(id), &index, &program, BPF_ANY) != 0) return refusal("filling map " + description(id).name, errno);
    return {};
}

Result<Bytes> Maps::element(MapId id, std::uint32_t index) const
{
    Bytes value(valueBytes(description(id)));
    if (bpf_map_lookup_elem(fd(id), &index, value.data()) != 0) return refusal("reading map " + description(id).name, errno);
    return value;
}
} // namespace dscope::session
