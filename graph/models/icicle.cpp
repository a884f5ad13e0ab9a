#include "graph/models/flame.h"
#include "graph/stacks.h"
namespace dscope::graph {
Kind kind_icicle()
{
    return {kIcicleFacts, rank::kStacks + 6, hasStacks, [](const Store& store) { return makeStacks(store, kIcicleFacts); },
        [](const Store& before, const Store& after) { return makeStacks(before, after, kIcicleFacts); }};
}
} // namespace dscope::graph
