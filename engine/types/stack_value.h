#pragma once
#include "engine/types/type_table.h"
#include <algorithm>
namespace dscope::types {
/// dt_stack_t: a stack as a value, which variables and tuples hold. An ordinary structure with room for a fixed number of frames:
/// uint32_t depth, is_user, pid, strsz; uint64_t addrs[].
/// Source of the members' names: the User Guide of DTrace for Linux 2.0, stack() and ustack()
struct StackValue {
    static constexpr std::uint32_t kDepthAt = 0, kIsUserAt = 4, kPidAt = 8, kNameBytesAt = 12, kAddressesAt = 16; ///< bytes
    static constexpr std::uint64_t kMostFrames = 1024;
    /// Frames it has room for, with option maxframes as given.
    static constexpr std::uint32_t room(std::uint64_t maxframes)
    {
        return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(maxframes, 1, kMostFrames));
    }
};
/// Declares dt_stack_t with room for `frames` frames.
const Type* defineStackValue(TypeTable& table, std::uint32_t frames);
bool isStackValue(const Type* type);
/// How many frames a value of that type has room for.
std::uint32_t framesOfStackValue(const Type* type);
} // namespace dscope::types
