#include "exporters/exporter.h"
#include "graph/calls.h"
#include "graph/text.h"
#include <array>
#include <unordered_map>
namespace dscope::exporters {
namespace {
std::string quoted(std::string_view raw)
{
    std::string out = "\"";
    for (const char c : graph::printable(raw)) { // no control characters are left
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

/// Stacks for speedscope: frames once, then for every stack the numbers of its frames from the root, and its weight.
/// Source: https://www.speedscope.app/file-format-schema.json, "SampledProfile".
Result<> writeStacks(const graph::Visual& visual, std::ostream& out)
{
    const auto stacks = visual.folded();
    if (!stacks) return Error{0, "only stacks can be written for speedscope"};
    std::unordered_map<std::string, std::size_t> numbers;
    std::string samples, weights, frames;
    std::int64_t total = 0;
    for (const auto& [stack, value] : stacks->lines) {
        samples += samples.empty() ? "[" : ",\n[";
        for (std::size_t at = 0; at <= stack.size();) {
            const auto end = std::min(stack.find(';', at), stack.size());
            const auto [frame, isNew] = numbers.try_emplace(std::string(stack.substr(at, end - at)), numbers.size());
            if (isNew) frames += (frames.empty() ? "{\"name\":" : ",\n{\"name\":") + quoted(frame->first) + '}';
            samples += (at == 0 ? "" : ",") + std::to_string(frame->second);
            at = end + 1;
        }
        samples += ']';
        weights += (weights.empty() ? "" : ",") + std::to_string(value);
        total += value;
    }
    const auto name = quoted(visual.title());
    out << "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"dscope " DSCOPE_VERSION "\",\"name\":"
        << name << ",\"activeProfileIndex\":0,\"shared\":{\"frames\":[" << frames
        << "]},\"profiles\":[{\"type\":\"sampled\",\"name\":" << name << ",\"unit\":\"none\",\"startValue\":0,\"endValue\":" << total
        << ",\"samples\":[" << samples << "],\"weights\":[" << weights << "]}]}\n";
    return {};
}
/// Nanoseconds as the microseconds of the format.
std::string micros(std::int64_t ns)
{
    std::string fraction = std::to_string(ns % 1000);
    return std::to_string(ns / 1000) + '.' + std::string(3 - fraction.size(), '0') + fraction;
}
/// Calls for chrome://tracing, Perfetto and similar tools: one complete event a call, an instant where only entries are probed.
/// Source: "Trace Event Format", Google, 2016: phases X, i and M; times in microseconds.
void writeCalls(const graph::Calls& calls, std::ostream& out)
{
    out << "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"dscope " DSCOPE_VERSION "\"},\"traceEvents\":[";
    bool first = true;
    const auto event = [&](const graph::Calls::Thread& thread, std::string_view phase, const std::string& name) -> std::ostream& {
        out << (first ? "\n" : ",\n") << "{\"ph\":\"" << phase << "\",\"pid\":" << thread.pid << ",\"tid\":" << thread.tid
            << ",\"name\":" << name;
        first = false;
        return out;
    };
    for (const auto& thread : calls.threads)
        if (!thread.name.empty())
            for (const auto* what : {"\"process_name\"", "\"thread_name\""})
                event(thread, "M", what) << ",\"args\":{\"name\":" << quoted(thread.name) << "}}";
    for (const auto& call : calls.calls) {
        const bool isInstant = call.start == call.end;
        event(calls.threads[call.thread], isInstant ? "i" : "X", quoted(calls.names[call.name]))
            << ",\"ts\":" << micros(call.start - calls.from);
        if (isInstant)
            out << ",\"s\":\"t\"";
        else
            out << ",\"dur\":" << micros(call.end - call.start);
        // What the times don't say: an end that is the trace's is not the call's.
        if (!call.begun || !call.ended || call.lost)
            out << ",\"args\":{\"note\":\""
                << (!call.begun          ? "began before tracing"
                           : !call.ended ? "had not returned when tracing ended"
                                         : "its return was not seen")
                << "\"}";
        out << '}';
    }
    out << "\n]}\n";
}

class Json final : public Exporter {
public:
    std::string_view suffix() const override { return "json"; }
    std::string_view summary() const override { return "speedscope, or Chrome's trace events"; }
    bool accepts(const graph::Visual& visual) const override { return visual.hasFolded() || visual.calls(); }
    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        if (const auto* calls = visual.calls())
            writeCalls(*calls, out);
        else
            DSCOPE_CHECK(writeStacks(visual, out));
        if (!out) return Error{0, "cannot write the stacks"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_json() { return std::make_unique<Json>(); }
} // namespace dscope::exporters
