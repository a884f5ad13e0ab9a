#pragma once
#include "engine/base/bytes.h"
#include <cstdint>
#include <optional>
namespace dscope::symbols {
/// Walks through bytes of DWARF. Reading past the end gives zeros and makes ok() false.
class DwarfReader {
public:
    /// `address`: where the first byte is linked for, the base of pc-relative pointers.
    DwarfReader(ByteView bytes, std::uint64_t address) : m_bytes(bytes), m_address(address) { }

    template <typename T> T get()
    {
        if (left() < sizeof(T)) {
            fail();
            return T{};
        }
        const auto value = readAt<T>(m_bytes, m_at);
        m_at += sizeof(T);
        return value;
    }

    std::uint64_t unsignedLeb()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = get<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
            if (!(byte & 0x80)) return value;
        }
    }

    std::int64_t signedLeb()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0;;) {
            const auto byte = get<std::uint8_t>();
            if (shift < 64) value |= std::uint64_t{byte & 0x7fu} << shift;
            shift += 7;
            if (byte & 0x80) continue;
            if (shift < 64 && (byte & 0x40)) value |= ~std::uint64_t{0} << shift;
            return static_cast<std::int64_t>(value);
        }
    }

    /// A pointer as DW_EH_PE_* `encoding` says; none for encodings that need a base we have not. Source: LSB 5, 10.5.
    std::optional<std::uint64_t> pointer(std::uint8_t encoding);

    /// The next `size` bytes, which are skipped.
    ByteView block(std::uint64_t size)
    {
        if (size > left()) {
            fail();
            return {};
        }
        const auto part = m_bytes.subspan(m_at, size);
        m_at += size;
        return part;
    }

    void skip(std::uint64_t size) { block(size); }
    std::size_t at() const { return m_at; }
    std::uint64_t address() const { return m_address + m_at; }
    std::size_t left() const { return m_bytes.size() - m_at; }
    bool ok() const { return m_ok; }

private:
    void fail()
    {
        m_ok = false;
        m_at = m_bytes.size();
    }
    ByteView m_bytes;
    std::uint64_t m_address;
    std::size_t m_at = 0;
    bool m_ok = true;
};
} // namespace dscope::symbols
