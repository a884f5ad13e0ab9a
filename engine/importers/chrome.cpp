#include "engine/text/cpu_profile.h"
#include "engine/text/importer.h"
#include "engine/text/json_file.h"
#include "engine/text/slices.h"
#include <algorithm>
#include <array>
#include <map>
namespace dscope::importers {
namespace {
using text::CpuProfile;
using text::Guess;
using text::JsonReader;
using text::Slices;

/// Events of Chrome's format, which many tools write: chrome://tracing, bazel, ninja's converters, PyTorch, viztracer, rustc, clang
/// (-ftime-trace). Source: "Trace Event Format", Google, 2016.
class ChromeTrace {
public:
    ChromeTrace(JsonReader& reader, text::Imported& out) : m_reader(reader), m_out(out) { }

    Result<> read()
    {
        const bool isList = m_reader.kind() == JsonReader::Kind::Array;
        if (isList)
            readEvents();
        else
            m_reader.members([&](std::string_view key) { return readMember(key); });
        if (!m_full) return std::move(m_full).error();
        // A tool that was killed while it wrote leaves the list open: "the ']' at the end is optional".
        const bool isOpenList = isList && m_isBetween && m_reader.atEnd();
        if (m_reader.failed() && !isOpenList) tellOfDamage();
        text::tellRest(m_reader, m_out);
        if (m_slices.empty() && m_profiles.empty() && m_out.notUnderstood > 0) return m_out.nothing("no event of it can be drawn");
        for (const auto& [phase, count] : m_left)
            tell(phase, count);
        return put();
    }

private:
    /// "3" or "\"Main\"": numbers of processes and threads, which some tools name instead.
    struct Id {
        std::uint32_t number = 0;
        std::string name;
    };
    /// A moment or a length, and how it is written where it is none.
    struct Time {
        std::optional<std::int64_t> ns;
        std::string wrong;
        void clear() { ns.reset(), wrong.clear(); }
    };
    struct Event {
        char phase = '\0';
        std::string name, category, argument; ///< argument: "name" of those
        std::string id, scope;
        bool isLocal = false; ///< the id counts within its process
        Time when, duration;
        Id pid, tid;
        std::optional<CpuProfile> profile;
        void clear()
        {
            phase = '\0';
            for (auto* text : {&name, &category, &argument, &id, &scope})
                text->clear();
            isLocal = false;
            when.clear();
            duration.clear();
            pid.number = tid.number = 0;
            pid.name.clear();
            tid.name.clear();
            profile.reset();
        }
    };
    struct Profile {
        std::uint32_t pid = 0, tid = 0;
        CpuProfile profile;
    };

    bool readMember(std::string_view key)
    {
        if (key == "traceEvents" && m_reader.kind() == JsonReader::Kind::Array) return readEvents();
        if (key != "samples" || m_reader.kind() != JsonReader::Kind::Array) return m_reader.skip();
        std::size_t count = 0;
        const bool read = m_reader.elements([&] { return ++count, m_reader.skip(); });
        if (count > 0) m_out.warn(std::to_string(count) + " samples that stand beside the events are left out");
        return read;
    }

    bool readEvents()
    {
        m_isBetween = true;
        return m_reader.elements([&] {
            // Behind the comma of the last event nothing may come any more.
            if (m_reader.atEnd()) return m_reader.skip();
            m_isBetween = false;
            ++m_count;
            m_begin = m_reader.position();
            if (m_reader.kind() != JsonReader::Kind::Object) {
                if (!m_reader.skip()) return false;
                odd("is no object");
            } else if (!readEvent()) {
                return false;
            }
            m_isBetween = true;
            m_full = m_slices.check();
            return m_full.has_value();
        });
    }

    /// An event that is left out, since it is not as the format says.
    void odd(const std::string& what)
    {
        m_out.misunderstand(m_out.notUnderstood == 0 ? m_reader.line() : 1,
            "event " + std::to_string(m_count) + ' ' + what + " at byte " + std::to_string(m_begin));
    }
    void tellOfDamage()
    {
        const auto what = "there is " + std::string(m_reader.what());
        odd("is damaged or cut");
        m_out.warn("it is damaged at byte " + std::to_string(m_reader.position()) + ", in event " + std::to_string(m_count) + ": " + what
            + "; what follows is left out");
    }

    bool readEvent()
    {
        auto& e = m_event;
        e.clear();
        return m_reader.members([&](std::string_view key) { return readPart(e, key); }) && (take(), true);
    }

    bool readPart(Event& e, std::string_view key)
    {
        const auto kind = m_reader.kind();
        if (key == "ph") {
            if (!text::textOrNothing(m_reader, m_word)) return false;
            return e.phase = m_word.empty() ? '\0' : m_word.front(), true;
        }
        if (key == "name") return text::textOrNothing(m_reader, e.name);
        if (key == "cat") return text::textOrNothing(m_reader, e.category);
        if (key == "scope") return text::textOrNothing(m_reader, e.scope);
        if (key == "ts") return readTime(e.when);
        if (key == "dur") return readTime(e.duration);
        if (key == "pid") return readId(e.pid);
        if (key == "tid") return readId(e.tid);
        if (key == "id") return readWord(e.id);
        if (key == "id2" && kind == JsonReader::Kind::Object)
            return m_reader.members([&](std::string_view inner) { return e.isLocal = inner == "local", readWord(e.id); });
        if (key != "args" || kind != JsonReader::Kind::Object) return m_reader.skip();
        return m_reader.members([&](std::string_view inner) {
            if (inner == "name") return text::textOrNothing(m_reader, e.argument);
            if (inner != "data" || m_reader.kind() != JsonReader::Kind::Object) return m_reader.skip();
            return m_reader.members([&](std::string_view fact) { return readFact(e, fact); });
        });
    }

    /// Of "args.data": parts of a profile, which may be in an event of any name.
    bool readFact(Event& e, std::string_view key)
    {
        if (key != "cpuProfile" && key != "timeDeltas" && key != "startTime" && key != "endTime") return m_reader.skip();
        if (!e.profile) e.profile.emplace();
        return e.profile->readMember(m_reader, key);
    }

    /// A text, or a number as it is written.
    bool readWord(std::string& out)
    {
        if (m_reader.kind() != JsonReader::Kind::Number) return text::textOrNothing(m_reader, out);
        const auto written = m_reader.number();
        if (written) out = *written;
        return written.has_value();
    }

    bool readTime(Time& time)
    {
        const auto kind = m_reader.kind();
        if (!readWord(m_word)) return false;
        time.clear();
        time.ns = text::scaledNumber(m_word, 3); // microseconds
        if (!time.ns) time.wrong = kind == JsonReader::Kind::Word ? "null" : '"' + m_word.substr(0, 40) + '"';
        return true;
    }

    bool readId(Id& id)
    {
        if (!readWord(m_word)) return false;
        const auto dot = m_word.find('.');
        const bool isWhole = dot != std::string::npos && dot > 0 && m_word.find_first_not_of('0', dot + 1) == std::string::npos;
        if (isWhole) m_word.resize(dot); // "7.0", as programs write it that have doubles alone
        const auto number = text::scaledNumber(m_word, 0);
        // pids of 32 bits and threads of 64: what is larger is known by its text.
        if (number && *number >= 0 && *number < record::kFirstNoThread && m_word.find('.') == std::string::npos)
            id.number = static_cast<std::uint32_t>(*number);
        else
            id.name = m_word;
        return true;
    }

    std::uint32_t numberOf(const Id& id)
    {
        if (id.name.empty()) return id.number;
        return m_named.try_emplace(id.name, record::kFirstNoThread + static_cast<std::uint32_t>(m_named.size())).first->second;
    }

    void take()
    {
        const auto& e = m_event;
        const auto pid = numberOf(e.pid), tid = numberOf(e.tid);
        if (e.phase == '\0') return odd("does not say what it is (ph)");
        if (e.phase == 'M') {
            if (e.name == "process_name" && !e.argument.empty()) m_slices.nameProcess(pid, e.argument);
            if (e.name == "thread_name" && !e.argument.empty()) m_slices.nameThread(pid, tid, e.argument);
            return;
        }
        if (e.profile && takeProfile(pid, tid) && e.phase == 'P') return;
        constexpr std::string_view kRead = "BEXiIbneSTpF";
        if (kRead.find(e.phase) == std::string_view::npos) return void(++m_left[e.phase > ' ' && e.phase <= '~' ? e.phase : '\0']);
        if (!e.when.ns)
            return odd(e.when.wrong.empty() ? std::string("does not say when it was (ts)") : "has " + e.when.wrong + " as its time (ts)");
        if (*e.when.ns > Slices::kMostTime || *e.when.ns < -Slices::kMostTime) return odd("has a time beyond 73 years");
        if (!e.pid.name.empty()) m_slices.nameProcess(pid, e.pid.name);
        if (std::string_view("bneSTpF").find(e.phase) != std::string_view::npos) return takeAsync(pid);
        if (!e.tid.name.empty()) m_slices.nameThread(pid, tid, e.tid.name);
        takeSlice(pid, tid);
    }

    void takeSlice(std::uint32_t pid, std::uint32_t tid)
    {
        const auto& e = m_event;
        const auto when = *e.when.ns, length = e.duration.ns.value_or(-1);
        if (e.phase == 'X' && length < 0)
            return odd(e.duration.ns           ? std::string("has a length below 0 (dur)")
                    : e.duration.wrong.empty() ? std::string("does not say how long it was (dur)")
                                               : "has " + e.duration.wrong + " as its length (dur)");
        const auto lane = m_slices.lane(pid, tid);
        if (e.phase == 'E') return m_slices.end(lane, when, e.name.empty() ? Slices::kNoName : m_slices.name(e.name));
        const auto name = nameOf(e.name);
        if (e.phase == 'B') return m_slices.begin(lane, name, when);
        if (e.phase != 'X') return m_slices.instant(lane, name, when);
        m_slices.whole(lane, name, when, when + std::min(length, Slices::kMostTime));
    }
    std::uint32_t nameOf(std::string_view name) { return m_slices.name(name.empty() ? std::string_view("[unnamed]") : name); }

    /// Events of one category, scope and id belong together, whatever thread they are of; the older ones (S, T, p, F) of one name, too.
    void takeAsync(std::uint32_t pid)
    {
        const auto& e = m_event;
        const bool isOlder = std::string_view("STpF").find(e.phase) != std::string_view::npos;
        if (e.id.empty()) return odd("does not say to what it belongs (id)");
        m_word.assign(isOlder ? "old" : "new");
        for (const auto* part : {&e.category, &e.scope, &e.id, isOlder ? &e.name : &e.scope})
            (m_word += '\0') += *part;
        if (e.isLocal) (m_word += '\0') += std::to_string(pid);
        const Slices::Chain chain{Slices::keyOf(m_word), pid, m_slices.name(e.category.empty() ? "asynchronous" : e.category)};
        const auto name = nameOf(e.name);
        switch (e.phase) {
        case 'b':
        case 'S': return m_slices.begin(chain, name, *e.when.ns);
        case 'e':
        case 'F': return m_slices.end(chain, name, *e.when.ns);
        default: return m_slices.instant(chain, name, *e.when.ns);
        }
    }

    /// DevTools' "Profile" and its "ProfileChunk"s have the same id; the thread is that of the former. An older "CpuProfile" is whole.
    bool takeProfile(std::uint32_t pid, std::uint32_t tid)
    {
        const auto& e = m_event;
        const bool isBegin = e.name == "Profile";
        if (!isBegin && e.name != "ProfileChunk" && e.name != "CpuProfile") return false;
        const auto id = e.name == "CpuProfile" ? e.id + " at byte " + std::to_string(m_begin) : e.id;
        const auto [at, isNew] = m_profiles.try_emplace({pid, id});
        auto& profile = at->second;
        if (isNew || isBegin) profile.pid = pid, profile.tid = tid;
        profile.profile.append(*e.profile);
        if (e.when.ns) profile.profile.startAt(*e.when.ns);
        return true;
    }

    /// Whether a profile is of the clock of the events, as Chrome's are. React Native's begin when the machine did.
    bool isOfOneClock(const CpuProfile& profile) const
    {
        constexpr std::int64_t kDay = 86'400'000'000'000;
        return m_slices.empty() || (profile.first() > m_slices.first() - kDay && profile.first() < m_slices.last() + kDay);
    }

    Result<> put()
    {
        // One clock: moments are told since the first of all.
        std::optional<std::int64_t> origin;
        for (auto& [of, profile] : m_profiles)
            if (profile.profile.hasTimes() && isOfOneClock(profile.profile))
                origin = std::min(origin.value_or(INT64_MAX), profile.profile.first() - 1);
        if (origin && !m_slices.empty()) origin = std::min(*origin, m_slices.first() - 1);
        for (auto& [of, profile] : m_profiles)
            if (!profile.profile.empty()) m_slices.lane(profile.pid, profile.tid); // which tells what roots its stacks have
        DSCOPE_CHECK(putProfiles(origin.value_or(0)));
        if (!m_slices.empty()) DSCOPE_CHECK(m_slices.put(m_out, Slices::Give::All, origin));
        if (origin) m_out.program.started = 1;
        return {};
    }

    Result<> putProfiles(std::int64_t origin)
    {
        text::StackCounts stacks;
        text::StackTimes times;
        for (auto& [of, one] : m_profiles) {
            if (one.profile.empty()) continue;
            const auto thread = "thread " + std::to_string(one.tid);
            if (!one.profile.hasTimes()) {
                m_out.warn("a profile of " + thread + " is left out: it does not say when its samples were taken");
                continue;
            }
            const auto roots = m_slices.rootsOf(one.pid, one.tid);
            const auto name = m_slices.threadName(one.pid, one.tid);
            const bool hasTimes = isOfOneClock(one.profile);
            if (!hasTimes) m_out.warn("when the samples of " + thread + " were taken is left out: their clock is not that of the events");
            DSCOPE_CHECK(one.profile.put({stacks, hasTimes ? &times : nullptr, {name, one.pid, one.tid, {}}, roots, origin}, m_out));
        }
        if (stacks.empty()) return {};
        // Time in samples and time of slices are two accounts of one time, so they are not added up.
        auto numbered = stacks.takeNumbered(m_slices.empty() ? "time" : "sampled time", record::StackUnit::Time);
        m_out.add(std::move(numbered.stacks));
        times.put(m_out, "samples", numbered.lines, "thread");
        return {};
    }

    /// What events are that are neither slices nor instants: none is left out in silence.
    void tell(char phase, std::size_t count)
    {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kKinds{{{"C", "counters"}, {"stf", "flows"},
            {"P", "samples"}, {"NOD", "objects"}, {"Vv", "memory dumps"}, {"Rc", "marks and clocks"}, {"(,)", "contexts"}, {"=", "links"}}};
        std::string kind = "of a phase that the format does not have";
        for (const auto& [phases, what] : kKinds)
            if (phases.find(phase) != std::string_view::npos && phase != '\0') kind = what;
        m_out.warn(std::to_string(count) + (count == 1 ? " event is left out: " : " events are left out: ") + kind
            + (phase == '\0' ? "" : std::string(" (phase ") + phase + ')'));
    }

    JsonReader& m_reader;
    text::Imported& m_out;
    Slices m_slices;
    Event m_event;
    std::string m_word;
    std::map<std::string, std::uint32_t> m_named;
    std::map<char, std::size_t> m_left;                                  ///< how many events of other phases
    std::map<std::pair<std::uint32_t, std::string>, Profile> m_profiles; ///< by process and id
    std::size_t m_count = 0, m_begin = 0;
    bool m_isBetween = false;
    Result<> m_full;
};

/// Whether one of the first elements is an event: some tools write others in front.
bool hasEventOfTrace(JsonReader& reader)
{
    constexpr int kTried = 100;
    bool is = false;
    int tried = 0;
    reader.elements([&] {
        if (reader.kind() != JsonReader::Kind::Object) return ++tried < kTried && reader.skip();
        reader.members([&](std::string_view key) {
            if (key != "ph" || reader.kind() != JsonReader::Kind::Text) return reader.skip();
            return is = true, false;
        });
        return !is && ++tried < kTried && !reader.failed();
    });
    return is;
}
/// What may stand in front of the events, and take more room than a guess sees. Source: Chrome's DevTools, PyTorch, "Trace Event Format".
bool standsBeforeEvents(std::string_view key)
{
    constexpr std::array<std::string_view, 11> kKeys{"displayTimeUnit", "otherData", "metadata", "schemaVersion", "deviceProperties",
        "beginningOfTime", "systemTraceEvents", "stackFrames", "samples", "controllerTraceDataKey", "traceName"};
    return std::find(kKeys.begin(), kKeys.end(), key) != kKeys.end();
}
Guess guessOfChromeTrace(std::string_view json)
{
    JsonReader reader(json);
    if (reader.kind() == JsonReader::Kind::Array) return hasEventOfTrace(reader) ? Guess::Yes : Guess::No;
    if (reader.kind() != JsonReader::Kind::Object) return Guess::No;
    bool is = false, isOther = false;
    reader.members([&](std::string_view key) {
        if (key == "traceEvents") return is = true, false;
        isOther = isOther || !standsBeforeEvents(key);
        return reader.skip();
    });
    const bool mayFollow = reader.failed() && !isOther && json.size() > 4096;
    return is ? Guess::Yes : mayFollow ? Guess::Unknown : Guess::No;
}

class Chrome final : public text::Importer {
public:
    std::string_view name() const override { return "chrome"; }
    std::string_view summary() const override { return "Chrome's trace events (JSON), which many tools write: slices of threads"; }
    bool isBinary() const override { return true; }
    bool readsJson() const override { return true; }
    Guess guess(std::string_view head) const override { return guessOfChromeTrace(head); }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        const auto head = lines.head();
        const auto begin = head.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
        if (begin == head.npos || (head[begin] != '{' && head[begin] != '['))
            return text::Imported::nothing("it is no JSON", head, begin == head.npos ? 0 : begin);
        JsonReader reader([&] { return lines.piece(); });
        text::Imported out;
        DSCOPE_CHECK(ChromeTrace(reader, out).read());
        const auto isDrawn = [](const auto& r) { return !std::holds_alternative<record::Diagnostic>(r); };
        if (std::none_of(out.records.begin(), out.records.end(), isDrawn))
            return out.nothing("there is no slice in it (events of phase B, E, X)");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_chrome() { return std::make_unique<Chrome>(); }
} // namespace dscope::importers
