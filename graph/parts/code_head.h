#pragma once
#include "graph/page.h"
#include <cstdint>
#include <string>
namespace dscope::graph {
/// What stands above the lines or the instructions of a function, where there are several on a page.
struct CodeHead {
    const std::string& function;
    std::int64_t self = 0, total = 0; ///< of stacks: that end in it, and that have it at all
    std::int64_t all = 0;             ///< stacks
};
/// In the second of two rows of `row` px from `y` on, as wide as `area`; gives where they end.
double drawCodeHead(Page& page, const CodeHead& head, const Box& area, double y, double row, double size);
} // namespace dscope::graph
