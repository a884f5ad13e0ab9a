#pragma once
#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <variant>
namespace dscope::graph {
/// A number of a table or a file. A whole one is kept to its last digit: a double has room for 53 bits, and times since 1970, addresses
/// and counters have 64. Where it is drawn it is read as a double.
class Number {
public:
    Number() = default;
    template <std::signed_integral Whole> Number(Whole whole) : m_value(std::int64_t{whole}) { }
    Number(double real) : m_value(real) { }

    bool isWhole() const { return std::holds_alternative<std::int64_t>(m_value); }
    /// Without a fraction; one that is too large becomes the largest there is.
    std::int64_t whole() const
    {
        if (const auto* whole = std::get_if<std::int64_t>(&m_value)) return *whole;
        constexpr double kEnd = 9223372036854775808.0; // 2^63
        const double real = std::get<double>(m_value);
        return real >= kEnd ? INT64_MAX : real < -kEnd ? INT64_MIN : std::isnan(real) ? 0 : static_cast<std::int64_t>(real);
    }
    operator double() const
    {
        const auto* whole = std::get_if<std::int64_t>(&m_value);
        return whole ? static_cast<double>(*whole) : std::get<double>(m_value);
    }

    Number& operator+=(const Number& other);

private:
    std::variant<std::int64_t, double> m_value;
};

// Of two numbers; templates, so that a number and a double are two doubles.
template <std::same_as<Number> N> Number operator+(const N& a, const N& b)
{
    std::int64_t sum = 0;
    if (a.isWhole() && b.isWhole() && !__builtin_add_overflow(a.whole(), b.whole(), &sum)) return sum;
    return static_cast<double>(a) + static_cast<double>(b);
}
inline Number& Number::operator+=(const Number& other) { return *this = *this + other; }
template <std::same_as<Number> N> Number operator-(const N& a, const N& b)
{
    std::int64_t difference = 0;
    if (a.isWhole() && b.isWhole() && !__builtin_sub_overflow(a.whole(), b.whole(), &difference)) return difference;
    return static_cast<double>(a) - static_cast<double>(b);
}
template <std::same_as<Number> N> bool operator<(const N& a, const N& b)
{
    return a.isWhole() && b.isWhole() ? a.whole() < b.whole() : static_cast<double>(a) < static_cast<double>(b);
}
template <std::same_as<Number> N> bool operator>(const N& a, const N& b) { return b < a; }
template <std::same_as<Number> N> bool operator==(const N& a, const N& b) { return !(a < b) && !(b < a); }
} // namespace dscope::graph
