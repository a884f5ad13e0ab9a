#include "engine/bpf/machine.h"
#include "engine/bpf/helpers.h"
#include "engine/bpf/opcode.h"
#include <cerrno>
#include <cstring>
namespace dscope::bpf {
namespace {
constexpr std::uint64_t kBudget = 50'000'000;
} // namespace

Machine::Machine(std::vector<MapSpec> maps, unsigned cpus) : m_cpus(cpus)
{
    for (auto& spec : maps) {
        const bool isRing = spec.kind == MapKind::RingBuffer;
        m_rings.push_back(isRing ? std::make_unique<RingStore>(spec.maxEntries, m_interpreter) : nullptr);
        m_maps.push_back(isRing ? nullptr : std::make_unique<MapStore>(std::move(spec), cpus, m_interpreter));
    }
    m_interpreter.setHelper([this](std::int32_t number, Args args) { return call(number, args); });
    m_interpreter.setTyped([this](std::uint64_t address) { return world.typed.from(address); });
}

MapStore& Machine::map(MapId id)
{
    DSCOPE_ASSERT(id.value < m_maps.size() && m_maps[id.value]);
    return *m_maps[id.value];
}

RingStore& Machine::ring(MapId id)
{
    DSCOPE_ASSERT(id.value < m_rings.size() && m_rings[id.value]);
    return *m_rings[id.value];
}

Result<std::vector<Slot>> Machine::link(std::span<const Slot> code, std::span<const MapUse> uses)
{
    std::vector<Slot> out(code.begin(), code.end());
    for (const auto& use : uses) {
        const auto wrong = [&](const char* what) { return Error{0, "slot " + std::to_string(use.slot) + ": " + what}; };
        if (use.slot + 1 >= out.size() || out[use.slot].opcode != opcode::kLoadImm64) return wrong("no place for a map");
        if (use.map.value >= m_maps.size()) return wrong("no such map");
        std::uint64_t value = kHandles + use.map.value * kHandleStep;
        if (use.value) {
            const auto& store = m_maps[use.map.value];
            // Source: kernel/bpf/arraymap.c, array_map_direct_value_addr(): one element only.
            if (!store || store->spec().kind != MapKind::Array || store->spec().maxEntries != 1) return wrong("not an array of one value");
            if (use.offset >= store->spec().valueSize) return wrong("beyond the map's value");
            const std::uint32_t zero = 0;
            value = reinterpret_cast<std::uint64_t>(store->find(std::as_bytes(std::span(&zero, 1)))) + use.offset;
        }
        out[use.slot].src = 0;
        out[use.slot].imm = static_cast<std::int32_t>(value);
        out[use.slot + 1].imm = static_cast<std::int32_t>(value >> 32);
    }
    return out;
}

Result<std::uint64_t> Machine::run(std::span<const Slot> linked, std::span<const std::uint64_t> context)
{
    m_context.assign(context.begin(), context.end());
    world.typed.put(World::kRegisters, std::as_bytes(std::span(world.userRegisters)));
    const auto bytes = std::as_writable_bytes(std::span(m_context));
    if (!bytes.empty()) m_interpreter.allow(bytes, Access::Read);
    auto result = m_interpreter.run(linked, reinterpret_cast<std::uint64_t>(bytes.data()), 0, kBudget);
    if (!bytes.empty()) m_interpreter.forget(bytes.data());
    for (auto& store : m_maps)
        if (store) store->settle();
    return result;
}

Machine::Answer Machine::call(std::int32_t number, Args args)
{
    for (const auto rows : {Helpers::ofMaps(), Helpers::ofMemory(), Helpers::ofTask()})
        for (const auto& row : rows)
            if (row.number == number) return row.answer(*this, args);
    return Error{0, "unknown helper"};
}

Result<std::span<std::byte>> Machine::memory(std::uint64_t address, std::uint64_t size, Access access)
{
    if (!m_interpreter.reaches(address, size, access))
        return Error{EFAULT, access == Access::Write ? "writes outside of memory" : "reads outside of memory"};
    return std::span(reinterpret_cast<std::byte*>(address), size);
}

Result<MapStore*> Machine::mapOf(std::uint64_t handle)
{
    const auto index = (handle - kHandles) / kHandleStep;
    if (handle < kHandles || index >= m_maps.size() || !m_maps[index]) return Error{0, "not a map"};
    return m_maps[index].get();
}

Result<RingStore*> Machine::ringOf(std::uint64_t handle)
{
    const auto index = (handle - kHandles) / kHandleStep;
    if (handle < kHandles || index >= m_rings.size() || !m_rings[index]) return Error{0, "not a ring buffer"};
    return m_rings[index].get();
}
} // namespace dscope::bpf
