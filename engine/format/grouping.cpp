#include "engine/format/grouping.h"
#include <algorithm>
#include <climits>
#include <langinfo.h>
#include <locale.h>
namespace dscope::format {
std::string Grouping::grouped(std::string_view digits) const
{
    if (separator.empty()) return std::string(digits);
    std::string out;
    for (std::size_t group = 0; !digits.empty(); ++group) {
        const char size = sizes.empty() ? char{CHAR_MAX} : sizes[std::min(group, sizes.size() - 1)];
        const bool isRest = size <= 0 || size == CHAR_MAX || digits.size() <= static_cast<std::size_t>(size);
        const auto from = isRest ? 0 : digits.size() - static_cast<std::size_t>(size);
        out.insert(0, digits.substr(from));
        if (!isRest) out.insert(0, separator);
        digits = digits.substr(0, from);
    }
    return out;
}

std::string Grouping::inNumber(std::string_view number) const
{
    constexpr std::string_view kDigits = "0123456789";
    const auto first = std::min(number.find_first_of(kDigits), number.size());
    const auto last = std::min(number.find_first_not_of(kDigits, first), number.size());
    return std::string(number.substr(0, first)) + grouped(number.substr(first, last - first)) + std::string(number.substr(last));
}

Grouping environmentGrouping()
{
    const auto locale = ::newlocale(LC_NUMERIC_MASK, "", nullptr);
    if (!locale) return {};
    Grouping out{::nl_langinfo_l(THOUSEP, locale), {}};
    const auto before = ::uselocale(locale);
    out.sizes = ::localeconv()->grouping;
    ::uselocale(before);
    ::freelocale(locale);
    return out;
}
} // namespace dscope::format
