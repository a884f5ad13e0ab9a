#pragma once
#include "engine/base/result.h"
#include "graph/colour.h"
#include "graph/figure.h"
#include <memory>
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
constexpr std::size_t kSeriesHues = 6; ///< lines that can be told apart; what is more is grey
/// The ground that a figure is for: a light or dark screen, or paper.
enum class Theme : std::uint8_t { Light, Dark, Print };
struct Colours;
/// Colours of one's own, as of a brand: by name, or in order. What has none stays the theme's, or becomes another of the theme's that none
/// of them looks like.
struct OwnColours {
    /// "user", "library", "kernel", "jit", "system", "inlined", "unknown" of frames; "bar"; "accent" of marks; "ramp" of durations and weights;
    /// "heat"; "grew", "shrank". An empty list says nothing.
    std::vector<std::pair<std::string, std::int32_t>> named;
    std::vector<std::int32_t> lines; ///< of series; at most kSeriesHues
};
/// Reads a list, "#0057B8, #FFD700", whose colours are in order those of frames and of lines, the first that of bars and ramps, too; or the lines of
/// a file, "bar = #0057B8", "lines = #0057B8 #FFD700", comments behind "//". `where`: the file's name, or empty for a list. Error: the line
/// and what is wrong there.
Result<OwnColours> ownColoursOf(std::string_view text, const std::string& where);
/// The colours of figures: a theme's, or one's own on the ground of a theme. Copies share them.
class Palette {
public:
    Palette(Theme theme = Theme::Light) : m_theme(theme) { } // NOLINT: a theme is a palette
    /// Checked: text is read on every fill (4.5 to 1, WCAG 2.1, 1.4.3), fills and lines are seen on the ground, and what means different things
    /// looks different to people without one kind of cones and, in the print theme, in gray, unless hatches tell it. Error: a sentence that
    /// names the two colours and what to change.
    static Result<Palette> of(Theme theme, const OwnColours& own);
    Theme theme() const { return m_theme; }
    const Colours& colours() const;
    /// What is not wrong, but should be known: a sentence each.
    const std::vector<std::string>& warnings() const { return m_warnings; }

private:
    Theme m_theme;
    std::shared_ptr<const Colours> m_own; ///< null: the theme's
    std::vector<std::string> m_warnings;
};
/// How an item looks: what SVG, the screen, PDF and PNG all ask. Colours as 0xRRGGBB; -1: none.
struct Style {
    std::int32_t fill = -1, stroke = -1, text = -1;
    double strokeWidth = 0;
    std::span<const double> dash;   ///< px of strokes and gaps in turn; empty: solid
    bool doubled = false;           ///< a second outline around the first (ended by a signal)
    int hatch = 0;                  ///< 0 none; 1.. patterns of the print theme and of open buckets
    double lines = 1;               ///< Figure::lines: what dashes, hatches and arrows are to be multiplied with; `strokeWidth` is
};
/// `lines`: Figure::lines. A width that the item has itself stays.
Style style(const Item& item, const Palette& palette, double lines = 1);
std::int32_t ground(const Palette& palette);
/// Colours of the surroundings of a figure and of marks drawn over it.
struct Accents {
    std::int32_t ink = 0, rule = 0; ///< of text and of thin lines
    std::int32_t found = 0;         ///< the outline of what a search has found; seen on every fill of the theme
    std::int32_t chosen = 0;        ///< the outline of what the keyboard is on
};
Accents accents(const Palette& palette);
} // namespace dscope::graph
