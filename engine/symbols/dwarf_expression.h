#pragma once
#include "engine/symbols/frame_step.h"
#include <optional>
namespace dscope::symbols {
/// What a DWARF expression gives; none when it is malformed, needs memory or registers that are not there, or loops.
/// `initial` is pushed first when given (the CFA, for rules of registers). Source: DWARF 5, 2.5.
std::optional<std::uint64_t> evaluate(
    ByteView expression, const StackCopy& stack, const FrameState& state, std::optional<std::uint64_t> initial);
} // namespace dscope::symbols
