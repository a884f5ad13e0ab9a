#pragma once
#include "engine/record/folded.h"
#include "engine/text/importer.h"
#include "engine/base/interned.h"
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>
namespace dscope::text {
/// Samples with their stacks, summed by what they measure, by process and by stack. Each frame and each stack is kept once: memory grows
/// with different ones, not with samples.
class TaskSamples {
public:
    static constexpr std::size_t kMostFrames = 65'536; ///< of a stack
    /// What a sample's weight is, for example 1 of "samples", or ns of "cpu-clock".
    struct Measure {
        std::string noun;
        record::StackUnit unit = record::StackUnit::Count;
        bool operator==(const Measure&) const = default;
    };
    /// The number of a frame.
    std::uint32_t frame(const record::NamedFrame& frame);
    /// The number of the frame behind which a stack was cut.
    std::uint32_t cut() { return m_frames.frame({.name = "[truncated]"}); }
    /// The number of a stack of such frames, the root first.
    std::uint32_t stack(std::span<const std::uint32_t> frames);
    /// Names the root of a process's stacks; without a name that is "pid 1". Process 0 without a name has no root.
    void nameProcess(std::uint32_t pid, std::string name) { m_processes[pid] = std::move(name); }
    /// False, and it is not counted: its measure is the seventeenth.
    bool add(const Measure& measure, std::uint32_t pid, std::uint32_t stack, std::uint64_t weight);
    /// Error: more different samples, or names of more bytes, than any profile has.
    Result<> check() const;
    /// Whether names of frames take more than check() allows.
    bool isFull() const { return m_spelled > kMostSpelled; }
    /// Puts the stacks of each measure among the records. Error: they would take more than fits (StackCounts::Cost).
    Result<> put(Imported& out) const;

private:
    static constexpr std::size_t kMostSamples = 16'000'000, kMostMeasures = 16, kMostSpelled = std::size_t{1} << 30;
    record::StackTableBuilder m_frames; ///< frames alone
    Interned m_stacks;                  ///< numbers of frames, one behind another
    std::size_t m_spelled = 0;  ///< bytes of the names of frames
    std::vector<Measure> m_measures;
    std::map<std::uint32_t, std::string> m_processes;
    std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, std::uint64_t> m_sums; ///< by measure, process and stack
};
} // namespace dscope::text
