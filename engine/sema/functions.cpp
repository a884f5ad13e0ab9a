#include "engine/sema/functions.h"
#include "engine/language/functions.h"
#include <algorithm>
#include <array>
namespace dscope::sema {
namespace {
using record::ActionKind;
using record::Aggregator;
struct ActionMeaning {
    std::string_view name;
    ActionKind kind;
};
constexpr auto kActionMeanings = std::to_array<ActionMeaning>({
    {"breakpoint", ActionKind::Stop},
    {"chill", ActionKind::Chill},
    {"clear", ActionKind::Clear},
    {"commit", ActionKind::Commit},
    {"denormalize", ActionKind::Denormalize},
    {"discard", ActionKind::Discard},
    {"exit", ActionKind::Exit},
    {"freopen", ActionKind::Freopen},
    {"ftruncate", ActionKind::Ftruncate},
    {"normalize", ActionKind::Normalize},
    {"panic", ActionKind::Stop},
    {"pcap", ActionKind::Tracemem},
    {"print", ActionKind::Print},
    {"printa", ActionKind::Printa},
    {"printf", ActionKind::Printf},
    {"raise", ActionKind::Raise},
    {"setopt", ActionKind::Setopt},
    {"speculate", ActionKind::Speculate},
    {"stop", ActionKind::Stop},
    {"system", ActionKind::System},
    {"trace", ActionKind::Trace},
    {"tracemem", ActionKind::Tracemem},
    {"trunc", ActionKind::Trunc},
});
struct AggregatorMeaning {
    std::string_view name;
    Aggregator function;
};
constexpr auto kAggregatorMeanings = std::to_array<AggregatorMeaning>({
    {"count", Aggregator::Count},
    {"sum", Aggregator::Sum},
    {"min", Aggregator::Min},
    {"max", Aggregator::Max},
    {"avg", Aggregator::Avg},
    {"stddev", Aggregator::Stddev},
    {"quantize", Aggregator::Quantize},
    {"lquantize", Aggregator::Lquantize},
    {"llquantize", Aggregator::Llquantize},
});

/// The meaning of a row of the language. Does not compile for a row that has none.
template <typename Meanings> constexpr auto meaningOf(const Meanings& all, std::string_view name)
{
    for (const auto& one : all)
        if (one.name == name) return one;
    throw "a row of engine/language/functions.h has no meaning here";
}
constexpr auto kActions = [] {
    std::array<ActionRow, language::kActions.size()> rows{};
    static_assert(kActionMeanings.size() == language::kActions.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = language::kActions[i];
        const auto count = language::argumentsIn(row.prototype);
        rows[i] = {row.name(), meaningOf(kActionMeanings, row.name()).kind, count.least, count.most,
            row.effect == language::Effect::Destructive, language::soleArgumentIn(row.prototype), row.refusal};
    }
    return rows;
}();
constexpr auto kAggregators = [] {
    std::array<AggregatorRow, language::kAggregations.size()> rows{};
    static_assert(kAggregatorMeanings.size() == language::kAggregations.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = language::kAggregations[i];
        const auto count = language::argumentsIn(row.prototype);
        rows[i] = {row.name(), meaningOf(kAggregatorMeanings, row.name()).function, count.least, count.most};
    }
    return rows;
}();

template <typename Rows> auto found(const Rows& rows, std::string_view name) -> decltype(&rows[0])
{
    const auto it = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == name; });
    return it == rows.end() ? nullptr : &*it;
}
} // namespace

const AggregatorRow* findAggregator(std::string_view name) { return found(kAggregators, name); }
std::string_view nameOf(Aggregator function)
{
    return std::find_if(kAggregators.begin(), kAggregators.end(), [&](const auto& r) { return r.function == function; })->name;
}
const ActionRow* findAction(std::string_view name) { return found(kActions, name); }
bool findSymbolFunction(std::string_view name)
{
    return std::any_of(
        language::kSymbolFunctions.begin(), language::kSymbolFunctions.end(), [&](const auto& row) { return row.name() == name; });
}
} // namespace dscope::sema
