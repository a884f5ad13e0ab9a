#include "engine/text/gzip.h"
#include "engine/text/importer.h"
#include "engine/text/json.h"
#include "engine/text/slices.h"
#include <algorithm>
#include <array>
#include <map>
namespace dscope::importers {
namespace {
using text::Guess;
using text::JsonReader;
using text::scaledNumber;

constexpr std::size_t kMostTraceBytes = std::size_t{512} << 20;

/// Events of Chrome's format, which many tools write: chrome://tracing, bazel, ninja's converters, PyTorch, viztracer, rustc, clang
/// (-ftime-trace). Source: "Trace Event Format", Google, 2016.
class ChromeTrace {
public:
    explicit ChromeTrace(std::string_view json) : m_json(json), m_reader(json) { }

    Result<> read(text::Imported& out)
    {
        const bool isList = m_reader.kind() == JsonReader::Kind::Array;
        if (isList)
            readEvents();
        else
            m_reader.members([&](std::string_view key) { return key == "traceEvents" ? readEvents() : m_reader.skip(); });
        if (!m_full) return std::move(m_full).error();
        // A tool that was killed while it wrote leaves the list open: "the ']' at the end is optional".
        const bool isOpenList = isList && m_reader.failed() && m_isBetween && m_reader.position() >= m_json.size();
        if (!m_problem.empty()) return wrong(m_problem);
        if (m_reader.failed() && !isOpenList) return wrong("there is " + std::string(m_reader.what()));
        for (const auto& [phase, count] : m_left)
            tell(out, phase, count);
        return m_slices.empty() ? Result<>() : m_slices.put(out);
    }

private:
    /// "3" or "\"Main\"": numbers of processes and threads, which some tools name instead.
    struct Id {
        std::uint32_t number = 0;
        std::string name;
    };
    struct Event {
        char phase = '\0';
        std::string name, argument; ///< argument: "name" of those
        std::optional<std::int64_t> when, duration;
        Id pid, tid;
    };

    Error wrong(const std::string& what) const
    {
        return text::Imported::nothing(
            "it is damaged at byte " + std::to_string(m_reader.position()) + ", in event " + std::to_string(m_count) + ": " + what, m_json,
            m_reader.position());
    }

    bool problem(std::string what) { return m_problem = std::move(what), false; }

    bool readEvents()
    {
        m_isBetween = true;
        return m_reader.elements([&] {
            // Behind the comma of the last event nothing may come any more.
            if (m_reader.atEnd()) return m_reader.skip();
            m_isBetween = false;
            ++m_count;
            if (m_reader.kind() != JsonReader::Kind::Object) return m_reader.skip() && (m_isBetween = true);
            if (!readEvent()) return false;
            m_isBetween = true;
            m_full = m_slices.check();
            return m_full.has_value();
        });
    }

    bool readEvent()
    {
        auto& e = m_event;
        e.phase = '\0';
        e.name.clear();
        e.argument.clear();
        e.when.reset();
        e.duration.reset();
        e.pid = e.tid = {};
        const auto time = [&](std::optional<std::int64_t>& to) {
            const auto written = m_reader.number();
            if (!written) return false;
            to = scaledNumber(*written, 3); // microseconds
            return to.has_value() || problem("\"" + std::string(written->substr(0, 40)) + "\" is no time");
        };

        const bool read = m_reader.members([&](std::string_view key) {
            if (key == "ph" && m_reader.kind() == JsonReader::Kind::Text) {
                if (!m_reader.text(m_word)) return false;
                e.phase = m_word.empty() ? '\0' : m_word.front();
                return true;
            }
            if (key == "name" && m_reader.kind() == JsonReader::Kind::Text) return m_reader.text(e.name);
            if (key == "ts") return time(e.when);
            if (key == "dur") return time(e.duration);
            if (key == "pid") return readId(e.pid);
            if (key == "tid") return readId(e.tid);
            if (key != "args" || m_reader.kind() != JsonReader::Kind::Object) return m_reader.skip();
            return m_reader.members([&](std::string_view inner) {
                return inner == "name" && m_reader.kind() == JsonReader::Kind::Text ? m_reader.text(e.argument) : m_reader.skip();
            });
        });
        return read && take();
    }

    bool readId(Id& id)
    {
        if (m_reader.kind() == JsonReader::Kind::Text) return m_reader.text(id.name);
        if (m_reader.kind() != JsonReader::Kind::Number) return m_reader.skip();
        const auto written = m_reader.number();
        if (!written) return false;
        const auto number = scaledNumber(*written, 0);
        // pids of 32 bits and threads of 64: what is larger is known by its text.
        if (number && *number >= 0 && *number < record::kFirstNoThread)
            id.number = static_cast<std::uint32_t>(*number);
        else
            id.name = *written;
        return true;
    }

    std::uint32_t numberOf(const Id& id)
    {
        if (id.name.empty()) return id.number;
        return m_named.try_emplace(id.name, record::kFirstNoThread + static_cast<std::uint32_t>(m_named.size())).first->second;
    }

    bool take()
    {
        const auto& e = m_event;
        const auto pid = numberOf(e.pid), tid = numberOf(e.tid);
        if (e.phase == 'M') {
            if (e.name == "process_name" && !e.argument.empty()) m_slices.nameProcess(pid, e.argument);
            if (e.name == "thread_name" && !e.argument.empty()) m_slices.nameThread(pid, tid, e.argument);
            return true;
        }
        constexpr std::string_view kRead = "BEXiI";
        if (kRead.find(e.phase) == std::string_view::npos || e.phase == '\0')
            return ++m_left[e.phase > ' ' && e.phase <= '~' ? e.phase : '\0'], true;
        if (!e.when) return problem("it does not say when it was (ts)");
        if (*e.when > text::Slices::kMostTime || *e.when < -text::Slices::kMostTime) return problem("its time is beyond 73 years");
        const auto lane = m_slices.lane(pid, tid);
        if (!e.pid.name.empty()) m_slices.nameProcess(pid, e.pid.name);
        if (!e.tid.name.empty()) m_slices.nameThread(pid, tid, e.tid.name);
        if (e.phase == 'E') return m_slices.end(lane, *e.when), true;
        const auto name = m_slices.name(e.name.empty() ? std::string_view("[unnamed]") : std::string_view(e.name));
        if (e.phase == 'B') return m_slices.begin(lane, name, *e.when), true;
        if (e.phase != 'X') return m_slices.instant(lane, name, *e.when), true;
        const auto duration = std::clamp<std::int64_t>(e.duration.value_or(0), 0, text::Slices::kMostTime);
        return m_slices.whole(lane, name, *e.when, *e.when + duration), true;
    }

    /// What events are that are neither slices nor instants: none is left out in silence.
    static void tell(text::Imported& out, char phase, std::size_t count)
    {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kKinds{
            {{"C", "counters"}, {"bneSTpF", "asynchronous"}, {"stf", "flows"}, {"P", "samples"}, {"NOD", "objects"}, {"Vv", "memory dumps"},
                {"Rc", "marks and clocks"}, {"(,)", "contexts"}, {"=", "links"}}};
        std::string kind = "of a phase that the format does not have";
        for (const auto& [phases, what] : kKinds)
            if (phases.find(phase) != std::string_view::npos && phase != '\0') kind = what;
        out.warn(std::to_string(count) + (count == 1 ? " event is left out: " : " events are left out: ") + kind
            + (phase == '\0' ? "" : std::string(" (phase ") + phase + ')'));
    }

    std::string_view m_json;
    JsonReader m_reader;
    text::Slices m_slices;
    Event m_event;
    std::string m_word, m_problem;
    std::map<std::string, std::uint32_t> m_named;
    std::map<char, std::size_t> m_left; ///< how many events of other phases
    std::size_t m_count = 0;
    bool m_isBetween = false;
    Result<> m_full;
};

bool isEventOfTrace(JsonReader& reader)
{
    bool hasPhase = false;
    reader.members([&](std::string_view key) {
        if (key != "ph" || reader.kind() != JsonReader::Kind::Text) return reader.skip();
        hasPhase = true;
        return false;
    });
    return hasPhase;
}
bool isChromeTrace(std::string_view json)
{
    JsonReader reader(json);
    if (reader.kind() == JsonReader::Kind::Array) {
        bool is = false;
        reader.elements([&] { return is = isEventOfTrace(reader), false; });
        return is;
    }
    bool is = false;
    reader.members([&](std::string_view key) { return key == "traceEvents" ? (is = true, false) : reader.skip(); });
    return is;
}

class Chrome final : public text::Importer {
public:
    std::string_view name() const override { return "chrome"; }
    std::string_view summary() const override { return "Chrome's trace events (JSON), which many tools write: slices of threads"; }
    bool isBinary() const override { return true; }
    bool readsJson() const override { return true; }

    Guess guess(std::string_view head) const override
    {
        if (!text::isGzip(head)) return isChromeTrace(head) ? Guess::Yes : Guess::No;
        const auto begin = text::inflated(head, std::size_t{1} << 20, text::Inflate::Beginning);
        return begin && isChromeTrace(*begin) ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(auto bytes, lines.whole(kMostTraceBytes));
        std::string plain;
        if (text::isGzip(bytes)) {
            DSCOPE_TRY(plain, text::inflated(bytes, kMostTraceBytes, text::Inflate::Whole));
            bytes = plain;
        }
        text::Imported out;
        DSCOPE_CHECK(ChromeTrace(bytes).read(out));
        const bool hasCalls
            = std::any_of(out.records.begin(), out.records.end(), [](const auto& r) { return std::holds_alternative<record::Fired>(r); });
        if (!hasCalls) return out.nothing("there is no slice in it (events of phase B, E, X)");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_chrome() { return std::make_unique<Chrome>(); }
} // namespace dscope::importers
