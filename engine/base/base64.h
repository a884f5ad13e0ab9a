#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
namespace dscope {
/// `bytes` in the alphabet of RFC 4648, section 4: padded, without line ends.
inline std::string base64(std::string_view bytes)
{
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            out += at + i > bytes.size() ? '=' : kDigits[group >> (18 - 6 * i) & 63];
    }
    return out;
}
/// The bytes that base64() made `text` of. Blanks and line ends in it are skipped. Empty when `text` is malformed, which
/// includes text that was cut: its length, padding included, must be a multiple of four digits.
inline std::optional<std::string> fromBase64(std::string_view text)
{
    std::string out;
    out.reserve(text.size() / 4 * 3);

    std::uint32_t group = 0;
    int bits = 0;
    std::size_t digits = 0, padding = 0;
    for (const char c : text) {
        if (c == ' ' || c == '\n' || c == '\r' || c == '\t') continue;
        if (c == '=') {
            ++padding;
            continue;
        }
        const int digit = c >= 'A' && c <= 'Z' ? c - 'A'
            : c >= 'a' && c <= 'z'             ? c - 'a' + 26
            : c >= '0' && c <= '9'             ? c - '0' + 52
            : c == '+'                         ? 62
            : c == '/'                         ? 63
                                               : -1;
        if (digit < 0 || padding > 0) return std::nullopt;
        ++digits;
        group = (group << 6 | static_cast<std::uint32_t>(digit)) & 0xFFFFFF;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out += static_cast<char>(group >> bits & 255);
        }
    }

    if (padding > 2 || (digits + padding) % 4 != 0) return std::nullopt;
    return out;
}
} // namespace dscope
