#pragma once
#include <cstdint>
#include <string_view>
namespace dscope::text {
/// The fields of a message of protocol buffers, one after the other, without a copy. Whatever the bytes are, nothing behind them is read.
/// Source: protobuf.dev/programming-guides/encoding.
class ProtoFields {
public:
    explicit ProtoFields(std::string_view message) : m_bytes(message) { }

    /// False at the end, or where the bytes are no message (see isDamaged()).
    bool next()
    {
        if (m_at >= m_bytes.size()) return false;
        m_begin = m_at;
        std::uint64_t tag = 0;
        if (!varint(tag) || tag >> 3 == 0 || tag >> 3 > kMostField) return damaged();
        field = static_cast<std::uint32_t>(tag >> 3);
        wire = static_cast<std::uint32_t>(tag & 7);
        number = 0;
        bytes = {};
        switch (wire) {
        case kVarint: return varint(number) || damaged();
        case kFixed64: return fixed(8) || damaged();
        case kFixed32: return fixed(4) || damaged();
        case kBytes: {
            std::uint64_t size = 0;
            if (!varint(size) || size > m_bytes.size() - m_at) return damaged();
            bytes = m_bytes.substr(m_at, static_cast<std::size_t>(size));
            m_at += static_cast<std::size_t>(size);
            return true;
        }
        default: return damaged(); // groups were never used by what we read
        }
    }

    std::uint32_t field = 0, wire = 0;
    std::uint64_t number = 0; ///< of a varint or a fixed number; else 0
    std::string_view bytes;   ///< of text, a message or packed numbers; else empty
    bool isDamaged() const { return m_isDamaged; }
    std::size_t position() const { return m_begin; } ///< bytes before the field

    static constexpr std::uint32_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;

    /// Hands each number of a repeated field to `deliver`, packed or not; it may return false to end. False: the bytes are damaged.
    template <typename Deliver> bool numbers(Deliver deliver) const
    {
        if (wire == kVarint) return deliver(number), true;
        if (wire != kBytes) return false;
        ProtoFields packed(bytes);
        while (packed.m_at < packed.m_bytes.size()) {
            std::uint64_t value = 0;
            if (!packed.varint(value)) return false;
            if (!deliver(value)) break;
        }
        return true;
    }

private:
    static constexpr std::uint64_t kMostField = (std::uint64_t{1} << 29) - 1;
    bool damaged() { return m_isDamaged = true, false; }

    bool varint(std::uint64_t& out)
    {
        out = 0;
        for (unsigned shift = 0; shift < 64 && m_at < m_bytes.size(); shift += 7) {
            const auto byte = static_cast<unsigned char>(m_bytes[m_at++]);
            out |= std::uint64_t{byte & 127U} << shift;
            if (byte < 128) return true;
        }
        return false;
    }

    bool fixed(std::size_t size)
    {
        if (size > m_bytes.size() - m_at) return false;
        for (std::size_t i = 0; i < size; ++i)
            number |= std::uint64_t{static_cast<unsigned char>(m_bytes[m_at + i])} << (8 * i);
        m_at += size;
        return true;
    }

    std::string_view m_bytes;
    std::size_t m_at = 0, m_begin = 0;
    bool m_isDamaged = false;
};
} // namespace dscope::text
