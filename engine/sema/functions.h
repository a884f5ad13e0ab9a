#pragma once
#include "engine/record/record.h"
#include <optional>
#include <span>
#include <string_view>
#include <vector>
namespace dscope::sema {
/// One aggregating function: its name and how many arguments it takes.
struct AggregatorRow {
    std::string_view name;
    record::Aggregator function;
    std::size_t least, most; ///< arguments; an optional last one is the weight
};
const AggregatorRow* findAggregator(std::string_view name);
std::string_view nameOf(record::Aggregator function);

/// One action: what it records as, how many arguments it takes, of which types ("@": any).
struct ActionRow {
    std::string_view name;
    record::ActionKind kind;
    std::size_t least, most;
    bool destructive = false;
    std::string_view argument = {}; ///< type of the first argument where a plain conversion is all there is to check
    std::string_view refusal = {};  ///< why Linux or we cannot do it; empty: we can
};
constexpr std::size_t kAnyNumber = 1024;
const ActionRow* findAction(std::string_view name);
/// sym, func, mod, usym, ufunc, umod, uaddr.
bool findSymbolFunction(std::string_view name);
bool isDestructiveSubroutine(std::string_view name);
/// Which argument of a subroutine says how much of option scratchsize it takes; SIZE_MAX: none does.
std::size_t scratchSizeArgument(std::string_view name);
/// All of the above, for "did you mean".
std::vector<std::string_view> functionNames();
} // namespace dscope::sema
