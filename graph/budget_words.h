#pragma once
#include "graph/budget.h"
#include <array>
#include <string_view>
namespace dscope::graph {
/// How budgets spell a function.
struct BudgetWord {
    std::string_view name;
    Budget::Function function;
};
/// All but the percentiles, whose name has a number: p99.
constexpr std::array<BudgetWord, 7> kBudgetWords{{{"count", Budget::Function::Count}, {"sum", Budget::Function::Sum},
    {"total", Budget::Function::Total}, {"avg", Budget::Function::Average}, {"min", Budget::Function::Least},
    {"max", Budget::Function::Most}, {"share", Budget::Function::Share}}};
} // namespace dscope::graph
