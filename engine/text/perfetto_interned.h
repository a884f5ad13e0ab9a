#pragma once
#include "engine/text/task_samples.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>
namespace dscope::text {
/// What packets of one writer of a Perfetto trace refer to by number. Texts are views of the trace. Source: github.com/google/perfetto,
/// protos/perfetto/trace: interned_data/interned_data.proto and profiling/profile_common.proto.
class PerfettoInterned {
public:
    static constexpr std::uint32_t kStackFrames = 2; ///< field of a Callstack: numbers of its frames, the root first
    static constexpr std::size_t kMostKept = std::size_t{1} << 30;
    /// Takes an InternedData. `keptByAll` counts, about, the bytes that are kept of all writers; from kMostKept on nothing more is taken.
    /// False: it is damaged.
    bool take(std::string_view message, std::size_t& keptByAll);
    std::size_t kept() const { return m_kept; } ///< its part of keptByAll
    std::optional<std::string_view> eventName(std::uint64_t iid) const;
    /// The stack of such a number, as `samples` numbers it; nothing where the trace does not hold it. `unnamed` counts frames of it that
    /// the trace does not hold.
    std::optional<std::uint32_t> stack(std::uint64_t iid, TaskSamples& samples, std::size_t& unnamed);
    /// The stack of frames of such numbers. They go by their names, which stay when the writer begins anew.
    std::uint32_t stackOf(const std::vector<std::uint64_t>& frames, TaskSamples& samples, std::size_t& unnamed);

private:
    struct Frame {
        std::uint64_t function = 0, mapping = 0, pc = 0, kind = 0;
    };
    struct Entry;
    static std::optional<Entry> entryIn(std::uint32_t field, std::string_view message);
    void keep(Entry entry);
    std::string_view pathOf(std::uint64_t mapping) const;
    std::uint32_t word(std::uint64_t iid, TaskSamples& samples, std::size_t& unnamed);
    std::unordered_map<std::uint64_t, std::string_view> m_eventNames, m_functions, m_paths;
    std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> m_mappings, m_callstacks;
    std::unordered_map<std::uint64_t, Frame> m_frames;
    std::unordered_map<std::uint64_t, std::uint32_t> m_resolved, m_words; ///< callstacks and frames, as samples number them
    std::size_t m_kept = 0;
};
} // namespace dscope::text
