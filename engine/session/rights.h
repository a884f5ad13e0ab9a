#pragma once
namespace dscope::session {
/// What this thread may do, as far as tracing asks for it. Source: capabilities(7).
struct Rights {
    bool admin = false;   ///< CAP_SYS_ADMIN, which embraces the next two
    bool bpf = false;     ///< CAP_BPF: loading programs
    bool perfmon = false; ///< CAP_PERFMON: attaching them, and reading the kernel's memory
    bool ptrace = false;  ///< CAP_SYS_PTRACE: processes of other users
    bool mayTrace() const { return admin || (bpf && perfmon); }
};
Rights rights();
} // namespace dscope::session
