#pragma once
#include "engine/decode/decoder.h"
#include "engine/symbols/stack_walker.h"
#include <unordered_set>
namespace dscope::session {
/// Names the stacks of the running machine. Processes are looked at when they are first heard of, so that what they
/// mapped is known after they are gone.
class LiveStacks final : public decode::StackNamer {
public:
    explicit LiveStacks(const host::Host& host);
    std::vector<record::Frame> kernel(std::span<const std::uint64_t> addresses) override;
    std::vector<record::Frame> user(std::uint32_t pid, ByteView raw, std::uint32_t limit) override;
    record::Frame symbol(std::uint32_t pid, std::uint64_t address, bool user) override;
    void attend(std::uint32_t pid);                 ///< a target, or a process that is about to matter
    void follow(const record::ProcessEvent& event); ///< keeps what is known of processes up to date

private:
    symbols::Symbolizer m_symbolizer;
    std::unordered_set<std::uint32_t> m_attended;
};
} // namespace dscope::session
