#include "graph/models/flame.h"
namespace dscope::graph {
Kind kind_icicle()
{
    return {"icicle", "the same stacks from the root at the top downwards", 16, hasStacks,
        [](const Store& store) { return makeStacks(store, true); },
        [](const Store& before, const Store& after) { return makeStacks(before, after, true); }};
}
} // namespace dscope::graph
