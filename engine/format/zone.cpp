#include "engine/format/zone.h"
#include <array>
#include <cctype>
#include <fstream>
#include <iterator>
namespace dscope::format {
namespace {
constexpr std::int64_t kDay = 86400;

/// Days from 1970-01-01 to the first day of a month. Source: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
std::int64_t daysTo(std::int64_t year, int month, int day)
{
    year -= month <= 2;
    const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
    const std::int64_t ofEra = year - era * 400;
    const std::int64_t ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719468;
}
bool isLeap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }
int yearOf(std::int64_t seconds)
{
    const std::int64_t days = seconds / kDay - (seconds % kDay < 0);
    int year = int(1970 + days / 366);
    if (days < 0) year = int(1970 + (days - 365) / 365);
    while (daysTo(year + 1, 1, 1) <= days)
        ++year;
    return year;
}
} // namespace

class Zone::Parser {
public:
    explicit Parser(std::string_view text) : m_text(text) { }

    std::optional<Zone> parse()
    {
        Zone zone;
        zone.m_standard.name = name();
        zone.m_standard.offset = -time();
        if (zone.m_standard.name.empty() || !m_ok) return {};
        if (m_text.empty()) return zone;
        Local summer{zone.m_standard.offset + 3600, name()};
        if (summer.name.empty()) return {};
        if (!m_text.empty() && m_text[0] != ',') summer.offset = -time();
        zone.m_summer = summer;
        if (m_text.empty()) {
            // What POSIX leaves open, everyone fills in with the rules of the United States.
            zone.m_begin = {Rule::Kind::MonthWeekDay, 3, 2, 0, 2 * 3600};
            zone.m_end = {Rule::Kind::MonthWeekDay, 11, 1, 0, 2 * 3600};
        } else {
            zone.m_begin = rule();
            zone.m_end = rule();
        }
        if (!m_ok || !m_text.empty()) return {};
        return zone;
    }

private:
    bool take(char c)
    {
        if (m_text.empty() || m_text[0] != c) return false;
        m_text.remove_prefix(1);
        return true;
    }

    bool atDigit() const { return !m_text.empty() && m_text[0] >= '0' && m_text[0] <= '9'; }

    int number(int most)
    {
        int n = 0;
        m_ok = m_ok && atDigit();
        while (atDigit() && n <= most) {
            n = n * 10 + (m_text[0] - '0');
            m_text.remove_prefix(1);
        }
        m_ok = m_ok && n <= most;
        return n;
    }

    std::string name()
    {
        const bool quoted = take('<');
        std::size_t n = 0;
        while (n < m_text.size() && (quoted ? m_text[n] != '>' : std::isalpha(static_cast<unsigned char>(m_text[n])) != 0))
            ++n;
        const std::string found(m_text.substr(0, n));
        m_text.remove_prefix(n);
        if (quoted) m_ok = take('>') && m_ok;
        return found;
    }

    /// [+-]hh[:mm[:ss]]
    std::int32_t time()
    {
        const bool negative = take('-');
        if (!negative) take('+');
        std::int32_t seconds = number(167) * 3600;
        if (take(':')) seconds += number(59) * 60;
        if (take(':')) seconds += number(59);
        return negative ? -seconds : seconds;
    }

    Rule rule()
    {
        Rule r;
        m_ok = take(',') && m_ok;
        if (take('M')) {
            r.month = number(12);
            m_ok = take('.') && m_ok;
            r.week = number(5);
            m_ok = take('.') && m_ok;
            r.day = number(6);
            m_ok = m_ok && r.month >= 1 && r.week >= 1;
        } else {
            r.kind = take('J') ? Rule::Kind::Julian : Rule::Kind::DayOfYear;
            r.day = number(365);
        }
        if (take('/')) r.time = time();
        return r;
    }

    std::string_view m_text;
    bool m_ok = true;
};

std::optional<Zone> Zone::parse(std::string_view posix) { return Parser(posix).parse(); }

std::int64_t Zone::whenIn(int year, const Rule& rule)
{
    std::int64_t day = daysTo(year, 1, 1);
    if (rule.kind == Rule::Kind::DayOfYear) {
        day += rule.day;
    } else if (rule.kind == Rule::Kind::Julian) {
        day += rule.day - 1 + (isLeap(year) && rule.day >= 60); // February 29 is never counted
    } else {
        const std::int64_t first = daysTo(year, rule.month, 1);
        const std::int64_t next = rule.month == 12 ? daysTo(year + 1, 1, 1) : daysTo(year, rule.month + 1, 1);
        const std::int64_t weekday = ((first + 4) % 7 + 7) % 7; // 1970-01-01 was a Thursday
        day = first + (rule.day - weekday + 7) % 7 + 7 * (rule.week - 1);
        while (day >= next)
            day -= 7; // week 5: the last
    }
    return day * kDay + rule.time;
}

Zone::Local Zone::at(std::int64_t seconds) const
{
    if (!m_summer) return m_standard;
    const int year = yearOf(seconds + m_standard.offset);
    const std::int64_t begin = whenIn(year, m_begin) - m_standard.offset, end = whenIn(year, m_end) - m_summer->offset;
    const bool summer = begin < end ? seconds >= begin && seconds < end : seconds >= begin || seconds < end;
    return summer ? *m_summer : m_standard;
}

std::string machineZone(const char* tz, const std::string& zoneinfo, const std::string& localtime)
{
    std::string path = localtime;
    if (tz) {
        std::string_view text = tz;
        if (text.empty()) return "UTC0";
        if (text[0] == ':')
            text.remove_prefix(1);
        else if (Zone::parse(text))
            return std::string(text);
        path = text.starts_with('/') ? std::string(text) : zoneinfo + '/' + std::string(text);
    }
    std::ifstream file(path, std::ios::binary);
    const std::string content((std::istreambuf_iterator<char>(file)), {});
    // Source: RFC 8536, 3.3: from version 2 on the file ends in a newline, the rules, a newline.
    if (!content.starts_with("TZif") || content.size() < 5 || content[4] < '2' || content.back() != '\n') return {};
    const auto before = content.rfind('\n', content.size() - 2);
    if (before == std::string::npos) return {};
    std::string rules = content.substr(before + 1, content.size() - before - 2);
    return Zone::parse(rules) ? rules : std::string();
}
} // namespace dscope::format
