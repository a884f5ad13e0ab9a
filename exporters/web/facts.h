#pragma once
#include "graph/figure.h"
#include "graph/palette.h"
#include "graph/visual.h"
#include <ostream>
#include <string>
#include <string_view>
/// What the script of SVG and HTML knows of a figure beside its drawing.
namespace dscope::exporters {
/// A JSON string that may stand within a script element: no '<' or '>' is left, nor what ends a line of JavaScript.
std::string quotedJson(std::string_view raw);
/// The members of a JSON object, without its braces: how the figure grows and the colours of what is searched for.
std::string lookJson(graph::Growth growth, const graph::Palette& palette);
/// The forms of a frame's name (graph/frame_label.h) as a JSON array, where 0 is the name as it is; empty if that is the only one.
std::string formsJson(std::string_view name);
/// A data block with these and the figure's tree: names, forms of those that are drawn by the number of the name, then of each node the
/// number of its name, of its parent or -1, its weight and 1 for a caller; `data-node` of a mark is the number of its node.
/// `prefix`: of its id, where a page has several figures.
void writeFacts(
    const graph::Figure& figure, graph::Growth growth, const graph::Palette& palette, std::ostream& out, std::string_view prefix = {});
} // namespace dscope::exporters
