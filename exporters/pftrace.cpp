#include "exporters/exporter.h"
#include "exporters/protobuf.h"
#include "graph/calls.h"
#include "graph/spans.h"
#include "graph/text.h"
#include <algorithm>
#include <limits>
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
constexpr int kTrack = 1, kTrackProcess = 3, kTrackThread = 4, kTrackParent = 5;
constexpr int kProcessPid = 1, kProcessName = 6, kThreadPid = 1, kThreadTid = 2, kThreadName = 5;
} // namespace field
enum class EventType : std::uint8_t { Begin = 1, End = 2, Instant = 3 };
constexpr std::uint64_t kOurSequence = 1, kBootTime = 6; // the clock that needs no other to be understood; ours counts from the first event

/// Packets, written one by one.
class Trace {
public:
    explicit Trace(std::ostream& out) : m_out(out) { }

    void process(std::uint64_t track, std::uint32_t pid, const std::string& name)
    {
        Message process, descriptor;
        process.number(field::kProcessPid, pid);
        if (!name.empty()) process.bytes(field::kProcessName, graph::printable(name));
        descriptor.number(field::kTrack, track);
        descriptor.message(field::kTrackProcess, process);
        describe(descriptor);
    }

    void thread(std::uint64_t track, std::uint64_t parent, std::uint32_t pid, std::uint32_t tid, const std::string& name)
    {
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
        event.number(field::kEventTrack, track);
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
};

/// Calls nest: what a call called ends before it does, and events of a track stand in the order of their times.
void writeCalls(const graph::Calls& calls, Trace& trace)
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
            trace.event(EventType::End, trackOf(open.back()->thread), open.back()->end - calls.from, {}, kCategory);
            open.pop_back();
        }
    };

    for (const auto& call : calls.calls) {
        close(&call);
        const bool isInstant = call.start == call.end;
        trace.event(isInstant ? EventType::Instant : EventType::Begin, trackOf(call.thread), call.start - calls.from,
            calls.names[call.name], kCategory);
        if (!isInstant) open.push_back(&call);
    }
    close(nullptr);
}
void writeTracks(const std::vector<graph::SpanTrack>& tracks, Trace& trace)
{
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    for (const auto& track : tracks)
        for (const auto& span : track.spans)
            first = std::min(first, span.start);
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

/// Source: perfetto.dev/docs/reference/synthetic-track-event: a trace made of track descriptors and track events.
class Pftrace final : public Exporter {
public:
    std::string_view suffix() const override { return "pftrace"; }
    std::string_view summary() const override { return "Perfetto trace"; }
    bool accepts(const graph::Visual& visual) const override
    {
        return visual.calls() || dynamic_cast<const graph::HasSpans*>(&visual) != nullptr;
    }

    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        Trace trace(out);
        if (const auto* calls = visual.calls())
            writeCalls(*calls, trace);
        else if (const auto* spans = dynamic_cast<const graph::HasSpans*>(&visual))
            writeTracks(spans->tracks(), trace);
        else
            return Error{0, "only timelines can be written for Perfetto"};
        if (!out) return Error{0, "cannot write the trace"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_pftrace() { return std::make_unique<Pftrace>(); }
} // namespace dscope::exporters
