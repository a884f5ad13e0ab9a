#pragma once
#include "graph/page.h"
#include "graph/parts/touches.h"
#include <functional>
#include <optional>
namespace dscope::graph {
/// With more relations than this between two columns curves are a thicket, and a matrix tells more in the same room.
constexpr std::size_t kMostCurves = 60;
/// What a matrix says of values.
struct MatrixWords {
    std::function<std::string(double)> value; ///< in units
    double total = 0;                         ///< of all relations
};
/// Draws the relations of the first two columns as a matrix below `area`'s upper edge: what has more names as rows, the weightiest first,
/// the other as columns, a cell's shade by the logarithm of its value. What has no room is a last row or column, and says of how many.
/// Gives where it ends below; nothing is drawn, and nothing given, where the page has no room for two rows and three columns.
std::optional<double> drawTouchMatrix(Page& page, const Touches& touches, const Box& area, const MatrixWords& words);
} // namespace dscope::graph
