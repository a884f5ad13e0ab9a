#pragma once
#include "engine/bpf/insn.h"
#include "engine/object/abilities.h"
#include <cstdint>
#include <vector>
namespace dscope::codegen {
/// What the rewriting needs to know of the kernel.
struct OlderKernel {
    object::Abilities has;
    std::int64_t stackAt = -1; ///< offset of task_struct's `stack`; -1: not known
};
/// Rewrites code for kernels without Ability::CurrentTask or Ability::TaskRegisters: there the current task, its registers and
/// what they lead to are mere numbers to the verifier, so every load through them becomes a call of bpf_probe_read_kernel().
/// Registers that are still needed are kept on the stack around it. Code for newer kernels is left as it is.
/// Throws TooLarge where a function's stack has no room for them.
void rewriteFor(const OlderKernel& kernel, std::vector<bpf::Insn>& code);
} // namespace dscope::codegen
