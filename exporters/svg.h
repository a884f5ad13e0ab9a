#pragma once
#include "graph/figure.h"
#include "graph/palette.h"
#include "graph/visual.h"
#include <ostream>
#include <string>
#include <string_view>
/// The parts of an SVG, for formats that are made of one.
namespace dscope::exporters {
/// `raw` as XML's character data, in attributes too: well-formed UTF-8, characters that XML forbids made visible.
std::string escapedXml(std::string_view raw);
/// The opening tag, title and description. `prefix`: of all ids, where a page has several figures; empty for one.
void beginSvg(const graph::Figure& figure, const graph::Palette& palette, std::ostream& out, std::string_view prefix = {});
/// CSS that draws letters as they were written: Inter would draw "0x1b" as "0×1b" and "->" as an arrow, JetBrains Mono "!=" as one sign.
/// Important, as a `font` of the same element would reset both.
inline constexpr std::string_view kPlainLetters = "font-variant-ligatures:none!important;font-feature-settings:'calt' 0!important";
/// Which families of fonts are asked for, and in which order. Offices take the first and, where it is not there, any: not one whose letters
/// are equally wide.
enum class Fonts : std::uint8_t { Web, Office };
/// All marks. `interactive`: how the figure grows, where a script reads it; frames and their labels are named for it then, and
/// exporters/web/facts.h tells it of the figure's tree.
void drawMarks(const graph::Figure& figure, const graph::Palette& palette, std::optional<graph::Growth> interactive, std::ostream& out,
    std::string_view prefix = {}, Fonts fonts = Fonts::Web);
/// A figure as plain SVG for rasterizers and documents: no metadata, no script.
std::string plainSvg(const graph::Figure& figure, const graph::Palette& palette, Fonts fonts = Fonts::Web);
} // namespace dscope::exporters
