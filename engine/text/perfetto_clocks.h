#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
namespace dscope::text {
/// The clocks by which packets of a Perfetto trace tell their times, and what each showed when the boot clock showed what. Source:
/// github.com/google/perfetto, protos/perfetto/trace/clock_snapshot.proto.
class PerfettoClocks {
public:
    static constexpr std::uint32_t kBoot = 6; ///< the number of the clock that counts for all
    struct Clock {
        std::uint64_t own = 0, boot = 0, unit = 1, last = 0; ///< `own` in units of `unit` ns was the moment `boot`
        bool isIncremental = false;
    };
    using ById = std::map<std::uint32_t, Clock>;
    /// Takes a ClockSnapshot; numbers from 64 to 127 are clocks of its writer alone and go to `own`. The problem; empty without one.
    std::string_view take(ById& own, std::string_view message);
    /// ns of the boot clock, for a packet that says `when` by clock `id`. An incremental clock counts on from its writer's last packet. The
    /// number wraps where the file lies.
    std::int64_t boot(ById& own, std::uint32_t id, std::uint64_t when);

private:
    static constexpr std::uint64_t kFirstOwn = 64, kFirstGlobal = 128;
    static constexpr std::size_t kMostReadings = 1'024, kMostClocks = 4'096;
    ById& home(ById& own, std::uint64_t id) { return id >= kFirstOwn && id < kFirstGlobal ? own : m_clocks; }
    ById m_clocks;
};
} // namespace dscope::text
