#pragma once
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
};
/// Calls of one function by another.
struct CallArc {
    std::uint32_t from = 0, to = 0; ///< indices of functions
    std::int64_t value = 0;
};
/// What of a call graph is drawn, functions and calls renumbered.
struct CallPart {
    static constexpr double kLeastNode = 0.005, kLeastEdge = 0.001; ///< shares of all below which nothing is drawn: gprof2dot's
    std::vector<std::uint32_t> functions;
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<std::int64_t> values; ///< of the edges
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

/// Stacks as a directed graph: every function once, with what it took by itself and in all.
struct CallGraphData {
    std::int64_t total = 0;
    std::vector<CalledFunction> functions;
    std::vector<CallArc> arcs; ///< the weightiest first

    std::vector<std::uint32_t> byTotal() const; ///< indices of functions, the weightiest first
    /// Functions and calls of at least the usual shares, `times` as much.
    CallPart part(double times) const;
};
CallGraphData callGraphOf(const Stacks& stacks);
} // namespace dscope::graph
