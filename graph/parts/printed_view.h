#pragma once
#include "graph/visual.h"
#include <memory>
namespace dscope::graph {
/// A graph that the program itself has printed in Graphviz's language. `facts`: of the kind that it is a visual of.
std::unique_ptr<Visual> makePrintedView(const Store& store, const ViewFacts& facts);
} // namespace dscope::graph
