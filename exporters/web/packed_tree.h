#pragma once
#include "graph/palette.h"
#include "graph/stack_tree.h"
#include "graph/stacks.h"
#include "graph/visual.h"
#include <array>
#include <ostream>
#include <string>
#include <string_view>
namespace dscope::exporters {
/// The kinds of frames by their number in a packed tree; any other is the last.
inline constexpr std::array kPackedKinds{graph::Shade::User, graph::Shade::Library, graph::Shade::Kernel, graph::Shade::Jit,
    graph::Shade::System, graph::Shade::Inlined, graph::Shade::Unknown};
/// A tree of stacks in few bytes, for a page that draws and keeps it: docs/formats.md, "Packed stacks". A frame is spelled as folded text
/// spells it, so that engine/text/packed_stacks.h gives the same stacks again. Deflated (zlib, RFC 1950).
std::string packedTree(const graph::StackTree& tree, const graph::StackMeasure& measure);
/// Nodes of a tree that a page draws and keeps at most.
constexpr std::size_t kMostPackedNodes = 2'000'000;
/// As SVG a browser is slow with more frames, on a canvas it is not.
constexpr std::size_t kMostMarks = 10'000;
/// What a page has to know to draw a packed tree on a canvas: colours, forms of names (exporters/web/facts.h), and where the tree is.
/// `where`: "packed":"BASE64" or, of one that stands among the data of a page of several figures, "run":"N" (DataPart::run). `part`: for
/// the attribute by which the script finds it, id="..." or data-part="...".
void writeTreeFacts(const graph::StackTree& tree, std::string_view where, const graph::Palette& palette, graph::Growth growth,
    std::string_view part, std::ostream& out);
} // namespace dscope::exporters
