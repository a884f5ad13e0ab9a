#include "engine/syntax/literals.h"
#include <array>
#include <cstdio>
namespace dscope::syntax {
namespace {
struct Escape {
    char letter, character;
};
constexpr std::array<Escape, 9> kEscapes{{
    {'a', '\a'},
    {'b', '\b'},
    {'f', '\f'},
    {'n', '\n'},
    {'r', '\r'},
    {'t', '\t'},
    {'v', '\v'},
    {'"', '"'},
    {'\\', '\\'},
}};
int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}
bool isOctal(char c) { return c >= '0' && c <= '7'; }
} // namespace

std::string unescaped(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\\' || i + 1 == text.size()) {
            out += text[i];
            continue;
        }
        const char c = text[++i];
        if (isOctal(c)) {
            unsigned value = 0;
            const std::size_t end = i + 3;
            for (; i < text.size() && i < end && isOctal(text[i]); ++i)
                value = value * 8 + static_cast<unsigned>(digit(text[i]));
            --i;
            out += static_cast<char>(value & 0xffU);
        } else if (c == 'x') {
            unsigned value = 0;
            while (i + 1 < text.size() && digit(text[i + 1]) < 16)
                value = (value * 16 + static_cast<unsigned>(digit(text[++i]))) & 0xffU;
            out += static_cast<char>(value);
        } else {
            bool known = false;
            for (const auto& e : kEscapes)
                if (e.letter == c) {
                    out += e.character;
                    known = true;
                }
            if (!known) {
                out += '\\';
                out += c;
            }
        }
    }
    return out;
}
std::string escaped(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        bool done = false;
        for (const auto& e : kEscapes)
            if (e.character == c) {
                out += '\\';
                out += e.letter;
                done = true;
                break;
            }
        if (done) continue;
        if (byte >= 0x20 && byte != 0x7f) {
            out += c;
            continue;
        }
        std::array<char, 8> octal{};
        std::snprintf(octal.data(), octal.size(), "\\%03o", byte);
        out += octal.data();
    }
    return out;
}
LeadingInteger leadingInteger(std::string_view text)
{
    LeadingInteger read;
    unsigned base = 10;
    std::size_t i = 0;
    if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && digit(text[2]) < 16) {
        base = 16;
        i = 2;
    } else if (!text.empty() && text[0] == '0')
        base = 8;
    for (; i < text.size(); ++i) {
        const auto d = static_cast<unsigned>(digit(text[i]));
        if (d >= base) break;
        if (read.value > (UINT64_MAX - d) / base) read.overflow = true;
        read.value = read.value * base + d;
    }
    read.length = i;
    return read;
}
std::optional<std::uint64_t> characterValue(std::string_view unescapedText)
{
    if (unescapedText.size() > 8) return std::nullopt;
    std::uint64_t value = 0;
    for (const char c : unescapedText)
        value = value << 8 | static_cast<unsigned char>(c);
    return value;
}
} // namespace dscope::syntax
