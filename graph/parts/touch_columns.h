#pragma once
#include "graph/figure.h"
#include "graph/layouts/layered.h"
#include "graph/parts/touches.h"
#include <functional>
#include <map>
#include <utility>
#include <vector>
namespace dscope::graph {
/// Where columns of nodes and the links between them are drawn; where they follow each other downwards a column lies on its side. Lengths
/// are px, along a column and across.
struct TouchColumns {
    /// A node as it is drawn: one, or all that are too many for the page.
    struct Place {
        std::string label;
        std::string name;                      ///< the label as it is drawn: without shared folders where boxes are narrow
        std::size_t folded = 0;                ///< nodes it stands for, when more than one
        Number weight;
        double at = 0, length = 0; ///< along
    };
    struct Route {
        std::size_t from = 0, to = 0; ///< places, within their columns
        Number weight;
        double fromAt = 0, toAt = 0; ///< along
        double width = 1;
    };
    std::vector<std::vector<Place>> places;
    std::vector<std::vector<Route>> routes; ///< routes[c] leads from column c to the next; the weightiest first
    std::size_t hiddenRoutes = 0;           ///< links that are too light to be drawn
    double box = 0, between = 0;            ///< across: of a column, and of the room between two
    double start = 0;                       ///< across: of the first column
    RankDirection direction = RankDirection::Right;
    double near(std::size_t column) const { return start + static_cast<double>(column) * (box + between); } ///< across: where it begins
    Box boxOf(std::size_t column, const Place& place) const;
    std::vector<Point> curveOf(std::size_t column, const Route& route) const; ///< of routes[column], for Path::bezier
};
/// What touch columns are laid out into.
struct TouchRoom {
    Box area;         ///< below the titles of the columns
    double scale = 1; ///< of text
    RankDirection direction = RankDirection::Right;
    bool isFixed = true;                      ///< what does not fit is folded; else the height grows
    double total = 0;                         ///< the weight of a whole column
    std::function<std::string(double)> value; ///< what stands beside a name
    std::size_t mostRoutes = 150;             ///< between two columns; more is a thicket
};
TouchColumns touchColumns(const Touches& touches, const TouchRoom& room);
/// Whether so many columns beside one another have no room for names in a low `area`, and below one another have.
bool areTouchesDownwards(std::size_t columns, const Box& area, double scale);
} // namespace dscope::graph
