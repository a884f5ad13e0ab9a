#pragma once
#include "graph/layouts/layered.h"
#include <span>
#include <utility>
namespace dscope::graph {
/// Puts the parts of a layout that no edge connects below one another where that lets all of it be drawn larger in so much room: the
/// highest first, in rows. Within each part nothing moves. A layout of one part stays as it is.
/// `gaps`: siblings between parts of a row, twice; ranks between rows.
Routed onShelves(Routed routed, std::span<const NodeSize> sizes, std::span<const std::pair<std::size_t, std::size_t>> edges,
    const LayoutGaps& gaps, const NodeSize& room);
} // namespace dscope::graph
