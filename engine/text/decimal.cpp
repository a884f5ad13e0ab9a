#include "engine/text/decimal.h"
#include <algorithm>
#include <charconv>
namespace dscope::text {
namespace {
constexpr int kMostDecimals = 30; // of a number: 10^-30 of a unit is nothing
constexpr std::int64_t kTen = 10;

/// "e-05" at the end of a number, and what is before it.
std::optional<int> takeExponent(std::string_view& text)
{
    const auto mark = text.find_first_of("eE");
    if (mark == std::string_view::npos) return 0;
    auto power = text.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    int exponent = 0;
    const auto read = std::from_chars(power.data(), power.data() + power.size(), exponent);
    constexpr int kMost = 400; // of a double
    if (power.empty() || read.ec != std::errc() || read.ptr != power.data() + power.size() || exponent > kMost) return {};
    text = text.substr(0, mark);
    return std::max(exponent, -kMost);
}
} // namespace

std::optional<Decimal> decimal(std::string_view text)
{
    Decimal out;
    const bool isNegative = text.starts_with('-');
    if (isNegative) text.remove_prefix(1);
    const auto exponent = takeExponent(text);
    if (!exponent) return {};
    bool isPastPoint = false, hasDigits = false;
    for (const char c : text) {
        if (c == '.' && !isPastPoint) {
            isPastPoint = true;
            continue;
        }
        if (c < '0' || c > '9') return {};
        hasDigits = true;
        std::int64_t next = 0;
        const bool fits = !__builtin_mul_overflow(out.digits, kTen, &next) && !__builtin_add_overflow(next, c - '0', &next);
        if (!fits && !isPastPoint) return {};
        if (!fits || out.exponent <= -kMostDecimals || out.isCut) {
            out.isCut = out.isCut || c != '0';
            continue;
        }
        out.digits = next;
        if (isPastPoint) --out.exponent;
    }
    if (!hasDigits) return {};
    out.exponent += *exponent;
    for (; out.exponent < 0 && out.digits % kTen == 0 && out.digits != 0; ++out.exponent)
        out.digits /= kTen;
    for (; out.exponent < -kMostDecimals && out.digits != 0; ++out.exponent) {
        out.isCut = out.isCut || out.digits % kTen != 0;
        out.digits /= kTen;
    }
    for (; out.exponent > 0 && out.digits != 0; --out.exponent)
        if (__builtin_mul_overflow(out.digits, kTen, &out.digits)) return {};
    if (out.digits == 0) out.exponent = 0;
    if (isNegative) out.digits = -out.digits;
    return out;
}
} // namespace dscope::text
