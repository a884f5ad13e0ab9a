#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
namespace dscope::format {
/// A time zone as POSIX writes it in TZ: "PST8PDT,M3.2.0,M11.1.0", "<+0530>-5:30", "UTC0". Times of a recording are told
/// in the traced machine's zone with it, wherever they are read.
/// Source: POSIX.1-2017, Base Definitions 8.3, and RFC 8536 3.3.1 for hours beyond a day.
class Zone {
public:
    /// What a time is called and how far from UTC it is.
    struct Local {
        std::int32_t offset = 0; ///< seconds east of UTC
        std::string name;        ///< "PST"; empty when the zone has no name
        bool operator==(const Local&) const = default;
    };
    Zone() = default; ///< UTC
    /// A zone without rules or name.
    explicit Zone(std::int32_t offset)
    {
        if (offset != 0) m_standard = {offset, ""};
    }
    /// Empty when the text is not such a zone.
    static std::optional<Zone> parse(std::string_view posix);
    Local at(std::int64_t secondsSince1970) const;

private:
    /// When summer time begins or ends in a year.
    struct Rule {
        enum class Kind : std::uint8_t { MonthWeekDay, Julian, DayOfYear } kind = Kind::MonthWeekDay;
        int month = 1, week = 1, day = 0; ///< day: of the week from Sunday, or of the year
        std::int32_t time = 2 * 3600;     ///< seconds after midnight, local
    };
    class Parser;
    static std::int64_t whenIn(int year, const Rule& rule);

    Local m_standard{0, "UTC"};
    std::optional<Local> m_summer;
    Rule m_begin, m_end;
};

/// The rules of this machine's zone, as the environment's TZ (`tz`, null when it is not set) or /etc/localtime has them;
/// empty when they cannot be told. For Program::zone of a live run.
std::string machineZone(
    const char* tz, const std::string& zoneinfo = "/usr/share/zoneinfo", const std::string& localtime = "/etc/localtime");
} // namespace dscope::format
