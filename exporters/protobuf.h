#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::exporters {
/// Protocol buffers by hand: a handful of fields. Source: protobuf.dev/programming-guides/encoding.
class Message {
public:
    void number(int field, std::uint64_t value)
    {
        varint(static_cast<std::uint64_t>(field) << 3);
        varint(value);
    }

    void fixed64(int field, std::uint64_t value)
    {
        varint(static_cast<std::uint64_t>(field) << 3 | 1);
        for (int i = 0; i < 8; ++i, value >>= 8)
            m_bytes += static_cast<char>(value);
    }

    void bytes(int field, std::string_view value)
    {
        varint(static_cast<std::uint64_t>(field) << 3 | 2);
        varint(value.size());
        m_bytes += value;
    }

    void message(int field, const Message& value) { bytes(field, value.m_bytes); }

    void numbers(int field, const std::vector<std::uint64_t>& values)
    {
        Message packed;
        for (const auto v : values)
            packed.varint(v);
        bytes(field, packed.m_bytes);
    }

    void add(const Message& more) { m_bytes += more.m_bytes; }
    const std::string& data() const { return m_bytes; }

private:
    void varint(std::uint64_t value)
    {
        for (; value >= 0x80; value >>= 7)
            m_bytes += static_cast<char>(value | 0x80);
        m_bytes += static_cast<char>(value);
    }

    std::string m_bytes;
};
} // namespace dscope::exporters
