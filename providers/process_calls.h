#pragma once
#include <cstdint>
#include <vector>
/// The system calls of x86-64 by which processes begin and become others. Source: arch/x86/entry/syscalls/syscall_64.tbl.
namespace dscope::providers {
/// clone, fork, vfork, clone3. A child's first return to user space is that of one of them, with 0.
inline std::vector<std::uint16_t> callsThatClone() { return {56, 57, 58, 435}; }
/// execve, execveat.
inline std::vector<std::uint16_t> callsThatExec() { return {59, 322}; }
} // namespace dscope::providers
