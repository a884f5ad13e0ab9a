#include "engine/base/fd.h"
#include "engine/host/host.h"
#include <cerrno>
#include <cstring>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>
namespace dscope::host {
/// The smallest program there is, for the entry of one function; loaded and forgotten.
Result<> Host::takesFunctionPrograms(std::uint32_t function) const
{
    const bpf_insn program[] = {
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .src_reg = 0, .off = 0, .imm = 0},
        {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
    };

    const char license[] = "GPL";
    bpf_attr load;
    std::memset(&load, 0, sizeof load);
    load.prog_type = BPF_PROG_TYPE_TRACING;
    load.expected_attach_type = BPF_TRACE_FENTRY;
    load.insns = reinterpret_cast<std::uintptr_t>(program);
    load.insn_cnt = std::size(program);
    load.license = reinterpret_cast<std::uintptr_t>(license);
    load.attach_btf_id = function;
    const Fd loaded(static_cast<int>(::syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof load)));
    if (!loaded) return systemError(errno);
    const Fd attached([&] {
        bpf_attr open;
        std::memset(&open, 0, sizeof open);
        open.raw_tracepoint.prog_fd = static_cast<std::uint32_t>(loaded.get());
        return static_cast<int>(::syscall(SYS_bpf, BPF_RAW_TRACEPOINT_OPEN, &open, sizeof open));
    }());
    if (!attached) return systemError(errno);
    return {};
}
} // namespace dscope::host
