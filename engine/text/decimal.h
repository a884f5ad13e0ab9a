#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
namespace dscope::text {
/// A number as it was written: digits * 10^exponent, nothing rounded.
struct Decimal {
    std::int64_t digits = 0;
    int exponent = 0;
    bool isCut = false; ///< it had more decimals than fit: the least are left out
};
/// "12", "-0.343", "1.5e-05". Nothing: it is no number, or one beyond 64 bits.
std::optional<Decimal> decimal(std::string_view text);
} // namespace dscope::text
