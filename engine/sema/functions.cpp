#include "engine/sema/functions.h"
#include "engine/language/functions.h"
#include "engine/language/language.h"
#include <algorithm>
#include <array>
namespace dscope::sema {
namespace {
using record::ActionKind;
using record::Aggregator;
struct ActionMeaning {
    std::string_view name;
    ActionKind kind;
    bool isPacket = false;
    bool givesResult = false;
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
    {.name = "pcap", .kind = ActionKind::Tracemem, .isPacket = true},
    {"print", ActionKind::Print},
    {"printa", ActionKind::Printa},
    {"printf", ActionKind::Printf},
    {"raise", ActionKind::Raise},
    {.name = "return", .kind = ActionKind::Stop, .givesResult = true},
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

struct StackMeaning {
    std::string_view name;
    StackRow::Of of;
    std::string_view framesOption;
    std::string_view bytesOption = {};
};
constexpr auto kStackMeanings = std::to_array<StackMeaning>({
    {"jstack", StackRow::Of::Process, "jstackframes", "jstackstrsize"},
    {"stack", StackRow::Of::Kernel, "stackframes"},
    {"ustack", StackRow::Of::Process, "ustackframes"},
});

struct SymbolMeaning {
    std::string_view name;
    SymbolName symbol;
};
constexpr auto kSymbolMeanings = std::to_array<SymbolMeaning>({
    {"func", {.by = SymbolName::By::Function}},
    {"mod", {.by = SymbolName::By::Module}},
    {"sym", {.by = SymbolName::By::Function}},
    {"uaddr", {.by = SymbolName::By::Address, .ofProcess = true}},
    {"ufunc", {.by = SymbolName::By::Function, .ofProcess = true}},
    {"umod", {.by = SymbolName::By::Module, .ofProcess = true}},
    {"usym", {.by = SymbolName::By::Function, .ofProcess = true}},
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
        const auto meaning = meaningOf(kActionMeanings, row.name());
        rows[i] = {row.name(), meaning.kind, count.least, count.most, row.effect == language::Effect::Destructive,
            language::soleArgumentIn(row.prototype), row.refusal, meaning.isPacket, meaning.givesResult};
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

constexpr auto kStackFunctions = [] {
    std::array<StackRow, language::kStackFunctions.size()> rows{};
    static_assert(kStackMeanings.size() == language::kStackFunctions.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = language::kStackFunctions[i];
        const auto meaning = meaningOf(kStackMeanings, row.name());
        const auto count = language::argumentsIn(row.prototype);
        rows[i] = {row.name(), meaning.of, meaning.framesOption, meaning.bytesOption, count.least, count.most};
    }
    return rows;
}();
constexpr auto kSymbolFunctions = [] {
    std::array<SymbolRow, language::kSymbolFunctions.size()> rows{};
    static_assert(kSymbolMeanings.size() == language::kSymbolFunctions.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto name = language::kSymbolFunctions[i].name();
        rows[i] = {name, meaningOf(kSymbolMeanings, name).symbol};
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
const StackRow* findStackFunction(std::string_view name) { return found(kStackFunctions, name); }
const ActionRow* findAction(std::string_view name) { return found(kActions, name); }
std::string_view kindOfFunction(std::string_view name)
{
    if (findAction(name)) return "tracing function";
    if (findAggregator(name)) return "aggregating function";
    const auto known = language::functionNames();
    return std::find(known.begin(), known.end(), name) == known.end() ? std::string_view() : "function";
}
std::string_view nameOf(const SymbolName& symbol)
{
    const auto row = std::find_if(kSymbolFunctions.begin(), kSymbolFunctions.end(), [&](const auto& r) { return r.symbol == symbol; });
    return row == kSymbolFunctions.end() ? std::string_view() : row->name;
}
const SymbolRow* findSymbolFunction(std::string_view name) { return found(kSymbolFunctions, name); }
} // namespace dscope::sema
