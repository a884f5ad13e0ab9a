#pragma once
#include "engine/base/result.h"
#include "graph/name_pattern.h"
#include "graph/units.h"
#include <optional>
#include <string>
#include <variant>
#include <vector>
namespace dscope::graph {
class Store;
/// What a run may cost, as `p99(@lat["read"]) < +5 %`: an amount, a relation, and a bound that is a number or how far the amount may be
/// from what it was in the run before.
///
///     budget   = amount ( "<" | "<=" | ">" | ">=" ) [ "+" | "-" ] number [ unit ]
///     amount   = function "(" what ")"
///     function = count | sum | total | avg | min | max | share | pN           (N: 0 < N <= 100, "p99.9")
///     what     = "@" [ name ] [ "[" key { "," key } "]" ] | 'frame' | "frame" | /regular expression of frames/
///     key      = 'text' | "text" | number | *
///     unit     = % | points | ns | us | ms | s | min | h | B | KiB | MiB | GiB | k | M | G
struct Budget {
    enum class Function : std::uint8_t { Count, Sum, Total, Average, Least, Most, Share, Percentile };
    /// Rows of an aggregation.
    struct Rows {
        std::string name;                             ///< "lat" of @lat, "" of @
        std::vector<std::optional<std::string>> keys; ///< as figures write them; none of `*`. Empty: all rows
    };
    /// Stacks with a frame that is called so, with or without its module.
    struct NamedFrame {
        std::string name;
    };
    enum class Relation : std::uint8_t { Less, AtMost, More, AtLeast };
    enum class Bound : std::uint8_t {
        Value,    ///< of the amount itself
        Distance, ///< of the amount less what it was
        Change,   ///< of that as a part of what it was
    };
    /// What the bound's number counts.
    enum class Dimension : std::uint8_t { Plain, Time, Size, Percent };

    std::string text; ///< as it was given
    Function function = Function::Count;
    double percentile = 0; ///< 0..100
    std::variant<Rows, NamedFrame, NamePattern> of;
    Relation relation = Relation::Less;
    Bound bound = Bound::Value;
    Dimension dimension = Dimension::Plain;
    double number = 0; ///< in ns, bytes or percent, by `dimension`
    bool compares() const { return bound != Bound::Value; }
};
/// Error: at which character what was expected.
Result<Budget> budgetOf(std::string_view text);

/// How a budget came out.
struct Verdict {
    enum class Outcome : std::uint8_t {
        Kept,
        Exceeded,
        Unmeasured, ///< the run has no such amount: nothing was counted, or it is in a bucket without an end
    } outcome = Outcome::Kept;
    std::string said;         ///< one sentence without its period
    bool mayBeChance = false; ///< two runs of the same program are as far apart; false where that is not known
};
/// Whether the program has what the budget is of, in the unit of its bound. Error: what it has instead.
Result<> checkBudget(const Budget& budget, const Store& store);
/// `before`: null where there is none, which is an error for a budget that compares. Amounts are as they were recorded: the shorter of two
/// runs is not scaled. Error: as checkBudget() has it, for either run.
///
/// A percentile is found in its bucket as if the bucket's values were spread evenly over it. Source: Prometheus, histogram_quantile().
/// Chance: of counts twice the deviation of Poisson variables (countChange()), of shares that of two binomial ones, of percentiles the
/// order statistics two deviations around their rank (binomial). Where both sides are several runs (Store::runs()), also what Student's
/// test of the two sides' means does not tell apart (5 %). Source: H. A. David, Order Statistics, "confidence intervals for quantiles".
Result<Verdict> judge(const Budget& budget, const Store* before, const Store& after);
} // namespace dscope::graph
