#include "engine/text/gzip.h"
#include "engine/text/importer.h"
#include "engine/text/protobuf.h"
#include "engine/text/slices.h"
#include "engine/text/stack_counts.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
namespace dscope::importers {
namespace {
using text::Guess;
using text::ProtoFields;
using text::StackCounts;

constexpr std::size_t kMostPerfettoBytes = std::size_t{512} << 20;
constexpr std::size_t kMostStackFrames = 65'536;
constexpr std::size_t kMostSequences = 100'000;
constexpr std::size_t kMostTracks = 2'000'000;
constexpr std::size_t kMostSamples = 16'000'000;           ///< different ones
constexpr std::size_t kMostKept = std::size_t{1} << 30;    ///< bytes, about, of what packets refer to
constexpr std::size_t kMostSpelled = std::size_t{1} << 30; ///< bytes of the names of frames
constexpr std::size_t kMostReadings = 1'024, kMostClocks = 4'096;
constexpr std::uint32_t kFirstNoThread = 0x8000'0000; ///< for tracks that are no thread: no process of Linux has such a number

/// Numbers of fields. Source: github.com/google/perfetto, protos/perfetto/trace: trace.proto, trace_packet.proto, clock_snapshot.proto,
/// interned_data/interned_data.proto, profiling/profile_common.proto, profile_packet.proto and stack_sample.proto, ps/process_tree.proto,
/// track_event/track_event.proto, track_descriptor.proto, process_descriptor.proto and thread_descriptor.proto.
namespace packet {
constexpr std::uint32_t kOfTrace = 1;
constexpr std::uint32_t kFtrace = 1, kProcessTree = 2, kClocks = 6, kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInterned = 12,
                        kFlags = 13, kMarker = 36, kHeap = 37, kCleared = 41, kOldProcess = 43, kOldThread = 44, kCompressed = 50,
                        kStreamed = 54, kClock = 58, kDefaults = 59, kTrack = 60, kPerfSample = 66, kZstdCompressed = 133,
                        kStackSample = 135;
constexpr std::uint64_t kFlagCleared = 1;
} // namespace packet
namespace event {
constexpr std::uint32_t kDeltaMicros = 1, kLegacy = 6, kType = 9, kNameIid = 10, kTrackUuid = 11, kMicros = 16, kName = 23;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4;
constexpr std::uint32_t kLegacyNameIid = 1, kLegacyPhase = 2, kLegacyMicros = 3;
} // namespace event
namespace interned {
constexpr std::uint32_t kEventNames = 2, kFunctions = 5, kFrames = 6, kCallstacks = 7, kPaths = 17, kMappings = 19;
constexpr std::uint32_t kIid = 1, kText = 2, kFrameFunction = 2, kFrameMapping = 3, kFramePc = 4, kFrameKind = 7, kStackFrames = 2,
                        kMappingPath = 7;
} // namespace interned
constexpr std::uint32_t kBootTime = 6;

class PerfettoTrace {
public:
    explicit PerfettoTrace(std::string_view bytes) : m_bytes(bytes) { }

    Result<> read(text::Imported& out)
    {
        // Tracks are often told behind their first events.
        DSCOPE_CHECK(eachPacket(m_bytes, [&](const ProtoFields& of) { return describe(of); }));
        m_inflated.clear(); // names were copied
        m_position = 0;
        DSCOPE_CHECK(eachPacket(m_bytes, [&](const ProtoFields& of) { return take(of); }));
        for (const auto& [what, count] : m_left)
            warn(out, std::to_string(count) + (count == 1 ? " packet is left out: " : " packets are left out: ") + std::string(what));
        if (m_unnamed > 0)
            warn(out, std::to_string(m_unnamed) + " events or frames have names that the trace does not hold: packets were lost");
        if (m_untracked > 0)
            warn(out, std::to_string(m_untracked) + " samples have stacks that the trace does not hold: packets were lost");
        DSCOPE_CHECK(putSamples(out));
        if (!m_slices.empty()) DSCOPE_CHECK(m_slices.put(out));
        return {};
    }

private:
    struct Track {
        std::uint64_t parent = 0;
        std::optional<std::uint32_t> pid, tid;
        std::string name;
        std::optional<std::uint32_t> lane;
    };
    struct Frame {
        std::uint64_t function = 0, mapping = 0, pc = 0, kind = 0;
    };
    struct Clock {
        std::uint64_t own = 0, boot = 0, unit = 1, last = 0; ///< `own` in units of `unit` ns was the moment `boot`
        bool isIncremental = false;
    };
    /// What packets of one writer refer to.
    struct Sequence {
        std::unordered_map<std::uint64_t, std::string_view> eventNames, functions, paths;
        std::unordered_map<std::uint64_t, std::vector<std::uint64_t>> mappings, callstacks;
        std::unordered_map<std::uint64_t, Frame> frames;
        std::unordered_map<std::uint64_t, std::uint32_t> resolved; ///< callstacks, as m_stacks numbers them
        std::unordered_map<std::uint64_t, std::uint32_t> words;    ///< frames, as m_words numbers them
        std::size_t kept = 0;                                      ///< its part of m_kept
        std::map<std::uint32_t, Clock> clocks;
        std::uint32_t clock = kBootTime;
        std::uint64_t track = 0, pid = 0, tid = 0;
        std::int64_t micros = 0; ///< the last event's, where they count from each other
        bool hasThread = false;
    };

    // -- packets ----------------------------------------------------------------------------------------------------------
    Error damaged(const std::string& what) const
    {
        return Error{0,
            "its data is damaged at byte " + std::to_string(m_position) + ", in packet " + std::to_string(m_packet) + ": " + what
                + "; fetch the file again"};
    }

    /// Few bytes of a file may ask for many here. Error: for more than any trace does.
    Result<> check() const
    {
        if (m_sequences.size() > kMostSequences) return Error{0, "it has more than 100,000 writers: no trace has so many"};
        if (m_tracks.size() > kMostTracks) return Error{0, "it has more than 2,000,000 tracks: record a shorter time"};
        if (m_samples.size() > kMostSamples) return Error{0, "it has more than 16,000,000 different samples: record a shorter time"};
        if (m_kept > kMostKept) return Error{0, "what its packets refer to takes more than 1,024 MiB: record a shorter time"};
        if (m_spelled > kMostSpelled) return Error{0, "the names of its frames are more than 1,024 MiB of text: record a shorter time"};
        return {};
    }

    template <typename Take> Result<> eachPacket(std::string_view bytes, Take take)
    {
        m_packet = 0;
        std::size_t inflated = 0;
        ProtoFields all(bytes);
        while (all.next()) {
            m_position = all.position();
            if (all.field != packet::kOfTrace || all.wire != ProtoFields::kBytes) continue;
            ++m_packet;
            ProtoFields fields(all.bytes);
            std::string_view compressed;
            while (fields.next())
                if (fields.field == packet::kCompressed && fields.wire == ProtoFields::kBytes) compressed = fields.bytes;
            if (fields.isDamaged()) return damaged("no field can be read there");
            if (compressed.empty()) {
                DSCOPE_CHECK(take(all));
                DSCOPE_CHECK(check());
                continue;
            }
            auto text = text::inflated(compressed, kMostPerfettoBytes, text::Inflate::Whole);
            if (!text) return std::move(text).error().in("packet " + std::to_string(m_packet));
            inflated += text->size();
            if (inflated > kMostPerfettoBytes) return Error{0, "its packets inflate to more than 512 MiB: record a shorter time"};
            // Views of what is inside are kept.
            m_inflated.push_back(std::make_unique<std::string>(std::move(*text)));
            ProtoFields inner(*m_inflated.back());
            while (inner.next())
                if (inner.field == packet::kOfTrace && inner.wire == ProtoFields::kBytes) {
                    DSCOPE_CHECK(take(inner));
                    DSCOPE_CHECK(check());
                }
            if (inner.isDamaged()) return damaged("what it has compressed cannot be read");
        }
        m_position = all.position();
        if (all.isDamaged()) return damaged("no packet can be read there");
        return {};
    }

    static std::uint64_t numberIn(std::string_view message, std::uint32_t field)
    {
        ProtoFields fields(message);
        std::uint64_t out = 0;
        while (fields.next())
            if (fields.field == field) out = fields.number;
        return out;
    }

    // -- who is who ---------------------------------------------------------------------------------------------------------
    Result<> describe(const ProtoFields& of)
    {
        ProtoFields fields(of.bytes);
        while (fields.next()) {
            if (fields.wire != ProtoFields::kBytes) continue;
            if (fields.field == packet::kTrack) describeTrack(fields.bytes);
            if (fields.field == packet::kOldProcess) process(fields.bytes);
            if (fields.field == packet::kOldThread) thread(fields.bytes);
            if (fields.field == packet::kProcessTree) processTree(fields.bytes);
        }
        return fields.isDamaged() ? damaged("no field can be read there") : Result<>();
    }

    /// ProcessDescriptor: pid 1, name 6; its command line 2 when it has no name.
    std::uint32_t process(std::string_view message)
    {
        ProtoFields fields(message);
        std::uint64_t pid = 0;
        std::string name, first;
        while (fields.next()) {
            if (fields.field == 1) pid = fields.number;
            if (fields.field == 6) name = fields.bytes;
            if (fields.field == 2 && first.empty()) first = fields.bytes.substr(fields.bytes.rfind('/') + 1);
        }
        const auto number = static_cast<std::uint32_t>(pid);
        if (name.empty()) name = first;
        if (!name.empty()) nameProcess(number, name);
        return number;
    }

    /// ThreadDescriptor: pid 1, tid 2, name 5.
    std::pair<std::uint32_t, std::uint32_t> thread(std::string_view message)
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

    /// ProcessTree: processes 1 { pid 1, cmdline 3 }, threads 2 { tid 1, name 2, tgid 3 }.
    void processTree(std::string_view message)
    {
        ProtoFields all(message);
        while (all.next()) {
            ProtoFields fields(all.bytes);
            std::uint64_t first = 0, group = 0;
            std::string name;
            while (fields.next()) {
                if (fields.field == 1) first = fields.number;
                if (fields.field == 3 && all.field == 2) group = fields.number;
                if (fields.field == 3 && all.field == 1 && name.empty()) name = fields.bytes.substr(fields.bytes.rfind('/') + 1);
                if (fields.field == 2 && all.field == 2) name = fields.bytes;
            }
            if (name.empty()) continue;
            if (all.field == 1) nameProcess(static_cast<std::uint32_t>(first), name);
            if (all.field == 2) m_slices.nameThread(static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(first), name);
        }
    }

    void nameProcess(std::uint32_t pid, const std::string& name)
    {
        m_processNames[pid] = name;
        m_slices.nameProcess(pid, name);
    }

    /// TrackDescriptor: uuid 1, name 2, process 3, thread 4, parent 5, a static name 10.
    void describeTrack(std::string_view message)
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

    std::uint32_t laneOf(std::uint64_t uuid)
    {
        auto& track = m_tracks[uuid];
        if (track.lane) return *track.lane;
        auto pid = track.pid;
        // A track belongs to the process that one above it names.
        auto above = track.parent;
        for (int levels = 0; !pid && above != 0 && levels < 64; ++levels) {
            const auto at = m_tracks.find(above);
            if (at == m_tracks.end()) break;
            pid = at->second.pid;
            above = at->second.parent;
        }
        auto tid = track.tid;
        if (!tid && track.pid && !m_threads.contains({*track.pid, *track.pid})) tid = track.pid;
        if (!tid) {
            tid = kFirstNoThread + m_noThreads++;
            m_slices.nameThread(pid.value_or(0), *tid, track.name.empty() ? (uuid == 0 ? "trace" : "track") : track.name);
        }
        track.lane = m_slices.lane(pid.value_or(0), *tid);
        return *track.lane;
    }

    // -- what happened --------------------------------------------------------------------------------------------------------
    Result<> take(const ProtoFields& of)
    {
        ProtoFields fields(of.bytes);
        std::uint64_t id = 0, flags = 0;
        std::optional<std::uint64_t> when, clock;
        std::string_view clocks, defaults, data, happened;
        std::uint32_t kind = 0;
        while (fields.next())
            switch (fields.field) {
            case packet::kSequence: id = fields.number; break;
            case packet::kFlags: flags |= fields.number; break;
            case packet::kCleared: flags |= fields.number != 0 ? packet::kFlagCleared : 0; break;
            case packet::kTimestamp: when = fields.number; break;
            case packet::kClock: clock = fields.number; break;
            case packet::kClocks: clocks = fields.bytes; break;
            case packet::kDefaults: defaults = fields.bytes; break;
            case packet::kInterned: data = fields.bytes; break;
            case packet::kTrackEvent:
            case packet::kStreamed:
            case packet::kPerfSample:
            case packet::kStackSample:
                kind = fields.field;
                happened = fields.bytes;
                break;
            case packet::kFtrace: ++m_left["the kernel's own events (ftrace)"]; break;
            case packet::kHeap: ++m_left["heap profiles"]; break;
            case packet::kZstdCompressed: ++m_left["compressed by zstd"]; break;
            default: break;
            }
        auto& sequence = m_sequences[id];
        if ((flags & packet::kFlagCleared) != 0) {
            auto clocksStay = std::move(sequence.clocks);
            m_kept -= sequence.kept;
            sequence = {};
            sequence.clocks = std::move(clocksStay);
        }

        if (!clocks.empty()) DSCOPE_CHECK(snapshot(sequence, clocks));
        if (!defaults.empty()) takeDefaults(sequence, defaults);
        if (!data.empty()) DSCOPE_CHECK(intern(sequence, data));
        ProtoFields again(of.bytes);
        while (again.next())
            if (again.field == packet::kOldThread) {
                // Times of a writer of old count from those of its thread: reference_timestamp_us 6.
                const auto [pid, tid] = thread(again.bytes);
                sequence.pid = pid;
                sequence.tid = tid;
                sequence.hasThread = true;
                sequence.micros = static_cast<std::int64_t>(numberIn(again.bytes, 6));
            }
        switch (kind) {
        case packet::kTrackEvent: return trackEvent(sequence, happened, timeOf(sequence, when, clock));
        case packet::kPerfSample: return perfSample(sequence, happened);
        case packet::kStackSample: return stackSample(sequence, happened);
        case packet::kStreamed: return streamed(sequence, happened);
        default: return {};
        }
    }

    /// ClockSnapshot: clocks 1 { clock_id 1, timestamp 2, is_incremental 3, unit_multiplier_ns 4 }, all of one moment.
    Result<> snapshot(Sequence& sequence, std::string_view message)
    {
        struct Reading {
            std::uint64_t id = 0, when = 0, unit = 1;
            bool isIncremental = false;
        };

        std::vector<Reading> all;
        ProtoFields fields(message);
        while (fields.next()) {
            if (fields.field != 1) continue;
            Reading reading;
            ProtoFields inner(fields.bytes);
            while (inner.next()) {
                if (inner.field == 1) reading.id = inner.number;
                if (inner.field == 2) reading.when = inner.number;
                if (inner.field == 3) reading.isIncremental = inner.number != 0;
                if (inner.field == 4) reading.unit = std::max<std::uint64_t>(inner.number, 1);
            }
            if (all.size() >= kMostReadings || m_clocks.size() > kMostClocks) return damaged("it has more clocks than any trace");
            all.push_back(reading);
        }

        if (fields.isDamaged()) return damaged("readings of clocks cannot be read");
        // The moment by the clock that counts for all; else by one that is known already, or by the first.
        std::optional<std::uint64_t> boot;
        for (const auto& r : all)
            if (r.id == kBootTime) boot = r.when * r.unit;
        for (const auto& r : all)
            if (const auto known = m_clocks.find(static_cast<std::uint32_t>(r.id));
                !boot && r.id < kFirstOwnClock && known != m_clocks.end())
                boot = known->second.boot + (r.when - known->second.own) * known->second.unit;
        if (!boot && !all.empty()) boot = all.front().when * all.front().unit;
        for (const auto& r : all) {
            auto& clocks = r.id >= kFirstOwnClock && r.id < kFirstGlobalClock ? sequence.clocks : m_clocks;
            clocks[static_cast<std::uint32_t>(r.id)] = {r.when, *boot, r.unit, r.when, r.isIncremental};
        }
        return {};
    }

    /// Nanoseconds of the clock that counts for all; nothing where a packet tells no time.
    std::optional<std::int64_t> timeOf(Sequence& sequence, std::optional<std::uint64_t> when, std::optional<std::uint64_t> clock)
    {
        if (!when) return {};
        const auto id = static_cast<std::uint32_t>(clock.value_or(sequence.clock));
        auto& clocks = id >= kFirstOwnClock && id < kFirstGlobalClock ? sequence.clocks : m_clocks;
        const auto known = clocks.find(id);
        if (id == kBootTime || known == clocks.end()) return static_cast<std::int64_t>(*when);
        auto& c = known->second;
        c.last = c.isIncremental ? c.last + *when : *when;
        return static_cast<std::int64_t>(c.boot + (c.last - c.own) * c.unit); // wraps where the file lies; it is looked at later
    }

    static void takeDefaults(Sequence& sequence, std::string_view message)
    {
        ProtoFields fields(message);
        while (fields.next()) {
            if (fields.field == packet::kClock) sequence.clock = static_cast<std::uint32_t>(fields.number);
            if (fields.field == packet::kTrackEvent) sequence.track = numberIn(fields.bytes, event::kTrackUuid);
        }
    }

    Result<> intern(Sequence& sequence, std::string_view message)
    {
        ProtoFields all(message);
        while (all.next()) {
            if (all.wire != ProtoFields::kBytes) continue;
            ProtoFields fields(all.bytes);
            std::uint64_t iid = 0;
            std::string_view text;
            Frame frame;
            std::vector<std::uint64_t> numbers;
            bool isRead = true;
            while (fields.next()) {
                if (fields.field == interned::kIid) iid = fields.number;
                const bool isStack = all.field == interned::kCallstacks && fields.field == interned::kStackFrames;
                const bool isMapping = all.field == interned::kMappings && fields.field == interned::kMappingPath;
                if (isStack || isMapping)
                    isRead = isRead && fields.numbers([&](std::uint64_t number) {
                        if (numbers.size() <= kMostStackFrames) numbers.push_back(number);
                        return numbers.size() <= kMostStackFrames;
                    });
                else if (all.field == interned::kFrames) {
                    if (fields.field == interned::kFrameFunction) frame.function = fields.number;
                    if (fields.field == interned::kFrameMapping) frame.mapping = fields.number;
                    if (fields.field == interned::kFramePc) frame.pc = fields.number;
                    if (fields.field == interned::kFrameKind) frame.kind = fields.number;
                } else if (fields.field == interned::kText) {
                    text = fields.bytes;
                }
            }
            if (fields.isDamaged() || !isRead) return damaged("its interned data cannot be read");
            const auto kept = 64 + sizeof(std::uint64_t) * numbers.size();
            sequence.kept += kept;
            m_kept += kept;
            DSCOPE_CHECK(check());
            switch (all.field) {
            case interned::kEventNames: sequence.eventNames[iid] = text; break;
            case interned::kFunctions: sequence.functions[iid] = text; break;
            case interned::kPaths: sequence.paths[iid] = text; break;
            case interned::kFrames:
                sequence.frames[iid] = frame;
                sequence.words.erase(iid);
                break;
            case interned::kMappings: sequence.mappings[iid] = std::move(numbers); break;
            case interned::kCallstacks:
                sequence.callstacks[iid] = std::move(numbers);
                sequence.resolved.erase(iid);
                break;
            default: break;
            }
        }
        return all.isDamaged() ? damaged("its interned data cannot be read") : Result<>();
    }

    Result<> trackEvent(Sequence& sequence, std::string_view message, std::optional<std::int64_t> when)
    {
        ProtoFields fields(message);
        std::uint64_t type = 0, iid = 0, phase = 0, micros = 0;
        std::optional<std::uint64_t> track;
        std::optional<std::string_view> name;
        while (fields.next())
            switch (fields.field) {
            case event::kType: type = fields.number; break;
            case event::kNameIid: iid = fields.number; break;
            case event::kTrackUuid: track = fields.number; break;
            case event::kName: name = fields.bytes; break;
            case event::kDeltaMicros:
                sequence.micros = static_cast<std::int64_t>(static_cast<std::uint64_t>(sequence.micros) + fields.number);
                if (!when) when = micro(sequence.micros);
                break;
            case event::kMicros: when = micro(static_cast<std::int64_t>(fields.number)); break;
            case event::kLegacy: {
                ProtoFields legacy(fields.bytes);
                while (legacy.next()) {
                    if (legacy.field == event::kLegacyNameIid && iid == 0) iid = legacy.number;
                    if (legacy.field == event::kLegacyPhase) phase = legacy.number;
                    if (legacy.field == event::kLegacyMicros) micros = legacy.number;
                }
                break;
            }
            default: break;
            }
        if (fields.isDamaged()) return damaged("an event cannot be read");
        if (phase != 0 && type == 0)
            type = phase == 'B' || phase == 'X' ? event::kBegin
                : phase == 'E'                  ? event::kEnd
                : phase == 'I' || phase == 'i'  ? event::kInstant
                                                : 0;
        if (type == event::kCounter) return ++m_left["values of counters"], Result<>();
        if (type == 0 || type > event::kCounter) return ++m_left["events that are no slices"], Result<>();
        if (!when) return ++m_left["events without a time"], Result<>();
        if (*when > text::Slices::kMostTime || *when < 0) return damaged("the time of an event is beyond 73 years");
        const auto lane = !track && sequence.track == 0 && sequence.hasThread
            ? m_slices.lane(static_cast<std::uint32_t>(sequence.pid), static_cast<std::uint32_t>(sequence.tid))
            : laneOf(track.value_or(sequence.track));
        if (type == event::kEnd) return m_slices.end(lane, *when), m_slices.check();
        if (!name && iid != 0) {
            const auto known = sequence.eventNames.find(iid);
            if (known != sequence.eventNames.end())
                name = known->second;
            else
                ++m_unnamed;
        }

        const auto number = m_slices.name(name && !name->empty() ? *name : "[unnamed]");
        if (phase == 'X')
            m_slices.whole(lane, number, *when,
                *when + std::min<std::int64_t>(static_cast<std::int64_t>(micros & INT64_MAX), text::Slices::kMostTime / 1000) * 1000);
        else if (type == event::kBegin)
            m_slices.begin(lane, number, *when);
        else
            m_slices.instant(lane, number, *when);
        return m_slices.check();
    }

    static std::optional<std::int64_t> micro(std::int64_t micros)
    {
        std::int64_t out = 0;
        if (__builtin_mul_overflow(micros, 1000, &out)) return INT64_MAX; // refused as any time that is beyond all
        return out;
    }

    // -- samples --------------------------------------------------------------------------------------------------------------
    /// PerfSample: pid 2, tid 3, callstack_iid 4; kernel_records_lost 17 and sample_skipped_reason 18 of what is no sample.
    Result<> perfSample(Sequence& sequence, std::string_view message)
    {
        ProtoFields fields(message);
        std::uint64_t pid = 0, stack = 0;
        while (fields.next()) {
            if (fields.field == 2) pid = fields.number;
            if (fields.field == 4) stack = fields.number;
            if (fields.field == 17) return ++m_left["what the kernel lost of its samples"], Result<>();
            if (fields.field == 18) return ++m_left["samples that were skipped when they were taken"], Result<>();
        }
        if (fields.isDamaged()) return damaged("a sample cannot be read");
        sample(sequence, pid, stack, 1);
        return {};
    }

    /// StackSample: task_context 1 { pid 2 }, callstack 5, primary_descriptor 9 { name 2, unit 3 }, primary_weight 11.
    Result<> stackSample(Sequence& sequence, std::string_view message)
    {
        ProtoFields fields(message);
        std::uint64_t pid = 0, weight = 1, unit = 0;
        std::string_view name;
        std::vector<std::uint64_t> frames;
        bool hasStack = false, isRead = true;
        while (fields.next()) {
            if (fields.field == 1) pid = numberIn(fields.bytes, 2);
            if (fields.field == 11) weight = fields.number;
            ProtoFields inner(fields.bytes);
            if (fields.field == 5) {
                hasStack = true;
                while (inner.next())
                    if (inner.field == interned::kStackFrames)
                        isRead = isRead && inner.numbers([&](std::uint64_t number) {
                            if (frames.size() <= kMostStackFrames) frames.push_back(number);
                            return frames.size() <= kMostStackFrames;
                        });
            }
            if (fields.field == 9)
                while (inner.next()) {
                    if (inner.field == 2) name = inner.bytes;
                    if (inner.field == 3) unit = inner.number;
                }
            isRead = isRead && !inner.isDamaged();
        }

        if (fields.isDamaged() || !isRead) return damaged("a sample cannot be read");
        constexpr std::uint64_t kNanoseconds = 1, kBytes = 4;
        const auto is = unit == kNanoseconds ? record::StackUnit::Time
            : unit == kBytes                 ? record::StackUnit::Bytes
                                             : record::StackUnit::Count;
        const auto measure = measureOf({name.empty() ? std::string("samples") : std::string(name), is});
        if (hasStack)
            add(measure, pid, resolve(sequence, frames), weight);
        else
            ++m_untracked;
        return {};
    }

    /// StreamingProfilePacket: callstack_iid 1, of the thread that its writer is.
    Result<> streamed(Sequence& sequence, std::string_view message)
    {
        ProtoFields fields(message);
        while (fields.next())
            if (fields.field == 1 && !fields.numbers([&](std::uint64_t stack) { return sample(sequence, sequence.pid, stack, 1), true; }))
                return damaged("samples cannot be read");
        return fields.isDamaged() ? damaged("samples cannot be read") : Result<>();
    }

    void sample(Sequence& sequence, std::uint64_t pid, std::uint64_t stack, std::uint64_t weight)
    {
        const auto [at, isNew] = sequence.resolved.try_emplace(stack, 0);
        if (isNew) {
            const auto frames = sequence.callstacks.find(stack);
            if (frames == sequence.callstacks.end()) {
                sequence.resolved.erase(at);
                ++m_untracked;
                return;
            }
            at->second = resolve(sequence, frames->second);
        }
        add(measureOf({"samples", record::StackUnit::Count}), pid, at->second, weight);
    }

    /// The frames by their names, which stay when the writer begins anew.
    std::uint32_t resolve(Sequence& sequence, const std::vector<std::uint64_t>& frames)
    {
        std::vector<std::uint32_t> words;
        words.reserve(frames.size());
        for (const auto iid : frames) {
            if (words.size() >= kMostStackFrames) {
                words.push_back(m_words.of("[truncated]"));
                break;
            }
            words.push_back(word(sequence, iid));
        }
        return m_stacks.of({reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]});
    }

    std::uint32_t word(Sequence& sequence, std::uint64_t iid)
    {
        if (const auto known = sequence.words.find(iid); known != sequence.words.end()) return known->second;
        if (m_spelled > kMostSpelled) return m_words.of("[truncated]"); // check() refuses it
        const auto frame = sequence.frames.find(iid);
        if (frame == sequence.frames.end()) return ++m_unnamed, m_words.of("[unknown]");
        const auto& f = frame->second;
        std::string_view path;
        if (const auto mapping = sequence.mappings.find(f.mapping); mapping != sequence.mappings.end() && !mapping->second.empty())
            if (const auto part = sequence.paths.find(mapping->second.back()); part != sequence.paths.end()) path = part->second;
        const auto module = path.substr(path.rfind('/') + 1);
        const auto function = sequence.functions.find(f.function);
        std::string name;
        if (!module.empty()) name = std::string(module) + '`';
        if (function != sequence.functions.end() && !function->second.empty())
            name += function->second;
        else
            name += hexText(f.pc);
        constexpr std::uint64_t kKernel = 2, kJit = 4;
        const bool isKernel = f.kind == kKernel || module.starts_with("[kernel") || path == "/kernel" || module.ends_with(".ko");
        const auto kind = isKernel ? record::Frame::Kind::Kernel : f.kind == kJit ? record::Frame::Kind::Jit : record::Frame::Kind::Unknown;
        m_spelled += name.size();
        const auto number = m_words.of(record::foldedWord({name, kind, false}));
        if (f.function == 0 || function != sequence.functions.end()) sequence.words.emplace(iid, number);
        return number;
    }

    static std::string hexText(std::uint64_t address)
    {
        std::array<char, 16> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address, 16).ptr;
        return "0x" + std::string(digits.data(), end);
    }

    struct Measure {
        std::string noun;
        record::StackUnit unit = record::StackUnit::Count;
        bool operator==(const Measure&) const = default;
    };

    /// Its place in m_measures; behind them where there are too many.
    std::size_t measureOf(const Measure& measure)
    {
        const auto at = std::find(m_measures.begin(), m_measures.end(), measure);
        if (at != m_measures.end()) return static_cast<std::size_t>(at - m_measures.begin());
        if (m_measures.size() >= kMostMeasures) return m_measures.size();
        m_measures.push_back(measure);
        return m_measures.size() - 1;
    }

    void add(std::size_t measure, std::uint64_t pid, std::uint32_t stack, std::uint64_t weight)
    {
        if (measure >= m_measures.size()) return void(++m_left["samples of more than 16 kinds"]);
        auto& sum = m_samples[{measure, static_cast<std::uint32_t>(pid), stack}];
        sum = weight > static_cast<std::uint64_t>(INT64_MAX) - sum ? static_cast<std::uint64_t>(INT64_MAX) : sum + weight;
    }

    Result<> putSamples(text::Imported& out)
    {
        std::vector<StackCounts> stacks(m_measures.size());
        StackCounts::Cost cost;
        for (const auto& [key, value] : m_samples) {
            const auto& [measure, pid, stack] = key;
            auto& counts = stacks[measure];
            const auto before = counts.cost();
            const auto process = m_processNames.find(pid);
            if (process != m_processNames.end())
                counts.frame(process->second);
            else if (pid != 0)
                counts.frame("pid " + std::to_string(pid));
            const auto bytes = m_stacks.text(stack);
            const std::span words(reinterpret_cast<const std::uint32_t*>(bytes.data()), bytes.size() / sizeof(std::uint32_t));
            for (const auto word : words)
                counts.frame(m_words.text(word));
            counts.add(static_cast<std::int64_t>(value));
            cost.text += counts.cost().text - before.text;
            cost.different += counts.cost().different - before.different;
            cost.given += counts.cost().given - before.given;
            DSCOPE_CHECK(cost.check());
        }
        for (std::size_t i = 0; i < stacks.size(); ++i)
            if (!stacks[i].empty()) out.add(stacks[i].take(m_measures[i].noun, m_measures[i].unit));
        return {};
    }

    static void warn(text::Imported& out, std::string message)
    {
        record::Diagnostic warning{};
        warning.severity = record::Diagnostic::Severity::Warning;
        warning.text = "warning: " + message;
        warning.message = std::move(message);
        out.records.emplace_back(std::move(warning));
    }

    static constexpr std::uint64_t kFirstOwnClock = 64, kFirstGlobalClock = 128; ///< between them a clock is its writer's own
    static constexpr std::size_t kMostMeasures = 16;
    std::string_view m_bytes;
    std::vector<std::unique_ptr<std::string>> m_inflated;
    std::size_t m_position = 0, m_packet = 0, m_unnamed = 0, m_untracked = 0, m_kept = 0, m_spelled = 0;
    std::uint32_t m_noThreads = 0;
    std::unordered_map<std::uint64_t, Track> m_tracks;
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_threads;
    std::map<std::uint32_t, std::string> m_processNames;
    std::map<std::uint64_t, Sequence> m_sequences;
    std::map<std::uint32_t, Clock> m_clocks;
    text::Slices m_slices;
    text::Interned m_words, m_stacks; ///< m_stacks: numbers of m_words, one behind another
    std::vector<Measure> m_measures;
    std::map<std::tuple<std::size_t, std::uint32_t, std::uint32_t>, std::uint64_t> m_samples; ///< by measure, pid and stack
    std::map<std::string_view, std::size_t> m_left;
};

/// Whether bytes begin a trace: packets alone, in which known fields are of the right kinds.
bool beginsTrace(std::string_view head)
{
    ProtoFields all(head);
    int packets = 0;
    bool says = false;
    while (packets < 64 && all.next()) {
        if (all.field != packet::kOfTrace || all.wire != ProtoFields::kBytes) return false;
        ++packets;
        ProtoFields fields(all.bytes);
        while (fields.next()) {
            constexpr std::array kNumbers{packet::kTimestamp, packet::kSequence, packet::kFlags, packet::kCleared, packet::kClock};
            constexpr std::array kMessages{packet::kFtrace, packet::kProcessTree, packet::kClocks, packet::kTrackEvent, packet::kInterned,
                packet::kMarker, packet::kCompressed, packet::kDefaults, packet::kTrack, packet::kPerfSample, packet::kStreamed,
                packet::kStackSample};
            const bool isNumber = std::find(kNumbers.begin(), kNumbers.end(), fields.field) != kNumbers.end();
            const bool isMessage = std::find(kMessages.begin(), kMessages.end(), fields.field) != kMessages.end();
            if ((isNumber && fields.wire != ProtoFields::kVarint) || (isMessage && fields.wire != ProtoFields::kBytes)) return false;
            says = says || isNumber || isMessage;
        }
        if (fields.isDamaged()) return false;
    }
    return says;
}

class Perfetto final : public text::Importer {
public:
    std::string_view name() const override { return "perfetto"; }
    std::string_view summary() const override { return "traces of Perfetto: slices of tracks, and samples with their stacks"; }
    bool isBinary() const override { return true; }
    Guess guess(std::string_view head) const override { return beginsTrace(head) ? Guess::Yes : Guess::No; }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(const auto bytes, lines.whole(kMostPerfettoBytes));
        text::Imported out;
        if (auto read = PerfettoTrace(bytes).read(out); !read)
            return beginsTrace(bytes) ? std::move(read).error() : text::Imported::nothing("it is no trace of Perfetto", bytes, 0);
        const auto isData = [](const record::Record& r) {
            return std::holds_alternative<record::Fired>(r) || std::holds_alternative<record::FoldedStacks>(r);
        };
        if (std::none_of(out.records.begin(), out.records.end(), isData)) {
            std::string what = "there is no slice and no sample in it";
            for (const auto& r : out.records)
                if (const auto* told = std::get_if<record::Diagnostic>(&r)) what += "; " + told->message;
            return out.nothing(what);
        }
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_perfetto() { return std::make_unique<Perfetto>(); }
} // namespace dscope::importers
