#pragma once
#include "graph/figure.h"
#include "graph/parts/touches.h"
#include <functional>
#include <map>
#include <utility>
#include <vector>
namespace dscope::graph {
/// Where columns of nodes and the links between them are drawn. Lengths are px.
struct TouchColumns {
    /// A node as it is drawn: one, or all that are too many for the page.
    struct Place {
        std::string label;
        std::string name;       ///< the label as it is drawn: without shared folders where boxes are narrow
        std::size_t folded = 0; ///< nodes it stands for, when more than one
        double weight = 0, y = 0, height = 0;
    };
    struct Route {
        std::size_t from = 0, to = 0; ///< places, within their columns
        double weight = 0;
        double fromY = 0, toY = 0;
        double width = 1;
    };
    std::vector<std::vector<Place>> places;
    std::vector<std::vector<Route>> routes; ///< routes[c] leads from column c to the next; the weightiest first
    std::size_t hiddenRoutes = 0;           ///< links that are too light to be drawn
    double box = 0, between = 0;            ///< the width of a column, and of the room between two
    double left(std::size_t column) const { return static_cast<double>(column) * (box + between); }
};
/// What touch columns are laid out into.
struct TouchRoom {
    Box area;                                 ///< below the titles of the columns
    double scale = 1;                         ///< of text
    bool isFixed = true;                      ///< what does not fit is folded; else the height grows
    double total = 0;                         ///< the weight of a whole column
    std::function<std::string(double)> value; ///< what stands beside a name
    std::size_t mostRoutes = 150;             ///< between two columns; more is a thicket
};
TouchColumns touchColumns(const Touches& touches, const TouchRoom& room);
} // namespace dscope::graph
