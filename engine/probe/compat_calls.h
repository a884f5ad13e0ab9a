#pragma once
#include <cstdint>
#include <span>
namespace dscope::probe {
/// A system call as 32-bit programs on a 64-bit kernel make it.
struct CompatCall {
    std::uint16_t compat; ///< its number for them
    std::uint16_t number; ///< that of the same call of 64-bit programs
};
std::span<const CompatCall> compatCalls();
} // namespace dscope::probe
