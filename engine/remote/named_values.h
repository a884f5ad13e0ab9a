#pragma once
#include "engine/base/result.h"
#include <array>
#include <charconv>
#include <chrono>
#include <string>
#include <string_view>
namespace dscope::remote {
/// One NAME=VALUE of an option that takes several of them.
template <typename Settings> struct NamedValue {
    std::string_view name;
    Result<> (*set)(Settings&, const std::string&); ///< Error: what it takes
};
/// Error: what is wrong, with the names that there are.
template <typename Settings, std::size_t Size>
Result<> setNamed(
    const std::array<NamedValue<Settings>, Size>& rows, const std::string& option, const std::string& word, Settings& settings)
{
    const auto equals = word.find('=');
    std::string names;
    for (const auto& row : rows) {
        if (equals != std::string::npos && row.name == word.substr(0, equals)) {
            if (auto done = row.set(settings, word.substr(equals + 1)); !done)
                return Error{0, option + ' ' + std::string(row.name) + ' ' + done.error().message};
            return {};
        }
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    return Error{0, option + " takes NAME=VALUE with one of the names " + names + ", not \"" + word + '"'};
}
template <typename Number> bool readNumber(std::string_view text, Number& out)
{
    return std::from_chars(text.data(), text.data() + text.size(), out).ptr == text.data() + text.size() && !text.empty();
}
/// "0", "256k", "16m" or "1g": bytes.
inline Result<std::size_t> sizeOf(const std::string& text)
{
    constexpr std::array<std::pair<std::string_view, unsigned>, 4> kUnits{{{"", 0}, {"k", 10}, {"m", 20}, {"g", 30}}};
    constexpr std::size_t kMost = std::size_t{1} << 30;
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const auto unit = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& [name, shift] : kUnits)
        if (error == std::errc() && unit == name && number <= (kMost >> shift)) return number << shift;
    return Error{0, "takes a number of bytes up to 1g, as 0, 256k or 16m, not \"" + text + '"'};
}
/// "500ms", "2s" or "10min".
inline Result<std::chrono::nanoseconds> timeOf(const std::string& text)
{
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 3> kUnits{
        {{"ms", 1'000'000}, {"s", 1'000'000'000}, {"min", 60'000'000'000}}};
    constexpr std::int64_t kLongest = 1'000'000;
    std::int64_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number).ptr;
    const auto unit = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& [name, size] : kUnits)
        if (unit == name && number >= 0 && number <= kLongest) return std::chrono::nanoseconds(number * size);
    return Error{0, "takes a time, as 500ms, 2s or 10min, not \"" + text + '"'};
}
} // namespace dscope::remote
