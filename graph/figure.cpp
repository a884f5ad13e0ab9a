#include "graph/figure.h"
#include "graph/font_metrics.h"
#include "graph/text.h"
namespace dscope::graph {
namespace {
constexpr double kUnitsPerEm = 2048;

Face faceOf(bool bold, bool mono) { return mono ? Face::Mono : bold ? Face::Bold : Face::Sans; }

struct Cut {
    std::size_t end; ///< byte behind the character
    double width;    ///< px of everything up to it
};
std::vector<Cut> measured(std::string_view text, double size, Face face)
{
    std::vector<Cut> cuts;
    cuts.reserve(text.size());
    double width = 0;
    for (std::size_t at = 0; at < text.size();) {
        const char32_t c = nextCodePoint(text, at);
        width += advance(c, face) * size / kUnitsPerEm;
        cuts.push_back({at, width});
    }
    return cuts;
}
} // namespace

double textWidth(std::string_view text, double size, TextFont font)
{
    const Face face = faceOf(font.bold, font.mono);
    long units = 0;
    for (std::size_t at = 0; at < text.size();)
        units += advance(nextCodePoint(text, at), face);
    return static_cast<double>(units) * size / kUnitsPerEm;
}

std::string elided(std::string_view text, double width, double size, Elide where, TextFont font)
{
    const auto cuts = measured(text, size, faceOf(font.bold, font.mono));
    const double whole = cuts.empty() ? 0 : cuts.back().width;
    if (whole <= width) return std::string(text);
    const double room = width - textWidth(kEllipsis, size, font);
    if (room < 0) return {};
    const double headRoom = where == Elide::Middle ? room / 2 : room;
    std::size_t head = 0;
    double used = 0;
    for (const auto& cut : cuts) {
        if (cut.width > headRoom) break;
        head = cut.end;
        used = cut.width;
    }

    std::string out(text.substr(0, head));
    out += kEllipsis;
    if (where == Elide::End) return out;
    for (const auto& cut : cuts)
        if (cut.end >= head && whole - cut.width <= room - used) {
            out += text.substr(cut.end);
            break;
        }
    return out;
}
} // namespace dscope::graph
