#pragma once
#include <cstddef>
#include <cstdint>
#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
namespace dscope {
using Bytes = std::vector<std::byte>;
using ByteView = std::span<const std::byte>;

/// Text that is there as long as somebody holds it: a string, or memory that a file is mapped into.
using HeldText = std::shared_ptr<const std::string_view>;
inline HeldText held(std::string text)
{
    struct Holder {
        explicit Holder(std::string all) : text(std::move(all)) { }
        std::string text;
        std::string_view view = text;
    };
    auto holder = std::make_shared<const Holder>(std::move(text));
    return {holder, &holder->view};
}

/// The integer of type T at `at`, host byte order (all of dscope's targets are little endian); 0 where it would
/// reach past the end.
template <typename T>
T readAt(ByteView bytes, std::size_t at)
{
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    if (at <= bytes.size() && bytes.size() - at >= sizeof(T)) std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}
/// The NUL-terminated text in the `size` bytes at `at`; ends at the view's end when there is no NUL.
inline std::string textAt(ByteView bytes, std::size_t at, std::size_t size)
{
    if (at >= bytes.size()) return {};
    const auto part = bytes.subspan(at, std::min(size, bytes.size() - at));
    const auto* begin = reinterpret_cast<const char*>(part.data());
    return std::string(begin, ::strnlen(begin, part.size()));
}

/// Appends little-endian integers, length-prefixed text and blobs.
class ByteWriter {
public:
    template <typename T>
        requires(std::is_integral_v<T> || std::is_enum_v<T>)
    void put(T value)
    {
        raw({reinterpret_cast<const std::byte*>(&value), sizeof value});
    }

    void text(std::string_view s)
    {
        put(static_cast<std::uint32_t>(s.size()));
        raw({reinterpret_cast<const std::byte*>(s.data()), s.size()});
    }

    void blob(ByteView b)
    {
        put(static_cast<std::uint32_t>(b.size()));
        raw(b);
    }
    void raw(ByteView b) { m_bytes.insert(m_bytes.end(), b.begin(), b.end()); }
    const Bytes& bytes() const { return m_bytes; }
    Bytes take() { return std::move(m_bytes); }

private:
    Bytes m_bytes;
};

/// Reads what ByteWriter wrote. Reading past the end gives zeros and makes ok() false; it never throws.
class ByteReader {
public:
    explicit ByteReader(ByteView bytes) : m_bytes(bytes) {}
    template <typename T>
        requires(std::is_integral_v<T> || std::is_enum_v<T>)

    T get()
    {
        T value{};
        if (left() < sizeof(T)) {
            fail();
            return value;
        }
        std::memcpy(&value, m_bytes.data() + m_at, sizeof(T));
        m_at += sizeof(T);
        return value;
    }

    std::string text()
    {
        const auto b = blobView();
        return std::string(reinterpret_cast<const char*>(b.data()), b.size());
    }

    Bytes blob()
    {
        const auto b = blobView();
        return {b.begin(), b.end()};
    }

    ByteView blobView()
    {
        const auto n = get<std::uint32_t>();
        if (left() < n) {
            fail();
            return {};
        }
        const auto part = m_bytes.subspan(m_at, n);
        m_at += n;
        return part;
    }

    std::size_t left() const { return m_bytes.size() - m_at; }
    bool ok() const { return m_ok; }

private:
    void fail()
    {
        m_ok = false;
        m_at = m_bytes.size();
    }
    ByteView m_bytes;
    std::size_t m_at = 0;
    bool m_ok = true;
};
} // namespace dscope
