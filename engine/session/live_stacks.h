#pragma once
#include "engine/decode/decoder.h"
#include "engine/symbols/stack_walker.h"
#include <deque>
#include <span>
#include <unordered_set>
namespace dscope::session {
/// Names the stacks of the running machine, also those of processes that are gone when their samples are read: what
/// processes map is followed from the kernel's own report, each stack is read with the maps of its time.
class LiveStacks final : public decode::StackNamer {
public:
    explicit LiveStacks(const host::Host& host);
    std::vector<record::Frame> kernel(std::span<const std::uint64_t> addresses) override;
    std::vector<record::Frame> user(std::uint32_t pid, ByteView raw, std::uint32_t limit) override;
    record::Frame symbol(std::uint32_t pid, std::uint64_t address, bool user) override;
    /// Stacks of user space will come: follow every process from here on. Where the kernel does not report what is mapped,
    /// processes are looked at when they are first heard of, and some are gone by then.
    void begin();
    /// -x noresolve: addresses of user space are told by file, not by function.
    void leaveOutFunctions() { m_symbolizer.leaveOutFunctions(); }
    /// Addresses of the kernel were to be named, and it does not say which functions they are.
    bool kernelHidesNames() const { return m_symbolizer.kernelHidesNames(); }
    /// A record that was written at `when` is about to be decoded.
    void reach(record::Nanoseconds when);
    /// No record written before `when` is still to come.
    void settle(record::Nanoseconds when);
    void follow(const record::ProcessEvent& event); ///< the next best source of what processes do

private:
    void attend(std::uint32_t pid);
    void listen();
    void apply(std::uint64_t until);

    const host::Host& m_host;
    symbols::Symbolizer m_symbolizer;
    std::unordered_set<std::uint32_t> m_attended;
    std::unique_ptr<symbols::MapEvents> m_events;  ///< null: the kernel refused
    std::deque<symbols::TimedMapEvent> m_upcoming; ///< heard of, but later than what was decoded; ascending
    std::uint64_t m_heard = 0;                     ///< everything until then was heard of
};
} // namespace dscope::session
