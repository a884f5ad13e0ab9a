#pragma once
#include "engine/base/bytes.h"
#include "engine/symbols/frame_rule.h"
#include <cstdint>
namespace dscope::symbols {
constexpr std::size_t kLongestCall = 7; ///< bytes, without prefixes
/// Whether `code` ends as a call ends, whose return address is then the linked address `behind`. Other code may happen to end so. `target`:
/// where a call of a fixed place leads, 0: to a place that is computed.
struct CallBefore {
    bool isCall = false;
    std::uint64_t target = 0;
};
CallBefore callBefore(ByteView code, std::uint64_t behind, Architecture architecture = kOwnArchitecture);
} // namespace dscope::symbols
