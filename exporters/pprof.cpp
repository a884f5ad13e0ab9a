#include "exporters/exporter.h"
#include "exporters/profiles/profile.h"
#include "exporters/protobuf.h"
#include <zlib.h>
namespace dscope::exporters {
namespace {
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

Message valueType(std::uint64_t type, std::uint64_t unit)
{
    Message out;
    out.number(1, type);
    out.number(2, unit);
    return out;
}
Message sampleOf(const Profile::Sample& sample)
{
    Message out;
    out.numbers(1, sample.locations);
    out.numbers(2, {sample.value});
    for (const auto& label : sample.labels) {
        Message pair;
        pair.number(1, label.key);
        pair.number(2, label.value);
        out.message(3, pair);
    }
    return out;
}
Message locationOf(std::uint64_t number, const Profile::Location& location)
{
    Message out;
    out.number(1, number);
    if (location.mapping != 0) out.number(2, location.mapping);
    for (const auto& each : location.lines) {
        Message line;
        line.number(1, each.function);
        if (each.line != 0) line.number(2, each.line);
        out.message(4, line);
    }
    return out;
}
Message functionOf(std::uint64_t number, const Profile::Function& function)
{
    Message out;
    out.number(1, number);
    out.number(2, function.name);
    out.number(3, function.name);
    if (function.file != 0) out.number(4, function.file);
    return out;
}
Message mappingOf(std::uint64_t number, const Profile::Mapping& mapping)
{
    Message out;
    out.number(1, number);
    out.number(5, mapping.file);
    if (mapping.buildId != 0) out.number(6, mapping.buildId);
    out.number(7, 1); // has_functions
    return out;
}

/// Source: github.com/google/pprof, proto/profile.proto: Profile, ValueType, Sample, Label, Mapping, Location, Line, Function.
class Pprof final : public Exporter {
public:
    std::string_view suffix() const override { return "pb.gz"; }
    std::string_view summary() const override { return "pprof"; }
    bool accepts(const graph::Visual& visual) const override { return visual.stacks() != nullptr; }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        const auto stacks = visual.stacks();
        if (!stacks) return Error{0, "only stacks can be written for pprof"};
        auto tables = profileOf(*stacks, options.command);
        const auto& source = stacks->source();
        Message profile;
        profile.message(1, valueType(tables.type, tables.unit));
        for (const auto& each : tables.samples)
            profile.message(2, sampleOf(each));
        for (std::size_t i = 0; i < tables.locations.size(); ++i)
            profile.message(4, locationOf(i + 1, tables.locations[i]));
        for (std::size_t i = 0; i < tables.functions.size(); ++i)
            profile.message(5, functionOf(i + 1, tables.functions[i]));
        for (std::size_t i = 0; i < tables.mappings.size(); ++i)
            profile.message(3, mappingOf(i + 1, tables.mappings[i]));
        if (source.utc > 0) profile.number(9, static_cast<std::uint64_t>(source.utc));
        if (source.duration > 0) profile.number(10, static_cast<std::uint64_t>(source.duration));
        if (source.period > 0) {
            profile.message(11, valueType(tables.strings.of("cpu"), tables.strings.of("nanoseconds")));
            profile.number(12, static_cast<std::uint64_t>(source.period));
        }

        for (const auto& text : tables.strings.all())
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
