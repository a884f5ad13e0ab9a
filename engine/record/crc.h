#pragma once
#include "engine/base/bytes.h"
#include <array>
namespace dscope::record {
/// CRC-32C (Castagnoli), as iSCSI and ext4 use it. Source: RFC 3720, B.4.
class Crc32c {
public:
    Crc32c& add(ByteView bytes)
    {
        for (const auto b : bytes)
            m_value = (m_value >> 8) ^ kTable[(m_value ^ std::uint32_t(b)) & 0xff];
        return *this;
    }

    std::uint32_t value() const { return ~m_value; }

private:
    static constexpr std::array<std::uint32_t, 256> table()
    {
        std::array<std::uint32_t, 256> t{};
        for (std::uint32_t n = 0; n < 256; ++n) {
            std::uint32_t c = n;
            for (int k = 0; k < 8; ++k)
                c = (c >> 1) ^ ((c & 1) != 0 ? 0x82f63b78U : 0U);
            t[n] = c;
        }
        return t;
    }

    static const std::array<std::uint32_t, 256> kTable;
    std::uint32_t m_value = ~std::uint32_t{0};
};
inline constexpr std::array<std::uint32_t, 256> Crc32c::kTable = Crc32c::table();
} // namespace dscope::record
