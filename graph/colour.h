#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
/// What can be said of colours as 0xRRGGBB in sRGB: how they stand out, and to whom they are alike.
namespace dscope::graph {
/// Of "#RRGGBB" or "#RGB".
std::optional<std::int32_t> colourOf(std::string_view text);
std::string colourText(std::int32_t rgb); ///< "#RRGGBB", "none" for less than 0
/// 1 to 21. Source: WCAG 2.1, relative luminance and contrast ratio.
double contrast(std::int32_t a, std::int32_t b);
/// Black or white text, whichever is read better on it.
std::int32_t readableOn(std::int32_t fill);
/// L* of CIE 1976, 0 to 100: what is left on a printer without colours.
double lightness(std::int32_t rgb);
/// The same hue with another L*, as colourful as sRGB has it there, and at most as much as it was.
std::int32_t withLightness(std::int32_t rgb, double lightness);
/// How somebody sees colours: as most do, or without one of the three kinds of cones, or without any colour.
enum class Sight : std::uint8_t { Full, Protan, Deutan, Tritan, Gray };
std::string_view sightText(Sight sight); ///< "without red cones (protanopia)"
/// How far apart they are to that sight: CIE 1976 distance in L*a*b*, D65, where 2.3 is just noticed.
/// Source: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
/// 2009, the matrices of severity 1.0, for linear RGB.
double distance(std::int32_t a, std::int32_t b, Sight sight);
} // namespace dscope::graph
