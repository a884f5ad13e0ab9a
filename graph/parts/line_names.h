#pragma once
#include "graph/figure.h"
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
/// A line that is to have its name beside it.
struct NamedLine {
    std::vector<Point> points; ///< px, from left to right, never falling: y does not grow
    std::string name;
};
/// Where the names stand (baseline of the left end), each beside its own line where it covers neither a line nor another name; none where
/// there is no such place. The line whose places are fewest chooses first. `plot`: px; names stay inside, and outside of `taken`.
std::vector<std::optional<Point>> placesOfNames(
    const std::vector<NamedLine>& lines, const Box& plot, double size, const std::optional<Box>& taken = {});
} // namespace dscope::graph
