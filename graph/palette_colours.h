#pragma once
#include "graph/palette.h"
#include <array>
namespace dscope::graph {
using Colour = std::int32_t;
/// Every colour of a theme. Frames and ramps are those of a table checked for contrast and for colour-blind sight.
struct Colours { // heat: more stands out more: darker on light ground and paper, lighter on a dark one, whose lowest is left out for the
                 // ground's own darkness
    Colour ground, ink, muted, axis, grid, bar, accent;
    Colour user, library, kernel, jit, system, inlined, unknown, frameOutline;
    std::array<Colour, 6> ramp, heat;
    Colour nodeStroke, edge;
    Colour failedFill, failedStroke, failedText, signalFill, signalStroke, signalText, running, failedExec;
    std::array<Colour, kSeriesHues> lines;
    std::array<Colour, 7> difference; ///< from "gone" over "as before" to "new"
};
const Colours& coloursOf(Theme theme); ///< a theme's own
} // namespace dscope::graph
