#include "engine/sema/functions.h"
#include <algorithm>
#include <array>
namespace dscope::sema {
namespace {
using record::ActionKind;
using record::Aggregator;
// Source: Solaris Dynamic Tracing Guide, "Aggregations" and "Actions and Subroutines".
constexpr auto kAggregators = std::to_array<AggregatorRow>({
    {"count", Aggregator::Count, 0, 0},
    {"sum", Aggregator::Sum, 1, 1},
    {"min", Aggregator::Min, 1, 1},
    {"max", Aggregator::Max, 1, 1},
    {"avg", Aggregator::Avg, 1, 1},
    {"stddev", Aggregator::Stddev, 1, 1},
    {"quantize", Aggregator::Quantize, 1, 2},
    {"lquantize", Aggregator::Lquantize, 3, 5},
    {"llquantize", Aggregator::Llquantize, 5, 6},
});
constexpr auto kActions = std::to_array<ActionRow>({
    {.name = "breakpoint",
        .kind = ActionKind::Stop,
        .least = 0,
        .most = 0,
        .destructive = true,
        .refusal = "Linux has no kernel debugger that a probe may enter"},
    {.name = "chill", .kind = ActionKind::Chill, .least = 1, .most = 1, .destructive = true, .argument = "int"},
    {.name = "clear", .kind = ActionKind::Clear, .least = 1, .most = 1},
    {.name = "commit", .kind = ActionKind::Commit, .least = 1, .most = 1, .argument = "int"},
    {.name = "denormalize", .kind = ActionKind::Denormalize, .least = 1, .most = 1},
    {.name = "discard", .kind = ActionKind::Discard, .least = 1, .most = 1, .argument = "int"},
    {.name = "exit", .kind = ActionKind::Exit, .least = 1, .most = 1, .argument = "int"},
    {.name = "freopen", .kind = ActionKind::Freopen, .least = 1, .most = kAnyNumber, .destructive = true},
    {.name = "ftruncate", .kind = ActionKind::Ftruncate, .least = 0, .most = 0},
    {.name = "normalize", .kind = ActionKind::Normalize, .least = 2, .most = 2},
    {.name = "panic",
        .kind = ActionKind::Stop,
        .least = 0,
        .most = 0,
        .destructive = true,
        .refusal = "Linux lets no BPF program panic the kernel"},
    {.name = "pcap", .kind = ActionKind::Tracemem, .least = 2, .most = 2},
    {.name = "print", .kind = ActionKind::Print, .least = 1, .most = 1},
    {.name = "printa", .kind = ActionKind::Printa, .least = 1, .most = kAnyNumber},
    {.name = "printf", .kind = ActionKind::Printf, .least = 1, .most = kAnyNumber},
    {.name = "raise", .kind = ActionKind::Raise, .least = 1, .most = 1, .destructive = true, .argument = "int"},
    {.name = "setopt", .kind = ActionKind::Setopt, .least = 1, .most = 2},
    {.name = "speculate", .kind = ActionKind::Speculate, .least = 1, .most = 1, .argument = "int"},
    {.name = "stop", .kind = ActionKind::Stop, .least = 0, .most = 0, .destructive = true},
    {.name = "system", .kind = ActionKind::System, .least = 1, .most = kAnyNumber, .destructive = true},
    {.name = "trace", .kind = ActionKind::Trace, .least = 1, .most = 1},
    {.name = "tracemem", .kind = ActionKind::Tracemem, .least = 2, .most = 3},
    {.name = "trunc", .kind = ActionKind::Trunc, .least = 1, .most = 2},
});
constexpr auto kSymbols = std::to_array<std::string_view>({"func", "mod", "sym", "uaddr", "ufunc", "umod", "usym"});
constexpr auto kStacks = std::to_array<std::string_view>({"jstack", "stack", "ustack"});
constexpr auto kDestructive = std::to_array<std::string_view>({"copyout", "copyoutstr"});

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
bool findSymbolFunction(std::string_view name) { return std::find(kSymbols.begin(), kSymbols.end(), name) != kSymbols.end(); }
bool isDestructiveSubroutine(std::string_view name)
{
    return std::find(kDestructive.begin(), kDestructive.end(), name) != kDestructive.end();
}
std::size_t scratchSizeArgument(std::string_view name) { return name == "alloca" ? 0 : name == "copyin" ? 1 : SIZE_MAX; }
std::vector<std::string_view> functionNames()
{
    std::vector<std::string_view> all(kSymbols.begin(), kSymbols.end());
    all.insert(all.end(), kStacks.begin(), kStacks.end());
    for (const auto& a : kAggregators)
        all.push_back(a.name);
    for (const auto& a : kActions)
        all.push_back(a.name);
    return all;
}
} // namespace dscope::sema
