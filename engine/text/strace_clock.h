#pragma once
#include "engine/text/strace_lines.h"
#include <algorithm>
#include <cstdint>
#include <optional>
namespace dscope::text::strace {
/// When things happen, on one axis: from times of a day, since 1970, or since the line before.
class Clock {
public:
    void take(const std::optional<Stamp>& stamp)
    {
        if (!stamp) return;
        // A time since the line before is 0 in the first line, whatever stands before it.
        if (!m_began) m_isRelative = stamp->kind == Stamp::Kind::Relative || (stamp->kind == Stamp::Kind::Number && stamp->at == 0);
        auto at = stamp->at;
        if (m_isRelative)
            at = m_now + std::min(at, kMost - m_now);
        else if (stamp->kind == Stamp::Kind::OfDay)
            at = sameOrNextDay(at);
        if (!m_began) begin(*stamp, at);
        m_now = std::max(m_now, std::min(at - m_base, kMost));
    }

    std::int64_t now() const { return m_now; }
    std::int64_t began() const { return m_began.value_or(0); }
    std::int64_t wallOffset() const { return m_wallOffset; }
    bool isKnown() const { return m_began.has_value(); }

private:
    static constexpr std::int64_t kMost = INT64_MAX / 4, kDay = 86'400 * kSecond;

    void begin(const Stamp& stamp, std::int64_t at)
    {
        const bool isOfDay = stamp.kind == Stamp::Kind::OfDay;
        if (!isOfDay) m_base = at - kSecond;
        if (!isOfDay && !m_isRelative) m_wallOffset = m_base;
        m_began = std::max(at - m_base, std::int64_t{1}); // 0 is "not known"
        if (m_isRelative) {
            m_base = 0;
            m_now = kSecond;
        }
    }

    std::int64_t sameOrNextDay(std::int64_t at)
    {
        at += m_days;
        if (!m_began || at + kDay / 2 >= m_now || m_days > kMost - kDay) return at;
        m_days += kDay; // past midnight
        return at + kDay;
    }

    std::optional<std::int64_t> m_began;
    std::int64_t m_now = 0, m_base = 0, m_days = 0, m_wallOffset = 0;
    bool m_isRelative = false;
};
} // namespace dscope::text::strace
