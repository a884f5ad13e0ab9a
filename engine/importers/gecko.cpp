#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/json_file.h"
#include "engine/text/json_tables.h"
#include "engine/text/slices.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
#include <charconv>
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

constexpr std::size_t kMostGeckoBytes = std::size_t{512} << 20;
constexpr int kMillisecond = 6; ///< power of 10, to nanoseconds
using GeckoCells = std::vector<std::int64_t>;

std::optional<std::size_t> geckoCell(const GeckoCells& cells, std::size_t row)
{
    return row < cells.size() && cells[row] >= 0 ? std::optional(static_cast<std::size_t>(cells[row])) : std::nullopt;
}
template <typename T> const T* geckoRow(const std::vector<T>& of, std::optional<std::size_t> row)
{
    return row && *row < of.size() ? &of[*row] : nullptr;
}

/// A library of a profile. Addresses of raw profiles are those of the process.
struct GeckoLib {
    std::string name;
    std::int64_t start = 0, end = 0;
};

/// The tables of stacks, of a thread or of all. Source: firefox-devtools/profiler, docs-developer/CHANGELOG-formats.md, versions 1 to 70 of
/// processed profiles and 3 to 36 of raw ones.
struct GeckoTables {
    std::vector<std::string> strings;
    GeckoCells stackFrame, stackPrefix, stackOffset; ///< offset: to the caller, since version 66
    GeckoCells frameFunc, frameLine, frameCategory, frameSubcategory, frameAddress, frameDepth, frameLib;
    GeckoCells frameLocation, frameImplementation; ///< of raw profiles; of old ones
    GeckoCells funcName, funcFile, funcSource, funcLine, funcResource;
    GeckoCells resourceLib, sourceFile;
    std::vector<GeckoLib> libs;
};

/// What a frame is, before it is numbered.
struct GeckoFrame {
    std::string name, module, file;
    std::int64_t line = 0;
    record::Frame::Kind kind = record::Frame::Kind::Unknown;
    bool inlined = false;
    StackCounts::Frame typed() const
    {
        const bool hasLine = !file.empty() && line > 0 && line <= INT32_MAX;
        return {name, kind, inlined, module, file, hasLine ? static_cast<std::uint32_t>(line) : 0};
    }
};

bool allDigits(std::string_view text) { return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos; }
/// Takes ":12" off the end of a text.
std::optional<std::int64_t> takeLine(std::string_view& text)
{
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || !allDigits(text.substr(colon + 1))) return {};
    const auto number = text::scaledNumber(text.substr(colon + 1), 0);
    text = text.substr(0, colon);
    return number;
}
/// A location of a raw profile: "f (url:line:column)[source]" of JavaScript, "f (in lib)" of native code, an address, or a label.
GeckoFrame frameOfLocation(std::string_view location)
{
    GeckoFrame out;
    auto rest = location;
    if (const auto bracket = rest.rfind('['); rest.ends_with(']') && bracket != std::string_view::npos && bracket > 0
        && rest[bracket - 1] == ')' && allDigits(rest.substr(bracket + 1, rest.size() - bracket - 2)))
        rest = rest.substr(0, bracket);
    const auto open = text::lastBrackets(rest);
    out.name = location;
    if (open == std::string_view::npos || open == 0) return out;
    auto inner = rest.substr(open + 2, rest.size() - open - 3);
    constexpr std::string_view kIn = "in ";
    if (inner.starts_with(kIn)) {
        out.name = text::withoutParameters(rest.substr(0, open));
        out.module = inner.substr(std::max(kIn.size(), inner.rfind('/') == std::string_view::npos ? 0 : inner.rfind('/') + 1));
        return out;
    }
    const auto last = takeLine(inner);
    if (!last) return out;
    const auto line = takeLine(inner);
    out.name = rest.substr(0, open);
    out.file = inner;
    out.line = line.value_or(*last);
    return out;
}

/// A profile of Firefox' profiler, raw or processed. Its parts stand in any order, so their places are found first.
class GeckoProfile {
public:
    GeckoProfile(std::string_view json, text::Imported& out) : m_json(json), m_tables(json), m_out(out) { }

    Result<> read()
    {
        DSCOPE_CHECK(readTop(0, 0));
        if (m_threads.empty()) return m_out.nothing("it has no threads: it is no profile of Firefox' profiler", m_json, 0);
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
        GeckoCells stack{}, time{}, delta{}, weight{};
        std::string type{};
        int decimals = 0;
    };
    struct Markers {
        std::size_t at = 0;
        GeckoCells name{}, start{}, end{}, phase{}, time{};
    };
    struct Thread {
        std::size_t at, profile; ///< where it begins; the number of m_shared
        std::string name, process, type, pidText, tidText;
        std::uint32_t pid = 0, tid = 0;
        std::map<std::string, std::size_t, std::less<>> parts{}; ///< tables by name, where they begin
        std::vector<Samples> samples{};
        Markers markers{};
    };
    /// What the threads of one profile share; raw ones hold those of other processes.
    struct Shared {
        GeckoTables tables;
        std::vector<std::pair<std::string, std::vector<std::string>>> categories; ///< with what divides them
        bool isOfBytes = false;                                                   ///< "times" are places in a file
        std::int64_t began = 0;                                                   ///< ns: its times count from there
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

    Error damaged(std::size_t at, std::string_view what) const
    {
        return text::Imported::nothing("it is damaged at byte " + std::to_string(at) + ": there is " + std::string(what), m_json, at);
    }
    Error damaged(const JsonReader& reader, std::size_t from) const { return damaged(from + reader.position(), reader.what()); }
    Error damagedTable() const { return damaged(m_tables.position(), m_tables.what()); }

    Result<> readTop(std::size_t from, int level)
    {
        auto reader = m_tables.at(from);
        const auto profile = m_shared.size();
        auto& shared = m_shared.emplace_back(std::make_unique<Shared>());
        std::map<std::string, std::size_t, std::less<>> parts;
        std::vector<std::size_t> within;
        if (reader.kind() != JsonReader::Kind::Object) return m_out.nothing("it is no object, as a profile is", m_json, from);
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
        if (reader.failed()) return damaged(reader, from);
        if (from == 0) text::tellRest(reader, m_out);
        if (m_threads.size() >= kMostThreads) return Error{0, "it has more than 100,000 threads"};
        if (const auto at = parts.find("meta"); at != parts.end()) DSCOPE_CHECK(readMeta(at->second, *shared));
        if (const auto at = parts.find("libs"); at != parts.end()) DSCOPE_CHECK(readLibs(at->second, shared->tables.libs));
        if (const auto at = parts.find("shared"); at != parts.end()) {
            DSCOPE_TRY(const auto tables, partsOf(at->second));
            DSCOPE_CHECK(readTables(tables, shared->tables));
        }
        for (const auto at : within) {
            if (level >= kMostProcesses) return Error{0, "its processes have processes more than 8 levels deep"};
            DSCOPE_CHECK(readTop(at, level + 1));
        }
        return {};
    }

    /// Where the members of an object begin.
    Result<std::map<std::string, std::size_t, std::less<>>> partsOf(std::size_t from) const
    {
        std::map<std::string, std::size_t, std::less<>> out;
        auto reader = m_tables.at(from);
        if (reader.kind() != JsonReader::Kind::Object) return out;
        reader.members([&](std::string_view key) {
            reader.kind();
            out[std::string(key)] = from + reader.position();
            return reader.skip();
        });
        if (reader.failed()) return damaged(reader, from);
        return out;
    }

    Result<> readMeta(std::size_t from, Shared& shared) const
    {
        auto reader = m_tables.at(from);
        if (reader.kind() != JsonReader::Kind::Object) return {};
        std::string word;
        const auto category = [&] {
            auto& of = shared.categories.emplace_back();
            if (reader.kind() != JsonReader::Kind::Object) return reader.skip();
            return reader.members([&](std::string_view key) {
                if (key == "name") return textOrNothing(reader, of.first);
                if (key != "subcategories" || reader.kind() != JsonReader::Kind::Array) return reader.skip();
                return reader.elements([&] { return textOrNothing(reader, of.second.emplace_back()); });
            });
        };
        reader.members([&](std::string_view key) {
            if (key == "categories" && reader.kind() == JsonReader::Kind::Array) return reader.elements(category);
            if (key == "startTime") return shared.began = text::scaledOrNothing(reader, kMillisecond).value_or(0), !reader.failed();
            if (key != "sampleUnits" || reader.kind() != JsonReader::Kind::Object) return reader.skip();
            return reader.members([&](std::string_view unit) {
                if (unit != "time") return reader.skip();
                if (!textOrNothing(reader, word)) return false;
                return shared.isOfBytes = word == "bytes", true;
            });
        });
        if (reader.failed()) return damaged(reader, from);
        return {};
    }

    Result<> readLibs(std::size_t from, std::vector<GeckoLib>& out) const
    {
        auto reader = m_tables.at(from);
        if (reader.kind() != JsonReader::Kind::Array) return {};
        std::string word;
        reader.elements([&] {
            auto& lib = out.emplace_back();
            if (reader.kind() != JsonReader::Kind::Object) return reader.skip();
            return reader.members([&](std::string_view key) {
                if (key == "start") return lib.start = text::integer(reader).value_or(0), !reader.failed();
                if (key == "end") return lib.end = text::integer(reader).value_or(0), !reader.failed();
                if (key != "name" && key != "path" && key != "debugName") return reader.skip();
                if (!textOrNothing(reader, word)) return false;
                if (key == "name" || lib.name.empty()) lib.name = word.substr(word.rfind('/') + 1);
                return true;
            });
        });
        if (reader.failed()) return damaged(reader, from);
        return {};
    }

    Result<> readTables(const std::map<std::string, std::size_t, std::less<>>& parts, GeckoTables& t)
    {
        const auto table = [&](std::string_view name, std::initializer_list<JsonTables::Column> columns) {
            const auto at = parts.find(name);
            return at == parts.end() || m_tables.read(at->second, columns);
        };
        bool read = table("stackTable", {{"frame", 0, &t.stackFrame}, {"prefix", 0, &t.stackPrefix}, {"prefixOffset", 0, &t.stackOffset}});
        read = read
            && table("frameTable",
                {{"func", 0, &t.frameFunc}, {"line", 0, &t.frameLine}, {"category", 0, &t.frameCategory},
                    {"subcategory", 0, &t.frameSubcategory}, {"address", 0, &t.frameAddress}, {"inlineDepth", 0, &t.frameDepth},
                    {"lib", 0, &t.frameLib}, {"location", 0, &t.frameLocation}, {"implementation", 0, &t.frameImplementation}});
        read = read
            && table("funcTable",
                {{"name", 0, &t.funcName}, {"fileName", 0, &t.funcFile}, {"source", 0, &t.funcSource}, {"lineNumber", 0, &t.funcLine},
                    {"resource", 0, &t.funcResource}});
        read = read && table("resourceTable", {{"lib", 0, &t.resourceLib}}) && table("sources", {{"filename", 0, &t.sourceFile}});
        for (const auto* name : {"stringArray", "stringTable"})
            if (const auto at = parts.find(name); read && at != parts.end() && t.strings.empty())
                read = m_tables.read(at->second, t.strings);
        if (!read) return damagedTable();
        if (const auto at = parts.find("libs"); at != parts.end()) return readLibs(at->second, t.libs);
        return {};
    }

    /// Who a thread is, and when its samples and markers were.
    Result<> readHead(Thread& thread)
    {
        auto reader = m_tables.at(thread.at);
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
        if (reader.failed()) return damaged(reader, thread.at);
        nameThread(thread);
        for (auto& samples : thread.samples)
            DSCOPE_CHECK(readSamples(samples));
        auto& m = thread.markers;
        const bool read = m.at == 0
            || m_tables.read(m.at,
                {{"name", 0, &m.name}, {"startTime", kMillisecond, &m.start}, {"endTime", kMillisecond, &m.end}, {"phase", 0, &m.phase},
                    {"time", kMillisecond, &m.time}});
        if (!read) return damagedTable();
        shiftTimes(thread);
        return {};
    }

    std::uint32_t numberOf(const std::string& id)
    {
        const auto number = text::scaledNumber(id, 0);
        if (allDigits(id) && number && *number < record::kFirstNoThread) return static_cast<std::uint32_t>(*number);
        return m_named.try_emplace(id, record::kFirstNoThread + static_cast<std::uint32_t>(m_named.size())).first->second;
    }
    void nameThread(Thread& thread)
    {
        thread.pid = thread.pidText.empty() ? 0 : numberOf(thread.pidText);
        // Without a number a thread is one of its own.
        thread.tid = thread.tidText.empty() ? numberOf("thread at " + std::to_string(thread.at)) : numberOf(thread.tidText);
        if (thread.process.empty() && !allDigits(thread.pidText)) thread.process = thread.pidText;
        if (thread.name.empty()) thread.name = "thread " + thread.tidText;
    }

    Result<> readSamples(Samples& s)
    {
        auto reader = m_tables.at(s.at);
        reader.members([&](std::string_view key) { return key == "weightType" ? textOrNothing(reader, s.type) : reader.skip(); });
        if (reader.failed()) return damaged(reader, s.at);
        const auto columns = [&](int power) {
            return m_tables.read(s.at,
                {{"stack", 0, &s.stack}, {"time", kMillisecond, &s.time}, {"timeDeltas", kMillisecond, &s.delta},
                    {"weight", power, &s.weight, &s.decimals}});
        };
        const int power = s.type == "tracing-ms" ? kMillisecond : 0;
        if (!columns(power)) return damagedTable();
        // Fractions of what is counted, of a nanosecond down to its billionth.
        s.decimals = std::clamp(s.decimals - power, 0, 9);
        if (s.decimals > 0 && !columns(power + s.decimals)) return damagedTable();
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
        const auto began = m_shared.front()->began, own = m_shared[thread.profile]->began;
        std::int64_t later = 0;
        if (began == 0 || own == 0 || __builtin_sub_overflow(own, began, &later) || !isMoment(later)) return;
        const auto shift = [&](GeckoCells& cells) {
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
        const auto take = [&](const GeckoCells& cells) {
            for (const auto ns : cells)
                if (isMoment(ns)) m_origin = std::min(m_origin, ns);
        };
        for (const auto& thread : m_threads) {
            for (const auto& samples : thread.samples)
                take(samples.time);
            take(thread.markers.time);
            for (std::size_t i = 0; i < thread.markers.start.size(); ++i)
                if (const auto ns = geckoCell(thread.markers.phase, i) == 3U ? JsonTables::kNull : thread.markers.start[i]; isMoment(ns))
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
        GeckoTables own;
        DSCOPE_CHECK(readTables(thread.parts, own));
        takeMissing(own, shared.tables);
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
    /// Tables that a thread has not itself are those of all.
    static void takeMissing(GeckoTables& own, const GeckoTables& all)
    {
        const auto take = [&](auto member, auto... others) {
            if (!(own.*member).empty()) return;
            own.*member = all.*member;
            ((own.*others = all.*others), ...);
        };
        using T = GeckoTables;
        take(&T::strings);
        take(&T::libs);
        take(&T::stackFrame, &T::stackPrefix, &T::stackOffset);
        if (own.frameLocation.empty())
            take(&T::frameFunc, &T::frameLine, &T::frameCategory, &T::frameSubcategory, &T::frameAddress, &T::frameDepth, &T::frameLib,
                &T::frameLocation, &T::frameImplementation);
        take(&T::funcName, &T::funcFile, &T::funcSource, &T::funcLine, &T::funcResource);
        take(&T::resourceLib);
        take(&T::sourceFile);
    }

    Measure& measureOf(std::string noun, record::StackUnit unit, int decimals)
    {
        for (auto& measure : m_measures)
            if (measure->noun == noun && measure->exponent == -decimals) return *measure;
        return *m_measures.emplace_back(std::make_unique<Measure>(Measure{std::move(noun), unit, {}, {}, -decimals}));
    }

    Result<> takeSamples(
        const Thread& thread, Samples& s, const GeckoTables& tables, const Shared& shared, const std::vector<std::string>& roots)
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
        for (std::size_t i = 0; i < s.stack.size() && i < s.time.size() && !shared.isOfBytes; ++i) {
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
        std::int64_t stack, const GeckoTables& t, const Shared& shared, StackCounts& stacks, std::vector<std::uint32_t>& path)
    {
        path.clear();
        if (stack == JsonTables::kNull) return true;
        for (std::size_t at = static_cast<std::size_t>(stack); stack >= 0;) {
            if (at >= t.stackFrame.size() || !geckoCell(t.stackFrame, at)) return ++m_noStack, false;
            if (path.size() >= kMostFrames) return Error{0, "its stacks lead back to themselves, or are deeper than 65,536 frames"};
            const auto frame = *geckoCell(t.stackFrame, at);
            if (frame >= m_frames.size()) return ++m_noStack, false;
            if (m_frames[frame] == UINT32_MAX) m_frames[frame] = stacks.numberOf(frameOf(frame, t, shared).typed());
            path.push_back(m_frames[frame]);
            const auto offset = geckoCell(t.stackOffset, at).value_or(0);
            const auto prefix = offset > 0 && offset <= at ? std::optional(at - offset) : geckoCell(t.stackPrefix, at);
            if (!prefix) break;
            at = *prefix;
        }
        std::reverse(path.begin(), path.end());
        return stack >= 0 ? true : (++m_noStack, false);
    }

    GeckoFrame frameOf(std::size_t frame, const GeckoTables& t, const Shared& shared) const
    {
        auto out = t.frameLocation.empty() ? processedFrame(frame, t) : rawFrame(frame, t);
        if (out.name.empty()) out.name = "[unknown]";
        if (out.module.starts_with("[kernel") || out.module == "vmlinux") out.kind = record::Frame::Kind::Kernel;
        out.inlined = geckoCell(t.frameDepth, frame).value_or(0) > 0;
        const auto* const implementation = geckoRow(t.strings, geckoCell(t.frameImplementation, frame));
        if (implementation && !implementation->empty() && *implementation != "interpreter") out.kind = record::Frame::Kind::Jit;
        const auto* const category = geckoRow(shared.categories, geckoCell(t.frameCategory, frame));
        if (!category) return out;
        if (category->first == "Kernel") out.kind = record::Frame::Kind::Kernel;
        const auto* const part = geckoRow(category->second, geckoCell(t.frameSubcategory, frame));
        const auto says = [&](std::string_view word) { return part && part->find(word) != std::string::npos; };
        const bool isJit = category->first == "JavaScript" && (says("Baseline") || says("Ion") || says("JIT"));
        if (isJit || category->first == "JIT") out.kind = record::Frame::Kind::Jit;
        return out;
    }

    static GeckoFrame processedFrame(std::size_t frame, const GeckoTables& t)
    {
        GeckoFrame out;
        const auto func = geckoCell(t.frameFunc, frame);
        if (!func) return out;
        const auto* const name = geckoRow(t.strings, geckoCell(t.funcName, *func));
        const auto resource = geckoCell(t.funcResource, *func);
        const auto* lib = geckoRow(t.libs, geckoCell(t.frameLib, frame));
        if (!lib && resource) lib = geckoRow(t.libs, geckoCell(t.resourceLib, *resource));
        if (lib) out.module = lib->name;
        if (name) out.name = lib ? text::withoutParameters(*name) : std::string_view(*name);
        const auto source = geckoCell(t.funcSource, *func);
        const auto* const file = geckoRow(t.strings, source ? geckoCell(t.sourceFile, *source) : geckoCell(t.funcFile, *func));
        if (file) out.file = *file;
        const auto line = geckoCell(t.frameLine, frame);
        out.line = static_cast<std::int64_t>(line ? *line : geckoCell(t.funcLine, *func).value_or(0));
        return out;
    }

    static GeckoFrame rawFrame(std::size_t frame, const GeckoTables& t)
    {
        const auto* const location = geckoRow(t.strings, geckoCell(t.frameLocation, frame));
        auto out = location ? frameOfLocation(*location) : GeckoFrame();
        if (const auto line = geckoCell(t.frameLine, frame); line && !out.file.empty()) out.line = static_cast<std::int64_t>(*line);
        if (!out.name.starts_with("0x")) return out;
        std::int64_t address = 0;
        const auto* const end = out.name.data() + out.name.size();
        if (const auto [at, error] = std::from_chars(out.name.data() + 2, end, address, 16); error != std::errc() || at != end) return out;
        for (const auto& lib : t.libs) {
            if (address < lib.start || address >= lib.end) continue;
            std::array<char, 16> digits{};
            const auto to = std::to_chars(digits.data(), digits.data() + digits.size(), address - lib.start, 16).ptr;
            out.module = lib.name;
            out.name = "0x" + std::string(digits.data(), to);
            break;
        }
        return out;
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
            const auto* const text = geckoRow(strings, geckoCell(m.name, i));
            const auto name = m_slices.name(text && !text->empty() ? std::string_view(*text) : std::string_view("[unnamed]"));
            const auto cell = [&](const GeckoCells& cells) { return i < cells.size() ? cells[i] : JsonTables::kNull; };
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

    std::string_view m_json;
    JsonTables m_tables;
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
