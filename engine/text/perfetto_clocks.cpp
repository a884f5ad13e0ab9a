#include "engine/text/perfetto_clocks.h"
#include "engine/text/protobuf.h"
#include <algorithm>
#include <vector>
namespace dscope::text {
namespace {
struct Reading {
    std::uint64_t id = 0, when = 0, unit = 1;
    bool isIncremental = false;
};

/// Clock: clock_id 1, timestamp 2, is_incremental 3, unit_multiplier_ns 4.
Reading readingIn(std::string_view message)
{
    Reading out;
    ProtoFields fields(message);
    while (fields.next()) {
        if (fields.field == 1) out.id = fields.number;
        if (fields.field == 2) out.when = fields.number;
        if (fields.field == 3) out.isIncremental = fields.number != 0;
        if (fields.field == 4) out.unit = std::max<std::uint64_t>(fields.number, 1);
    }
    return out;
}
} // namespace

std::string_view PerfettoClocks::take(ById& own, std::string_view message)
{
    std::vector<Reading> all; // of one moment
    ProtoFields fields(message);
    while (fields.next()) {
        if (fields.field != 1) continue;
        if (all.size() >= kMostReadings || m_clocks.size() > kMostClocks) return "it has more clocks than any trace";
        all.push_back(readingIn(fields.bytes));
    }
    if (fields.isDamaged()) return "readings of clocks cannot be read";

    // The moment by the clock that counts for all; else by one that is known already, or by the first.
    std::optional<std::uint64_t> boot;
    for (const auto& r : all)
        if (r.id == kBoot) boot = r.when * r.unit;
    for (const auto& r : all)
        if (const auto known = m_clocks.find(static_cast<std::uint32_t>(r.id)); !boot && r.id < kFirstOwn && known != m_clocks.end())
            boot = known->second.boot + (r.when - known->second.own) * known->second.unit;
    if (!boot && !all.empty()) boot = all.front().when * all.front().unit;
    for (const auto& r : all)
        home(own, r.id)[static_cast<std::uint32_t>(r.id)] = {r.when, *boot, r.unit, r.when, r.isIncremental};
    return {};
}

std::int64_t PerfettoClocks::boot(ById& own, std::uint32_t id, std::uint64_t when)
{
    auto& clocks = home(own, id);
    const auto known = clocks.find(id);
    if (id == kBoot || known == clocks.end()) return static_cast<std::int64_t>(when);
    auto& c = known->second;
    c.last = c.isIncremental ? c.last + when : when;
    return static_cast<std::int64_t>(c.boot + (c.last - c.own) * c.unit);
}
} // namespace dscope::text
