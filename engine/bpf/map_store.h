#pragma once
#include "engine/base/bytes.h"
#include "engine/bpf/interpreter.h"
#include "engine/bpf/map_kind.h"
#include <functional>
#include <map>
namespace dscope::bpf {
/// What a map of the simulated machine is like.
struct MapSpec {
    MapKind kind = MapKind::Array;
    std::uint32_t keySize = 4, valueSize = 8;
    std::uint32_t maxEntries = 1; ///< RingBuffer: its size in bytes; TaskStorage: any number
    bool readOnly = false;        ///< for programs (BPF_F_RDONLY_PROG)
    Bytes initial;                ///< Array: the values of element 0, 1, ...; the rest is zeros
};
/// A map in this process, with the kernel's rules. Values stay where they are while they exist and are memory that
/// programs of `memory` may touch. Task storage is keyed by the task's address.
class MapStore {
public:
    MapStore(MapSpec spec, unsigned cpus, Interpreter& memory);
    const MapSpec& spec() const { return m_spec; }
    /// The value for `key` as a program on `cpu` sees it, or null.
    std::byte* find(ByteView key, unsigned cpu = 0);
    /// BPF_ANY (0), BPF_NOEXIST (1) or BPF_EXIST (2); 0 or a negative errno. Of a per-CPU value only that of `cpu` is
    /// set; those of a new entry are zeros elsewhere.
    int update(ByteView key, ByteView value, std::uint64_t flags, unsigned cpu = 0);
    /// 0 or a negative errno. The value can be touched until settle(), as in the kernel until its readers are through.
    int remove(ByteView key);
    void settle();
    /// Every entry in the order of its bytes; `values`: one after the other by CPU where the map is per-CPU, each of a
    /// multiple of 8 bytes.
    void each(const std::function<void(ByteView key, ByteView values)>& visit) const;
    std::size_t size() const { return m_entries.size(); }

private:
    bool isArray() const { return m_spec.kind == MapKind::Array || m_spec.kind == MapKind::PerCpuArray; }
    bool isPerCpu() const { return m_spec.kind == MapKind::PerCpuArray || m_spec.kind == MapKind::PerCpuHash; }
    std::size_t stride() const { return (m_spec.valueSize + 7) & ~std::size_t{7}; }
    /// The values of one key, which stay where they are: bytes of their own, or a part of m_block.
    struct Values {
        Bytes own;
        std::span<std::byte> bytes;
    };
    std::span<std::byte> insert(Bytes key, std::span<std::byte> in = {});
    void forget(std::span<const std::byte> values);
    MapSpec m_spec;
    unsigned m_cpus;
    Interpreter& m_memory;
    Bytes m_block; ///< all values of an array, one behind the other, as in the kernel
    std::map<Bytes, Values> m_entries;
    std::vector<Values> m_removed;
};
} // namespace dscope::bpf
