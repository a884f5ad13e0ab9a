#pragma once
#include "engine/options/options.h"
#include "engine/record/record.h"
#include <deque>
#include <functional>
#include <map>
#include <optional>
namespace dscope::tracer {
/// Options bufpolicy and ringtime. Source: Solaris Dynamic Tracing Guide, chapter "Buffers and Buffering". With `switch` records go on as
/// they come. With `fill` they are shown at the end, and the end is when what one CPU traced fills `bufsize`; with `ring` each CPU's
/// oldest make room for its newest, which are shown at the end. With ringtime it is all CPUs' oldest that go, those from before that time,
/// and `bufsize` does not matter. What END traces is always shown, and what a program is, at once.
class BufferPolicy {
public:
    using Deliver = std::function<void(const record::Record&)>;
    BufferPolicy(const options::Options& options, Deliver deliver);
    void take(const record::Record& record);
    /// With `fill`: a CPU's buffer is full, and tracing is to stop.
    bool isFull() const { return m_full; }
    /// At the end, `now` by CLOCK_MONOTONIC: hands on the records that were kept, in order.
    void release(record::Nanoseconds now);
    /// Bytes of memory that ringtime may take; what is more goes, and a Diagnostic says so.
    static constexpr std::uint64_t kMost = std::uint64_t{256} << 20;

private:
    enum class Policy : std::uint8_t { Switch, Fill, Ring, RingOfTime } m_policy = Policy::Switch;
    using Number = std::uint64_t; ///< of a record, in the order of their coming
    /// Without those from before; of an aggregation's rows the last of them stay, from which what came in later is counted.
    void dropBefore(record::Nanoseconds time);
    void dropOldest();
    bool makeRoomOnCpu(Number number, const record::Fired& fired);
    std::uint64_t m_room = 0;
    record::Nanoseconds m_span{};
    Deliver m_deliver;
    bool m_full = false;
    std::optional<ProbeId> m_end;
    struct Cpu {
        std::uint64_t used = 0;
        std::deque<Number> kept; ///< its firings, oldest first
    };
    std::map<std::uint32_t, Cpu> m_cpus;
    std::deque<Number> m_fired;                            ///< with ringtime: of all CPUs, oldest first
    std::map<AggregationId, std::deque<Number>> m_rows;    ///< with ringtime, oldest first
    std::uint64_t m_used = 0;                              ///< bytes of m_fired
    std::optional<record::Nanoseconds> m_lost;             ///< when the newest was that kMost had no room for
    std::map<Number, record::Record> m_kept;
    Number m_next = 0;
};
} // namespace dscope::tracer
