#pragma once
#include "engine/base/result.h"
#include "graph/budget.h"
#include <string>
namespace dscope::graph {
/// What a budget is of, in one run.
struct BudgetAmount {
    bool isThere = false;
    double value = 0;         ///< in the unit of the budget's bound
    double counted = 0;       ///< of counts and shares: how many values it is made of
    double low = 0, high = 0; ///< of a percentile: where it may be by chance
    std::string text;         ///< "about 12.1 ms (8.2 – 16.4 ms)"; or why there is none
};
/// Error: as checkBudget() has it.
Result<BudgetAmount> amountOf(const Budget& budget, const Store& store);
} // namespace dscope::graph
