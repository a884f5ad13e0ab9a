#include "engine/format/text.h"
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
namespace dscope::format {
std::string formatted(const char* format, ...)
{
    std::va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int size = std::vsnprintf(nullptr, 0, format, args);
    std::string text(size > 0 ? std::size_t(size) : 0, '\0');
    if (size > 0) std::vsnprintf(text.data(), text.size() + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

std::string padded(std::string_view text, int width)
{
    const auto columns = std::size_t(std::abs(width));
    std::string out(text);
    if (out.size() < columns) out.insert(width < 0 ? out.size() : 0, columns - out.size(), ' ');
    return out;
}

std::size_t characterSize(std::string_view text)
{
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto first = at(0);
    const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 1;
    if (first > 0xf4 || size == 1 || size > text.size()) return 1;
    for (std::size_t i = 1; i < size; ++i)
        if ((at(i) & 0xc0) != 0x80) return 1;
    // Longer than needed, surrogates, beyond U+10FFFF.
    const bool isIll = (first == 0xe0 && at(1) < 0xa0) || (first == 0xed && at(1) > 0x9f) || (first == 0xf0 && at(1) < 0x90)
        || (first == 0xf4 && at(1) > 0x8f);
    return isIll ? 1 : size;
}
} // namespace dscope::format
