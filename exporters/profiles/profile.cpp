#include "exporters/profiles/profile.h"
#include "graph/text.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>
namespace dscope::exporters {
namespace {
/// What the values are, and their unit, as pprof's own profiles say it. Values are whole numbers there. Readers show a unit that they do
/// not know right behind the number, so the unit of fractions begins with their exponent: 3 of "e-1 bytes" is shown as "3e-1 bytes".
std::pair<std::string, std::string> valueType(const graph::StackMeasure& measure)
{
    const auto unit = [&](const std::string& whole, const std::string& ofFractions) {
        return measure.exponent == 0 ? whole : 'e' + std::to_string(measure.exponent) + ofFractions;
    };
    if (measure.isCount) return {measure.noun.plural(), unit("count", "")};
    // Imported profiles say what they measure: "inuse_space".
    const auto name = [&](const char* own) { return measure.file.empty() ? own : measure.noun.plural(); };
    switch (measure.unit()) {
    case graph::Unit::Nanoseconds: return {name("time"), unit("nanoseconds", " nanoseconds")};
    case graph::Unit::Bytes: return {name("size"), unit("bytes", " bytes")};
    default: return {measure.name.empty() ? "sum" : measure.name, unit("", " units")};
    }
}

/// A frame of graph::Frames and its line there.
using FrameLine = std::pair<std::uint32_t, std::uint32_t>;

/// Fills the tables that locations name.
class Tables {
public:
    Tables(Profile& profile, const graph::Frames& frames, const graph::StackSource& source)
        : m_profile(profile), m_frames(frames), m_source(source)
    {
    }

    /// The first mapping.
    void begin(const std::string& module) { mappingOf(module); }
    /// The same of a file that no frame is in.
    void beginWithout(const std::string& file) { m_profile.mappings.push_back({m_profile.strings.of(file), 0}); }
    void add(const std::vector<FrameLine>& lines)
    {
        Profile::Location location{mappingOf(m_frames[lines.back().first]), {}};
        for (const auto& line : lines)
            location.lines.push_back({functionOf(line), line.second == 0 ? 0 : m_frames.line(line.second).line});
        m_profile.locations.push_back(std::move(location));
    }

private:
    std::uint64_t functionOf(const FrameLine& line)
    {
        const auto name = nameOf(m_frames[line.first]);
        const std::string file(m_frames.line(line.second).file);
        const auto [at, isNew] = m_functions.try_emplace({name, file}, m_functions.size() + 1);
        if (isNew) m_profile.functions.push_back({m_profile.strings.of(name), m_profile.strings.of(file)});
        return at->second;
    }

    /// What frames have of their module's name becomes a mapping; so does what a mark behind their name says, as perf names such code.
    std::uint64_t mappingOf(const graph::StackFrame& frame)
    {
        if (frame.module != 0) return mappingOf(frame.name.substr(0, frame.module));
        if (frame.mark == 0) return 0;
        if (frame.name.ends_with("_[k]")) return mappingOf(std::string("[kernel.kallsyms]"));
        return frame.name.ends_with("_[j]") ? mappingOf(std::string("[JIT]")) : 0;
    }
    std::uint64_t mappingOf(const std::string& module)
    {
        const auto [at, isNew] = m_mappings.try_emplace(module, m_profile.mappings.size() + 1);
        if (isNew) {
            const auto code = m_source.code.find(module);
            const bool isKnown = code != m_source.code.end();
            m_profile.mappings.push_back(
                {m_profile.strings.of(isKnown ? code->second.path : module), m_profile.strings.of(isKnown ? code->second.buildId : "")});
        }
        return at->second;
    }

    Profile& m_profile;
    const graph::Frames& m_frames;
    const graph::StackSource& m_source;
    std::map<std::pair<std::string, std::string>, std::uint64_t> m_functions; ///< by name and file
    std::map<std::string, std::uint64_t> m_mappings;
};
/// Which module is the program: that which stacks begin in, as far as it is neither a library nor the kernel's.
class Programs {
public:
    void add(const graph::Frames& frames, std::span<const graph::StackStep> steps, std::int64_t value)
    {
        for (const auto& step : steps) {
            const auto& frame = frames[step.frame];
            const auto module = std::string_view(frame.name).substr(0, frame.module);
            if (step.shade != graph::Shade::User || module.empty() || module.starts_with('[') || isLibrary(module)) continue;
            const double size = std::abs(static_cast<double>(value));
            if (const auto known = m_sizes.find(module); known != m_sizes.end())
                known->second += size;
            else
                m_sizes.emplace(module, size);
            return;
        }
    }
    /// That of the command where stacks have it, else what most begins in; empty: they have none.
    std::string most(std::string_view program, const graph::StackSource& source) const
    {
        const std::pair<const std::string, double>* best = nullptr;
        for (const auto& one : m_sizes) {
            const auto code = source.code.find(one.first);
            if (graph::baseName(code == source.code.end() ? one.first : code->second.path) == program) return one.first;
            if (!best || one.second > best->second) best = &one;
        }
        return best ? best->first : std::string();
    }

private:
    static bool isLibrary(std::string_view module)
    {
        const auto at = module.find(".so");
        return at != module.npos && (at + 3 == module.size() || module[at + 3] == '.');
    }
    std::map<std::string, double, std::less<>> m_sizes; ///< by module
};
/// "cat" of "/usr/bin/cat -n file".
std::string_view programOf(std::string_view command) { return graph::baseName(command.substr(0, command.find(' '))); }
} // namespace

std::string nameOf(const graph::StackFrame& frame)
{
    constexpr std::string_view kMark = "_[i]"; // of our own stacks
    const auto name = frame.shown();
    return std::string(name.substr(0, name.size() - (name.ends_with(kMark) ? kMark.size() : 0)));
}

Profile profileOf(const graph::Stacks& stacks, std::string_view command)
{
    Programs programs;
    Profile profile;
    const auto [type, unit] = valueType(stacks.measure());
    profile.type = profile.strings.of(type);
    profile.unit = profile.strings.of(unit);
    // A key beside the stack is a label, by which viewers select and group.
    const auto& source = stacks.source();
    // A frame is a location, with those that were inlined into it.
    graph::Frames frames;
    std::map<std::vector<FrameLine>, std::uint64_t> numbers;
    std::vector<FrameLine> lines;
    stacks.each(frames, [&](std::span<const graph::StackStep> steps, std::int64_t value) {
        Profile::Sample sample;
        const auto labelled = std::min(source.keys.size(), steps.size());
        for (std::size_t i = 0; i < labelled; ++i)
            sample.labels.push_back({profile.strings.of(source.keys[i]), profile.strings.of(frames[steps[i].frame].name)});

        programs.add(frames, steps.subspan(labelled), value);
        for (auto step = steps.begin() + static_cast<std::ptrdiff_t>(labelled); step != steps.end();) {
            lines.clear();
            do
                lines.emplace_back(step->frame, step->line);
            while (++step != steps.end() && step->shade == graph::Shade::Inlined);
            std::reverse(lines.begin(), lines.end());
            sample.locations.push_back(numbers.try_emplace(lines, numbers.size() + 1).first->second);
        }

        std::reverse(sample.locations.begin(), sample.locations.end());
        sample.value = static_cast<std::uint64_t>(stacks.measure().exponent == 0 ? stacks.measure().inUnit(value) : value);
        profile.samples.push_back(std::move(sample));
    });

    std::vector<const std::vector<FrameLine>*> order(numbers.size());
    for (const auto& [location, number] : numbers)
        order[number - 1] = &location;
    Tables tables(profile, frames, source);
    const auto program = programOf(command);
    if (const auto first = programs.most(program, source); !first.empty())
        tables.begin(first);
    else if (!program.empty())
        tables.beginWithout(std::string(program));
    for (const auto* location : order)
        tables.add(*location);
    return profile;
}
} // namespace dscope::exporters
