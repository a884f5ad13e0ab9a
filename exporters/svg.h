#pragma once
#include "graph/figure.h"
#include "graph/palette.h"
#include <ostream>
#include <string>
#include <string_view>
/// The parts of an SVG, for formats that are made of one.
namespace dscope::exporters {
/// `raw` as XML's character data, in attributes too: well-formed UTF-8, characters that XML forbids made visible.
std::string escapedXml(std::string_view raw);
std::string colourText(std::int32_t rgb); ///< "#RRGGBB", "none" for less than 0
/// The opening tag, title and description.
void beginSvg(const graph::Figure& figure, graph::Theme theme, std::ostream& out);
/// All marks. `interactive`: frames and their labels are named for the script.
void drawMarks(const graph::Figure& figure, graph::Theme theme, bool interactive, std::ostream& out);
/// A figure for those who paint it: no metadata, no script.
std::string plainSvg(const graph::Figure& figure, graph::Theme theme);
} // namespace dscope::exporters
