#pragma once
#include <string_view>
namespace dscope::exporters {
/// The parts of exporters/web/interactive, one after the other in one function: what makes a figure zoom, search and tell
/// details; for SVG and HTML alike. It holds no "]]>" and no "</".
std::string_view interactiveScript();
} // namespace dscope::exporters
