#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <string>
namespace dscope::graph {
__extension__ using WideInteger = __int128;
/// A number of a table or a file. A whole one is kept to its last digit: a double has room for 53 bits, times since 1970, addresses and
/// counters have 64, and sums of counters a few more: there is room for 96. Where it is drawn it is read as a double.
class Number {
public:
    Number() = default;
    template <std::integral Whole> Number(Whole whole) : Number(WideInteger{whole}, 0) { }
    Number(double real) : m_low(std::bit_cast<std::uint64_t>(real)), m_kind(Kind::Real) { }
    /// One of more than 96 bits becomes a double.
    static Number ofWide(WideInteger whole) { return {whole, 0}; }
    /// The quotient to a hundredth, for dividends beside which a double has no room for a fraction.
    static Number ofHundredths(WideInteger hundredths) { return {hundredths / 100, static_cast<std::int8_t>(hundredths % 100)}; }

    bool isWhole() const { return m_kind == Kind::Whole && m_hundredths == 0; }
    /// Without a fraction; one that is too large becomes the largest int64_t there is.
    std::int64_t whole() const
    {
        if (m_kind == Kind::Whole) return static_cast<std::int64_t>(std::clamp(wide(), WideInteger{INT64_MIN}, WideInteger{INT64_MAX}));
        constexpr double kEnd = 9223372036854775808.0; // 2^63
        const double real = *this;
        return real >= kEnd ? INT64_MAX : real < -kEnd ? INT64_MIN : std::isnan(real) ? 0 : static_cast<std::int64_t>(real);
    }
    /// The same with all digits; only of what is no double.
    WideInteger wide() const { return (WideInteger{m_high} << 64) | m_low; }
    bool isReal() const { return m_kind == Kind::Real; }
    int hundredths() const { return m_hundredths; } ///< beside wide(), with its sign
    operator double() const
    {
        if (m_kind == Kind::Real) return std::bit_cast<double>(m_low);
        return static_cast<double>(wide()) + m_hundredths / 100.0;
    }

    Number& operator+=(const Number& other);

private:
    Number(WideInteger whole, std::int8_t hundredths) : m_low(static_cast<std::uint64_t>(whole)), m_hundredths(hundredths)
    {
        const auto high = whole >> 64;
        if (high < std::numeric_limits<std::int32_t>::min() || high > std::numeric_limits<std::int32_t>::max())
            *this = Number(static_cast<double>(whole));
        else
            m_high = static_cast<std::int32_t>(high);
    }
    enum class Kind : std::uint8_t { Whole, Real };
    std::uint64_t m_low = 0; ///< of a whole number the lower bits, else a double
    std::int32_t m_high = 0;
    std::int8_t m_hundredths = 0;
    Kind m_kind = Kind::Whole;
};
/// All digits of an integer.
inline std::string digitsOf(WideInteger value)
{
    std::string out;
    const bool isNegative = value < 0;
    do {
        const int digit = static_cast<int>(value % 10);
        out.insert(out.begin(), static_cast<char>('0' + (digit < 0 ? -digit : digit)));
        value /= 10;
    } while (value != 0);
    return isNegative ? '-' + out : out;
}

// Of two numbers; templates, so that a number and a double are two doubles.
template <std::same_as<Number> N> Number operator+(const N& a, const N& b)
{
    if (a.isWhole() && b.isWhole()) return Number::ofWide(a.wide() + b.wide()); // 96 bits each: no overflow
    return static_cast<double>(a) + static_cast<double>(b);
}
inline Number& Number::operator+=(const Number& other) { return *this = *this + other; }
template <std::same_as<Number> N> Number operator-(const N& a, const N& b)
{
    if (a.isWhole() && b.isWhole()) return Number::ofWide(a.wide() - b.wide());
    return static_cast<double>(a) - static_cast<double>(b);
}
template <std::same_as<Number> N> bool operator<(const N& a, const N& b)
{
    if (a.isReal() || b.isReal()) return static_cast<double>(a) < static_cast<double>(b);
    return a.wide() != b.wide() ? a.wide() < b.wide() : a.hundredths() < b.hundredths();
}
template <std::same_as<Number> N> bool operator>(const N& a, const N& b) { return b < a; }
template <std::same_as<Number> N> bool operator==(const N& a, const N& b) { return !(a < b) && !(b < a); }
} // namespace dscope::graph
