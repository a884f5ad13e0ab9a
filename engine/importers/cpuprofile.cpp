#include "engine/text/cpu_profile.h"
#include "engine/text/importer.h"
#include "engine/text/json_file.h"
namespace dscope::importers {
namespace {
using text::Guess;
using text::JsonReader;

constexpr std::size_t kMostCpuProfile = std::size_t{512} << 20;

/// Whether the object that comes next has what a node of a profile has.
bool isNodeOfProfile(JsonReader& reader)
{
    bool is = false;
    if (reader.kind() != JsonReader::Kind::Object) return false;
    reader.members([&](std::string_view key) { return key == "callFrame" || key == "functionName" ? (is = true, false) : reader.skip(); });
    return is;
}
Guess guessOfCpuProfile(std::string_view json)
{
    JsonReader reader(json);
    bool is = false;
    if (reader.kind() != JsonReader::Kind::Object) return Guess::No;
    reader.members([&](std::string_view key) {
        if (key == "head") return is = isNodeOfProfile(reader), false;
        if (key == "nodes" && reader.kind() == JsonReader::Kind::Array)
            return reader.elements([&] { return is = isNodeOfProfile(reader), false; });
        return key != "traceEvents" && key != "meta" && reader.skip();
    });
    return is ? Guess::Yes : Guess::No;
}

class CpuProfiles final : public text::Importer {
public:
    std::string_view name() const override { return "cpuprofile"; }
    std::string_view summary() const override
    {
        return "profiles of V8 (.cpuprofile and .heapprofile), from Node, Chrome and VS Code: samples or bytes with their stacks";
    }
    bool isBinary() const override { return true; }
    bool readsJson() const override { return true; }
    Guess guess(std::string_view head) const override { return guessOfCpuProfile(head); }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(const auto json, lines.whole(kMostCpuProfile));
        text::Imported out;
        text::CpuProfile profile;
        JsonReader reader(json);
        if (reader.kind() != JsonReader::Kind::Object) return out.nothing("it is no object, as a profile of V8 is", json, 0);
        if (!profile.read(reader))
            return out.nothing(
                "it is damaged at byte " + std::to_string(reader.position()) + ": there is " + reader.what(), json, reader.position());
        text::tellRest(reader, out);
        if (profile.empty()) return out.nothing("it has neither nodes nor samples: it is no profile of V8", json, 0);

        text::StackCounts stacks;
        text::StackTimes times;
        DSCOPE_CHECK(profile.put({stacks, &times}, out));
        if (stacks.empty()) return out.nothing("no node of it was ever met by a sample: run what is profiled for longer");
        const bool isTime = profile.hasTimes();
        const auto unit = isTime ? record::StackUnit::Time : profile.hasBytes() ? record::StackUnit::Bytes : record::StackUnit::Count;
        auto numbered = stacks.takeNumbered(isTime ? "time" : profile.hasBytes() ? "bytes" : "samples", unit);
        out.add(std::move(numbered.stacks));
        times.put(out, "samples", numbered.lines, "thread");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_cpuprofile() { return std::make_unique<CpuProfiles>(); }
} // namespace dscope::importers
