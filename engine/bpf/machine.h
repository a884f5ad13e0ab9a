#pragma once
#include "engine/bpf/encode.h"
#include "engine/bpf/interpreter.h"
#include "engine/bpf/map_store.h"
#include "engine/bpf/ring_store.h"
#include "engine/bpf/world.h"
#include <map>
#include <memory>
namespace dscope::bpf {
/// A machine that has the maps and helpers generated code uses, in this process, with the kernel's semantics: compiled
/// programs run without a kernel. What the verifier would refuse (a buffer that is not memory of the program, a helper
/// this machine has not) is an Error; what a helper refuses is a negative errno in r0.
class Machine {
public:
    Machine(std::vector<MapSpec> maps, unsigned cpus);
    Machine(const Machine&) = delete;
    World world;
    unsigned cpus() const { return m_cpus; }

    /// The code with its map uses patched to this machine's maps. Error: a use that names no such map.
    Result<std::vector<Slot>> link(std::span<const Slot> code, std::span<const MapUse> uses);
    /// Makes linked code what a tail call finds in element `index` of the map of programs `id`.
    void setProgram(MapId id, std::uint32_t index, std::vector<Slot> linked) { m_programs[{id.value, index}] = std::move(linked); }
    /// Runs linked code on `context`, the words that r1 points to. Value of r0.
    Result<std::uint64_t> run(std::span<const Slot> linked, std::span<const std::uint64_t> context);

    MapStore& map(MapId id);   ///< all kinds but RingBuffer
    RingStore& ring(MapId id); ///< RingBuffer
    /// bpf_send_signal: the process and the signal.
    struct Signal {
        std::uint32_t pid;
        std::uint32_t number;
    };
    const std::vector<Signal>& signals() const { return m_signals; }

private:
    using Args = std::span<std::uint64_t, 5>;
    using Answer = Result<std::uint64_t>;
    struct Row; ///< a helper: its number and what it does
    struct Helpers;
    Answer call(std::int32_t number, Args args);
    Result<std::span<std::byte>> memory(std::uint64_t address, std::uint64_t size, Access access);
    Result<MapStore*> mapOf(std::uint64_t handle);
    Result<RingStore*> ringOf(std::uint64_t handle);
    unsigned m_cpus;
    Interpreter m_interpreter;
    std::vector<std::unique_ptr<MapStore>> m_maps; ///< null where a ring is, and the other way round
    std::vector<std::unique_ptr<RingStore>> m_rings;
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<Slot>> m_programs; ///< by map and index
    std::vector<Signal> m_signals;
    std::vector<std::uint64_t> m_context;
};
} // namespace dscope::bpf
