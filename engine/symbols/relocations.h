#pragma once
#include <cstdint>
#include <elf.h>
/// How the dynamic linker fills in a place, by the numbers that the processor's ABI gives them.
namespace dscope::symbols {
#if defined(__aarch64__)
constexpr std::uint32_t kRelative = R_AARCH64_RELATIVE, kIndirect = R_AARCH64_IRELATIVE, kJumpSlot = R_AARCH64_JUMP_SLOT,
                        kGlobalData = R_AARCH64_GLOB_DAT;
#else
constexpr std::uint32_t kRelative = R_X86_64_RELATIVE, kIndirect = R_X86_64_IRELATIVE, kJumpSlot = R_X86_64_JUMP_SLOT,
                        kGlobalData = R_X86_64_GLOB_DAT;
#endif
} // namespace dscope::symbols
