#pragma once
#include "engine/base/bytes.h"
#include "engine/record/crc.h"
#include "engine/record/wire.h"
/// The frames that Writer writes and Reader reads (engine/record/wire.h tells their layout).
namespace dscope::record {
/// What a frame of a recording holds.
enum class FrameKind : std::uint8_t { Stored = 1, Zstd = 2, End = 3 };
constexpr std::size_t kHeadSize = 12, kFrameHeadSize = 8;
/// A body is a kind, a length and at most a block, stored when it does not shrink.
constexpr std::size_t kBodyLimit = kBlockLimit + 64;
static_assert(kBodyLimit < (std::size_t{1} << 24));

/// Length and its check, as the first four bytes of a frame have them. So a damaged length is not taken for a cut file.
inline std::uint32_t guardedLength(std::uint32_t length)
{
    const std::array<std::byte, 3> bytes{std::byte(length & 0xff), std::byte((length >> 8) & 0xff), std::byte((length >> 16) & 0xff)};
    return length | ((Crc32c().add(bytes).value() & 0xff) << 24);
}
} // namespace dscope::record
