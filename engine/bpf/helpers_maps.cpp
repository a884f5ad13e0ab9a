#include "engine/bpf/helpers.h"
#include <array>
#include <cerrno>
/// Maps, task storage, the ring buffer.
namespace dscope::bpf {
std::span<const Machine::Row> Machine::Helpers::ofMaps()
{
    // A key or a value that a helper reads: `size` bytes of the program's memory.
    static constexpr auto lookup = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(auto* map, m.mapOf(a[0]));
        DSCOPE_TRY(const auto key, m.memory(a[1], map->spec().keySize, Access::Read));
        return reinterpret_cast<std::uint64_t>(map->find(key, m.world.cpu));
    };

    static constexpr auto update = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(auto* map, m.mapOf(a[0]));
        if (map->spec().readOnly) return Error{0, "write into a read-only map"};
        DSCOPE_TRY(const auto key, m.memory(a[1], map->spec().keySize, Access::Read));
        DSCOPE_TRY(const auto value, m.memory(a[2], map->spec().valueSize, Access::Read));
        return failure(-map->update(key, value, a[3], m.world.cpu));
    };

    static constexpr auto remove = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(auto* map, m.mapOf(a[0]));
        DSCOPE_TRY(const auto key, m.memory(a[1], map->spec().keySize, Access::Read));
        return failure(-map->remove(key));
    };

    // Source: kernel/bpf/bpf_task_storage.c. Flag 1 (BPF_LOCAL_STORAGE_GET_F_CREATE) makes what is not there, from
    // `value` or from zeros.
    static constexpr auto storageGet = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(auto* map, m.mapOf(a[0]));
        if (map->spec().kind != MapKind::TaskStorage) return Error{0, "not a task storage"};
        if (!a[1] || a[3] > 1) return 0;
        const auto task = std::as_bytes(std::span(&a[1], 1));
        if (!map->find(task) && a[3] == 1) {
            Bytes initial(map->spec().valueSize);
            if (a[2]) {
                DSCOPE_TRY(const auto value, m.memory(a[2], initial.size(), Access::Read));
                initial.assign(value.begin(), value.end());
            }
            map->update(task, initial, 0);
        }
        return reinterpret_cast<std::uint64_t>(map->find(task));
    };

    static constexpr auto storageDelete = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(auto* map, m.mapOf(a[0]));
        return failure(-map->remove(std::as_bytes(std::span(&a[1], 1))));
    };

    static constexpr auto output = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(auto* ring, m.ringOf(a[0]));
        DSCOPE_TRY(const auto record, m.memory(a[1], a[2], Access::Read));
        return ring->output(record) ? 0 : failure(EAGAIN);
    };

    static constexpr auto reserve = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(auto* ring, m.ringOf(a[0]));
        return reinterpret_cast<std::uint64_t>(ring->reserve(a[1]));
    };

    static constexpr auto submit = [](Machine& m, Args a) -> Answer {
        for (auto& ring : m.m_rings)
            if (ring && ring->submit(reinterpret_cast<const std::byte*>(a[0]))) return 0;
        return Error{0, "not a reserved record"};
    };

    static constexpr auto discard = [](Machine& m, Args a) -> Answer {
        for (auto& ring : m.m_rings)
            if (ring && ring->discard(reinterpret_cast<const std::byte*>(a[0]))) return 0;
        return Error{0, "not a reserved record"};
    };

    // What is there, the size, the consumer's position, the producer's.
    static constexpr auto query = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(const auto* ring, m.ringOf(a[0]));
        const std::array<std::uint64_t, 4> answers{ring->used(), ring->size(), ring->produced() - ring->used(), ring->produced()};
        return a[1] < answers.size() ? answers[a[1]] : 0;
    };

    // Source: kernel/bpf/core.c, ___bpf_prog_run(), JMP_TAIL_CALL: where there is no such program the caller goes on.
    static constexpr auto tailCall = [](Machine& m, Args a) -> Answer {
        DSCOPE_TRY(const auto* map, m.mapOf(a[1]));
        if (map->spec().kind != MapKind::Programs) return Error{0, "not a map of programs"};
        const auto found = m.m_programs.find({static_cast<std::uint32_t>((a[1] - kHandles) / kHandleStep), a[2] & 0xffff'ffff});
        if (found == m.m_programs.end() || !m.m_interpreter.goOnWith(found->second)) return failure(ENOENT);
        return 0;
    };
    static constexpr std::array<Row, 11> kRows{{{1, lookup}, {2, update}, {3, remove}, {12, tailCall}, {130, output}, {131, reserve},
        {132, submit}, {133, discard}, {134, query}, {156, storageGet}, {157, storageDelete}}};
    return kRows;
}
} // namespace dscope::bpf
