#pragma once
#include "engine/object/object.h"
#include "engine/object/raw.h"
#include "engine/probe/provider.h"
#include <linux/bpf.h>
/// Programs put together by hand, so that the session is held against the real kernel without the code generator.
namespace dscope::session::test {
constexpr MapId kControl{0}, kRing{1}, kDrops{2}, kCounts{3};
constexpr ProbeId kBegin{1}, kEnd{2}, kError{3}, kProbe{50};
constexpr std::uint32_t kBeginClause = 0, kEndClause = 1, kProbeClause = 2, kErrorClause = 3;

/// A few instructions; every method appends some.
class Assembly {
public:
    Assembly& op(int opcode, int dst, int src, int offset, int imm)
    {
        m_slots.push_back({static_cast<std::uint8_t>(opcode), static_cast<std::uint8_t>(dst & 15), static_cast<std::uint8_t>(src & 15),
            static_cast<std::int16_t>(offset), imm});
        return *this;
    }
    Assembly& move(int reg, int imm) { return op(BPF_ALU64 | BPF_MOV | BPF_K, reg, 0, 0, imm); }
    Assembly& copy(int reg, int from) { return op(BPF_ALU64 | BPF_MOV | BPF_X, reg, from, 0, 0); }
    Assembly& add(int reg, int imm) { return op(BPF_ALU64 | BPF_ADD | BPF_K, reg, 0, 0, imm); }
    Assembly& store4(int offset, int imm) { return op(BPF_ST | BPF_MEM | BPF_W, BPF_REG_10, 0, offset, imm); }
    Assembly& store8(int offset, int imm) { return op(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, offset, imm); }
    Assembly& keep8(int offset, int reg) { return op(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, reg, offset, 0); }
    Assembly& call(int helper) { return op(BPF_JMP | BPF_CALL, 0, 0, 0, helper); }
    Assembly& leave() { return move(BPF_REG_0, 0).op(BPF_JMP | BPF_EXIT, 0, 0, 0, 0); }
    Assembly& map(int reg, MapId id, bool value = false, std::uint32_t offset = 0)
    {
        m_relocations.push_back({m_slots.size(), id, value, offset});
        return op(BPF_LD | BPF_IMM | BPF_DW, reg, 0, 0, 0).op(0, 0, 0, 0, 0);
    }
    /// Leaves unless the session is active and, when it has a target, this is that process.
    Assembly& gate()
    {
        map(BPF_REG_6, kControl, true);
        op(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_1, BPF_REG_6, 0, 0)
            .op(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_1, 0, 2, int(object::State::Active))
            .leave();
        call(BPF_FUNC_get_current_pid_tgid).op(BPF_ALU64 | BPF_RSH | BPF_K, BPF_REG_0, 0, 0, 32);
        op(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_1, BPF_REG_6, 4, 0).op(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_1, 0, 3, 0);
        return op(BPF_JMP | BPF_JEQ | BPF_X, BPF_REG_0, BPF_REG_1, 2, 0).leave();
    }
    /// A RawHeader and one word, into the ring.
    Assembly& fire(std::uint32_t clause, ProbeId probe, int word, object::RawKind kind = object::RawKind::Fired)
    {
        store4(-40, int(kind)).store4(-36, int(clause)).store4(-32, int(probe.value)).store4(-28, 0);
        call(BPF_FUNC_ktime_get_ns).keep8(-24, BPF_REG_0).call(BPF_FUNC_get_current_pid_tgid);
        keep8(-16, BPF_REG_0).store8(-8, word);
        return output(-40, 40);
    }
    Assembly& output(int offset, int size)
    {
        return map(BPF_REG_1, kRing)
            .copy(BPF_REG_2, BPF_REG_10)
            .add(BPF_REG_2, offset)
            .move(BPF_REG_3, size)
            .move(BPF_REG_4, 0)
            .call(BPF_FUNC_ringbuf_output);
    }
    Assembly& exitTracing()
    {
        return map(BPF_REG_1, kControl, true).op(BPF_ST | BPF_MEM | BPF_W, BPF_REG_1, 0, 0, int(object::State::Draining));
    }
    /// Adds 1 to the number of updates of key `key` of the per-CPU hash, which is what count() shows; makes it when needed.
    Assembly& count(int key)
    {
        store8(-8, key).store8(-24, 0);
        map(BPF_REG_1, kCounts).copy(BPF_REG_2, BPF_REG_10).add(BPF_REG_2, -8).copy(BPF_REG_3, BPF_REG_10).add(BPF_REG_3, -24);
        move(BPF_REG_4, BPF_NOEXIST).call(BPF_FUNC_map_update_elem);
        map(BPF_REG_1, kCounts).copy(BPF_REG_2, BPF_REG_10).add(BPF_REG_2, -8).call(BPF_FUNC_map_lookup_elem);
        op(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0).move(BPF_REG_1, 1);
        return op(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1, 0, BPF_ADD);
    }
    /// Adds 3 to the drops of kind `kind`.
    Assembly& drop(int kind)
    {
        store4(-4, kind).map(BPF_REG_1, kDrops).copy(BPF_REG_2, BPF_REG_10).add(BPF_REG_2, -4).call(BPF_FUNC_map_lookup_elem);
        return op(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0)
            .move(BPF_REG_1, 3)
            .op(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_0, BPF_REG_1, 0, BPF_ADD);
    }
    std::size_t size() const { return m_slots.size(); }
    object::Code code(std::string name, probe::Place place, object::ProgramType type = object::ProgramType::RawTracepoint) const
    {
        object::Code code;
        code.name = std::move(name);
        code.type = type;
        code.slots = m_slots;
        code.relocations = m_relocations;
        code.attach = {std::move(place)};
        return code;
    }

private:
    std::vector<bpf::Slot> m_slots;
    std::vector<object::Relocation> m_relocations;
};

/// Maps, schema and probe names; no programs yet. Each clause records one word and does nothing with it; END's calls
/// it an exit status when asked to.
inline object::Object emptyObject()
{
    using object::MapKind;
    object::Object object;
    object.maps = {{"control", MapKind::Array, 4, sizeof(object::Control), 1}, {"ring", MapKind::RingBuffer, 0, 0, 1U << 18U},
        {"drops", MapKind::PerCpuArray, 4, 8, 8}, {"counts", MapKind::PerCpuHash, 8, 8, 20000}};
    object.control = kControl;
    object.ring = kRing;
    object.drops = kDrops;
    record::Clause clause;
    clause.payloadSize = 8;
    object.schema.clauses.assign(4, clause);
    record::Aggregation counts;
    counts.keys = {{record::FieldKind::Uint, 0, 8, "k", "uint64_t"}};
    counts.keySize = 8;
    object.schema.aggregations = {counts};
    object.aggregationMaps = {kCounts};
    object.probes = {{kBegin, "dtrace", "", "", "BEGIN"}, {kEnd, "dtrace", "", "", "END"}, {kError, "dtrace", "", "", "ERROR"},
        {kProbe, "test", "", "", "probe"}};
    return object;
}
inline void addManual(object::Object& object, ProbeId probe, const Assembly& assembly)
{
    using When = probe::Manual::When;
    const auto when = probe == kBegin ? When::Begin : probe == kEnd ? When::End : When::Error;
    auto code = assembly.code(probe == kBegin ? "begin" : probe == kEnd ? "end" : "error", probe::Manual{when});
    object.programs.push_back(std::move(code));
}
/// Makes the word that `clause` records an exit status.
inline void makeExit(object::Object& object, std::uint32_t clause)
{
    object.schema.clauses[clause].actions = {{record::ActionKind::Exit, "", {{record::FieldKind::Int, 0, 8, "0", "int"}}, {}}};
}
} // namespace dscope::session::test
