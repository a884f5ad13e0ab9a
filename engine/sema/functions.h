#pragma once
#include "engine/record/record.h"
#include <string_view>
namespace dscope::sema {
/// One aggregating function: its row of engine/language, and what it means.
struct AggregatorRow {
    std::string_view name;
    record::Aggregator function;
    std::size_t least, most; ///< arguments; an optional last one is the weight
};
const AggregatorRow* findAggregator(std::string_view name);
std::string_view nameOf(record::Aggregator function);

/// One action: its row of engine/language, and what it records as.
struct ActionRow {
    std::string_view name;
    record::ActionKind kind;
    std::size_t least, most;
    bool destructive = false;
    std::string_view argument = {}; ///< type of the only argument where a plain conversion is all there is to check
    std::string_view refusal = {};  ///< why Linux or we cannot do it; empty: we can
};
const ActionRow* findAction(std::string_view name);
/// sym, func, mod, usym, ufunc, umod, uaddr.
bool findSymbolFunction(std::string_view name);
} // namespace dscope::sema
