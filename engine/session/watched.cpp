#include "engine/session/watched.h"
#include "engine/session/refusal.h"
#include <bpf/bpf.h>
#include <cerrno>
#include <csignal>
#include <cstring>
namespace dscope::session {
namespace {
constexpr std::uint32_t kRoom = 1U << 16U; ///< bytes of ring: a word each time something is told
constexpr std::uint32_t kMostProcesses = 65'536; ///< processes
} // namespace

Result<Watched> Watched::make()
{
    Watched watched;
    bpf_map_create_opts options{};
    options.sz = sizeof options;
    options.map_flags = BPF_F_NO_PREALLOC;
    watched.m_map = Fd(bpf_map_create(BPF_MAP_TYPE_HASH, "watched", 4, 4, kMostProcesses, &options));
    watched.m_ringMap = Fd(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "told", 0, 0, kRoom, nullptr));
    if (!watched.m_map || !watched.m_ringMap) return refusal("creating a map", errno);
    DSCOPE_TRY(watched.m_ring, Ring::map(watched.m_ringMap.get(), kRoom));
    DSCOPE_TRY(watched.m_guardian, Guardian::over(watched.m_map.get()));
    return watched;
}

void Watched::add(pid_t process, std::uint32_t role) const
{
    const auto key = static_cast<std::uint32_t>(process);
    bpf_map_update_elem(m_map.get(), &key, &role, BPF_NOEXIST);
}

void Watched::holdForksOf(pid_t process) const
{
    const auto key = static_cast<std::uint32_t>(process);
    const auto is = role(process) | kHeirs | kForks;
    bpf_map_update_elem(m_map.get(), &key, &is, BPF_ANY);
}

void Watched::forget(pid_t process) const
{
    const auto key = static_cast<std::uint32_t>(process);
    bpf_map_delete_elem(m_map.get(), &key);
}

std::uint32_t Watched::role(pid_t process) const
{
    const auto key = static_cast<std::uint32_t>(process);
    std::uint32_t role = 0;
    return bpf_map_lookup_elem(m_map.get(), &key, &role) == 0 ? role : 0;
}

void Watched::holdNoForks() const
{
    const std::uint32_t key = kHoldsNoForks, role = kHeirs;
    bpf_map_update_elem(m_map.get(), &key, &role, BPF_ANY);
}

std::vector<Watched::Told> Watched::told()
{
    std::vector<Told> all;
    if (!m_map) return all;
    m_ring.consume(kRoom, [&](ByteView record) {
        std::uint64_t word = 0;
        if (record.size() >= sizeof word) std::memcpy(&word, record.data(), sizeof word);
        all.push_back({static_cast<pid_t>(word & 0xffffffff), (word & kWaits) != 0, (word & kIsNew) != 0});
        return true;
    });
    return all;
}

void Watched::resume(pid_t process) { ::kill(process, SIGCONT); }
} // namespace dscope::session
