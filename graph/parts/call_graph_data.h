#pragma once
#include "graph/difference.h"
#include "graph/run_scatter.h"
#include "graph/stacks.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
/// A function of a call graph.
struct CalledFunction {
    std::string name;
    std::int64_t self = 0, total = 0; ///< total: of stacks with it in them, each once, however often it calls itself
    std::int64_t begins = 0;          ///< of stacks that begin with it
    Shade shade = Shade::Unknown;
    bool isFolded = false;                        ///< several as one: the name lists them
    std::int64_t selfBefore = 0, totalBefore = 0; ///< of them those of the earlier run, where two are compared
};
/// Calls of one function by another.
struct CallArc {
    std::uint32_t from = 0, to = 0; ///< indices of functions
    std::int64_t value = 0;
    std::int64_t before = 0; ///< of it that of the earlier run
};
/// What of a call graph is drawn, functions and calls renumbered.
struct CallPart {
    static constexpr double kLeastNode = 0.005, kLeastEdge = 0.001; ///< shares of all below which nothing is drawn: gprof2dot's
    std::vector<std::uint32_t> functions;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<std::int64_t> values; ///< of the edges
    std::vector<std::int64_t> before; ///< of these those of the earlier run
    double leastNode = kLeastNode, leastEdge = kLeastEdge;
    std::size_t hiddenFunctions = 0, hiddenArcs = 0;
    /// Several functions that one node shows: functions that call each other (outermost first), or all callees of one function.
    struct Fold {
        std::vector<std::uint32_t> functions = {};
        bool isChain = true;
    };
    std::vector<Fold> folded = {}; ///< by node, or none at all
    bool isLeast = false;          ///< less cannot be drawn: a higher threshold leaves next to nothing
};

/// Stacks as a directed graph: every function once, with what it took by itself and in all. Of two runs everything is the sum of both: so
/// weights are fair to what is new and to what is gone.
struct CallGraphData {
    std::int64_t total = 0;
    std::int64_t totalBefore = 0; ///< of it that of the earlier run
    bool compares = false;        ///< two runs
    bool isCount = false;         ///< of these events are counted
    double deviations = 2;        ///< that a difference of counts must be
    RunScatter scatter;           ///< of both sides' runs, by function
    std::string noise() const;    ///< what is said of differences that may be chance
    /// Of a part of the sum, of that function's: what it was, and what it is.
    Change change(const std::string& function, std::int64_t both, std::int64_t before) const;
    std::vector<CalledFunction> functions;
    std::vector<CallArc> arcs; ///< the weightiest first

    std::vector<std::uint32_t> byTotal() const; ///< indices of functions, the weightiest first
    /// Functions and calls of at least the usual shares, `times` as much.
    CallPart part(double times) const;
};
CallGraphData callGraphOf(const Stacks& stacks);
CallGraphData callGraphOf(const Stacks& before, const Stacks& after, RunScatter scatter);
} // namespace dscope::graph
