#include "engine/session/library_watch.h"
#include "engine/session/hold.h"
#include "engine/session/refusal.h"
#include "engine/session/uprobe_link.h"
#include <bpf/bpf.h>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <vector>
namespace dscope::session {
namespace {
constexpr std::uint32_t kRoom = 4096; ///< bytes of ring: a word each time a process is stopped

bpf_insn insn(int code, int dst, int src, int offset, int imm)
{
    bpf_insn one{};
    one.code = static_cast<__u8>(code);
    one.dst_reg = static_cast<__u8>(dst & 15);
    one.src_reg = static_cast<__u8>(src & 15);
    one.off = static_cast<__s16>(offset);
    one.imm = imm;
    return one;
}
/// The process is stopped, and its number (the cookie) goes to the ring.
std::vector<bpf_insn> program(int ring)
{
    const auto move = [](int dst, int src) { return insn(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0); };
    const auto set = [](int dst, int value) { return insn(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, value); };
    const auto call = [](int helper) { return insn(BPF_JMP | BPF_CALL, 0, 0, 0, helper); };
    return {call(BPF_FUNC_get_attach_cookie), insn(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_0, -8, 0), set(BPF_REG_1, SIGSTOP),
        call(BPF_FUNC_send_signal), insn(BPF_LD | BPF_IMM | BPF_DW, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, ring), insn(0, 0, 0, 0, 0),
        move(BPF_REG_2, BPF_REG_10), insn(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -8), set(BPF_REG_3, 8), set(BPF_REG_4, 0),
        call(BPF_FUNC_ringbuf_output), set(BPF_REG_0, 0), insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)};
}
} // namespace

Result<LibraryWatch> LibraryWatch::make(std::span<const pid_t> processes, const host::Host& host)
{
    LibraryWatch watch;
    std::vector<probe::Uprobe> places;
    std::vector<std::uint64_t> cookies;
    for (const auto pid : processes)
        if (auto call = linkerCall(pid)) {
            probe::Uprobe place;
            place.file = std::move(call->file);
            place.offset = call->offset;
            place.pid = pid;
            places.push_back(std::move(place));
            cookies.push_back(static_cast<std::uint64_t>(pid));
        }
    if (places.empty()) return watch;
    watch.m_map = Fd(bpf_map_create(BPF_MAP_TYPE_RINGBUF, "stopped", 0, 0, kRoom, nullptr));
    if (!watch.m_map) return refusal("creating a map", errno);
    DSCOPE_TRY(watch.m_ring, Ring::map(watch.m_map.get(), kRoom));
    const auto insns = program(watch.m_map.get());
    bpf_prog_load_opts options{};
    options.sz = sizeof options;
    options.expected_attach_type = static_cast<bpf_attach_type>(kTraceUprobeMulti);
    watch.m_program = Fd(bpf_prog_load(BPF_PROG_TYPE_KPROBE, "libraries", "GPL", insns.data(), insns.size(), &options));
    if (!watch.m_program) return refusal("loading a program", errno);
    DSCOPE_TRY(watch.m_guardian, Guardian::over(processes));
    DSCOPE_CHECK(attach(places, cookies, watch.m_program.get(), 0, host, watch.m_links));
    return watch;
}

std::set<pid_t> LibraryWatch::waiting()
{
    std::set<pid_t> found;
    if (m_links.empty()) return found;
    m_ring.consume(kRoom, [&](ByteView record) {
        std::uint64_t pid = 0;
        if (record.size() >= sizeof pid) std::memcpy(&pid, record.data(), sizeof pid);
        found.insert(static_cast<pid_t>(pid));
        return true;
    });
    return found;
}

void LibraryWatch::resume(pid_t process) { ::kill(process, SIGCONT); }
} // namespace dscope::session
