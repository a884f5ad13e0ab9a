#include "engine/record/clock_agreement.h"
#include "exporters/exporter.h"
#include "exporters/protobuf.h"
#include "graph/calls.h"
#include "graph/spans.h"
#include "graph/text.h"
#include <algorithm>
#include <optional>
#include <set>
namespace dscope::exporters {
namespace {
/// Numbers of fields. Source: github.com/google/perfetto, protos/perfetto/trace: trace.proto, trace_packet.proto,
/// track_event/track_event.proto, track_descriptor.proto, process_descriptor.proto, thread_descriptor.proto.
namespace field {
constexpr int kPacket = 1;
constexpr int kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kTrackDescriptor = 60, kClock = 58;
constexpr int kEventType = 9, kEventTrack = 11, kEventCategory = 22, kEventName = 23;
constexpr int kTrack = 1, kTrackName = 2, kTrackProcess = 3, kTrackThread = 4, kTrackParent = 5;
constexpr int kProcessPid = 1, kProcessName = 6, kThreadPid = 1, kThreadTid = 2, kThreadName = 5;
} // namespace field
enum class EventType : std::uint8_t { Begin = 1, End = 2, Instant = 3 };
constexpr std::uint64_t kOurSequence = 1, kBootTime = 6; // the clock that needs no other to be understood; ours counts from the first event

/// Packets, written one by one.
class Trace {
public:
    explicit Trace(std::ostream& out) : m_out(out) { }
    static constexpr unsigned kGroupShift = 40;
    static constexpr std::uint64_t kOwn = std::uint64_t{1} << (kGroupShift - 1); ///< the track that a group is itself

    /// From here on processes and threads are tracks below one of that name. Numbers of processes mean something within one machine, so
    /// that these tracks have them in their names alone: who reads the trace would take equal ones of two hosts for one process.
    void group(const std::string& name)
    {
        ++m_group;
        named(numberOf(kOwn), 0, name);
    }
    /// Of the group, by the number that a track has in it.
    std::uint64_t numberOf(std::uint64_t track) const { return (m_group << kGroupShift) + track; }

    void process(std::uint64_t track, std::uint32_t pid, const std::string& name)
    {
        if (m_group > 0) return named(numberOf(track), numberOf(kOwn), name + ' ' + std::to_string(pid));
        Message process, descriptor;
        process.number(field::kProcessPid, pid);
        if (!name.empty()) process.bytes(field::kProcessName, graph::printable(name));
        descriptor.number(field::kTrack, track);
        descriptor.message(field::kTrackProcess, process);
        describe(descriptor);
    }

    void thread(std::uint64_t track, std::uint64_t parent, std::uint32_t pid, std::uint32_t tid, const std::string& name)
    {
        if (m_group > 0) return named(numberOf(track), numberOf(parent), name + ' ' + std::to_string(tid));
        Message thread, descriptor;
        thread.number(field::kThreadPid, pid);
        thread.number(field::kThreadTid, tid);
        if (!name.empty()) thread.bytes(field::kThreadName, graph::printable(name));
        descriptor.number(field::kTrack, track);
        descriptor.message(field::kTrackThread, thread);
        descriptor.number(field::kTrackParent, parent);
        describe(descriptor);
    }

    void event(EventType type, std::uint64_t track, std::int64_t when, const std::string& name, std::string_view category)
    {
        Message event, packet;
        event.number(field::kEventType, static_cast<std::uint64_t>(type));
        event.number(field::kEventTrack, numberOf(track));
        if (type != EventType::End) {
            event.bytes(field::kEventCategory, category);
            event.bytes(field::kEventName, graph::printable(name));
        }
        packet.number(field::kTimestamp, static_cast<std::uint64_t>(std::max<std::int64_t>(when, 0)));
        packet.number(field::kClock, kBootTime);
        packet.message(field::kTrackEvent, event);
        write(packet);
    }

private:
    void named(std::uint64_t track, std::uint64_t parent, const std::string& name)
    {
        Message descriptor;
        descriptor.number(field::kTrack, track);
        descriptor.bytes(field::kTrackName, graph::printable(name));
        if (parent != 0) descriptor.number(field::kTrackParent, parent);
        describe(descriptor);
    }

    void describe(const Message& descriptor)
    {
        Message packet;
        packet.message(field::kTrackDescriptor, descriptor);
        write(packet);
    }

    void write(Message& packet)
    {
        packet.number(field::kSequence, kOurSequence);
        Message whole;
        whole.message(field::kPacket, packet);
        m_out << whole.data();
    }

    std::ostream& m_out;
    std::uint64_t m_group = 0; ///< 0: none
};

/// Calls nest: what a call called ends before it does, and events of a track stand in the order of their times.
void writeCalls(const graph::Calls& calls, std::int64_t first, Trace& trace)
{
    constexpr std::string_view kCategory = "call";
    std::set<std::uint32_t> known;
    const auto trackOf = [](std::uint32_t thread) { return (std::uint64_t{2} << 32) + thread; };
    for (std::uint32_t i = 0; i < calls.threads.size(); ++i) {
        const auto& thread = calls.threads[i];
        if (known.insert(thread.pid).second) trace.process(thread.pid, thread.pid, thread.name);
        trace.thread(trackOf(i), thread.pid, thread.pid, thread.tid, thread.own.empty() ? thread.name : thread.own);
    }

    std::vector<const graph::Call*> open;
    const auto close = [&](const graph::Call* next) {
        while (!open.empty() && (!next || next->thread != open.back()->thread || next->depth <= open.back()->depth)) {
            trace.event(EventType::End, trackOf(open.back()->thread), open.back()->end - first, {}, kCategory);
            open.pop_back();
        }
    };

    for (const auto& call : calls.calls) {
        close(&call);
        const bool isInstant = call.start == call.end;
        trace.event(
            isInstant ? EventType::Instant : EventType::Begin, trackOf(call.thread), call.start - first, calls.names[call.name], kCategory);
        if (!isInstant) open.push_back(&call);
    }
    close(nullptr);
}
void writeTracks(const std::vector<graph::SpanTrack>& tracks, std::int64_t first, Trace& trace)
{
    std::uint64_t number = 1; // a pid may come twice
    for (const auto& track : tracks) {
        trace.process(number, track.pid, track.name);
        for (const auto& span : track.spans) {
            trace.event(EventType::Begin, number, span.start - first, span.name, "process");
            trace.event(EventType::End, number, span.end - first, {}, "process");
        }
        ++number;
    }
}

/// What is written of a run: calls or processes.
struct Timeline {
    const graph::Calls* calls = nullptr; ///< null: tracks
    std::vector<graph::SpanTrack> tracks;

    static Timeline of(const graph::Visual& visual)
    {
        Timeline out{visual.calls(), {}};
        const auto* spans = dynamic_cast<const graph::HasSpans*>(&visual);
        if (!out.calls && spans) out.tracks = spans->tracks();
        return out;
    }

    /// When its first event was; nothing where there is none.
    std::optional<std::int64_t> first() const
    {
        if (calls) return calls->calls.empty() ? std::nullopt : std::optional(calls->from);
        std::optional<std::int64_t> first;
        for (const auto& track : tracks)
            for (const auto& span : track.spans)
                first = std::min(first.value_or(span.start), span.start);
        return first;
    }

    /// Times count from `from`.
    void write(std::int64_t from, Trace& trace) const
    {
        if (calls)
            writeCalls(*calls, from, trace);
        else
            writeTracks(tracks, from, trace);
    }
};

/// Source: perfetto.dev/docs/reference/synthetic-track-event: a trace made of track descriptors and track events.
class Pftrace final : public Exporter {
public:
    std::string_view suffix() const override { return "pftrace"; }
    std::string_view summary() const override { return "Perfetto trace"; }
    bool accepts(const graph::Visual& visual) const override
    {
        return visual.calls() || dynamic_cast<const graph::HasSpans*>(&visual) != nullptr;
    }
    bool takesRuns() const override { return true; }

    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        if (!accepts(visual)) return Error{0, "only timelines can be written for Perfetto"};
        Trace trace(out);
        const auto timeline = Timeline::of(visual);
        timeline.write(timeline.first().value_or(0), trace);
        return written(out);
    }

    Result<> writeRuns(std::span<const RunBesideOthers> runs, const Options& options, std::ostream& out) const override
    {
        Trace trace(out);
        std::vector<Timeline> timelines;
        std::optional<std::int64_t> first;
        for (const auto& run : runs) {
            timelines.push_back(Timeline::of(*run.visual));
            if (const auto own = timelines.back().first()) first = std::min(first.value_or(*own + run.shift), *own + run.shift);
        }
        if (const auto text = record::textOf(options.clocks); !text.empty()) {
            trace.group("clocks");
            trace.event(EventType::Instant, Trace::kOwn, 0, text, "clocks");
        }
        for (std::size_t i = 0; i < runs.size(); ++i) {
            trace.group(runs[i].name);
            timelines[i].write(first.value_or(0) - runs[i].shift, trace);
        }
        return written(out);
    }

private:
    static Result<> written(const std::ostream& out) { return out ? Result<>() : Error{0, "cannot write the trace"}; }
};
} // namespace

std::unique_ptr<Exporter> make_pftrace() { return std::make_unique<Pftrace>(); }
} // namespace dscope::exporters
