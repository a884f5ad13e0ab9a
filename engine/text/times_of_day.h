#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
namespace dscope::text {
/// Times that a tool prints between its tables: "11:58:03", "11:58:03.250", "2026-11-28 11:58:03", also in brackets. They are ns since the
/// midnight before the first of them; a time that is far below the one before it is of the next day.
class TimesOfDay {
public:
    /// Remembers the time that a line begins with, if that is all of it or "@" is behind it. Gives where the time ends.
    std::optional<std::size_t> read(std::string_view line);
    std::optional<std::int64_t> now() const { return m_now; } ///< what was read last
    /// The time that a text is; it is not remembered.
    std::optional<std::int64_t> timeOf(std::string_view text);

private:
    struct Parsed {
        std::int64_t time = 0; ///< ns of its day
        std::optional<std::int64_t> day;
        std::size_t end = 0;
    };
    static std::optional<Parsed> parsed(std::string_view text);
    std::int64_t placed(const Parsed& time);
    std::optional<std::int64_t> m_now, m_firstDay;
    std::int64_t m_days = 0; ///< since the first
};
/// The time and the value of a point that bpftrace draws of a tseries(): "11:58:49.600000000 |    *   | 5".
std::optional<std::pair<std::int64_t, std::int64_t>> pointOf(std::string_view line, TimesOfDay& clock);
/// Whether a line is part of the axes that bpftrace draws around the points of a tseries().
bool isAxisOfSeries(std::string_view line);
} // namespace dscope::text
