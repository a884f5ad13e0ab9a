#pragma once
#include <string>
#include <string_view>
namespace dscope::format {
/// How the flag ' of printf() groups digits, as localeconv(3) tells it.
struct Grouping {
    std::string separator; ///< empty: digits stand together
    std::string sizes;     ///< of groups from the right; the last repeats, CHAR_MAX ends the grouping

    /// The digits of a number, in groups.
    std::string grouped(std::string_view digits) const;
    /// The leading digits of a number as printf(3) writes it, with its sign, in groups.
    std::string inNumber(std::string_view number) const;
};
/// That of the environment's locale (LC_ALL, LC_NUMERIC, LANG). Nothing else of the locale has a say in what is printed.
Grouping environmentGrouping();
} // namespace dscope::format
