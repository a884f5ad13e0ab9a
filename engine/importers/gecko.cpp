#include "engine/text/gecko_file.h"
#include "engine/text/gecko_frames.h"
#include "engine/text/importer.h"
#include "engine/text/json_file.h"
#include "engine/text/json_tables.h"
#include "engine/text/slices.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include "engine/text/words.h"
#include <algorithm>
#include <map>
#include <set>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::JsonReader;
using text::JsonTables;
using text::Slices;
using text::StackCounts;
namespace gecko = text::gecko;

constexpr std::size_t kMostGeckoBytes = std::size_t{512} << 20;

/// A profile of Firefox' profiler, raw or processed. Its parts stand in any order, so their places are found first.
class GeckoProfile {
public:
    GeckoProfile(std::string_view json, text::Imported& out) : m_file(json), m_out(out) { }

    Result<> read()
    {
        DSCOPE_CHECK(readTop(0, 0));
        if (m_threads.empty()) return m_out.nothing("it has no threads: it is no profile of Firefox' profiler", m_file.json(), 0);
        for (auto& thread : m_threads)
            DSCOPE_CHECK(readHead(thread));
        findOrigin();
        for (auto& thread : m_threads)
            DSCOPE_CHECK(readThread(thread));
        return put();
    }

private:
    /// Samples, or allocations, which are told as samples are.
    struct Samples {
        std::string_view noun; ///< of allocations; empty: as weightType says
        std::size_t at = 0;
        gecko::Cells stack{}, time{}, delta{}, weight{};
        std::string type{};
        int decimals = 0;
    };
    struct Markers {
        std::size_t at = 0;
        gecko::Cells name{}, start{}, end{}, phase{}, time{};
    };
    struct Thread {
        std::size_t at, profile; ///< where it begins; the number of m_shared
        std::string name, process, type, pidText, tidText;
        std::uint32_t pid = 0, tid = 0;
        gecko::File::Parts parts{}; ///< tables by name, where they begin
        std::vector<Samples> samples{};
        Markers markers{};
    };
    /// What the threads of one profile share; raw ones hold those of other processes.
    struct Shared {
        gecko::Tables tables;
        gecko::File::Meta meta;
    };
    struct Measure {
        std::string noun;
        record::StackUnit unit;
        StackCounts stacks{};
        text::StackTimes times{};
        int exponent = 0;
    };
    static constexpr std::size_t kMostFrames = 65'536, kMostThreads = 100'000;
    static constexpr int kMostProcesses = 8; ///< levels of profiles within profiles

    Result<> readTop(std::size_t from, int level)
    {
        auto reader = m_file.tables().at(from);
        const auto profile = m_shared.size();
        auto& shared = m_shared.emplace_back(std::make_unique<Shared>());
        gecko::File::Parts parts;
        std::vector<std::size_t> within;
        if (reader.kind() != JsonReader::Kind::Object) return m_out.nothing("it is no object, as a profile is", m_file.json(), from);
        const auto each
            = [&](auto take) { return reader.elements([&] { return take(reader.kind(), from + reader.position()), reader.skip(); }); };
        reader.members([&](std::string_view key) {
            const auto kind = reader.kind();
            const bool isArray = kind == JsonReader::Kind::Array;
            parts[std::string(key)] = from + reader.position();
            if (key == "threads" && isArray)
                return each([&](auto is, std::size_t at) {
                    if (is == JsonReader::Kind::Object && m_threads.size() < kMostThreads)
                        m_threads.push_back({at, profile, {}, {}, {}, {}, {}});
                });
            if (key == "processes" && isArray)
                return each([&](auto is, std::size_t at) {
                    if (is == JsonReader::Kind::Object) within.push_back(at);
                });
            return reader.skip();
        });
        if (reader.failed()) return m_file.damaged(reader, from);
        if (from == 0) text::tellRest(reader, m_out);
        if (m_threads.size() >= kMostThreads) return Error{0, "it has more than 100,000 threads"};
        if (const auto at = parts.find("meta"); at != parts.end()) DSCOPE_CHECK(m_file.readMeta(at->second, shared->meta));
        if (const auto at = parts.find("libs"); at != parts.end()) DSCOPE_CHECK(m_file.readLibs(at->second, shared->tables.libs));
        if (const auto at = parts.find("shared"); at != parts.end()) {
            DSCOPE_TRY(const auto tables, m_file.partsOf(at->second));
            DSCOPE_CHECK(m_file.readTables(tables, shared->tables));
        }
        for (const auto at : within) {
            if (level >= kMostProcesses) return Error{0, "its processes have processes more than 8 levels deep"};
            DSCOPE_CHECK(readTop(at, level + 1));
        }
        return {};
    }

    /// Who a thread is, and when its samples and markers were.
    Result<> readHead(Thread& thread)
    {
        auto reader = m_file.tables().at(thread.at);
        const auto id = [&](std::string& out) {
            if (reader.kind() != JsonReader::Kind::Number) return textOrNothing(reader, out);
            const auto written = reader.number();
            if (written) out = *written;
            return written.has_value();
        };
        reader.members([&](std::string_view key) {
            const auto kind = reader.kind();
            thread.parts[std::string(key)] = thread.at + reader.position();
            if (key == "name") return textOrNothing(reader, thread.name);
            if (key == "processName") return textOrNothing(reader, thread.process);
            if (key == "processType") return textOrNothing(reader, thread.type);
            if (key == "pid") return id(thread.pidText);
            if (key == "tid") return id(thread.tidText);
            if (key == "samples" && kind == JsonReader::Kind::Object) thread.samples.push_back({"", thread.at + reader.position()});
            if (key == "jsAllocations" && kind == JsonReader::Kind::Object)
                thread.samples.push_back({"bytes of JavaScript's objects", thread.at + reader.position()});
            if (key == "nativeAllocations" && kind == JsonReader::Kind::Object)
                thread.samples.push_back({"allocated bytes", thread.at + reader.position()});
            if (key == "markers" && kind == JsonReader::Kind::Object) thread.markers.at = thread.at + reader.position();
            return reader.skip();
        });
        if (reader.failed()) return m_file.damaged(reader, thread.at);
        nameThread(thread);
        for (auto& samples : thread.samples)
            DSCOPE_CHECK(readSamples(samples));
        auto& m = thread.markers;
        const bool read = m.at == 0
            || m_file.tables().read(m.at,
                {{"name", 0, &m.name}, {"startTime", gecko::kMillisecond, &m.start}, {"endTime", gecko::kMillisecond, &m.end},
                    {"phase", 0, &m.phase}, {"time", gecko::kMillisecond, &m.time}});
        if (!read) return m_file.damagedTable();
        shiftTimes(thread);
        return {};
    }

    std::uint32_t numberOf(const std::string& id)
    {
        const auto number = text::scaledNumber(id, 0);
        if (text::isDigits(id) && number && *number < record::kFirstNoThread) return static_cast<std::uint32_t>(*number);
        return m_named.try_emplace(id, record::kFirstNoThread + static_cast<std::uint32_t>(m_named.size())).first->second;
    }
    void nameThread(Thread& thread)
    {
        thread.pid = thread.pidText.empty() ? 0 : numberOf(thread.pidText);
        // Without a number a thread is one of its own.
        thread.tid = thread.tidText.empty() ? numberOf("thread at " + std::to_string(thread.at)) : numberOf(thread.tidText);
        if (thread.process.empty() && !text::isDigits(thread.pidText)) thread.process = thread.pidText;
        if (thread.name.empty()) thread.name = "thread " + thread.tidText;
    }

    Result<> readSamples(Samples& s)
    {
        auto reader = m_file.tables().at(s.at);
        reader.members([&](std::string_view key) { return key == "weightType" ? textOrNothing(reader, s.type) : reader.skip(); });
        if (reader.failed()) return m_file.damaged(reader, s.at);
        const auto columns = [&](int power) {
            return m_file.tables().read(s.at,
                {{"stack", 0, &s.stack}, {"time", gecko::kMillisecond, &s.time}, {"timeDeltas", gecko::kMillisecond, &s.delta},
                    {"weight", power, &s.weight, &s.decimals}});
        };
        const int power = s.type == "tracing-ms" ? gecko::kMillisecond : 0;
        if (!columns(power)) return m_file.damagedTable();
        // Fractions of what is counted, of a nanosecond down to its billionth.
        s.decimals = std::clamp(s.decimals - power, 0, 9);
        if (s.decimals > 0 && !columns(power + s.decimals)) return m_file.damagedTable();
        std::int64_t now = 0;
        for (std::size_t i = 0; s.time.empty() && i < s.delta.size(); ++i) {
            if (s.delta[i] == JsonTables::kNull || __builtin_add_overflow(now, s.delta[i], &now)) now = JsonTables::kNull;
            s.delta[i] = now;
        }
        if (s.time.empty()) s.time = std::move(s.delta);
        return {};
    }

    static bool isMoment(std::int64_t ns) { return ns >= -Slices::kMostTime && ns <= Slices::kMostTime; }
    /// Raw profiles of other processes count their times from their own begin.
    void shiftTimes(Thread& thread) const
    {
        const auto began = m_shared.front()->meta.began, own = m_shared[thread.profile]->meta.began;
        std::int64_t later = 0;
        if (began == 0 || own == 0 || __builtin_sub_overflow(own, began, &later) || !isMoment(later)) return;
        const auto shift = [&](gecko::Cells& cells) {
            for (auto& ns : cells)
                if (isMoment(ns)) ns += later;
        };
        for (auto& samples : thread.samples)
            shift(samples.time);
        for (auto* const cells : {&thread.markers.start, &thread.markers.end, &thread.markers.time})
            shift(*cells);
    }
    /// Moments are told since the first of all.
    void findOrigin()
    {
        const auto take = [&](const gecko::Cells& cells) {
            for (const auto ns : cells)
                if (isMoment(ns)) m_origin = std::min(m_origin, ns);
        };
        for (const auto& thread : m_threads) {
            for (const auto& samples : thread.samples)
                take(samples.time);
            take(thread.markers.time);
            for (std::size_t i = 0; i < thread.markers.start.size(); ++i)
                if (const auto ns = gecko::cellOf(thread.markers.phase, i) == 3U ? JsonTables::kNull : thread.markers.start[i];
                    isMoment(ns))
                    m_origin = std::min(m_origin, ns);
            const auto hasSamples
                = std::any_of(thread.samples.begin(), thread.samples.end(), [](const Samples& s) { return !s.stack.empty(); });
            if (!hasSamples) continue;
            m_pids.insert(thread.pid);
            ++m_sampled;
        }
        if (m_origin == INT64_MAX) m_origin = 0;
    }

    Result<> readThread(Thread& thread)
    {
        const auto& shared = *m_shared[thread.profile];
        gecko::Tables own;
        DSCOPE_CHECK(m_file.readTables(thread.parts, own));
        gecko::takeMissing(own, shared.tables);
        std::vector<std::string> roots;
        if (m_pids.size() > 1) roots.push_back(processOf(thread));
        if (m_sampled > 1) roots.push_back(thread.name);
        for (auto& samples : thread.samples)
            DSCOPE_CHECK(takeSamples(thread, samples, own, shared, roots));
        DSCOPE_CHECK(takeMarkers(thread, own.strings));
        thread.samples.clear();
        thread.markers = {};
        return {};
    }
    static std::string processOf(const Thread& thread)
    {
        if (!thread.process.empty()) return thread.process;
        return thread.pidText.empty() ? "process " + thread.type : "pid " + thread.pidText;
    }
    Measure& measureOf(std::string noun, record::StackUnit unit, int decimals)
    {
        for (auto& measure : m_measures)
            if (measure->noun == noun && measure->exponent == -decimals) return *measure;
        return *m_measures.emplace_back(std::make_unique<Measure>(Measure{std::move(noun), unit, {}, {}, -decimals}));
    }

    Result<> takeSamples(
        const Thread& thread, Samples& s, const gecko::Tables& tables, const Shared& shared, const std::vector<std::string>& roots)
    {
        if (s.stack.empty()) return {};
        const bool isTime = s.type == "tracing-ms", isBytes = s.type == "bytes" || !s.noun.empty();
        const auto unit = isTime ? record::StackUnit::Time : isBytes ? record::StackUnit::Bytes : record::StackUnit::Count;
        const auto* const noun = isTime ? "time" : isBytes ? "bytes" : "samples";
        auto& measure = measureOf(s.noun.empty() ? noun : std::string(s.noun), unit, s.decimals);
        m_frames.assign(std::max(tables.frameFunc.size(), tables.frameLocation.size()), UINT32_MAX);

        // Each stack is counted once, with all of its samples.
        std::map<std::int64_t, std::int64_t> totals;
        std::vector<std::int64_t> weights(s.stack.size());
        std::int64_t one = 1;
        for (int i = 0; i < s.decimals; ++i)
            one *= 10;
        for (std::size_t i = 0; i < s.stack.size(); ++i) {
            const auto weight = s.weight.empty() ? one : i < s.weight.size() ? s.weight[i] : 0;
            if (weight == JsonTables::kNull) ++m_noWeight;
            weights[i] = weight == JsonTables::kNull ? 0 : weight;
            if (weights[i] < 0 && isBytes) ++m_freed, weights[i] = 0;
            auto& total = totals[s.stack[i]];
            if (__builtin_add_overflow(total, weights[i], &total)) total = weights[i] < 0 ? INT64_MIN : INT64_MAX;
        }
        if (!s.weight.empty() && s.weight.size() != s.stack.size())
            m_out.warn("thread " + thread.name + " has " + std::to_string(s.stack.size()) + " samples and "
                + std::to_string(s.weight.size()) + " weights: samples without a weight are left out");
        std::vector<std::uint32_t> roof, path;
        for (const auto& root : roots)
            roof.push_back(measure.stacks.numberOf({root}));
        std::map<std::int64_t, std::uint32_t> numbers;
        for (const auto& [stack, total] : totals) {
            if (total == 0) continue;
            DSCOPE_TRY(const auto isThere, stackOf(stack, tables, shared, measure.stacks, path));
            if (!isThere) continue;
            measure.stacks.frames(roof);
            measure.stacks.frames(path);
            numbers[stack] = measure.stacks.add(total);
            DSCOPE_CHECK(measure.stacks.check());
        }
        for (std::size_t i = 0; i < s.stack.size() && i < s.time.size() && !shared.meta.isOfBytes; ++i) {
            const auto number = numbers.find(s.stack[i]);
            if (weights[i] <= 0 || number == numbers.end() || !isMoment(s.time[i])) continue;
            const bool hasPid = thread.pid < record::kFirstNoThread && !thread.pidText.empty(),
                       hasTid = thread.tid < record::kFirstNoThread;
            measure.times.add(s.time[i] - m_origin + 1,
                {thread.name, hasPid ? std::optional(thread.pid) : std::nullopt, hasTid ? std::optional(thread.tid) : std::nullopt, {}},
                number->second, weights[i], unit == record::StackUnit::Count && s.decimals == 0 ? weights[i] : 1);
        }
        return {};
    }

    /// The frames of a stack from its root. False: there is no such stack.
    Result<bool> stackOf(
        std::int64_t stack, const gecko::Tables& t, const Shared& shared, StackCounts& stacks, std::vector<std::uint32_t>& path)
    {
        path.clear();
        if (stack == JsonTables::kNull) return true;
        for (std::size_t at = static_cast<std::size_t>(stack); stack >= 0;) {
            if (at >= t.stackFrame.size() || !gecko::cellOf(t.stackFrame, at)) return ++m_noStack, false;
            if (path.size() >= kMostFrames) return Error{0, "its stacks lead back to themselves, or are deeper than 65,536 frames"};
            const auto frame = *gecko::cellOf(t.stackFrame, at);
            if (frame >= m_frames.size()) return ++m_noStack, false;
            if (m_frames[frame] == UINT32_MAX) m_frames[frame] = stacks.numberOf(gecko::frameOf(frame, t, shared.meta.categories).typed());
            path.push_back(m_frames[frame]);
            const auto offset = gecko::cellOf(t.stackOffset, at).value_or(0);
            const auto prefix = offset > 0 && offset <= at ? std::optional(at - offset) : gecko::cellOf(t.stackPrefix, at);
            if (!prefix) break;
            at = *prefix;
        }
        std::reverse(path.begin(), path.end());
        return stack >= 0 ? true : (++m_noStack, false);
    }

    /// Markers of a thread are slices beside its calls: they may overlap each other.
    Result<> takeMarkers(const Thread& thread, const std::vector<std::string>& strings)
    {
        const auto& m = thread.markers;
        if (m.name.empty()) return {};
        m_hasOldMarkers = m_hasOldMarkers || m.start.empty();
        const Slices::Chain chain{Slices::keyOf(std::to_string(thread.at)), thread.pid, m_slices.name(thread.name)};
        if (m_pidsOfMarkers.insert(thread.pid).second && !thread.process.empty()) m_slices.nameProcess(thread.pid, thread.process);
        for (std::size_t i = 0; i < m.name.size(); ++i) {
            const auto* const text = gecko::rowOf(strings, gecko::cellOf(m.name, i));
            const auto name = m_slices.name(text && !text->empty() ? std::string_view(*text) : std::string_view("[unnamed]"));
            const auto cell = [&](const gecko::Cells& cells) { return i < cells.size() ? cells[i] : JsonTables::kNull; };
            const auto phase = m.phase.empty() ? 0 : cell(m.phase);
            const auto start = m.start.empty() ? cell(m.time) : cell(m.start), end = cell(m.end);
            const bool isOver = (phase == 1 || phase == 3) && !isMoment(end);
            if (phase < 0 || phase > 3 || isOver || (phase != 3 && !isMoment(start)) || (phase == 1 && end < start)) {
                m_out.misunderstand(1, "marker " + std::to_string(i + 1) + " of thread " + thread.name + " does not say when it was");
                continue;
            }
            if (phase == 0) m_slices.instant(chain, name, start);
            if (phase == 1) m_slices.whole(chain, name, start, end);
            if (phase == 2) m_slices.begin(chain, name, start);
            if (phase == 3) m_slices.end(chain, name, end);
        }
        return m_slices.check();
    }

    Result<> put()
    {
        if (m_noStack > 0) m_out.misunderstand(1, std::to_string(m_noStack) + " stacks of samples are not among its stacks");
        if (m_noWeight > 0) m_out.warn(text::counted(m_noWeight, "sample is", "samples are") + " left out: the weight is no number");
        if (m_freed > 0)
            m_out.warn(std::to_string(m_freed) + " samples of memory that was given back are left out: their bytes are negative");
        if (m_hasOldMarkers) m_out.warn("its markers are of a version before 2020, and are moments here: how long they took is left out");
        bool isFirst = true;
        for (auto& measure : m_measures) {
            if (measure->stacks.empty()) continue;
            auto numbered = measure->stacks.takeNumbered(measure->noun, measure->unit, measure->exponent);
            m_out.add(std::move(numbered.stacks));
            // Parts of stacks are numbered from the first stacks of all.
            if (std::exchange(isFirst, false)) measure->times.put(m_out, "samples", numbered.lines, "thread");
        }
        const auto give = isFirst ? Slices::Give::All : Slices::Give::CallsAlone;
        if (!m_slices.empty()) DSCOPE_CHECK(m_slices.put(m_out, give, m_origin - 1));
        m_out.program.started = 1;
        return {};
    }

    gecko::File m_file;
    text::Imported& m_out;
    std::vector<Thread> m_threads;
    std::vector<std::unique_ptr<Shared>> m_shared;
    std::vector<std::unique_ptr<Measure>> m_measures;
    std::vector<std::uint32_t> m_frames; ///< of the tables that are read: numbers among the stacks of the measure
    std::map<std::string, std::uint32_t> m_named;
    std::set<std::uint32_t> m_pids, m_pidsOfMarkers;
    std::size_t m_sampled = 0, m_noStack = 0, m_noWeight = 0, m_freed = 0;
    std::int64_t m_origin = INT64_MAX;
    bool m_hasOldMarkers = false;
    Slices m_slices;
};

/// Whether the object that comes next has a member of one of these names.
bool hasGeckoPart(JsonReader& reader, std::initializer_list<std::string_view> names)
{
    bool has = false;
    if (reader.kind() != JsonReader::Kind::Object) return reader.skip(), false;
    reader.members([&](std::string_view key) {
        has = std::find(names.begin(), names.end(), key) != names.end();
        return !has && reader.skip();
    });
    return has;
}
Guess guessOfGecko(std::string_view json)
{
    JsonReader reader(json);
    bool is = false;
    if (reader.kind() != JsonReader::Kind::Object) return Guess::No;
    reader.members([&](std::string_view key) {
        if (key == "meta") return !(is = hasGeckoPart(reader, {"preprocessedProfileVersion", "interval", "stackwalk"})) && !reader.failed();
        if (key == "shared") return !(is = hasGeckoPart(reader, {"stringArray", "stackTable", "frameTable"})) && !reader.failed();
        if (key != "threads" || reader.kind() != JsonReader::Kind::Array) return key != "traceEvents" && reader.skip();
        reader.elements([&] {
            return is = hasGeckoPart(reader, {"stackTable", "frameTable", "stringTable", "stringArray", "markers"}), false;
        });
        return false;
    });
    return is ? Guess::Yes : Guess::No;
}

class Gecko final : public text::Importer {
public:
    std::string_view name() const override { return "gecko"; }
    std::string_view summary() const override
    {
        return "profiles of Firefox' profiler (JSON), raw or processed, which samply and others write: stacks, threads, markers";
    }
    bool isBinary() const override { return true; }
    bool readsJson() const override { return true; }
    Guess guess(std::string_view head) const override { return guessOfGecko(head); }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(const auto json, lines.whole(kMostGeckoBytes));
        text::Imported out;
        DSCOPE_CHECK(GeckoProfile(json, out).read());
        const auto isWarning = [](const auto& r) { return std::holds_alternative<record::Diagnostic>(r); };
        if (std::all_of(out.records.begin(), out.records.end(), isWarning)) return out.nothing("there is no sample and no marker in it");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_gecko() { return std::make_unique<Gecko>(); }
} // namespace dscope::importers
