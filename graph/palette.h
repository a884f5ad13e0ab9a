#pragma once
#include "graph/figure.h"
#include <span>
#include <string>
namespace dscope::graph {
constexpr std::size_t kSeriesHues = 6; ///< lines that can be told apart; what is more is grey
/// The ground that a figure is for: a light or dark screen, or paper.
enum class Theme : std::uint8_t { Light, Dark, Print };
/// How an item looks: what SVG, the screen, PDF and PNG all ask. Colours as 0xRRGGBB; -1: none.
struct Style {
    std::int32_t fill = -1, stroke = -1, text = -1;
    double strokeWidth = 0;
    std::span<const double> dash;   ///< px of strokes and gaps in turn; empty: solid
    bool doubled = false;           ///< a second outline around the first (ended by a signal)
    int hatch = 0;                  ///< 0 none; 1.. patterns of the print theme and of open buckets
};
Style style(const Item& item, Theme theme);
std::int32_t ground(Theme theme);
/// Colours of what stands around a figure and over it.
struct Accents {
    std::int32_t ink = 0, rule = 0; ///< of text and of thin lines
    std::int32_t found = 0;         ///< the outline of what a search has found; seen on every fill of the theme
    std::int32_t chosen = 0;        ///< the outline of what the keyboard is on
};
Accents accents(Theme theme);
std::string colourText(std::int32_t rgb); ///< "#RRGGBB", "none" for less than 0
} // namespace dscope::graph
