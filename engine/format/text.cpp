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
} // namespace dscope::format
