#include "graph/stack_source.h"
#include "engine/record/value.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/store.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
namespace dscope::graph {
namespace {
/// What a sample of "profile-997" stands for, in ns; 0 where that is no time of a processor, or where other probes may count, too.
std::int64_t samplePeriod(const Store& store, const StackAggregations& taken)
{
    struct PeriodUnit {
        std::string_view name;
        std::int64_t size; ///< ns; 0: so many a second
    };

    constexpr std::array kUnits{PeriodUnit{"", 0}, PeriodUnit{"hz", 0}, PeriodUnit{"s", 1'000'000'000}, PeriodUnit{"sec", 1'000'000'000},
        PeriodUnit{"ms", 1'000'000}, PeriodUnit{"msec", 1'000'000}, PeriodUnit{"us", 1'000}, PeriodUnit{"usec", 1'000}, PeriodUnit{"ns", 1},
        PeriodUnit{"nsec", 1}};
    std::int64_t period = 0;
    for (const auto* filling : probesThatFill(store, taken.ids)) {
        constexpr std::string_view kProbe = "profile-";
        const auto& probe = *filling;
        const bool isTimer = probe.provider == "profile";
        if (probe.provider == "dtrace" || (isTimer && probe.name.starts_with("tick-"))) continue;
        if (!isTimer || !probe.name.starts_with(kProbe)) return 0;
        std::int64_t number = 0;
        auto unit = std::string_view(probe.name).substr(kProbe.size());
        while (!unit.empty() && unit.front() >= '0' && unit.front() <= '9' && number < 900'000'000) { // seconds of it fit, too
            number = 10 * number + (unit.front() - '0');
            unit.remove_prefix(1);
        }
        const auto* const known = std::find_if(kUnits.begin(), kUnits.end(), [&](const PeriodUnit& u) { return u.name == unit; });
        if (known == kUnits.end() || number == 0) return 0;
        const auto one = known->size == 0 ? 1'000'000'000 / number : number * known->size;
        if (period != 0 && period != one) return 0; // samples of two rates stand for different times
        period = one;
    }
    return period;
}

/// Puts the files of frames behind those that are known. `seen`: by number of the frame.
void takeCode(StackSource& source, const record::KeptStacks::View& frames, std::vector<bool>& seen)
{
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const auto number = frames.number(i);
        if (number >= seen.size()) seen.resize(2 * std::size_t{number} + 1);
        if (seen[number]) continue;
        seen[number] = true;
        const auto& frame = frames[i];
        if (!frame.module.empty() && !frame.code->path.empty()) source.code.try_emplace(printable(frame.module), *frame.code);
    }
}
} // namespace

StackSource stackSource(const Store& store, const StackAggregations& taken)
{
    StackSource source;
    const auto provenance = provenanceOf(store);
    source.utc = provenance.utc;
    source.duration = provenance.duration;
    source.host = provenance.host;
    source.version = provenance.version;
    if (taken.measure.isCount) source.period = samplePeriod(store, taken);
    std::vector<bool> seen; // by number of the frame: a run has few, and its stacks name them again and again
    for (const auto id : taken.ids)
        for (const auto& row : store.shown(id).rows)
            for (const auto& field : store.program().aggregations[id.value].keys)
                if (isStack(field)) takeCode(source, store.stack(record::stackOf(field, row.key)), seen);
    if (taken.ids.size() != 1 || !store.stackRules().empty()) return source; // frames that rules fold are not told apart from keys
    for (const auto& field : store.program().aggregations[taken.ids.front().value].keys)
        if (!isStack(field)) source.keys.push_back(printable(field.name));
    return source;
}
} // namespace dscope::graph
