#include "exporters/exporter.h"
#include "exporters/profiles/profile.h"
#include "exporters/protobuf.h"
#include <algorithm>
#include <map>
namespace dscope::exporters {
namespace {
constexpr std::size_t kTraceIdBytes = 16, kSpanIdBytes = 8;
Message textValue(const std::string& text)
{
    Message out;
    out.bytes(1, text);
    return out;
}
Message keyValue(const std::string& key, const std::string& value)
{
    Message out;
    out.bytes(1, key);
    out.message(2, textValue(value));
    return out;
}
/// Rows of a table of the dictionary, each once. Row 0 is the empty one, which stands for "none".
template <typename Row> class Table {
public:
    std::uint64_t of(Row row)
    {
        const auto [at, isNew] = m_numbers.try_emplace(std::move(row), m_order.size() + 1);
        if (isNew) m_order.push_back(&at->first);
        return at->second;
    }
    const std::vector<const Row*>& rows() const { return m_order; }

private:
    std::map<Row, std::uint64_t> m_numbers;
    std::vector<const Row*> m_order; ///< keys of a map stay where they are
};
/// What all profiles of a message share.
class Dictionary {
public:
    explicit Dictionary(Profile& profile) : m_profile(profile) { }

    Message sampleOf(const Profile::Sample& sample)
    {
        Message out;
        out.number(1, m_stacks.of(sample.locations));
        std::vector<std::uint64_t> labels;
        for (const auto& label : sample.labels)
            labels.push_back(m_attributes.of({label.key, label.value}));
        if (!labels.empty()) out.numbers(2, labels);
        out.numbers(4, {sample.value});
        return out;
    }

    /// After all samples, and all strings but its own.
    Message message()
    {
        Message out;
        out.bytes(1, {});
        for (const auto& mapping : m_profile.mappings)
            out.message(1, mappingOf(mapping));
        out.bytes(2, {});
        for (const auto& location : m_profile.locations)
            out.message(2, locationOf(location));
        out.bytes(3, {});
        for (const auto& function : m_profile.functions)
            out.message(3, functionOf(function));
        Message link;
        link.bytes(1, std::string(kTraceIdBytes, '\0'));
        link.bytes(2, std::string(kSpanIdBytes, '\0'));
        out.message(4, link);
        for (const auto& text : m_profile.strings.all())
            out.bytes(5, text);
        out.bytes(6, {});
        for (const auto* attribute : m_attributes.rows()) {
            Message row;
            row.number(1, attribute->first);
            row.message(2, textValue(m_profile.strings.all()[attribute->second]));
            out.message(6, row);
        }
        out.bytes(7, {});
        for (const auto* stack : m_stacks.rows()) {
            Message row;
            row.numbers(1, *stack);
            out.message(7, row);
        }
        return out;
    }

private:
    Message mappingOf(const Profile::Mapping& mapping)
    {
        Message out;
        out.number(4, mapping.file);
        // Source: OpenTelemetry's semantic conventions, "process".
        if (mapping.buildId != 0)
            out.numbers(5, {m_attributes.of({m_profile.strings.of("process.executable.build_id.gnu"), mapping.buildId})});
        return out;
    }
    static Message locationOf(const Profile::Location& location)
    {
        Message out;
        if (location.mapping != 0) out.number(1, location.mapping);
        for (const auto& each : location.lines) {
            Message line;
            line.number(1, each.function);
            if (each.line != 0) line.number(2, each.line);
            out.message(3, line);
        }
        return out;
    }
    static Message functionOf(const Profile::Function& function)
    {
        Message out;
        out.number(1, function.name);
        out.number(2, function.name);
        if (function.file != 0) out.number(3, function.file);
        return out;
    }

    Profile& m_profile;
    Table<std::vector<std::uint64_t>> m_stacks;
    Table<std::pair<std::uint64_t, std::uint64_t>> m_attributes; ///< strings: key and value
};
Message valueType(std::uint64_t type, std::uint64_t unit)
{
    Message out;
    out.number(1, type);
    out.number(2, unit);
    return out;
}
Message resourceOf(const graph::StackSource& source, const Options& options)
{
    Message out;
    std::map<std::string, std::string> attributes{{"service.name", "dscope"}, {"os.type", "linux"}};
    if (!source.host.empty()) attributes["host.name"] = source.host;
    for (const auto& [name, value] : options.attributes)
        attributes[name] = value;
    for (const auto& [name, value] : attributes)
        out.message(1, keyValue(name, value));
    return out;
}

/// What a collector is sent: ExportProfilesServiceRequest. Source: github.com/open-telemetry/opentelemetry-proto 1.9, profiles and
/// collector/profiles, v1development.
class Otlp final : public Exporter {
public:
    std::string_view suffix() const override { return "otlp"; }
    std::string_view summary() const override { return "OpenTelemetry profiles"; }
    bool accepts(const graph::Visual& visual) const override { return visual.stacks() != nullptr; }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        const auto stacks = visual.stacks();
        if (!stacks) return Error{0, "only stacks can be written for OpenTelemetry"};
        auto tables = profileOf(*stacks, options.command);
        const auto& source = stacks->source();
        Dictionary dictionary(tables);
        Message profile;
        profile.message(1, valueType(tables.type, tables.unit));
        for (const auto& sample : tables.samples)
            profile.message(2, dictionary.sampleOf(sample));
        if (source.utc > 0) profile.fixed64(3, static_cast<std::uint64_t>(source.utc));
        if (source.duration > 0) profile.number(4, static_cast<std::uint64_t>(source.duration));
        if (source.period > 0) {
            profile.message(5, valueType(tables.strings.of("cpu"), tables.strings.of("nanoseconds")));
            profile.number(6, static_cast<std::uint64_t>(source.period));
        }

        Message scope, ofScope, ofResource, request;
        scope.bytes(1, "dscope");
        if (!source.version.empty()) scope.bytes(2, source.version);
        ofScope.message(1, scope);
        ofScope.message(2, profile);
        ofResource.message(1, resourceOf(source, options));
        ofResource.message(2, ofScope);
        request.message(1, ofResource);
        request.message(2, dictionary.message());
        out.write(request.data().data(), static_cast<std::streamsize>(request.data().size()));
        if (!out) return Error{0, "cannot write the profile"};
        return {};
    }
};
} // namespace

std::unique_ptr<Exporter> make_otlp() { return std::make_unique<Otlp>(); }
} // namespace dscope::exporters
