#include "engine/record/folded.h"
#include "engine/text/importer.h"
#include "engine/text/json_file.h"
#include "engine/text/slices.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include "engine/text/words.h"
#include <algorithm>
#include <cmath>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::JsonReader;
using text::scaledNumber;
using text::StackCounts;

constexpr std::size_t kMostSpeedscopeBytes = std::size_t{512} << 20;
constexpr std::uint64_t kMostProfiles = 10'000;

/// How the units of the format become ours. Source: speedscope.app/file-format-schema.json, "ValueUnit".
struct SpeedscopeUnit {
    std::string_view name;
    record::StackUnit is;
    int power; ///< of 10, to nanoseconds or bytes
    std::string_view noun;
};
constexpr SpeedscopeUnit kSpeedscopeUnits[]
    = {{"none", record::StackUnit::Count, 0, "samples"}, {"bytes", record::StackUnit::Bytes, 0, "bytes"},
        {"nanoseconds", record::StackUnit::Time, 0, "time"}, {"microseconds", record::StackUnit::Time, 3, "time"},
        {"milliseconds", record::StackUnit::Time, 6, "time"}, {"seconds", record::StackUnit::Time, 9, "time"}};

/// Reads a file of speedscope in passes: where its parts are, since they stand in any order; how many decimals its values have; then
/// frames, then profiles.
class SpeedscopeFile {
public:
    explicit SpeedscopeFile(std::string_view json) : m_json(json) { }

    Result<> read(text::Imported& out)
    {
        JsonReader top(m_json);
        std::size_t frames = 0, active = 0;
        std::vector<std::size_t> profiles;
        top.members([&](std::string_view key) {
            if (key == "profiles") return top.elements([&] { return top.kind(), profiles.push_back(top.position()), top.skip(); });
            if (key == "activeProfileIndex") {
                active = static_cast<std::size_t>(std::max<std::int64_t>(text::integer(top).value_or(0), 0));
                return !top.failed();
            }
            if (key == "exporter" && top.kind() == JsonReader::Kind::Text) {
                std::string exporter;
                if (!top.text(exporter)) return false;
                m_isOurs = exporter.starts_with("dscope");
                return true;
            }
            if (key != "shared") return top.skip();
            return top.members([&](std::string_view inner) {
                top.kind(); // past the blanks
                if (inner == "frames") frames = top.position();
                return top.skip();
            });
        });

        if (top.failed()) return wrong(top, top.position());
        text::tellRest(top, out);
        if (frames == 0) return Error{0, "it has no shared.frames: it is no file of speedscope"};
        if (profiles.empty()) return Error{0, "it has no profiles: it is no file of speedscope"};
        if (profiles.size() > kMostProfiles) return Error{0, "it has more than 10,000 profiles: no trace is of so many threads"};
        DSCOPE_CHECK(readFrames(frames));

        // The one that speedscope would show comes first.
        if (active < profiles.size()) m_first = active;
        m_several = profiles.size() > 1;
        std::vector<Profile> heads;
        for (std::size_t i = 0; i < profiles.size(); ++i) {
            DSCOPE_TRY(auto head, readHead(profiles[i], i));
            heads.push_back(std::move(head));
        }
        for (const auto& head : heads)
            DSCOPE_CHECK(weigh(head));
        for (auto& measure : m_measures)
            chooseExponent(measure, out);
        for (const auto& head : heads)
            DSCOPE_CHECK(head.isEvented ? readEvents(head, out) : readSamples(head, out));
        return putAll(out);
    }

private:
    struct Frame {
        std::uint32_t name, file, line;
        record::Frame::Kind kind = record::Frame::Kind::Unknown;
        bool inlined = false;
    };
    /// Where a profile has its parts, and what it measures.
    struct Profile {
        std::size_t number;
        std::string name;
        const SpeedscopeUnit* unit;
        std::size_t measure; ///< of m_measures
        bool isEvented;
        std::size_t values, weights; ///< positions: of samples or events; of weights, 0 where there are none
        std::string start, end;      ///< as written; empty: not told
    };
    /// Stacks that measure the same.
    struct Measured {
        const SpeedscopeUnit* unit;
        StackCounts stacks;
        bool hasFirst = false;                ///< those of the first profile are among them
        std::vector<std::uint32_t> numbers{}; ///< of shared.frames, as `stacks` counts them; UINT32_MAX: not met yet
        int decimals = 0;                     ///< that its values have, in nanoseconds or bytes
        double total = 0;                     ///< at most so much, in the same
        text::StackTimes times{};
        bool hasTimes = false;
    };

    /// The error that a reader met, or `what`, with the place in the whole file.
    Error wrong(const JsonReader& reader, std::size_t at, const std::string& what = {}) const
    {
        return text::Imported::nothing(
            "it is damaged at byte " + std::to_string(at) + ": " + (what.empty() ? "there is " + std::string(reader.what()) : what), m_json,
            at);
    }

    JsonReader at(std::size_t position) const { return JsonReader(m_json.substr(position)); }

    Result<> readFrames(std::size_t from)
    {
        auto reader = at(from);
        std::string name, file, kind;
        reader.elements([&] {
            name.clear();
            file.clear();
            kind.clear();
            std::int64_t line = 0;
            const bool read = reader.members([&](std::string_view key) {
                if (key == "name") return text::textOrNothing(reader, name);
                if (key == "file") return text::textOrNothing(reader, file);
                if (key == "line") return line = text::integer(reader).value_or(0), !reader.failed();
                if (key == "kind") return text::textOrNothing(reader, kind); // dscope's own
                return reader.skip();
            });
            const bool hasLine = !file.empty() && line > 0 && line < INT32_MAX;
            m_frames.push_back({m_names.of(name.empty() ? std::string_view("[unknown]") : std::string_view(name)), m_names.of(file),
                hasLine ? static_cast<std::uint32_t>(line) : 0,
                kind == "kernel"    ? record::Frame::Kind::Kernel
                    : kind == "jit" ? record::Frame::Kind::Jit
                                    : record::Frame::Kind::Unknown,
                kind == "inlined"});
            return read;
        });
        if (reader.failed()) return wrong(reader, from + reader.position());
        return {};
    }

    Result<Profile> readHead(std::size_t from, std::size_t number)
    {
        auto reader = at(from);
        Profile out{number, {}, nullptr, 0, false, 0, 0, {}, {}};
        std::string type, unit = "none";
        std::size_t events = 0, samples = 0;
        const auto value = [&](std::string& to) {
            if (reader.kind() != JsonReader::Kind::Number) return reader.skip();
            const auto written = reader.number();
            if (written) to = *written;
            return written.has_value();
        };
        reader.members([&](std::string_view member) {
            const bool isArray = reader.kind() == JsonReader::Kind::Array;
            if (member == "type") return text::textOrNothing(reader, type);
            if (member == "name") return text::textOrNothing(reader, out.name);
            if (member == "unit") return text::textOrNothing(reader, unit);
            if (member == "startValue") return value(out.start);
            if (member == "endValue") return value(out.end);
            if (member == "events" && isArray) events = from + reader.position();
            if (member == "samples" && isArray) samples = from + reader.position();
            if (member == "weights" && isArray) out.weights = from + reader.position();
            return reader.skip();
        });

        if (reader.failed()) return wrong(reader, from + reader.position());
        out.unit = std::find_if(std::begin(kSpeedscopeUnits), std::end(kSpeedscopeUnits), [&](const auto& u) { return u.name == unit; });
        if (out.unit == std::end(kSpeedscopeUnits))
            return wrong(reader, from,
                "profile " + std::to_string(number + 1) + " is in \"" + unit.substr(0, 40) + "\", a unit that the format does not have");
        if (out.name.empty()) out.name = "profile " + std::to_string(number + 1);
        out.isEvented = type == "evented" && events != 0;
        out.values = out.isEvented ? events : samples;
        out.measure = measureOf(out);
        if (out.isEvented || (type == "sampled" && samples != 0)) return out;
        return wrong(reader, from,
            "profile " + std::to_string(number + 1) + " is of type \"" + type.substr(0, 40) + "\" and has no "
                + (type == "evented" ? "events" : "samples"));
    }

    std::size_t measureOf(const Profile& profile)
    {
        const auto at
            = std::find_if(m_measures.begin(), m_measures.end(), [&](const Measured& m) { return m.unit->noun == profile.unit->noun; });
        const auto index = static_cast<std::size_t>(at - m_measures.begin());
        if (at == m_measures.end()) {
            m_measures.push_back({profile.unit, {}});
            m_measures.back().numbers.assign(m_frames.size(), UINT32_MAX);
        }
        m_measures[index].hasFirst |= profile.number == m_first;
        return index;
    }

    /// Finds out how many decimals the values of a profile have, and how much they are at most.
    Result<> weigh(const Profile& profile)
    {
        auto& measure = m_measures[profile.measure];
        std::string problem;
        double furthest = 0;
        const auto take = [&](std::string_view written) {
            const auto decimals = text::decimalsOf(written);
            const auto value = text::scaledNumber(written, profile.unit->power);
            if (!decimals || !value)
                return problem = '"' + std::string(written.substr(0, 40)) + "\" is no number, or beyond 64 bits", false;
            measure.decimals = std::max(measure.decimals, *decimals - profile.unit->power);
            const auto size = std::abs(static_cast<double>(*value)) + 1;
            if (profile.isEvented)
                furthest = std::max(furthest, 2 * size);
            else
                measure.total += size;
            return true;
        };
        const auto from = profile.isEvented ? profile.values : profile.weights;
        auto reader = at(from);
        const auto number = [&] {
            const auto written = reader.number();
            return written && take(*written);
        };
        if (from != 0 && profile.isEvented)
            reader.elements([&] { return reader.members([&](std::string_view key) { return key == "at" ? number() : reader.skip(); }); });
        else if (from != 0)
            reader.elements(number);
        if (profile.isEvented && !profile.end.empty() && problem.empty()) take(profile.end);
        measure.total += furthest;
        if ((from != 0 && reader.failed()) || !problem.empty()) return wrong(reader, from + reader.position(), problem);
        return {};
    }

    /// As many decimals as the values have, and as 64 bits hold of their sum.
    static void chooseExponent(Measured& measure, text::Imported& out)
    {
        constexpr double kMostTotal = 4e18;
        constexpr int kMostDecimals = 18;
        int fitting = 0;
        for (double scale = 10; fitting < kMostDecimals && measure.total * scale < kMostTotal; scale *= 10)
            ++fitting;
        if (measure.decimals > fitting)
            out.warn("its values have up to " + std::to_string(measure.decimals) + " decimals of a " + unitOf(measure) + ", of which "
                + std::to_string(fitting) + " are kept: more do not fit into 64 bits");
        measure.decimals = std::clamp(measure.decimals, 0, fitting);
    }
    static std::string unitOf(const Measured& measure)
    {
        if (measure.unit->is == record::StackUnit::Time) return "nanosecond";
        return measure.unit->is == record::StackUnit::Bytes ? "byte" : "sample";
    }

    /// A number of shared.frames, or none with `problem` set.
    std::optional<std::size_t> frame(JsonReader& reader, std::string& problem) const
    {
        const auto written = reader.number();
        const auto index = written ? scaledNumber(*written, 0) : std::nullopt;
        if (!written) return {};
        if (index && *index >= 0 && static_cast<std::size_t>(*index) < m_frames.size()) return static_cast<std::size_t>(*index);
        problem
            = "frame " + std::string(written->substr(0, 40)) + " is not among the " + std::to_string(m_frames.size()) + " of shared.frames";
        return {};
    }
    /// The same frame, as stacks count it.
    std::uint32_t numberOf(Measured& measure, std::size_t frame) const
    {
        auto& number = measure.numbers[frame];
        const auto& is = m_frames[frame];
        if (number == UINT32_MAX) number = measure.stacks.numberOf(frameOf(is));
        return number;
    }
    /// What dscope wrote has names with their module. In others a ` is part of a name: .NET's List`1.
    record::NamedFrame frameOf(const Frame& is) const
    {
        const auto name = m_names.text(is.name);
        auto frame = m_isOurs && name.find('`') != std::string_view::npos ? record::namedFrame(name) : record::NamedFrame{name};
        if (m_isOurs && is.kind != record::Frame::Kind::Unknown) frame.kind = is.kind;
        frame.inlined = frame.inlined || (m_isOurs && is.inlined);
        frame.file = m_names.text(is.file);
        frame.line = is.line;
        return frame;
    }

    /// The weights of samples, which stand in an array of their own.
    Result<std::vector<std::int64_t>> readWeights(const Profile& profile, int power) const
    {
        std::vector<std::int64_t> values;
        auto reader = at(profile.weights);
        std::string problem;
        reader.elements([&] {
            const auto written = reader.number();
            const auto value = written ? scaledNumber(*written, power) : std::nullopt;
            if (value) values.push_back(*value);
            if (written && !value) problem = "the weight " + std::string(written->substr(0, 40)) + " is beyond 64 bits";
            return value.has_value();
        });
        if (reader.failed() || !problem.empty()) return wrong(reader, profile.weights + reader.position(), problem);
        return values;
    }

    Result<> readSamples(const Profile& profile, text::Imported& out)
    {
        auto& measure = m_measures[profile.measure];
        auto& stacks = measure.stacks;
        const bool isWeighted = profile.weights != 0;
        const int power = profile.unit->power + measure.decimals;
        std::vector<std::int64_t> weights;
        if (isWeighted) { DSCOPE_TRY(weights, readWeights(profile, power)); }
        std::int64_t one = 1;
        for (int i = 0; i < measure.decimals; ++i)
            one *= 10;

        auto reader = at(profile.values);
        std::string problem;
        std::vector<std::uint32_t> root, path;
        if (m_several) root.push_back(stacks.numberOf({profile.name}));
        std::size_t count = 0;
        auto now = scaledNumber(profile.start, power).value_or(0);
        Result<> full;
        reader.elements([&] {
            path = root;
            const bool read = reader.elements([&] {
                const auto index = frame(reader, problem);
                if (!index) return false;
                if (path.size() > kMostFrames) return problem = "a stack of more than 65,536 frames", false;
                path.push_back(numberOf(measure, *index));
                return true;
            });
            if (!read) return false;
            if (const auto i = count++; isWeighted && i >= weights.size()) return true;
            const auto weight = isWeighted ? weights[count - 1] : one;
            if (weight < 0) return ++m_negative, true;
            stacks.frames(path);
            const auto stack = stacks.add(weight);
            if (isWeighted) addTime(measure, profile, now, stack, weight);
            full = stacks.check();
            return full.has_value();
        });

        if (!full) return std::move(full).error();
        if (reader.failed() || !problem.empty()) return wrong(reader, profile.values + reader.position(), problem);
        if (isWeighted && count != weights.size())
            out.warn("profile " + std::to_string(profile.number + 1) + " has " + std::to_string(count) + " samples and "
                + std::to_string(weights.size()) + " weights: only the first " + std::to_string(std::min(count, weights.size()))
                + " of both are read");
        return {};
    }

    /// Samples whose weights are times stand one behind another: `now` is where the next begins.
    static void addTime(Measured& measure, const Profile& profile, std::int64_t& now, std::uint32_t stack, std::int64_t weight)
    {
        std::int64_t scale = 1;
        for (int i = 0; i < measure.decimals; ++i)
            scale *= 10;
        const auto when = now / scale;
        if (profile.unit->is != record::StackUnit::Time || weight <= 0 || when < 0 || __builtin_add_overflow(now, weight, &now)) return;
        measure.hasTimes = true;
        measure.times.add(when + 1, {profile.name, {}, {}, {}}, stack, weight, 1);
    }

    /// Frames that are entered and left: their stacks count what lies between, and are calls where that is time.
    Result<> readEvents(const Profile& profile, text::Imported& out)
    {
        auto& measure = m_measures[profile.measure];
        auto& stacks = measure.stacks;
        const bool isTime = profile.unit->is == record::StackUnit::Time;
        const auto tid = static_cast<std::uint32_t>(profile.number + 1);
        const auto lane = isTime ? m_slices.lane(0, tid) : 0;
        if (isTime) m_slices.nameThread(0, tid, profile.name);
        const int power = profile.unit->power + measure.decimals;
        auto reader = at(profile.values);
        std::string problem, type;
        std::vector<std::size_t> open;
        std::vector<std::uint32_t> path; // the same as `stacks` counts them, below the root
        if (m_several) path.push_back(stacks.numberOf({profile.name}));
        std::int64_t last = 0;
        std::size_t count = 0;
        Result<> full;
        const auto until = [&](std::int64_t when) {
            if (!open.empty() && when > last) {
                stacks.frames(path);
                stacks.add(when - last);
                full = stacks.check();
            }
            last = when;
        };
        reader.elements([&] {
            ++count;
            std::optional<std::size_t> index;
            std::optional<std::int64_t> when, ns;
            type.clear();
            if (!reader.members([&](std::string_view key) {
                    if (key == "type") return text::textOrNothing(reader, type);
                    if (key == "frame") return index = frame(reader, problem), index.has_value();
                    if (key != "at") return reader.skip();
                    const auto written = reader.number();
                    if (written) when = scaledNumber(*written, power), ns = scaledNumber(*written, profile.unit->power);
                    return written.has_value();
                }))
                return false;
            const auto say = [&](const std::string& what) {
                return problem = "event " + std::to_string(count) + " of profile " + std::to_string(profile.number + 1) + ' ' + what, false;
            };
            if ((type != "O" && type != "C") || !index || !when) return say("does not say what it opens or closes, and when");
            if (*ns > text::Slices::kMostTime || *ns < -text::Slices::kMostTime) return say("is beyond all times");
            if (count > 1 && *when < last) return say("is earlier than the one before it");
            if (type == "C" && (open.empty() || open.back() != *index))
                return say("closes \"" + std::string(m_names.text(m_frames[*index].name).substr(0, 80))
                    + "\", which is not the innermost that is open");
            until(*when);
            if (!full) return false;
            if (type == "O") {
                if (open.size() >= text::Slices::kDeepest) return say("is deeper than 4,096 frames");
                open.push_back(*index);
                path.push_back(numberOf(measure, *index));
            } else {
                open.pop_back();
                path.pop_back();
            }
            if (!isTime) return true;
            if (type == "O")
                m_slices.begin(lane, m_slices.name(m_names.text(m_frames[*index].name)), *ns);
            else
                m_slices.end(lane, *ns);
            full = m_slices.check();
            return full.has_value();
        });
        if (!full) return std::move(full).error();
        if (reader.failed() || !problem.empty()) return wrong(reader, profile.values + reader.position(), problem);
        if (open.empty()) return {};

        out.warn("profile " + std::to_string(profile.number + 1) + " has " + std::to_string(open.size())
            + (open.size() == 1 ? " frame that is" : " frames that are") + " not closed: "
            + (profile.end.empty() ? "it ends with the last event" : "it ends with the profile, at " + profile.end.substr(0, 40)));
        until(std::max(last, scaledNumber(profile.end, power).value_or(last)));
        const auto end = scaledNumber(profile.end, profile.unit->power);
        if (isTime && end && *end <= text::Slices::kMostTime)
            for (std::size_t i = 0; i < open.size(); ++i)
                m_slices.end(lane, *end);
        return full;
    }

    /// Profiles that measure different things can't be added up.
    void tellMeasures(text::Imported& out) const
    {
        std::string others;
        const auto shown = std::find_if(m_measures.begin(), m_measures.end(), [](const Measured& m) { return m.hasFirst; });
        if (shown == m_measures.end()) return;
        for (const auto& measure : m_measures)
            if (&measure != &*shown && !measure.stacks.empty()) others += (others.empty() ? "" : ", ") + std::string(measure.unit->noun);
        if (others.empty()) return;
        out.warn("its profiles measure several things, which are kept apart: " + std::string(shown->unit->noun) + ", " + others
            + "; the first is shown unless --event NAME, or Event in the window, chooses another one");
    }

    Result<> putAll(text::Imported& out)
    {
        if (m_negative > 0) out.warn(text::counted(m_negative, "sample is", "samples are") + " left out: the weight is below 0");
        tellMeasures(out);
        // Parts of stacks are numbered from the first stacks of all.
        std::stable_partition(m_measures.begin(), m_measures.end(), [](const Measured& m) { return m.hasFirst; });
        bool isFirst = true;
        for (auto& measure : m_measures) {
            if (measure.stacks.empty()) continue;
            auto numbered = measure.stacks.takeNumbered(std::string(measure.unit->noun), measure.unit->is, -measure.decimals);
            out.add(std::move(numbered.stacks));
            if (std::exchange(isFirst, false) && measure.hasTimes && m_slices.empty())
                measure.times.put(out, "samples", numbered.lines, "thread");
        }
        // Stacks have the fractions of a nanosecond, and where functions are; calls have not.
        if (!m_slices.empty()) DSCOPE_CHECK(m_slices.put(out, text::Slices::Give::CallsAlone));
        return {};
    }

    static constexpr std::size_t kMostFrames = 65'536; ///< of a stack
    bool m_isOurs = false;                             ///< dscope wrote it
    std::string_view m_json;
    Interned m_names;
    std::vector<Frame> m_frames;
    std::vector<Measured> m_measures;
    text::Slices m_slices;
    std::size_t m_first = 0;
    bool m_several = false;
    std::size_t m_negative = 0; ///< samples whose weights are below 0
};

Guess guessOfSpeedscope(std::string_view json)
{
    JsonReader reader(json);
    bool is = false, isOther = false;
    std::string word;
    reader.members([&](std::string_view key) {
        if (key == "$schema" && reader.kind() == JsonReader::Kind::Text) {
            if (!reader.text(word)) return false;
            is = word.find("speedscope") != std::string::npos;
            isOther = !is;
            return false;
        }
        // Without a schema: what no other format has, frames that are shared.
        if (key == "shared" && reader.kind() == JsonReader::Kind::Object)
            return reader.members([&](std::string_view inner) { return inner == "frames" ? (is = true, false) : reader.skip(); });
        return reader.skip();
    });
    return is && !isOther ? Guess::Yes : Guess::No;
}

class Speedscope final : public text::Importer {
public:
    std::string_view name() const override { return "speedscope"; }
    std::string_view summary() const override { return "files of speedscope: samples with their stacks, or calls as they began and ended"; }
    bool isBinary() const override { return true; }
    bool readsJson() const override { return true; }

    Guess guess(std::string_view head) const override { return guessOfSpeedscope(head); }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(const auto json, lines.whole(kMostSpeedscopeBytes));
        text::Imported out;
        DSCOPE_CHECK(SpeedscopeFile(json).read(out));
        const auto isWarning = [](const auto& r) { return std::holds_alternative<record::Diagnostic>(r); };
        if (std::all_of(out.records.begin(), out.records.end(), isWarning)) return out.nothing("there is no sample and no event in it");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_speedscope() { return std::make_unique<Speedscope>(); }
} // namespace dscope::importers
