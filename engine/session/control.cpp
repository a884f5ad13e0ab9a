#include "engine/session/control.h"
#include "engine/base/fd.h"
#include "engine/session/refusal.h"
#include "engine/session/ring.h"
#include <array>
#include <atomic>
#include <bpf/bpf.h>
#include <cerrno>
#include <linux/membarrier.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include <utility>
namespace dscope::session {
using object::Control;
using object::State;
Result<ControlBlock> ControlBlock::map(int fd)
{
    static_assert(sizeof(Control) <= 4096);
    void* at = ::mmap(nullptr, pageSize(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) return refusal("mapping the control block", errno);
    ControlBlock block;
    block.m_control = static_cast<Control*>(at);
    return block;
}
ControlBlock::ControlBlock(ControlBlock&& other) noexcept : m_control(std::exchange(other.m_control, nullptr)) { }
ControlBlock& ControlBlock::operator=(ControlBlock&& other) noexcept
{
    std::swap(m_control, other.m_control);
    return *this;
}
ControlBlock::~ControlBlock()
{
    if (m_control) ::munmap(m_control, pageSize());
}
State ControlBlock::state() const { return static_cast<State>(std::atomic_ref(m_control->state).load()); }
void ControlBlock::setState(State state) { std::atomic_ref(m_control->state).store(static_cast<std::uint32_t>(state)); }
bool ControlBlock::change(State from, State to)
{
    auto expected = static_cast<std::uint32_t>(from);
    return std::atomic_ref(m_control->state).compare_exchange_strong(expected, static_cast<std::uint32_t>(to));
}
void ControlBlock::setCpus(std::uint32_t count) { std::atomic_ref(m_control->cpus).store(count); }
void ControlBlock::setTarget(std::uint32_t pid) { std::atomic_ref(m_control->target).store(pid); }
void ControlBlock::setWallOffset(std::int64_t nanoseconds)
{
    std::atomic_ref(m_control->wallOffset).store(static_cast<std::uint64_t>(nanoseconds));
}
void ControlBlock::setAside(std::optional<AggregationId> aggregation)
{
    std::atomic_ref(m_control->aside).store(aggregation ? aggregation->value + 1 : 0);
}
void ControlBlock::setLoads()
{
    static_assert(SI_LOAD_SHIFT == 16); // in 65536ths
    struct sysinfo now{};
    if (::sysinfo(&now) != 0) return;
    for (std::size_t i = 0; i < std::size(m_control->loads); ++i)
        std::atomic_ref(m_control->loads[i]).store(static_cast<std::uint32_t>(now.loads[i]), std::memory_order_relaxed);
}

namespace {
/// Waits as the kernel does after it has replaced a map within a map. False: the map could not be made.
/// Source: kernel/bpf/syscall.c, maybe_wait_bpf_programs()
bool replaceMapWithinMap()
{
    bpf_map_create_opts options{};
    options.sz = sizeof options;
    const Fd inner(bpf_map_create(BPF_MAP_TYPE_ARRAY, "dscope_inner", 4, 4, 1, &options));
    options.inner_map_fd = static_cast<std::uint32_t>(inner.get());
    const Fd outer(bpf_map_create(BPF_MAP_TYPE_ARRAY_OF_MAPS, "dscope_outer", 4, 4, 1, &options));
    const std::uint32_t index = 0;
    const int value = inner.get();
    return inner && outer && bpf_map_update_elem(outer.get(), &index, &value, BPF_ANY) == 0;
}
} // namespace

void awaitRunning()
{
    constexpr std::uint32_t kLongestProgram = 200'000; // us, by far
    // Source: membarrier(2), kernel/sched/membarrier.c (synchronize_rcu); refused where CPUs run without a tick
    if (::syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0) == 0) return;
    if (!replaceMapWithinMap()) ::usleep(kLongestProgram);
}

Result<> runOnce(int program, std::optional<std::uint32_t> cpu)
{
    // The kernel wants a context at least as long as what the program reads of it, and at most 12 words.
    // Source: net/bpf/test_run.c, bpf_prog_test_run_raw_tp()
    std::array<std::uint64_t, 12> context{};
    bpf_test_run_opts options{};
    options.sz = sizeof options;
    options.ctx_in = context.data();
    options.ctx_size_in = sizeof context;
    if (cpu) {
        options.flags = BPF_F_TEST_RUN_ON_CPU;
        options.cpu = *cpu;
    }
    if (bpf_prog_test_run_opts(program, &options) != 0) return refusal("running a program", errno);
    return {};
}
} // namespace dscope::session
