#pragma once
#include "engine/record/buckets.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <map>
#include <string>
#include <utility>
namespace dscope::text {
/// What a log of events tells: how often each came, by program, and how long calls took that have a begin and an end.
class CallTimes {
public:
    void count(const std::string& program, const std::string& event) { ++m_counts[{program, event}]; }
    /// `thread`: whatever tells calls under way apart. ns.
    void begin(std::int64_t thread, const std::string& call, std::int64_t when) { m_open[thread] = {call, when}; }

    /// Of another call than the one that began, or of none: nothing.
    void end(std::int64_t thread, const std::string& call, std::int64_t when)
    {
        const auto open = m_open.find(thread);
        if (open == m_open.end()) return;
        if (open->second.first == call && when >= open->second.second) took(call, when - open->second.second);
        m_open.erase(open);
    }

    void took(const std::string& call, std::int64_t nanoseconds)
    {
        static const record::Aggregation kPowers{.function = record::Aggregator::Quantize};
        ++m_times[call][record::bucketOf(kPowers, nanoseconds)];
    }
    bool empty() const { return m_counts.empty(); }

    /// As the aggregations @events[execname, event] = count() and @time[call] = quantize().
    void put(Imported& into, const std::string& call) const
    {
        Tables tables;
        tables.name("events");
        tables.keyNames({"execname", "event"});
        for (const auto& [keys, count] : m_counts)
            tables.number({keys.first, keys.second}, count);
        tables.name("time");
        tables.keyNames({call});
        for (const auto& [name, buckets] : m_times) {
            record::Aggregation shape;
            shape.function = record::Aggregator::Quantize;
            shape.value = "timestamp - self->start";
            tables.distribution({name}, shape, {buckets.begin(), buckets.end()});
        }
        tables.put(into);
    }

private:
    std::map<std::pair<std::string, std::string>, std::int64_t> m_counts;
    std::map<std::int64_t, std::pair<std::string, std::int64_t>> m_open;
    std::map<std::string, std::map<int, std::int64_t>> m_times;
};
/// "12.345678" seconds, or "10:20:30.123456" of a day, in nanoseconds; nothing where it is neither.
inline std::optional<std::int64_t> clockText(std::string_view text)
{
    if (std::count(text.begin(), text.end(), ':') > 2) return {}; // hours, minutes, seconds
    std::int64_t seconds = 0;
    for (auto colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':')) {
        const auto part = integer(text.substr(0, colon));
        if (!part || *part < 0 || *part > 1'000'000) return {};
        seconds = (seconds + *part) * 60;
        text.remove_prefix(colon + 1);
    }
    const auto dot = text.find('.');
    const auto whole = integer(text.substr(0, dot));
    if (!whole || *whole < 0 || *whole > 4'000'000'000) return {};
    std::int64_t fraction = 0, unit = 100'000'000;
    if (dot != std::string_view::npos)
        for (const char c : text.substr(dot + 1)) {
            if (c < '0' || c > '9') return {};
            fraction += (c - '0') * unit;
            unit /= 10;
        }
    return (seconds + *whole) * 1'000'000'000 + fraction;
}
} // namespace dscope::text
