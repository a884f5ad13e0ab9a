#pragma once
#include "engine/base/result.h"
#include <cstdint>
#include <string>
#include <string_view>
namespace dscope::text {
inline bool isGzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }
/// Beginning: as far as it is there. Whole: all of it, or an error.
enum class Inflate : std::uint8_t { Beginning, Whole };
/// What compressed `bytes` hold, as gzip writes it or zlib, as far as `most` bytes; several gzip streams may stand one behind the other.
/// Memory is taken for what is returned, and not for what is refused.
Result<std::string> inflated(std::string_view bytes, std::size_t most, Inflate how);
} // namespace dscope::text
