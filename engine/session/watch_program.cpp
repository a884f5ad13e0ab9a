#include "engine/session/watch_program.h"
#include "engine/bpf/encode.h"
#include "engine/session/refusal.h"
#include <cerrno>
#include <csignal>
namespace dscope::session {
Result<Fd> loadWatch(const char* name, std::string_view text, bpf_prog_type type, int attachType)
{
    DSCOPE_TRY(const auto slots, bpf::assemble(text));
    bpf_prog_load_opts options{};
    options.sz = sizeof options;
    options.expected_attach_type = static_cast<bpf_attach_type>(attachType);
    static_assert(sizeof(bpf_insn) == sizeof(bpf::Slot));
    Fd program(bpf_prog_load(type, name, "GPL", reinterpret_cast<const bpf_insn*>(slots.data()), slots.size(), &options));
    if (!program) return refusal(std::string("loading program ") + name, errno);
    return program;
}

std::string stopAndTell(const Watched& watched, std::uint64_t what)
{
    std::string text;
    if (what & Watched::kWaits) text += "mov %r1, " + std::to_string(SIGSTOP) + "\ncall 109\n"; // send_signal
    return text + "lddw %r1, " + std::to_string(what) + "\nor %r1, %r6\nstxdw [%r10-8], %r1\nlddw %r1, map "
        + std::to_string(watched.ring()) + "\nmov %r2, %r10\nadd %r2, -8\nmov %r3, 8\nmov %r4, 0\ncall 130\n"; // ringbuf_output
}
} // namespace dscope::session
