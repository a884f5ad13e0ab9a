#pragma once
#include "graph/figure.h"
#include "graph/layouts/icicle.h"
#include "graph/parts/flame_data.h"
#include "graph/visual.h"
#include <cstdint>
#include <vector>
namespace dscope::graph {
/// Which levels of a flame graph are drawn, and how high.
struct FlameRows {
    double height = 0;        ///< px, of a level
    std::uint32_t levels = 0; ///< with the shared frames as one
    std::uint32_t shown = 0;  ///< of these, from the root on
    /// The frames that nearly all stacks have in common, where not all levels fit: one bar.
    struct Shared {
        std::uint32_t frames = 0;
        std::size_t last = 0; ///< node
    } shared;
    std::uint32_t hidden() const { return levels - shown; }
};
/// Room for the rows: a page that is as high as it is, one that grows, or a screen, where rows have a fixed height.
struct FlameRoom {
    double height = 0; ///< px
    bool fits = true;  ///< what has no room is not drawn; else the page grows for all telling levels
    bool isScreen = false;
    double text = 12; ///< px, of the smallest
};
/// Levels that are drawn of `focus` (a node) and what is above it.
std::uint32_t flameLevels(const FlameData& data, std::size_t focus);
/// Number of levels, from the root, that more than 1 % of the weight of `focus` reaches, so that one very deep stack does not decide the layout.
std::uint32_t tellingLevels(const FlameData& data, std::size_t focus);
/// The same of a whole tree.
std::uint32_t tellingLevels(const StackTree& tree);
/// px, of a row: where all levels have comfortable ones, a share of the height, at most the tallest; else that of the telling levels, at
/// most comfortable, at least the lowest.
double flameRow(std::uint32_t levels, std::uint32_t telling, double height, double text);
/// px: the lowest row that has room for such text, and the text of a row.
double lowestFlameRow(double text);
double flameText(double row, double smallest);
FlameRows flameRows(const FlameData& data, std::size_t focus, const FlameRoom& room);

/// A bar of the figure: a frame, or a run of frames.
struct FlameBar {
    IcicleBar bar;
    Box box;
};
/// Where bars are drawn.
struct FlameSheet {
    Box area;
    double bottom = 0;     ///< y of the root's lower edge, of a flame graph
    bool isIcicle = false; ///< the root is at the top
    WidthPart part{};      ///< of the bars of what is in focus
};
/// The callers of `focus` over the whole width, then what is below it; callers first.
std::vector<FlameBar> flameBars(const FlameData& data, std::size_t focus, const FlameRows& rows, const FlameSheet& sheet);
} // namespace dscope::graph
