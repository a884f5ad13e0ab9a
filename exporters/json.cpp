#include "exporters/exporter.h"
#include "exporters/profiles/profile.h"
#include "graph/calls.h"
#include "graph/stacks.h"
#include "graph/text.h"
#include <array>
#include <map>
#include <vector>
namespace dscope::exporters {
namespace {
std::string inQuotes(std::string_view raw)
{
    std::string out = "\"";
    for (const char c : graph::printable(raw)) { // no control characters are left
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

/// The format has no word for a count, nor for a sum of unknown unit.
std::string_view unitOf(const graph::StackMeasure& measure)
{
    return measure.unit() == graph::Unit::Nanoseconds ? "nanoseconds" : measure.unit() == graph::Unit::Bytes ? "bytes" : "none";
}
/// "kernel", "jit" or "inlined": what kind of code a frame is, as far as the mark behind its name says it. The format has no member for
/// that, and its readers pass over what they do not know; dscope reads it back.
std::string_view kindIn(const graph::StackFrame& frame)
{
    const auto mark = std::string_view(frame.name).substr(frame.name.size() - frame.mark);
    return mark == "_[k]" ? "kernel" : mark == "_[j]" ? "jit" : mark == "_[i]" ? "inlined" : "";
}
/// Stacks for speedscope: frames once, then for every stack the numbers of its frames from the root, and its weight.
/// Source: https://www.speedscope.app/file-format-schema.json, "SampledProfile".
Result<> writeStacks(const graph::Visual& visual, std::ostream& out)
{
    const auto stacks = visual.stacks();
    if (!stacks) return Error{0, "only stacks can be written for speedscope"};
    const auto& measure = stacks->measure();
    std::string samples, weights, names;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> numbers; // of a frame and its line
    std::int64_t total = 0;
    graph::Frames frames;
    stacks->each(frames, [&](std::span<const graph::StackStep> steps, std::int64_t value) {
        samples += samples.empty() ? "[" : ",\n[";
        for (const auto& step : steps)
            samples += (&step == steps.data() ? "" : ",")
                + std::to_string(numbers.try_emplace({step.frame, step.line}, numbers.size()).first->second);
        samples += ']';
        const auto weight = measure.exponent == 0 ? measure.inUnit(value) : value;
        weights += (weights.empty() ? "" : ",") + measure.exact(weight);
        total += weight;
    });

    std::vector<std::pair<std::uint32_t, std::uint32_t>> order(numbers.size());
    for (const auto& [step, number] : numbers)
        order[number] = step;
    for (const auto& [frame, line] : order) {
        names += (names.empty() ? "{\"name\":" : ",\n{\"name\":") + inQuotes(nameOf(frames[frame]));
        if (line != 0) names += ",\"file\":" + inQuotes(frames.line(line).file) + ",\"line\":" + std::to_string(frames.line(line).line);
        if (const auto kind = kindIn(frames[frame]); !kind.empty()) names += ",\"kind\":\"" + std::string(kind) + '"';
        names += '}';
    }

    const auto name = inQuotes(visual.title());
    out << "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"dscope " DSCOPE_VERSION "\",\"name\":"
        << name << ",\"activeProfileIndex\":0,\"shared\":{\"frames\":[" << names
        << "]},\"profiles\":[{\"type\":\"sampled\",\"name\":" << name << ",\"unit\":\"" << unitOf(measure)
        << "\",\"startValue\":0,\"endValue\":" << measure.exact(total) << ",\"samples\":[" << samples << "],\"weights\":[" << weights
        << "]}]}\n";
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

    const auto named = [&](const graph::Calls::Thread& thread, const char* what, const std::string& name) {
        if (!name.empty()) event(thread, "M", what) << ",\"args\":{\"name\":" << inQuotes(name) << "}}";
    };
    for (const auto& thread : calls.threads) {
        named(thread, "\"process_name\"", thread.name);
        named(thread, "\"thread_name\"", thread.own.empty() ? thread.name : thread.own);
    }

    for (const auto& call : calls.calls) {
        const bool isInstant = call.start == call.end;
        event(calls.threads[call.thread], isInstant ? "i" : "X", inQuotes(calls.names[call.name]))
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
    bool accepts(const graph::Visual& visual) const override { return visual.stacks() || visual.calls(); }

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
