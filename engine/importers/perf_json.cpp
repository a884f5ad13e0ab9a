#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/json.h"
#include "engine/text/json_file.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include <optional>
namespace dscope::importers {
namespace {
constexpr std::size_t kMostPerfJson = std::size_t{1} << 30;
constexpr std::string_view kPerfJsonMark = "\"linux-perf-json-version\"";

/// What perf data convert --to-json writes. It tells neither events nor periods. Source: linux/tools/perf/util/data-convert-json.c
class PerfJsonFile {
public:
    explicit PerfJsonFile(std::string_view json) : m_json(json) { }

    Result<> read(text::Imported& out)
    {
        text::JsonReader reader(m_json);
        reader.members([&](std::string_view key) {
            if (key == "headers") return headers(reader, out.program);
            if (key != "samples") return reader.skip();
            return reader.elements([&] { return sample(reader); });
        });
        if (m_error) return *m_error;
        if (reader.failed())
            return text::Imported::nothing(
                "it is damaged at byte " + std::to_string(reader.position()) + ": there is " + std::string(reader.what()), m_json,
                reader.position());
        if (m_stacks.empty()) return out.nothing("there is no sample in it");
        text::tellRest(reader, out);
        auto numbered = m_stacks.takeNumbered("samples", record::StackUnit::Count);
        out.add(std::move(numbered.stacks));
        m_times.put(out, "samples", numbered.lines);
        out.warn("perf's JSON does not tell which events its samples are of, nor their periods: each counts as one, and those of several "
                 "events are added up; perf script does tell");
        return {};
    }

private:
    struct Head {
        std::string command;
        std::optional<std::uint32_t> pid, tid, cpu;
        std::int64_t when = 0;
    };

    static bool headers(text::JsonReader& reader, record::Program& program)
    {
        return reader.members([&](std::string_view key) {
            if (reader.kind() != text::JsonReader::Kind::Text) return reader.skip();
            if (key == "hostname") return reader.text(program.host);
            return key == "os-release" ? reader.text(program.kernel) : reader.skip();
        });
    }

    static bool integer(text::JsonReader& reader, std::optional<std::int64_t>& out)
    {
        const auto written = reader.number();
        if (written) out = text::scaledNumber(*written, 0);
        return written.has_value();
    }

    static bool id(text::JsonReader& reader, std::optional<std::uint32_t>& out)
    {
        std::optional<std::int64_t> number;
        const bool isRead = integer(reader, number);
        if (number && *number >= 0 && *number <= UINT32_MAX) out = static_cast<std::uint32_t>(*number);
        return isRead;
    }

    bool sample(text::JsonReader& reader)
    {
        Head head;
        m_frames.clear();
        const bool isRead = reader.members([&](std::string_view key) {
            if (key == "comm" && reader.kind() == text::JsonReader::Kind::Text) return reader.text(head.command);
            if (key == "pid") return id(reader, head.pid);
            if (key == "tid") return id(reader, head.tid);
            if (key == "cpu") return id(reader, head.cpu);
            if (key == "callchain") return reader.elements([&] { return frame(reader); });
            if (key != "timestamp") return reader.skip();
            std::optional<std::int64_t> when;
            const bool isTime = integer(reader, when);
            head.when = when.value_or(0);
            return isTime;
        });
        if (!isRead) return false;
        if (!head.command.empty()) m_stacks.frame(head.command);
        for (auto f = m_frames.rbegin(); f != m_frames.rend(); ++f)
            m_stacks.frame(*f);
        const auto stack = m_stacks.add(1);
        if (head.when <= 0) m_times.addUntimed();
        if (head.when > 0) m_times.add(head.when, {head.command, head.pid, head.tid, head.cpu}, stack, 1, 1);
        if (auto fits = m_stacks.check(); !fits) m_error = std::move(fits).error();
        return !m_error;
    }

    /// {"ip": "0x401136", "symbol": "main", "dso": "app"}
    bool frame(text::JsonReader& reader)
    {
        std::string address, symbol, object;
        const bool isRead = reader.members([&](std::string_view key) {
            if (reader.kind() != text::JsonReader::Kind::Text) return reader.skip();
            if (key == "ip") return reader.text(address);
            if (key == "symbol") return reader.text(symbol);
            return key == "dso" ? reader.text(object) : reader.skip();
        });
        if (!isRead) return false;
        const auto named = text::readFunctionName(symbol);
        const bool isKernel = object.starts_with("[kernel") || object == "[guest.kernel.kallsyms]";
        m_frames.push_back(m_stacks.numberOf(
            {.name = named.name.empty() ? (address.empty() ? "[unknown]" : address) : named.name,
                .kind = isKernel ? record::Frame::Kind::Kernel : record::Frame::Kind::Unknown,
                .inlined = named.inlined,
                .module = object.starts_with('[') ? std::string_view() : std::string_view(object).substr(object.rfind('/') + 1)},
            named.descriptor));
        return true;
    }

    std::string_view m_json;
    text::StackCounts m_stacks;
    text::StackTimes m_times;
    std::vector<std::uint32_t> m_frames; ///< of the sample that is read, the innermost first
    std::optional<Error> m_error;
};

class PerfJson final : public text::Importer {
public:
    std::string_view name() const override { return "perf.json"; }
    std::string_view summary() const override { return "what perf data convert makes JSON of: samples with their stacks"; }
    bool isBinary() const override { return true; }
    bool readsJson() const override { return true; }
    text::Guess guess(std::string_view head) const override
    {
        return head.substr(0, 256).find(kPerfJsonMark) != std::string_view::npos ? text::Guess::Yes : text::Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(const auto json, lines.whole(kMostPerfJson));
        text::Imported out;
        DSCOPE_CHECK(PerfJsonFile(json).read(out));
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_perf_json() { return std::make_unique<PerfJson>(); }
} // namespace dscope::importers
