#pragma once
#include "graph/figure.h"
#include <string>
namespace dscope::graph {
constexpr std::size_t kSeriesHues = 6; ///< lines that can be told apart; what is more is grey
enum class Theme : std::uint8_t { Light, Dark, Print };
/// How an item looks: what SVG, the screen, PDF and PNG all ask. Colours as 0xRRGGBB; -1: none.
struct Style {
    std::int32_t fill = -1, stroke = -1, text = -1;
    double strokeWidth = 0;
    std::string dash;               ///< as SVG's stroke-dasharray, "" solid
    bool doubled = false;           ///< a second outline around the first (ended by a signal)
    int hatch = 0;                  ///< 0 none; 1.. patterns of the print theme and of open buckets
};
Style style(const Item& item, Theme theme);
std::int32_t ground(Theme theme);
} // namespace dscope::graph
