#include "engine/text/perfetto_tracks.h"
#include "engine/text/protobuf.h"
namespace dscope::text {
namespace {
std::string_view behindSlash(std::string_view path) { return path.substr(path.rfind('/') + 1); }
} // namespace

/// uuid 1, name 2, process 3, thread 4, parent 5, a static name 10.
void PerfettoTracks::track(std::string_view message)
{
    ProtoFields fields(message);
    std::uint64_t uuid = 0;
    Track track;
    while (fields.next()) {
        if (fields.field == 1) uuid = fields.number;
        if (fields.field == 2 || fields.field == 10) track.name = fields.bytes;
        if (fields.field == 3) track.pid = process(fields.bytes);
        if (fields.field == 5) track.parent = fields.number;
        if (fields.field != 4) continue;
        const auto [pid, tid] = thread(fields.bytes);
        track.pid = pid;
        track.tid = tid;
        m_threads.insert({pid, tid});
    }
    m_tracks[uuid] = std::move(track);
}

/// pid 1, name 6; its command line 2 when it has no name.
std::uint32_t PerfettoTracks::process(std::string_view message)
{
    ProtoFields fields(message);
    std::uint64_t pid = 0;
    std::string name, first;
    while (fields.next()) {
        if (fields.field == 1) pid = fields.number;
        if (fields.field == 6) name = fields.bytes;
        if (fields.field == 2 && first.empty()) first = behindSlash(fields.bytes);
    }
    const auto number = static_cast<std::uint32_t>(pid);
    if (name.empty()) name = first;
    if (!name.empty()) nameProcess(number, name);
    return number;
}

/// pid 1, tid 2, name 5.
std::pair<std::uint32_t, std::uint32_t> PerfettoTracks::thread(std::string_view message)
{
    ProtoFields fields(message);
    std::uint64_t pid = 0, tid = 0;
    std::string name;
    while (fields.next()) {
        if (fields.field == 1) pid = fields.number;
        if (fields.field == 2) tid = fields.number;
        if (fields.field == 5) name = fields.bytes;
    }
    const std::pair is(static_cast<std::uint32_t>(pid), static_cast<std::uint32_t>(tid));
    if (!name.empty()) m_slices.nameThread(is.first, is.second, name);
    return is;
}

/// processes 1 { pid 1, cmdline 3 }, threads 2 { tid 1, name 2, tgid 3 }.
void PerfettoTracks::tree(std::string_view message)
{
    ProtoFields all(message);
    while (all.next()) {
        ProtoFields fields(all.bytes);
        std::uint64_t first = 0, group = 0;
        std::string name;
        while (fields.next()) {
            if (fields.field == 1) first = fields.number;
            if (fields.field == 3 && all.field == 2) group = fields.number;
            if (fields.field == 3 && all.field == 1 && name.empty()) name = behindSlash(fields.bytes);
            if (fields.field == 2 && all.field == 2) name = fields.bytes;
        }
        if (name.empty()) continue;
        if (all.field == 1) nameProcess(static_cast<std::uint32_t>(first), name);
        if (all.field == 2) m_slices.nameThread(static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(first), name);
    }
}

std::uint32_t PerfettoTracks::laneOf(std::uint64_t uuid)
{
    auto& track = m_tracks[uuid];
    if (track.lane) return *track.lane;
    const auto pid = processOf(track);
    auto tid = track.tid;
    if (!tid && track.pid && !m_threads.contains({*track.pid, *track.pid})) tid = track.pid;
    if (!tid) {
        tid = record::kFirstNoThread + m_noThreads++;
        m_slices.nameThread(pid.value_or(0), *tid, track.name.empty() ? (uuid == 0 ? "trace" : "track") : track.name);
    }
    track.lane = m_slices.lane(pid.value_or(0), *tid);
    return *track.lane;
}

/// A track belongs to the process that it, or one above it, names.
std::optional<std::uint32_t> PerfettoTracks::processOf(const Track& track) const
{
    constexpr int kDeepest = 64;
    auto pid = track.pid;
    auto above = track.parent;
    for (int levels = 0; !pid && above != 0 && levels < kDeepest; ++levels) {
        const auto at = m_tracks.find(above);
        if (at == m_tracks.end()) break;
        pid = at->second.pid;
        above = at->second.parent;
    }
    return pid;
}

void PerfettoTracks::nameProcess(std::uint32_t pid, const std::string& name)
{
    m_samples.nameProcess(pid, name);
    m_slices.nameProcess(pid, name);
}

Result<> PerfettoTracks::check() const
{
    if (m_tracks.size() > kMost) return Error{0, "it has more than 2,000,000 tracks: record a shorter time"};
    return {};
}
} // namespace dscope::text
