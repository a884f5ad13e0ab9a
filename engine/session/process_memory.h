#pragma once
#include "engine/host/host.h"
#include "engine/record/record.h"
#include <unordered_set>
namespace dscope::session {
/// Which processes the stream has told of, so that every process is introduced before it is spoken of: one that was
/// there before tracing began gets an Existing event first.
class ProcessMemory {
public:
    explicit ProcessMemory(const host::Host& host) : m_host(host) { }
    /// Tells of `pid` unless that was done.
    void introduce(std::uint32_t pid, record::Nanoseconds when, const record::Source::Deliver& deliver);
    /// What `pid` is called, unless that was told, and nothing more of it: for pictures of calls, whose programs seldom record it.
    void name(std::uint32_t pid, record::Nanoseconds when, const record::Source::Deliver& deliver);
    /// From now on leavesOut() is true for what this process, a front end, does and starts.
    void leaveOutThoseOf(std::uint32_t frontEnd);
    /// Whether the stream is not to have `event`. Call it with each event, in their order.
    bool leavesOut(const record::ProcessEvent& event);
    /// Call before `event` is delivered.
    void before(const record::ProcessEvent& event, const record::Source::Deliver& deliver);

private:
    /// Whether the front end, or a process that descends from it, is `pid`: one that had begun before tracing, too.
    bool isItsOwn(std::uint32_t pid);

    const host::Host& m_host;
    std::unordered_set<std::uint32_t> m_known;
    std::uint32_t m_frontEnd = 0;               ///< 0: none whose processes are left out
    std::unordered_set<std::uint32_t> m_itsOwn; ///< the front end, what it has started, and what those have
};
} // namespace dscope::session
