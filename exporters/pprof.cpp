#include "exporters/exporter.h"
#include "exporters/protobuf.h"
#include "graph/stacks.h"
#include <algorithm>
#include <map>
#include <unordered_map>
#include <zlib.h>
namespace dscope::exporters {
namespace {
class Strings {
public:
    std::uint64_t of(const std::string& text)
    {
        const auto [at, isNew] = m_numbers.try_emplace(text, m_order.size());
        if (isNew) m_order.push_back(text);
        return at->second;
    }

    const std::vector<std::string>& all() const { return m_order; }

private:
    std::unordered_map<std::string, std::uint64_t> m_numbers{{"", 0}};
    std::vector<std::string> m_order{""};
};
/// gzip, without a time, so that the same profile gives the same bytes.
Result<std::string> zipped(const std::string& data)
{
    z_stream z{};
    if (::deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return Error{0, "zlib refused to start"};
    std::string out(::deflateBound(&z, data.size()) + 32, '\0');
    z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    z.avail_in = static_cast<uInt>(data.size());
    z.next_out = reinterpret_cast<Bytef*>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    const int done = ::deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    ::deflateEnd(&z);
    if (done != Z_STREAM_END) return Error{0, "zlib could not compress the profile"};
    return out;
}

/// What the values are, and their unit, as pprof's own profiles say it: "samples" in "count", "time" in "nanoseconds". A sum
/// of which only its expression is known has no unit.
std::pair<std::string, std::string> valueType(const graph::StackMeasure& measure)
{
    if (measure.isCount) return {measure.noun, "count"};
    switch (measure.unit()) {
    case graph::Unit::Nanoseconds: return {"time", "nanoseconds"};
    case graph::Unit::Bytes: return {"size", "bytes"};
    default: return {measure.name.empty() ? "sum" : measure.name, ""};
    }
}

/// A frame of graph::Frames and its line there.
using Line = std::pair<std::uint32_t, std::uint32_t>;
/// Its location says that it was inlined, where it has one.
std::string nameOf(const graph::StackFrame& frame)
{
    constexpr std::string_view kMark = "_[i]";
    const std::string_view name = frame.name;
    return std::string(name.substr(0, name.size() - (name.ends_with(kMark) ? kMark.size() : 0)));
}

/// Source: github.com/google/pprof, proto/profile.proto: Profile, ValueType, Sample, Label, Mapping, Location, Line, Function.
class Pprof final : public Exporter {
public:
    std::string_view suffix() const override { return "pb.gz"; }
    std::string_view summary() const override { return "pprof"; }
    bool accepts(const graph::Visual& visual) const override { return visual.stacks() != nullptr; }

    Result<> write(const graph::Visual& visual, const Options&, std::ostream& out) const override
    {
        const auto stacks = visual.stacks();
        if (!stacks) return Error{0, "only stacks can be written for pprof"};
        Strings strings;
        Message profile, type;
        const auto [typeName, unit] = valueType(stacks->measure());
        type.number(1, strings.of(typeName));
        type.number(2, strings.of(unit));
        profile.bytes(1, type.data());

        // A key beside the stack is a label, by which pprof selects and groups.
        const auto& source = stacks->source();
        const auto keys = source.keys.size();
        // A frame is a location, with those that were inlined into it.
        graph::Frames frames;
        std::map<std::vector<Line>, std::uint64_t> numbers;
        std::vector<Line> lines;
        stacks->each(frames, [&](std::span<const graph::StackStep> steps, std::int64_t value) {
            std::vector<std::uint64_t> locations;
            Message labels;
            const auto labelled = std::min(keys, steps.size());
            for (std::size_t i = 0; i < labelled; ++i) {
                Message label;
                label.number(1, strings.of(source.keys[i]));
                label.number(2, strings.of(frames[steps[i].frame].name));
                labels.bytes(3, label.data());
            }

            for (auto step = steps.begin() + static_cast<std::ptrdiff_t>(labelled); step != steps.end();) {
                lines.clear();
                do
                    lines.emplace_back(step->frame, step->line);
                while (++step != steps.end() && step->shade == graph::Shade::Inlined);
                std::reverse(lines.begin(), lines.end());
                locations.push_back(numbers.try_emplace(lines, numbers.size() + 1).first->second);
            }

            std::reverse(locations.begin(), locations.end());
            Message sample;
            sample.numbers(1, locations);
            sample.numbers(2, {static_cast<std::uint64_t>(stacks->measure().inUnit(value))});
            sample.add(labels);
            profile.bytes(2, sample.data());
        });

        std::map<std::pair<std::string, std::string>, std::uint64_t> functions; // by name and file
        Message named;
        const auto functionOf = [&](const Line& line) {
            const auto& [name, file] = std::pair(nameOf(frames[line.first]), frames.line(line.second).file);
            const auto [at, isNew] = functions.try_emplace({name, file}, functions.size() + 1);
            if (isNew) {
                Message function;
                function.number(1, at->second);
                function.number(2, strings.of(name));
                function.number(3, strings.of(name));
                if (!file.empty()) function.number(4, strings.of(file));
                named.bytes(5, function.data());
            }
            return at->second;
        };

        // What frames have of their module's name becomes a mapping; where it was mapped is not kept, since a name is what is exported.
        std::map<std::string, std::uint64_t> mappings;
        Message mapped;
        const auto mappingOf = [&](const graph::StackFrame& frame) -> std::uint64_t {
            const std::string module = frame.name.substr(0, frame.module);
            if (module.empty()) return 0;
            const auto [at, isNew] = mappings.try_emplace(module, mappings.size() + 1);
            if (isNew) {
                const auto code = source.code.find(module);
                Message mapping;
                mapping.number(1, at->second);
                mapping.number(5, strings.of(code == source.code.end() ? module : code->second.path));
                if (code != source.code.end() && !code->second.buildId.empty()) mapping.number(6, strings.of(code->second.buildId));
                mapping.number(7, 1); // has_functions
                mapped.bytes(3, mapping.data());
            }
            return at->second;
        };

        std::vector<const std::vector<Line>*> order(numbers.size());
        for (const auto& [location, number] : numbers)
            order[number - 1] = &location;
        for (std::size_t i = 0; i < order.size(); ++i) {
            Message location;
            location.number(1, i + 1);
            if (const auto mapping = mappingOf(frames[order[i]->back().first]); mapping != 0) location.number(2, mapping);
            for (const auto& one : *order[i]) {
                Message line;
                line.number(1, functionOf(one));
                if (one.second != 0) line.number(2, frames.line(one.second).line);
                location.bytes(4, line.data());
            }
            profile.bytes(4, location.data());
        }

        profile.add(named);
        profile.add(mapped);
        if (source.utc > 0) profile.number(9, static_cast<std::uint64_t>(source.utc));
        if (source.duration > 0) profile.number(10, static_cast<std::uint64_t>(source.duration));
        if (source.period > 0) {
            Message periodType;
            periodType.number(1, strings.of("cpu"));
            periodType.number(2, strings.of("nanoseconds"));
            profile.bytes(11, periodType.data());
            profile.number(12, static_cast<std::uint64_t>(source.period));
        }

        for (const auto& text : strings.all())
            profile.bytes(6, text);
        DSCOPE_TRY(const auto bytes, zipped(profile.data()));
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (!out) return Error{0, "cannot write the profile"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_pprof() { return std::make_unique<Pprof>(); }
} // namespace dscope::exporters
