#include "engine/record/folded.h"
#include "engine/text/importer.h"
#include "engine/text/measures.h"
#include "engine/text/protobuf.h"
#include "engine/text/row_keys.h"
#include "engine/text/stack_counts.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <algorithm>
#include <charconv>
#include <map>
#include <span>
#include <unordered_map>
namespace dscope::importers {
namespace {
using text::Guess;
using text::ProtoFields;
using text::StackCounts;

constexpr std::size_t kMostProfile = std::size_t{512} << 20; ///< of a profile, inflated
constexpr std::size_t kMostEntries = 16'000'000;             ///< of a table of it
constexpr std::size_t kMostFrames = 65'536;                  ///< of a stack, inlined ones included
constexpr std::size_t kMostTypes = 64;                       ///< of values
constexpr std::size_t kMostLabelCells = 100'000;             ///< different numeric labels, times types of values
constexpr std::size_t kMostLabelTables = 1'000;              ///< of them
constexpr std::size_t kLongestLabel = 64;                    ///< bytes of a label's name or unit that are shown
constexpr std::size_t kMostNames = std::size_t{1} << 30;     ///< bytes of the names of frames, of all types together

/// Numbers of fields. Source: github.com/google/pprof, proto/profile.proto.
namespace field {
constexpr std::uint32_t kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5, kString = 6, kLast = 16,
                        kDefaultType = 14;
constexpr std::uint32_t kTypeName = 1, kTypeUnit = 2;
constexpr std::uint32_t kSampleLocation = 1, kSampleValue = 2, kSampleLabel = 3, kLabelText = 2, kLabelNumber = 3, kLabelUnit = 4;
constexpr std::uint32_t kId = 1, kMappingFile = 5, kLocationMapping = 2, kLocationAddress = 3, kLocationLine = 4, kLineFunction = 1,
                        kLineNumber = 2, kFunctionName = 2, kFunctionFile = 4, kLabelKey = 1;
} // namespace field

/// Whether bytes begin a profile: known fields of the right kinds, one of which says what is counted.
bool beginsProfile(std::string_view bytes)
{
    ProtoFields fields(bytes);
    bool says = false;
    for (int seen = 0; seen < 64 && fields.next(); ++seen) {
        const bool isText = fields.field <= field::kString || fields.field == 11 || fields.field == 13 || fields.field == 16;
        if (fields.field > field::kLast) return false;
        if (fields.wire != ProtoFields::kVarint && (!isText || fields.wire != ProtoFields::kBytes)) return false;
        if (fields.field != field::kSampleType) continue; // Go tells the time first
        ProtoFields type(fields.bytes);
        while (type.next())
            if (type.wire != ProtoFields::kVarint || (type.field != field::kTypeName && type.field != field::kTypeUnit)) return false;
        if (type.isDamaged() || fields.bytes.empty()) return false;
        says = true;
    }
    return says;
}

class Profile {
public:
    explicit Profile(std::string_view bytes) : m_bytes(bytes) { }

    /// Puts the stacks into `out`, those of the type that the profile prefers first.
    Result<> read(text::Imported& out)
    {
        DSCOPE_CHECK(readTables());
        if (m_types.empty()) return Error{0, "it does not say what its values are: it is no profile of pprof"};
        DSCOPE_CHECK(readSamples());
        m_hasMore = std::any_of(m_types.begin(), m_types.end(), [](const Type& type) { return type.more > 0; });
        std::size_t first = m_types.size() - 1; // as pprof itself chooses
        for (std::size_t i = 0; i < m_types.size(); ++i)
            if (m_preferred != 0 && m_types[i].name == m_preferred) first = i;
        put(out, first);
        for (std::size_t i = 0; i < m_types.size(); ++i)
            if (i != first) put(out, i);
        tellDifferences(out);
        putNumericLabels(out);
        return {};
    }

private:
    struct Type {
        std::uint64_t name = 0, unit = 0;
        StackCounts stacks, less; ///< of values above 0; of those below 0, without the sign
        std::int64_t more = 0, lost = 0;
    };
    struct Line {
        std::uint64_t function = 0, number = 0;
    };
    struct Location {
        std::uint64_t mapping = 0, address = 0;
        std::vector<Line> functions;       ///< the innermost first
        std::vector<std::uint32_t> frames; ///< as Type::stacks number them, from the outermost; made when first used
        bool isMade = false;
    };
    struct Function {
        std::uint64_t name = 0, file = 0;
    };
    struct Mapping {
        std::uint64_t file = 0;
    };
    struct NumericLabel {
        std::uint64_t key = 0, unit = 0; ///< texts
        std::int64_t number = 0;
    };
    /// What samples with such a label of one key have.
    struct NumericValues {
        std::uint64_t samples = 0;
        std::map<std::pair<std::int64_t, std::uint64_t>, std::vector<std::int64_t>> values; ///< by number and unit; of each type
    };
    Error damaged(const ProtoFields& at, const std::string& what) const
    {
        return Error{0, "its data is damaged at byte " + std::to_string(at.position()) + ": " + what + "; fetch the file again"};
    }

    Result<> readTables()
    {
        ProtoFields all(m_bytes);
        std::size_t entries = 0;
        while (all.next()) {
            if (all.field != field::kSample && ++entries > kMostEntries)
                return Error{0, "its tables have more than 16,000,000 entries: no profile is so large"};
            switch (all.field) {
            case field::kSampleType: {
                if (m_types.size() >= kMostTypes) return damaged(all, "it has more than 64 types of values");
                auto& type = m_types.emplace_back();
                DSCOPE_CHECK(each(all, "a type of values", [&](const ProtoFields& f) {
                    if (f.field == field::kTypeName) type.name = f.number;
                    if (f.field == field::kTypeUnit) type.unit = f.number;
                    return true;
                }));
                break;
            }
            case field::kMapping: {
                std::uint64_t id = 0;
                Mapping mapping;
                DSCOPE_CHECK(each(all, "a mapping", [&](const ProtoFields& f) {
                    if (f.field == field::kId) id = f.number;
                    if (f.field == field::kMappingFile) mapping.file = f.number;
                    return true;
                }));
                m_mappings.emplace(id, mapping);
                break;
            }
            case field::kLocation: {
                std::uint64_t id = 0;
                Location location;
                DSCOPE_CHECK(each(all, "a location", [&](const ProtoFields& f) {
                    if (f.field == field::kId) id = f.number;
                    if (f.field == field::kLocationMapping) location.mapping = f.number;
                    if (f.field == field::kLocationAddress) location.address = f.number;
                    if (f.field != field::kLocationLine) return true;
                    Line of;
                    ProtoFields line(f.bytes);
                    while (line.next()) {
                        if (line.field == field::kLineFunction) of.function = line.number;
                        if (line.field == field::kLineNumber) of.number = line.number;
                    }
                    if (location.functions.size() < kMostFrames) {
                        location.functions.push_back(of);
                        ++entries;
                    }
                    return !line.isDamaged();
                }));
                m_locations.emplace(id, std::move(location));
                break;
            }
            case field::kFunction: {
                std::uint64_t id = 0;
                Function function;
                DSCOPE_CHECK(each(all, "a function", [&](const ProtoFields& f) {
                    if (f.field == field::kId) id = f.number;
                    if (f.field == field::kFunctionName) function.name = f.number;
                    if (f.field == field::kFunctionFile) function.file = f.number;
                    return true;
                }));
                m_functions.emplace(id, function);
                break;
            }
            case field::kString: m_strings.push_back(all.bytes); break;
            case field::kDefaultType: m_preferred = all.number; break;
            default: break;
            }
        }
        if (all.isDamaged()) return damaged(all, "no field can be read there");
        return {};
    }

    template <typename Take> Result<> each(const ProtoFields& of, const char* what, Take take) const
    {
        ProtoFields fields(of.bytes);
        while (fields.next())
            if (!take(fields)) return damaged(of, std::string(what) + " cannot be read");
        if (fields.isDamaged()) return damaged(of, std::string(what) + " cannot be read");
        return {};
    }

    Result<> readSamples()
    {
        ProtoFields all(m_bytes);
        std::vector<std::uint64_t> locations;
        std::vector<std::int64_t> values;
        std::vector<std::uint64_t> labels; // numbers of texts
        std::vector<NumericLabel> numbers;
        while (all.next()) {
            if (all.field != field::kSample) continue;
            locations.clear();
            values.clear();
            labels.clear();
            numbers.clear();
            bool isDeep = false;
            DSCOPE_CHECK(each(all, "a sample", [&](const ProtoFields& f) {
                if (f.field == field::kSampleLocation)
                    return f.numbers([&](std::uint64_t id) {
                        isDeep = locations.size() >= kMostFrames;
                        if (!isDeep) locations.push_back(id);
                        return !isDeep;
                    });
                if (f.field == field::kSampleValue)
                    return f.numbers([&](std::uint64_t value) {
                        if (values.size() < kMostTypes) values.push_back(static_cast<std::int64_t>(value));
                        return values.size() < kMostTypes;
                    });
                if (f.field != field::kSampleLabel) return true;
                ProtoFields label(f.bytes);
                std::uint64_t key = 0, text = 0, unit = 0;
                std::int64_t number = 0;
                while (label.next()) {
                    if (label.field == field::kLabelKey) key = label.number;
                    if (label.field == field::kLabelText) text = label.number;
                    if (label.field == field::kLabelNumber) number = static_cast<std::int64_t>(label.number);
                    if (label.field == field::kLabelUnit) unit = label.number;
                }
                // As pprof itself tells the two kinds apart: decode.go, postDecode().
                const bool isNumber = text == 0 && (number != 0 || unit != 0);
                if (isNumber && numbers.size() < kMostTypes) numbers.push_back({key, unit, number});
                const bool isOfBase = string(key) == "pprof::base"; // of -diff_base; the sign says the same
                if (!isOfBase && !string(text).empty() && labels.size() < kMostTypes) labels.push_back(text);
                return !label.isDamaged();
            }));
            for (const auto id : locations)
                if (!m_locations.contains(id))
                    return damaged(all, "a sample has location " + std::to_string(id) + ", which it does not have");
            for (std::size_t i = 0; i < std::min(values.size(), m_types.size()); ++i)
                add(m_types[i], labels, locations, isDeep, values[i]);
            for (const auto& label : numbers)
                addNumber(label, values);
            // Many locations may share a long name, or the path of a module.
            if (m_named > kMostNames) return Error{0, "the names of its frames are more than 1,024 MiB of text: record a shorter time"};
            // A location of many inlined functions costs each sample that names it as much as the functions would.
            StackCounts::Cost cost;
            for (const auto& type : m_types)
                (cost += type.stacks.cost()) += type.less.cost();
            DSCOPE_CHECK(cost.check());
        }
        return {};
    }

    /// Sums up what samples have that bear the label: stacks would be torn apart if each number were a frame.
    void addNumber(const NumericLabel& label, const std::vector<std::int64_t>& values)
    {
        const auto known = m_numericLabels.find(label.key);
        if (label.key >= m_strings.size()
            || (known == m_numericLabels.end() && (m_numericLabels.size() + 1) * m_types.size() > kMostLabelTables)) {
            ++m_labelsLeft;
            return;
        }
        auto& of = known == m_numericLabels.end() ? m_numericLabels[label.key] : known->second;
        ++of.samples;
        const auto at = of.values.find({label.number, label.unit});
        if (at == of.values.end() && (m_labelValues + 1) * m_types.size() > kMostLabelCells) {
            ++m_labelsLeft;
            return;
        }
        if (at == of.values.end()) ++m_labelValues;
        auto& sums = at == of.values.end() ? of.values[{label.number, label.unit}] : at->second;
        sums.resize(m_types.size());
        for (std::size_t i = 0; i < std::min(values.size(), sums.size()); ++i)
            if (__builtin_add_overflow(sums[i], values[i], &sums[i])) sums[i] = values[i] < 0 ? INT64_MIN : INT64_MAX;
    }

    /// What a sum of values of a type is, and how many of its unit each is: the expression says the unit, see graph/units.h.
    std::pair<record::Aggregation, std::int64_t> shapeOf(const Type& type) const
    {
        const auto unit = text::unitOf(string(type.unit)).value_or(text::Unit{}); // fractions have none: their sums stay as they are
        record::Aggregation shape;
        shape.function = unit.is == record::StackUnit::Count ? record::Aggregator::Count : record::Aggregator::Sum;
        if (unit.is == record::StackUnit::Time) shape.value = "timestamp - self->start";
        if (unit.is == record::StackUnit::Bytes) shape.value = "bytes";
        return {std::move(shape), unit.by};
    }

    /// A table for each type of values and each such label.
    void putNumericLabels(text::Imported& out) const
    {
        if (m_labelsLeft > 0)
            out.warn(text::counted(m_labelsLeft, "label with a number", "labels with numbers")
                + " of samples did not fit in the tables and " + (m_labelsLeft == 1 ? "is" : "are") + " left out");
        if (m_numericLabels.empty()) return;
        text::Tables tables;
        std::string all;
        std::size_t named = 0;
        constexpr std::size_t kNamed = 5;
        const auto shown = [&](std::uint64_t number) { return text::shortened(string(number), kLongestLabel); };
        for (const auto& [key, label] : m_numericLabels) {
            if (named++ < kNamed) all += (named == 1 ? "" : ", ") + shown(key) + " (" + text::counted(label.samples, "sample)", "samples)");
            for (std::size_t i = 0; i < m_types.size(); ++i) {
                tables.name(nameOf(m_types[i]) + "_by_" + shown(key));
                tables.keyNames({shown(key)});
                const auto [shape, by] = shapeOf(m_types[i]);
                for (const auto& [value, sums] : label.values) {
                    const auto unit = shown(value.second);
                    const auto text = std::to_string(value.first) + (unit.empty() ? "" : " " + unit);
                    auto sum = sums[i];
                    if (__builtin_mul_overflow(sum, by, &sum)) sum = sums[i] < 0 ? INT64_MIN : INT64_MAX;
                    if (sum != 0) tables.values({text}, shape, {sum});
                }
            }
        }
        tables.put(out);
        if (named > kNamed) all += " and " + std::to_string(named - kNamed) + " more";
        out.warn("labels with numbers become tables, not frames: " + all);
    }

    void add(
        Type& type, const std::vector<std::uint64_t>& labels, const std::vector<std::uint64_t>& locations, bool isDeep, std::int64_t value)
    {
        if (value == 0) return;
        auto& stacks = value > 0 ? type.stacks : type.less;
        auto& sum = value > 0 ? type.more : type.lost;
        if (value < 0) value = value == INT64_MIN ? INT64_MAX : -value;
        if (__builtin_add_overflow(sum, value, &sum)) sum = INT64_MAX;
        for (const auto label : labels)
            stacks.frame(frameOfLabel(label));
        if (isDeep) stacks.frame(numberOf({"[truncated]"}));
        bool isBare = labels.empty() && !isDeep;
        std::size_t room = kMostFrames;
        for (auto id = locations.rbegin(); id != locations.rend() && room > 0; ++id) {
            const auto& frames = framesOf(m_locations.find(*id)->second);
            const auto fitting = std::min(room, frames.size());
            stacks.frames(std::span(frames).first(fitting));
            room -= fitting;
            isBare = isBare && fitting == 0;
        }
        if (isBare) stacks.frame(numberOf({"[no stack]"})); // of all types, as every frame
        stacks.add(value);
    }

    /// A frame's number, which is the same among the stacks of all types: each is told of every frame at once.
    std::uint32_t numberOf(StackCounts::Frame frame)
    {
        m_named += (frame.name.size() + frame.module.size() + 1) * m_types.size();
        if (m_named > kMostNames) frame = {"[truncated]"}; // readSamples() refuses it
        std::uint32_t number = 0;
        for (auto& type : m_types) {
            number = type.stacks.numberOf(frame);
            type.less.numberOf(frame);
        }
        return number;
    }

    std::uint32_t frameOfLabel(std::uint64_t label)
    {
        const auto [at, isNew] = m_labels.try_emplace(label, 0);
        if (isNew) at->second = numberOf({string(label)});
        return at->second;
    }

    const std::vector<std::uint32_t>& framesOf(Location& location)
    {
        if (location.isMade || m_named > kMostNames) return location.frames;
        location.isMade = true;
        const auto mapping = m_mappings.find(location.mapping);
        const auto file = mapping == m_mappings.end() ? std::string_view() : string(mapping->second.file);
        auto module = file.substr(file.rfind('/') + 1);
        const bool isKernel = file.starts_with("[kernel") || file.ends_with(".ko") || module == "vmlinux";
        const bool isJit = file.starts_with("[JIT") || (module.starts_with("perf-") && module.ends_with(".map"));
        const auto kind = isKernel ? record::Frame::Kind::Kernel : isJit ? record::Frame::Kind::Jit : record::Frame::Kind::Unknown;
        if (isJit || file.starts_with("[kernel")) module = {}; // perf's words for a kind of code, which is no file
        // dscope's own profiles have names with their module; others have the module of the location.
        const auto make = [&](StackCounts::Frame frame) {
            if (frame.name.find('`') != std::string_view::npos) {
                const auto named = record::namedFrame(frame.name);
                frame.name = named.name;
                frame.module = named.module;
            }
            frame.kind = kind;
            if (frame.module.empty()) frame.module = module;
            location.frames.push_back(numberOf(frame));
        };
        for (auto line = location.functions.rbegin(); line != location.functions.rend() && m_named <= kMostNames; ++line) {
            const auto function = m_functions.find(line->function);
            const bool isKnown = function != m_functions.end() && !string(function->second.name).empty();
            make({.name = isKnown ? string(function->second.name) : std::string_view("[unknown]"),
                .inlined = line != location.functions.rbegin(),
                .file = isKnown ? string(function->second.file) : std::string_view(),
                .line = isKnown && line->number <= UINT32_MAX ? static_cast<std::uint32_t>(line->number) : 0});
        }
        const auto address = addressText(location.address);
        if (location.functions.empty()) make({.name = address});
        return location.frames;
    }

    static std::string addressText(std::uint64_t address)
    {
        std::string out = "0x";
        bool begun = false;
        for (int shift = 60; shift >= 0; shift -= 4) {
            const auto digit = address >> shift & 15;
            begun = begun || digit != 0 || shift == 0;
            if (begun) out += "0123456789abcdef"[digit];
        }
        return out;
    }

    std::string_view string(std::uint64_t number) const { return number < m_strings.size() ? m_strings[number] : std::string_view(); }

    /// The unit of "e-3 nanoseconds", and -3; of fractions of a count "e-3". dscope writes so (exporters/profiles/profile.cpp).
    static std::pair<std::string_view, int> fractionOf(std::string_view unit)
    {
        constexpr int kMost = 18, kLeast = -30;
        int exponent = 0;
        const auto* const end = unit.data() + unit.size();
        const auto read = std::from_chars(unit.data() + (unit.starts_with('e') ? 1 : 0), end, exponent);
        if (!unit.starts_with('e') || read.ec != std::errc() || exponent < kLeast || exponent > kMost) return {unit, 0};
        if (read.ptr == end) return {"count", exponent};
        if (*read.ptr != ' ') return {unit, 0};
        return {unit.substr(static_cast<std::size_t>(read.ptr + 1 - unit.data())), exponent};
    }

    std::string nameOf(const Type& type) const
    {
        const auto name = string(type.name);
        return std::string(name.empty() ? "samples" : name);
    }

    void put(text::Imported& out, std::size_t type)
    {
        const auto [unit, exponent] = fractionOf(string(m_types[type].unit));
        const auto name = nameOf(m_types[type]);
        const auto known = text::unitOf(unit);
        const auto take = [&, exponent = exponent](StackCounts& stacks) {
            auto taken = stacks.take(name, known ? known->is : record::StackUnit::Unknown, exponent);
            return known && known->by != 1 ? scaled(taken, known->by) : taken;
        };
        const bool isDifference = m_types[type].lost > 0;
        if (isDifference) m_differences.push_back(differenceOf(name, string(m_types[type].unit), m_types[type]));
        if (m_hasMore) {
            out.add(take(m_types[type].stacks));
            if (auto less = take(m_types[type].less); !less.empty()) out.comparedWith.emplace_back(std::move(less));
        } else {
            out.add(take(m_types[type].less));
        }
    }

    /// "cpu 70000000 nanoseconds more, 50000000 less"
    static std::string differenceOf(const std::string& name, std::string_view unit, const Type& type)
    {
        std::string out = name + ' ' + std::to_string(type.more);
        if (unit != "count" && !unit.empty()) out += ' ' + std::string(unit);
        return out + " more, " + std::to_string(type.lost) + " less";
    }

    /// Values below 0 are what a profile has less than another one, as `pprof -diff_base` and `-base` write them.
    void tellDifferences(text::Imported& out)
    {
        if (m_differences.empty()) return;
        std::string all;
        for (const auto& one : m_differences)
            all += (all.empty() ? "" : "; ") + one;
        out.warn("it has values below 0, so it is the difference of two profiles: " + all
            + (m_hasMore ? "; what is less is drawn as of the run before, and what both have in common is not in it"
                         : "; all of them are below 0, and are drawn without the sign"));
        if (out.comparedWith.empty()) return;
        record::Program before;
        before.name = "what is less";
        before.isImported = true;
        before.options["quiet"] = "";
        out.comparedWith.insert(out.comparedWith.begin(), std::move(before));
    }

    static text::TakenStacks scaled(const text::TakenStacks& stacks, std::int64_t by)
    {
        std::vector<record::CountedStacks::Stack> all(stacks.all().begin(), stacks.all().end());
        std::int64_t room = INT64_MAX;
        bool hasOverflown = stacks.hasOverflown;
        for (auto& stack : all) {
            hasOverflown = hasOverflown || stack.value > room / by;
            stack.value = std::min(stack.value > room / by ? room : stack.value * by, room);
            room -= stack.value;
        }
        std::erase_if(all, [](const auto& stack) { return stack.value <= 0; });
        return {record::withStacks(stacks, std::move(all)), hasOverflown, stacks.isRounded};
    }

    std::string_view m_bytes;
    std::vector<Type> m_types;
    std::vector<std::string_view> m_strings;
    std::unordered_map<std::uint64_t, Mapping> m_mappings;
    std::unordered_map<std::uint64_t, Location> m_locations;
    std::unordered_map<std::uint64_t, Function> m_functions;
    std::unordered_map<std::uint64_t, std::uint32_t> m_labels; ///< frames by the number of their text
    std::map<std::uint64_t, NumericValues> m_numericLabels;    ///< by the number of their key's text
    std::size_t m_labelValues = 0;                             ///< in it
    std::uint64_t m_labelsLeft = 0;                            ///< of samples: for which there is no room
    std::uint64_t m_preferred = 0;
    std::vector<std::string> m_differences; ///< of the types that have values below 0, for the warning
    bool m_hasMore = false;                 ///< some value is above 0
    std::size_t m_named = 0;                ///< bytes of names that numberOf() was asked for
};

class Pprof final : public text::Importer {
public:
    std::string_view name() const override { return "pprof"; }
    std::string_view summary() const override
    {
        return "profiles of pprof (profile.proto), compressed or not: Go's, and those of other tools";
    }
    bool isBinary() const override { return true; }

    Guess guess(std::string_view head) const override
    {
        constexpr std::size_t kEnough = 4096;
        return beginsProfile(head.substr(0, kEnough)) ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        DSCOPE_TRY(const auto bytes, lines.whole(kMostProfile));
        text::Imported out;
        if (auto read = Profile(bytes).read(out); !read)
            return beginsProfile(bytes) ? std::move(read).error() : text::Imported::nothing("it is no profile of pprof", bytes, 0);
        if (out.records.empty()) return out.nothing("it has no samples: run what is profiled for longer");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_pprof() { return std::make_unique<Pprof>(); }
} // namespace dscope::importers
