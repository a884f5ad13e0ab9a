#include "graph/palette.h"
#include "graph/palette_colours.h"
#include <algorithm>
#include <array>
#include <cmath>
namespace dscope::graph {
namespace {
/// Okabe and Ito's colours in the order in which neighbours differ most; black, and yellow on white, are not of use here.
/// Source: jfly.uni-koeln.de/color, "Color Universal Design", 2008.
constexpr std::array<Colour, kSeriesHues> kSeriesLight{0x0072B2, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9},
    kSeriesDark{0x3B97D3, 0xD55E00, 0x009E73, 0xCC79A7, 0xE69F00, 0x8CCBF2}, // the same names, so that a key keeps its colour's name
    kSeriesPrint{0x1A1A1A, 0x1A1A1A, 0x1A1A1A, 0x5E5E5E, 0x5E5E5E, 0x5E5E5E};
/// On paper the hatches say which side a colour is on.
constexpr std::array<Colour, 7> kDifference{0x2166AC, 0x67A9CF, 0xD1E5F0, 0xF7F7F7, 0xFDDBC7, 0xEF8A62, 0xB2182B};
constexpr std::array<Colour, 7> kPrintDifference{0xA6A6A6, 0xBFBFBF, 0xD9D9D9, 0xFFFFFF, 0xD9D9D9, 0xBFBFBF, 0xA6A6A6};
constexpr Colours kLight{0xFFFFFF, 0x1A1A1A, 0x5B6570, 0x5B6570, 0xD5DBE1, 0x3F84BB, 0xB45309, 0xFFB732, 0x8EA8FF, 0xF5624A, 0x90FDA1,
    0xA78BAD, 0xFFD08A, 0xDDE1E6, -1, {0xF1F6FC, 0xD3E3F3, 0xA9C9E6, 0x74A9D4, 0x2B6CA5, 0x17497A},
    {0xFEE838, 0xE1CC55, 0xA59C74, 0x707173, 0x3B496C, 0x00224E}, 0x8FA3B5, 0x5B7083, 0xFDE0D2, 0xC2410C, 0x9A3412, 0xF6D5E5, 0x9D174D,
    0x831843, 0x0072B2, 0x6B7280, kSeriesLight, kDifference};
constexpr Colours kDark{0x14171C, 0xFFFFFF, 0xA9B4C0, 0xA9B4C0, 0x2F3742, 0x4C93CC, 0xF0A35E, 0xA66900, 0x2B52C6, 0x792B00, 0x30854B,
    0x6E2C7D, 0x5C4A2A, 0x565D66, 0x2A3038, {0x1F2A36, 0x223B52, 0x255074, 0x2B6CA5, 0x7DB2DE, 0xBBD9F2},
    {0x3B496C, 0x656972, 0x908B74, 0xBDAF68, 0xE7D24F, 0xFEE838}, 0x4A5665, 0x8698A9, 0x4A2213, 0xF08A5D, 0xFFB897, 0x47142D, 0xEC7FB0,
    0xFFA9CC, 0x58B4E8, 0x9AA5B1, kSeriesDark, kDifference};
constexpr Colours kPrint{0xFFFFFF, 0x1A1A1A, 0x4A4A4A, 0x4A4A4A, 0xCCCCCC, 0xBFBFBF, 0x1A1A1A, 0xF2F2F2, 0xD9D9D9, 0xBFBFBF, 0xA6A6A6,
    0xFFFFFF, 0xFFFFFF, 0xFFFFFF, 0x1A1A1A, {0xFFFFFF, 0xF2F2F2, 0xE4E4E4, 0xD9D9D9, 0xBFBFBF, 0xA6A6A6},
    {0xEDEDED, 0xD0D0D0, 0xABABAB, 0x868686, 0x545454, 0x262626}, 0x1A1A1A, 0x4A4A4A, 0xFFFFFF, 0x1A1A1A, 0x1A1A1A, 0xFFFFFF, 0x1A1A1A,
    0x1A1A1A, 0x1A1A1A, 0x4A4A4A, kSeriesPrint, kPrintDifference};
constexpr double kPrintStroke = 0.55; // 0.4 pt
constexpr Colour kThinPrint = 0xBFBFBF; // without an outline the fill has to be seen
constexpr double kThinFrame = 4;        // px: a dark outline would cover the whole of a thinner frame
constexpr double kThinCell = 9;         // px high
constexpr std::array<double, 2> kDashes{6, 4}, kLongDashes{10, 3}, kShortDashes{4, 3}, kDots{2, 3};
constexpr std::array<double, 4> kDashesAndDots{9, 3, 2, 3}, kLongAndShort{10, 3, 4, 3};
constexpr std::array<double, 2> kRestDashes{1, 4}, kSeriesDots{3, 3};
/// Lines differ by their dashes as well as by colour; on paper by nothing else.
constexpr std::array<std::span<const double>, kSeriesHues> kSeriesDashes{
    std::span<const double>{}, kLongDashes, kSeriesDots, kLongAndShort, kShortDashes, kDashesAndDots};

Colour rampAt(const std::array<Colour, 6>& ramp, double level)
{
    const double step = std::clamp(level, 0.0, 1.0) * 5;
    return ramp[static_cast<std::size_t>(std::lround(step))];
}
Colour frameFill(Shade shade, const Colours& c)
{
    switch (shade) {
    case Shade::User: return c.user;
    case Shade::Library: return c.library;
    case Shade::Kernel: return c.kernel;
    case Shade::Jit: return c.jit;
    case Shade::System: return c.system;
    case Shade::Inlined: return c.inlined;
    default: return c.unknown;
    }
}
std::size_t differenceStep(double level) { return static_cast<std::size_t>(std::lround(std::clamp(level, 0.0, 1.0) * 6)); }
Colour differenceFill(double level, const Colours& c) { return c.difference[differenceStep(level)]; }
int differenceHatch(double level)
{
    const auto step = differenceStep(level);
    return step < 3 ? 2 : step > 3 ? 1 : 0;
}
int frameHatch(Shade shade)
{
    switch (shade) {
    case Shade::Kernel: return 1;
    case Shade::System: return 2;
    case Shade::Jit: return 3;
    default: return 0;
    }
}
Colour nodeFill(const Item& item, const Colours& c)
{
    if (item.shade == Shade::Failed) return c.failedFill;
    if (item.shade == Shade::Signalled) return c.signalFill;
    return item.level < 0 ? c.ground : rampAt(c.ramp, item.level);
}
Style nodeStyle(const Item& item, const Colours& c, Theme theme)
{
    Style s;
    s.fill = nodeFill(item, c);
    s.stroke = c.nodeStroke;
    s.strokeWidth = 1;
    switch (item.shade) {
    case Shade::Failed:
        s.stroke = c.failedStroke;
        s.strokeWidth = theme == Theme::Print ? 2.5 : 1.5;
        break;
    case Shade::Signalled:
        s.stroke = c.signalStroke;
        s.strokeWidth = 1.5;
        s.doubled = true;
        break;
    case Shade::Running:
        s.stroke = c.running;
        s.strokeWidth = 1.5;
        s.dash = kDashes;
        break;
    case Shade::FailedExec:
        s.stroke = c.failedExec;
        s.strokeWidth = 1.5;
        s.dash = kDots;
        break;
    default: break;
    }
    if (theme != Theme::Print) return s;
    if (item.shade == Shade::Failed) s.hatch = 1;
    // Of a bar of a timeline that is no wider than its outline, ink is all that would be seen.
    if (const auto* box = std::get_if<Box>(&item.shape); box && box->width > 0 && box->width < kThinFrame && item.shade == Shade::Plain) {
        s.strokeWidth = 0;
        s.fill = kThinPrint;
    }
    return s;
}
Style textStyle(const Item& item, const Colours& c)
{
    Style s;
    switch (item.role) {
    case Role::Subtitle:
    case Role::Note:
    case Role::Tick:
    case Role::Axis: s.text = c.muted; break;
    case Role::Frame: s.text = readableOn(item.level < 0 ? frameFill(item.shade, c) : differenceFill(item.level, c)); break;
    case Role::Node: s.text = readableOn(nodeFill(item, c)); break;
    case Role::Cell: s.text = readableOn(item.level < 0 ? c.ground : rampAt(c.heat, item.level)); break;
    case Role::Marker: s.text = c.accent; break;
    default: s.text = c.ink; break;
    }
    if (item.role == Role::Label || item.role == Role::Legend) {
        if (item.shade == Shade::Failed) s.text = c.failedText;
        if (item.shade == Shade::Signalled) s.text = c.signalText;
        if (item.shade == Shade::Running) s.text = c.running;
        if (item.shade == Shade::OnDark) s.text = 0xFFFFFF;
    }
    return s;
}
Colour seriesHue(const Item& item, const Colours& c)
{
    if (item.level < 0) return c.muted;
    return c.lines[static_cast<std::size_t>(item.level) % c.lines.size()];
}
Style boxStyle(const Item& item, const Colours& c, Theme theme)
{
    Style s;
    switch (item.role) {
    case Role::Ground: s.fill = item.shade == Shade::Clear ? -1 : item.level < 0 ? c.ground : c.grid; break;
    case Role::Frame:
        s.fill = item.level < 0 ? frameFill(item.shade, c) : differenceFill(item.level, c);
        s.stroke = c.frameOutline;
        s.strokeWidth = theme == Theme::Print ? kPrintStroke : c.frameOutline < 0 ? 0 : 1;
        if (theme != Theme::Light && std::get<Box>(item.shape).width < kThinFrame) { // but on paper, a hair's breadth of ink
            s.strokeWidth = 0;
            if (theme == Theme::Print && item.level < 0) s.fill = kThinPrint;
        }
        if (theme == Theme::Print && s.strokeWidth > 0) s.hatch = item.level < 0 ? frameHatch(item.shade) : differenceHatch(item.level);
        if (theme == Theme::Print && s.strokeWidth > 0 && item.level < 0 && item.shade == Shade::Inlined) s.dash = kDots;
        break;
    case Role::Bar:
        s.fill = item.level >= 0 ? differenceFill(item.level, c) : item.shade == Shade::Unknown ? c.unknown : c.bar;
        if (item.shade == Shade::Hatched) s.hatch = 2;
        if (item.level >= 0 || item.shade == Shade::Unknown) {
            s.stroke = c.axis; // the middle of the ramp is nearly the ground
            s.strokeWidth = 0.6;
            if (theme == Theme::Print && item.level >= 0) s.hatch = differenceHatch(item.level);
        }
        if (item.shade == Shade::Dashed) {
            s.fill = -1;
            s.stroke = c.muted;
            s.strokeWidth = 1;
            s.dash = kShortDashes;
            break;
        }
        if (theme == Theme::Print) {
            s.stroke = c.ink;
            s.strokeWidth = kPrintStroke;
        }
        break;
    case Role::Cell:
        s.fill = item.level < 0 ? c.ground : rampAt(c.heat, item.level);
        if (const auto& box = std::get<Box>(item.shape); theme == Theme::Print && box.width >= kThinFrame) {
            // The lightest is nearly the paper's own white; dark lines would be all that is seen of low cells.
            s.stroke = box.height < kThinCell ? c.grid : c.muted;
            s.strokeWidth = kPrintStroke;
        }
        break;
    case Role::Node: return nodeStyle(item, c, theme);
    case Role::Series: s.fill = seriesHue(item, c); break;
    case Role::Marker:
        s.stroke = c.accent;
        s.strokeWidth = 2.2;
        break;
    default: s.fill = c.grid; break;
    }
    return s;
}
Style lineStyle(const Item& item, const Colours& c, Theme theme)
{
    Style s;
    s.strokeWidth = 1;
    switch (item.role) {
    case Role::Edge:
        s.stroke = item.level < 0 ? c.edge : rampAt(c.ramp, item.level + (theme == Theme::Print ? 0.5 : 0)); // thin lines need ink
        s.strokeWidth = 1.5;
        break;
    case Role::Marker:
        s.stroke = c.accent;
        s.strokeWidth = 2;
        break;
    case Role::Series:
        s.stroke = seriesHue(item, c);
        s.strokeWidth = 2.5;
        if (item.level >= 0) s.dash = kSeriesDashes[static_cast<std::size_t>(item.level) % kSeriesHues];
        break;
    case Role::Axis:
    case Role::Tick: s.stroke = c.axis; break;
    case Role::Bar: // an area of a comparison
        s.stroke = item.level < 0 ? c.unknown : differenceFill(item.level, c);
        break;
    default: s.stroke = c.grid; break;
    }

    if (std::get<Path>(item.shape).closed) s.fill = s.stroke;
    if (item.shade == Shade::Dashed) s.dash = kDashes;
    if (item.shade == Shade::Dotted) s.dash = kDots;
    if (item.role == Role::Series && item.shade == Shade::Dashed) s.dash = kRestDashes; // no other line's
    if (const auto width = std::get<Path>(item.shape).width; width > 0) s.strokeWidth = width;
    return s;
}
} // namespace

const Colours& coloursOf(Theme theme) { return theme == Theme::Dark ? kDark : theme == Theme::Print ? kPrint : kLight; }
const Colours& Palette::colours() const { return m_own ? *m_own : coloursOf(m_theme); }

Style style(const Item& item, const Palette& palette, double lines)
{
    const Colours& c = palette.colours();
    const auto theme = palette.theme();
    if (std::holds_alternative<Text>(item.shape)) return textStyle(item, c);
    const auto* path = std::get_if<Path>(&item.shape);
    Style s = path ? lineStyle(item, c, theme) : boxStyle(item, c, theme);
    s.lines = lines;
    if (!path || path->width <= 0) s.strokeWidth *= lines;
    return s;
}
std::int32_t ground(const Palette& palette) { return palette.colours().ground; }
Accents accents(const Palette& palette)
{
    const Colours& c = palette.colours();
    if (palette.theme() == Theme::Dark) return {c.ink, c.grid, 0xFF8AC8, 0xFFFFFF};
    return {c.ink, c.grid, 0xA20A9B, 0x0072B2};
}
} // namespace dscope::graph
