#include "engine/text/gzip.h"
#include "engine/text/importer.h"
#include "engine/text/json.h"
#include "engine/text/slices.h"
#include "engine/text/stack_counts.h"
#include <algorithm>
#include <map>
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

/// Reads a file of speedscope in two passes: where its parts are, since they stand in any order; then frames, then profiles.
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
            if (key == "activeProfileIndex" && top.kind() == JsonReader::Kind::Number) {
                const auto number = top.number();
                active = static_cast<std::size_t>(std::max<std::int64_t>(number ? scaledNumber(*number, 0).value_or(0) : 0, 0));
                return !top.failed();
            }
            if (key != "shared") return top.skip();
            return top.members([&](std::string_view inner) {
                top.kind(); // past the blanks
                if (inner == "frames") frames = top.position();
                return top.skip();
            });
        });

        if (top.failed()) return wrong(top, top.position());
        if (frames == 0) return Error{0, "it has no shared.frames: it is no file of speedscope"};
        if (profiles.empty()) return Error{0, "it has no profiles: it is no file of speedscope"};
        if (profiles.size() > kMostProfiles) return Error{0, "it has more than 10,000 profiles: no trace is of so many threads"};
        DSCOPE_CHECK(readFrames(frames));

        // The one that speedscope would show comes first.
        if (active < profiles.size()) m_first = active;
        m_several = profiles.size() > 1;
        for (std::size_t i = 0; i < profiles.size(); ++i)
            DSCOPE_CHECK(readProfile(profiles[i], i));
        for (auto& measure : m_measures)
            if (measure.hasFirst) put(out, measure);
        if (!m_slices.empty()) DSCOPE_CHECK(m_slices.put(out));
        for (auto& measure : m_measures)
            if (!measure.hasFirst) put(out, measure);
        return {};
    }

private:
    /// Stacks that measure the same.
    struct Measured {
        const SpeedscopeUnit* unit;
        StackCounts stacks;
        bool hasFirst = false;                ///< those of the first profile are among them
        std::vector<std::uint32_t> numbers{}; ///< of shared.frames, as `stacks` counts them; UINT32_MAX: not met yet
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
        std::string name;
        reader.elements([&] {
            name.clear();
            const bool read = reader.members([&](std::string_view key) { return key == "name" ? reader.text(name) : reader.skip(); });
            m_frames.push_back(m_names.of(name.empty() ? std::string_view("[unknown]") : std::string_view(name)));
            return read;
        });
        if (reader.failed()) return wrong(reader, from + reader.position());
        return {};
    }

    Result<> readProfile(std::size_t from, std::size_t number)
    {
        auto reader = at(from);
        std::string type, name, unit = "none", key;
        std::size_t events = 0, samples = 0, weights = 0;
        reader.members([&](std::string_view member) {
            reader.kind();
            if (member == "type") return reader.text(type);
            if (member == "name") return reader.text(name);
            if (member == "unit") return reader.text(unit);
            if (member == "events") events = from + reader.position();
            if (member == "samples") samples = from + reader.position();
            if (member == "weights") weights = from + reader.position();
            return reader.skip();
        });

        if (reader.failed()) return wrong(reader, from + reader.position());
        const auto* const known
            = std::find_if(std::begin(kSpeedscopeUnits), std::end(kSpeedscopeUnits), [&](const auto& u) { return u.name == unit; });
        if (known == std::end(kSpeedscopeUnits))
            return wrong(reader, from,
                "profile " + std::to_string(number + 1) + " is in \"" + unit.substr(0, 40) + "\", a unit that the format does not have");
        if (name.empty()) name = "profile " + std::to_string(number + 1);
        if (type == "evented" && events != 0) return readEvents(events, {number, name, known});
        if (type == "sampled" && samples != 0) return readSamples(samples, weights, {number, name, known});
        return wrong(reader, from,
            "profile " + std::to_string(number + 1) + " is of type \"" + type.substr(0, 40) + "\" and has no "
                + (type == "evented" ? "events" : "samples"));
    }

    struct Profile {
        std::size_t number;
        std::string name;
        const SpeedscopeUnit* unit;
    };

    Measured& measuredOf(const Profile& profile)
    {
        for (auto& measure : m_measures)
            if (measure.unit->noun == profile.unit->noun) return measure.hasFirst |= profile.number == m_first, measure;
        m_measures.push_back({profile.unit, {}, profile.number == m_first});
        return m_measures.back();
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

    Result<> readSamples(std::size_t from, std::size_t weightsFrom, const Profile& profile)
    {
        auto& measured = measuredOf(profile);
        auto& stacks = measured.stacks;
        auto reader = at(from), weights = at(weightsFrom);
        std::string problem;
        std::optional<std::uint32_t> root;
        if (m_several) root = stacks.numberOf({profile.name});
        auto& numbers = measured.numbers;
        numbers.resize(m_frames.size(), UINT32_MAX);
        Result<> full;
        const auto sample = [&](std::int64_t weight) {
            if (root) stacks.frame(*root);
            std::size_t depth = 0;
            const bool read = reader.elements([&] {
                const auto index = frame(reader, problem);
                if (!index) return false;
                auto& number = numbers[*index];
                if (number == UINT32_MAX) number = stacks.numberOf({m_names.text(m_frames[*index])});
                if (++depth > kMostFrames) return problem = "a stack of more than 65,536 frames", false;
                stacks.frame(number);
                return true;
            });
            if (!read) return false;
            stacks.add(weight);
            full = stacks.check();
            return full.has_value();
        };

        // Weights stand in an array of their own; both are read in step.
        bool hasMore = false;
        const bool isWeighted = weightsFrom != 0;
        const auto all = [&](auto&& next) { return reader.elements([&] { return next(); }); };
        std::vector<std::int64_t> values;
        if (isWeighted) {
            weights.elements([&] {
                const auto written = weights.number();
                if (!written) return false;
                const auto value = scaledNumber(*written, profile.unit->power);
                if (!value) return problem = "the weight " + std::string(written->substr(0, 40)) + " is beyond 64 bits", false;
                values.push_back(*value);
                return true;
            });
            if (weights.failed() || !problem.empty()) return wrong(weights, weightsFrom + weights.position(), problem);
        }

        std::size_t at = 0;
        all([&] {
            if (isWeighted && at >= values.size()) return hasMore = true, false;
            return sample(isWeighted ? values[at++] : 1);
        });

        if (!full) return std::move(full).error();
        if (reader.failed() || !problem.empty()) return wrong(reader, from + reader.position(), problem);
        if (hasMore || (isWeighted && at != values.size()))
            return wrong(reader, from,
                "profile " + std::to_string(profile.number + 1) + " has " + (hasMore ? "more" : "fewer") + " samples than its "
                    + std::to_string(values.size()) + " weights");
        return {};
    }

    /// Frames that are entered and left: slices where what is measured is time, else stacks whose values are what lies between.
    Result<> readEvents(std::size_t from, const Profile& profile)
    {
        const bool isTime = profile.unit->is == record::StackUnit::Time;
        const auto lane = isTime ? m_slices.lane(0, static_cast<std::uint32_t>(profile.number + 1)) : 0;
        if (isTime) m_slices.nameThread(0, static_cast<std::uint32_t>(profile.number + 1), profile.name);
        auto* const stacks = isTime ? nullptr : &measuredOf(profile).stacks;
        auto reader = at(from);
        std::string problem, type;
        std::vector<std::size_t> open;
        std::vector<std::uint32_t> numbers; // the same as `stacks` counts them
        std::optional<std::uint32_t> root;
        if (stacks && m_several) root = stacks->numberOf({profile.name});
        std::int64_t last = 0;
        std::size_t count = 0;
        Result<> full;
        reader.elements([&] {
            ++count;
            std::optional<std::size_t> index;
            std::optional<std::int64_t> when;
            type.clear();
            if (!reader.members([&](std::string_view key) {
                    if (key == "type") return reader.text(type);
                    if (key == "frame") return index = frame(reader, problem), index.has_value();
                    if (key != "at") return reader.skip();
                    const auto written = reader.number();
                    if (written) when = scaledNumber(*written, profile.unit->power);
                    return written.has_value();
                }))
                return false;
            const auto say = [&](const std::string& what) {
                return problem = "event " + std::to_string(count) + " of profile " + std::to_string(profile.number + 1) + ' ' + what, false;
            };
            if ((type != "O" && type != "C") || !index || !when) return say("does not say what it opens or closes, and when");
            if (*when > text::Slices::kMostTime || *when < -text::Slices::kMostTime) return say("is beyond all times");
            if (count > 1 && *when < last) return say("is earlier than the one before it");
            if (type == "C" && (open.empty() || open.back() != *index))
                return say("closes \"" + std::string(m_names.text(m_frames[*index]).substr(0, 80))
                    + "\", which is not the innermost that is open");
            if (stacks && !open.empty() && *when > last) {
                if (root) stacks->frame(*root);
                for (const auto f : numbers)
                    stacks->frame(f);
                stacks->add(*when - last);
                full = stacks->check();
                if (!full) return false;
            }
            last = *when;
            if (type == "O") {
                if (open.size() >= text::Slices::kDeepest) return say("is deeper than 4,096 frames");
                open.push_back(*index);
                if (stacks) numbers.push_back(stacks->numberOf({m_names.text(m_frames[*index])}));
            } else {
                open.pop_back();
                if (stacks) numbers.pop_back();
            }
            if (!isTime) return true;
            if (type == "O")
                m_slices.begin(lane, m_slices.name(m_names.text(m_frames[*index])), *when);
            else
                m_slices.end(lane, *when);
            full = m_slices.check();
            return full.has_value();
        });
        if (!full) return std::move(full).error();
        if (reader.failed() || !problem.empty()) return wrong(reader, from + reader.position(), problem);
        return {};
    }

    static void put(text::Imported& out, Measured& measure)
    {
        if (!measure.stacks.empty()) out.add(measure.stacks.take(std::string(measure.unit->noun), measure.unit->is));
        measure.hasFirst = true;
    }

    static constexpr std::size_t kMostFrames = 65'536; ///< of a stack
    std::string_view m_json;
    Interned m_names;
    std::vector<std::uint32_t> m_frames; ///< of m_names
    std::vector<Measured> m_measures;
    text::Slices m_slices;
    std::size_t m_first = 0;
    bool m_several = false;
};

bool isSpeedscope(std::string_view json)
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
    return is && !isOther;
}

class Speedscope final : public text::Importer {
public:
    std::string_view name() const override { return "speedscope"; }
    std::string_view summary() const override { return "files of speedscope: samples with their stacks, or calls as they began and ended"; }
    bool isBinary() const override { return true; }
    bool readsJson() const override { return true; }

    Guess guess(std::string_view head) const override
    {
        if (!text::isGzip(head)) return isSpeedscope(head) ? Guess::Yes : Guess::No;
        const auto begin = text::inflated(head, std::size_t{1} << 20, text::Inflate::Beginning);
        return begin && isSpeedscope(*begin) ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(auto bytes, lines.whole(kMostSpeedscopeBytes));
        std::string plain;
        if (text::isGzip(bytes)) {
            DSCOPE_TRY(plain, text::inflated(bytes, kMostSpeedscopeBytes, text::Inflate::Whole));
            bytes = plain;
        }
        text::Imported out;
        DSCOPE_CHECK(SpeedscopeFile(bytes).read(out));
        if (out.records.empty()) return out.nothing("there is no sample and no event in it");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_speedscope() { return std::make_unique<Speedscope>(); }
} // namespace dscope::importers
