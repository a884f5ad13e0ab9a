#include "engine/text/times_of_day.h"
#include "engine/text/words.h"
#include <algorithm>
#include <chrono>
namespace dscope::text {
namespace {
constexpr std::int64_t kNsOfSecond = 1'000'000'000, kNsOfDay = 86'400 * kNsOfSecond;

/// The number that the next `digits` characters are.
std::optional<std::int64_t> taken(std::string_view& s, std::size_t digits)
{
    const auto word = s.substr(0, digits);
    if (word.size() != digits || !isDigits(word)) return {};
    s.remove_prefix(digits);
    return integer(word);
}
bool take(std::string_view& s, char c)
{
    if (s.empty() || s.front() != c) return false;
    s.remove_prefix(1);
    return true;
}
/// "2026-11-28", as days since 1970.
std::optional<std::int64_t> dayOf(std::string_view& s)
{
    auto rest = s;
    const auto year = taken(rest, 4);
    if (!year || !take(rest, '-')) return {};
    const auto month = taken(rest, 2);
    if (!month || !take(rest, '-')) return {};
    const auto day = taken(rest, 2);
    if (!day) return {};
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)), std::chrono::month(static_cast<unsigned>(*month)),
        std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return {};
    s = rest;
    return std::chrono::sys_days(date).time_since_epoch().count();
}
/// "11:58:03", "11:58:03.25".
std::optional<std::int64_t> timeIn(std::string_view& s)
{
    auto rest = s;
    const auto hours = taken(rest, 2);
    if (!hours || !take(rest, ':')) return {};
    const auto minutes = taken(rest, 2);
    if (!minutes || !take(rest, ':')) return {};
    const auto seconds = taken(rest, 2);
    if (!seconds || *hours > 23 || *minutes > 59 || *seconds > 60) return {};
    std::int64_t fraction = 0;
    if (auto digits = rest; take(digits, '.')) {
        auto place = kNsOfSecond / 10;
        for (; !digits.empty() && digits.front() >= '0' && digits.front() <= '9'; digits.remove_prefix(1), place /= 10)
            fraction += place * (digits.front() - '0');
        rest = digits;
    }
    s = rest;
    return ((*hours * 60 + *minutes) * 60 + *seconds) * kNsOfSecond + fraction;
}
} // namespace

std::optional<TimesOfDay::Parsed> TimesOfDay::parsed(std::string_view text)
{
    auto rest = text;
    const bool isBracketed = take(rest, '[');
    Parsed out;
    out.day = dayOf(rest);
    if (out.day && !take(rest, ' ') && !take(rest, 'T')) return {};
    const auto time = timeIn(rest);
    if (!time || (isBracketed && !take(rest, ']'))) return {};
    out.time = *time;
    out.end = text.size() - rest.size();
    return out;
}

std::int64_t TimesOfDay::placed(const Parsed& time)
{
    if (time.day) {
        if (!m_firstDay) m_firstDay = *time.day - m_days;
        return (*time.day - *m_firstDay) * kNsOfDay + time.time;
    }
    return m_days * kNsOfDay + time.time;
}

std::optional<std::size_t> TimesOfDay::read(std::string_view line)
{
    const auto time = parsed(line);
    if (!time) return {};
    const auto rest = trimmed(line.substr(time->end));
    if (!rest.empty() && rest.front() != '@') return {};
    auto now = placed(*time);
    if (!time->day && m_now && now < *m_now - kNsOfDay / 2) {
        ++m_days;
        now += kNsOfDay;
    }
    if (time->day) m_days = *time->day - *m_firstDay;
    m_now = now;
    return time->end;
}

std::optional<std::int64_t> TimesOfDay::timeOf(std::string_view text)
{
    const auto time = parsed(text);
    if (!time || time->end != text.size()) return {};
    return placed(*time);
}

std::optional<std::pair<std::int64_t, std::int64_t>> pointOf(std::string_view line, TimesOfDay& clock)
{
    const auto first = line.find('|'), last = line.rfind('|');
    if (first == std::string_view::npos || first == last) return {};
    const auto when = clock.timeOf(trimmed(line.substr(0, first)));
    const auto value = integer(trimmed(line.substr(last + 1)));
    if (!when || !value) return {};
    return std::pair(*when, *value);
}

bool isAxisOfSeries(std::string_view line)
{
    const auto text = trimmed(line);
    if (text.starts_with("hh:mm:ss") || (text.starts_with("v_") && text.ends_with("_v"))) return true;
    const auto blank = text.find(' ');
    if (line.empty() || !isBlank(line.front()) || blank == std::string_view::npos) return false;
    return integer(text.substr(0, blank)) && integer(trimmed(text.substr(blank)));
}
} // namespace dscope::text
