#include "engine/session/function_link.h"
#include "engine/session/refusal.h"
#include <bpf/bpf.h>
#include <cerrno>
#include <linux/bpf.h>
namespace dscope::session {
bool linksFunctions()
{
    static const bool links = [] {
        const bpf_insn nothing[] = {
            {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .src_reg = 0, .off = 0, .imm = 0},
            {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
        };
        bpf_prog_load_opts load{};
        load.sz = sizeof load;
        load.expected_attach_type = BPF_TRACE_KPROBE_MULTI;
        const Fd program(bpf_prog_load(BPF_PROG_TYPE_KPROBE, "dscope_try", "GPL", nothing, std::size(nothing), &load));
        if (!program) return false;
        // Every kernel has it, and it is called when a program is started only.
        const char* function = "begin_new_exec";
        bpf_link_create_opts create{};
        create.sz = sizeof create;
        create.kprobe_multi.cnt = 1;
        create.kprobe_multi.syms = &function;
        return Fd(bpf_link_create(program.get(), 0, BPF_TRACE_KPROBE_MULTI, &create)).operator bool();
    }();
    return links;
}

Result<Fd> linkFunctions(int program, std::span<const std::uint64_t> addresses, Moment moment)
{
    bpf_link_create_opts create{};
    create.sz = sizeof create;
    if (moment == Moment::Return) create.kprobe_multi.flags = BPF_F_KPROBE_MULTI_RETURN;
    create.kprobe_multi.cnt = static_cast<std::uint32_t>(addresses.size());
    create.kprobe_multi.addrs = reinterpret_cast<const unsigned long*>(addresses.data());
    Fd link(bpf_link_create(program, 0, BPF_TRACE_KPROBE_MULTI, &create));
    if (!link) return refusal("probing kernel functions", errno);
    return link;
}
} // namespace dscope::session
