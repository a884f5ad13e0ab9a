#pragma once
#include "engine/options/options.h"
#include "engine/record/record.h"
#include <deque>
#include <functional>
#include <map>
#include <optional>
namespace dscope::tracer {
/// Option bufpolicy. Source: Solaris Dynamic Tracing Guide, chapter "Buffers and Buffering". With `switch` records go on as they
/// come. With `fill` they are shown at the end, and the end is when what one CPU traced fills `bufsize`; with `ring` each CPU's
/// oldest make room for its newest, which are shown at the end. What END traces is always shown.
class BufferPolicy {
public:
    using Deliver = std::function<void(const record::Record&)>;
    BufferPolicy(const options::Options& options, Deliver deliver);
    void take(const record::Record& record);
    /// With `fill`: a CPU's buffer is full, and tracing is to stop.
    bool isFull() const { return m_full; }
    /// At the end: hands on the records that were kept, in order.
    void release();

private:
    enum class Policy : std::uint8_t { Switch, Fill, Ring } m_policy = Policy::Switch;
    std::uint64_t m_room = 0;
    Deliver m_deliver;
    bool m_full = false;
    std::optional<ProbeId> m_end;
    struct Cpu {
        std::uint64_t used = 0;
        std::deque<std::uint64_t> kept; ///< numbers of its firings, oldest first
    };
    std::map<std::uint32_t, Cpu> m_cpus;
    std::deque<std::optional<record::Record>> m_kept;
    std::uint64_t m_first = 0; ///< number of the first of m_kept
};
} // namespace dscope::tracer
