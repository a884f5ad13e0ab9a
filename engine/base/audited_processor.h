#pragma once
#include <cstdint>
#include <linux/audit.h>
namespace dscope {
/// Our processor as filters of system calls name it. Source: seccomp(2), `arch` of struct seccomp_data
#if defined(__x86_64__)
constexpr std::uint32_t kAuditedProcessor = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kAuditedProcessor = AUDIT_ARCH_AARCH64;
#else
#error "name the processor as the kernel's audit does"
#endif
} // namespace dscope
