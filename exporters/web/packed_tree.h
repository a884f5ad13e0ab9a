#pragma once
#include "graph/stack_tree.h"
#include "graph/stacks.h"
#include <array>
#include <string>
namespace dscope::exporters {
/// The kinds of frames by their number in a packed tree; any other is the last.
constexpr std::array kPackedKinds{graph::Shade::User, graph::Shade::Library, graph::Shade::Kernel, graph::Shade::Jit, graph::Shade::System,
    graph::Shade::Inlined, graph::Shade::Unknown};
/// A tree of stacks in few bytes, for a page that draws and keeps it: docs/formats.md, "Packed stacks". A frame is spelled as folded text
/// spells it, so that engine/text/packed_stacks.h gives the same stacks again. Deflated (zlib, RFC 1950).
std::string packedTree(const graph::StackTree& tree, const graph::StackMeasure& measure);
} // namespace dscope::exporters
