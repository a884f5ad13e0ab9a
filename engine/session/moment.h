#pragma once
#include <cstdint>
namespace dscope::session {
/// When a function is probed: as it is entered, or as it returns.
enum class Moment : std::uint8_t { Entry, Return };
constexpr Moment momentOf(bool atReturn) { return atReturn ? Moment::Return : Moment::Entry; }
} // namespace dscope::session
