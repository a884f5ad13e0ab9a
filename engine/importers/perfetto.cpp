#include "engine/text/gzip.h"
#include "engine/text/importer.h"
#include "engine/text/perfetto_clocks.h"
#include "engine/text/perfetto_interned.h"
#include "engine/text/perfetto_tracks.h"
#include "engine/text/protobuf.h"
#include "engine/text/slices.h"
#include "engine/text/task_samples.h"
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
namespace dscope::importers {
namespace {
using text::Guess;
using text::PerfettoClocks;
using text::PerfettoInterned;
using text::ProtoFields;
using text::TaskSamples;

constexpr std::size_t kMostPerfettoBytes = std::size_t{512} << 20;
constexpr std::size_t kMostSequences = 100'000;

/// Numbers of fields. Source: github.com/google/perfetto, protos/perfetto/trace: trace.proto, trace_packet.proto,
/// profiling/profile_packet.proto and stack_sample.proto, and track_event/track_event.proto.
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
            out.warn(std::to_string(count) + (count == 1 ? " packet is left out: " : " packets are left out: ") + std::string(what));
        if (m_unnamed > 0)
            out.warn(std::to_string(m_unnamed) + " events or frames have names that the trace does not hold: packets were lost");
        if (m_untracked > 0) out.warn(std::to_string(m_untracked) + " samples have stacks that the trace does not hold: packets were lost");
        DSCOPE_CHECK(m_samples.put(out));
        if (!m_slices.empty()) DSCOPE_CHECK(m_slices.put(out));
        return {};
    }

private:
    /// What is known of one writer of packets.
    struct Sequence {
        PerfettoInterned interned;
        PerfettoClocks::ById clocks;
        std::uint32_t clock = PerfettoClocks::kBoot;
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
        if (m_kept > PerfettoInterned::kMostKept)
            return Error{0, "what its packets refer to takes more than 1,024 MiB: record a shorter time"};
        DSCOPE_CHECK(m_tracks.check());
        return m_samples.check();
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
            if (fields.field == packet::kTrack) m_tracks.track(fields.bytes);
            if (fields.field == packet::kOldProcess) m_tracks.process(fields.bytes);
            if (fields.field == packet::kOldThread) m_tracks.thread(fields.bytes);
            if (fields.field == packet::kProcessTree) m_tracks.tree(fields.bytes);
        }
        return fields.isDamaged() ? damaged("no field can be read there") : Result<>();
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
            m_kept -= sequence.interned.kept();
            sequence = {};
            sequence.clocks = std::move(clocksStay);
        }

        if (!clocks.empty())
            if (const auto problem = m_clocks.take(sequence.clocks, clocks); !problem.empty()) return damaged(std::string(problem));
        if (!defaults.empty()) takeDefaults(sequence, defaults);
        if (!data.empty()) {
            if (!sequence.interned.take(data, m_kept)) return damaged("its interned data cannot be read");
            DSCOPE_CHECK(check());
        }
        ProtoFields again(of.bytes);
        while (again.next())
            if (again.field == packet::kOldThread) {
                // Times of a writer of old count from those of its thread: reference_timestamp_us 6.
                const auto [pid, tid] = m_tracks.thread(again.bytes);
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

    /// Nothing where a packet tells no time.
    std::optional<std::int64_t> timeOf(Sequence& sequence, std::optional<std::uint64_t> when, std::optional<std::uint64_t> clock)
    {
        if (!when) return {};
        return m_clocks.boot(sequence.clocks, static_cast<std::uint32_t>(clock.value_or(sequence.clock)), *when);
    }

    static void takeDefaults(Sequence& sequence, std::string_view message)
    {
        ProtoFields fields(message);
        while (fields.next()) {
            if (fields.field == packet::kClock) sequence.clock = static_cast<std::uint32_t>(fields.number);
            if (fields.field == packet::kTrackEvent) sequence.track = numberIn(fields.bytes, event::kTrackUuid);
        }
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
            : m_tracks.laneOf(track.value_or(sequence.track));
        if (type == event::kEnd) return m_slices.end(lane, *when), m_slices.check();
        if (!name && iid != 0) {
            name = sequence.interned.eventName(iid);
            if (!name) ++m_unnamed;
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
                    if (inner.field == PerfettoInterned::kStackFrames)
                        isRead = isRead && inner.numbers([&](std::uint64_t number) {
                            if (frames.size() <= TaskSamples::kMostFrames) frames.push_back(number);
                            return frames.size() <= TaskSamples::kMostFrames;
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
        const TaskSamples::Measure measure{name.empty() ? std::string("samples") : std::string(name), is};
        if (hasStack)
            add(measure, pid, sequence.interned.stackOf(frames, m_samples, m_unnamed), weight);
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
        if (const auto known = sequence.interned.stack(stack, m_samples, m_unnamed))
            add({"samples", record::StackUnit::Count}, pid, *known, weight);
        else
            ++m_untracked;
    }

    void add(const TaskSamples::Measure& measure, std::uint64_t pid, std::uint32_t stack, std::uint64_t weight)
    {
        if (!m_samples.add(measure, static_cast<std::uint32_t>(pid), stack, weight)) ++m_left["samples of more than 16 kinds"];
    }

    std::string_view m_bytes;
    std::vector<std::unique_ptr<std::string>> m_inflated;
    std::size_t m_position = 0, m_packet = 0, m_unnamed = 0, m_untracked = 0, m_kept = 0;
    text::Slices m_slices;
    TaskSamples m_samples;
    text::PerfettoTracks m_tracks{m_slices, m_samples};
    PerfettoClocks m_clocks;
    std::map<std::uint64_t, Sequence> m_sequences;
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
            return std::holds_alternative<record::Fired>(r) || std::holds_alternative<record::CountedStacks>(r);
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
