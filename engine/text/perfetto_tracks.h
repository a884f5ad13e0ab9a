#pragma once
#include "engine/text/slices.h"
#include "engine/text/task_samples.h"
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
namespace dscope::text {
/// Who is who in a Perfetto trace: its processes, threads and tracks, as lanes of slices. Source: github.com/google/perfetto,
/// protos/perfetto/trace: ps/process_tree.proto, and track_descriptor.proto, process_descriptor.proto and thread_descriptor.proto of
/// track_event.
class PerfettoTracks {
public:
    /// Names of processes go to both, those of threads to the slices. Both outlive it.
    PerfettoTracks(Slices& slices, TaskSamples& samples) : m_slices(slices), m_samples(samples) { }
    /// A TrackDescriptor.
    void track(std::string_view message);
    /// A ProcessDescriptor. Its process.
    std::uint32_t process(std::string_view message);
    /// A ThreadDescriptor. Its process and thread.
    std::pair<std::uint32_t, std::uint32_t> thread(std::string_view message);
    /// A ProcessTree.
    void tree(std::string_view message);
    /// The lane of slices of a track; one that no descriptor tells gets a lane of its own.
    std::uint32_t laneOf(std::uint64_t uuid);
    /// Error: more tracks than any trace has.
    Result<> check() const;

private:
    static constexpr std::size_t kMost = 2'000'000;
    struct Track {
        std::uint64_t parent = 0;
        std::optional<std::uint32_t> pid, tid;
        std::string name;
        std::optional<std::uint32_t> lane;
    };
    std::optional<std::uint32_t> processOf(const Track& track) const;
    void nameProcess(std::uint32_t pid, const std::string& name);
    Slices& m_slices;
    TaskSamples& m_samples;
    std::uint32_t m_noThreads = 0;
    std::unordered_map<std::uint64_t, Track> m_tracks;
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_threads;
};
} // namespace dscope::text
