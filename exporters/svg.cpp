#include "exporters/svg.h"
#include "exporters/exporter.h"
#include "exporters/web/facts.h"
#include "exporters/web/script.h"
#include "graph/annotated.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <array>
#include <map>
#include <sstream>
namespace dscope::exporters {
namespace {
using graph::Box;
using graph::Item;
using graph::Path;
using graph::Style;
using graph::Text;

constexpr int kHatches = 3;
constexpr double kSecondOutline = 3;          // px between the outlines of a doubled stroke
constexpr std::size_t kMostBytes = 1'490'000; // of a file: what browsers open without a wait

enum class Lines : std::uint8_t { Joined, Kept };
std::string escaped(std::string_view raw, Lines lines = Lines::Joined)
{
    std::string out;
    out.reserve(raw.size());
    for (std::size_t at = 0; at < raw.size();) {
        const char32_t c = graph::nextCodePoint(raw, at);
        switch (c) {
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '&': out += "&amp;"; break;
        case '"': out += "&quot;"; break;
        case '\n':
            if (lines == Lines::Kept)
                out += '\n';
            else
                out += "\u240A";
            break;
        case '\t': out += lines == Lines::Kept ? "\t" : "\u2409"; break;
        default: {
            std::string one;
            graph::appendUtf8(one, c);
            out += c < 0x20 || (c >= 0x7F && c < 0xA0) ? graph::printable(one) : one;
        }
        }
    }
    return out;
}
/// Fixed decimals, trailing zeros dropped: 12.5, 100.
std::string number(double value)
{
    std::string text = graph::formatFixed(value, 2);
    while (text.back() == '0')
        text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}
std::string attribute(std::string_view name, std::string_view value) { return ' ' + std::string(name) + "=\"" + std::string(value) + '"'; }

/// data-* names are ours, but an XML name has its rules all the same.
std::string dataName(std::string_view name)
{
    std::string out = "data-";
    for (const char c : name)
        out += (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ? c : '-';
    return out;
}
std::string dataAttributes(const Item& item)
{
    std::string out;
    for (const auto& [name, value] : item.data)
        out += attribute(dataName(name), escaped(value, Lines::Kept));
    return out;
}
std::string dashText(std::span<const double> dash, double lines)
{
    std::string out;
    for (const double length : dash)
        out += (out.empty() ? "" : " ") + number(length * lines);
    return out;
}
std::string strokeAttributes(const Style& s)
{
    if (s.stroke < 0 || s.strokeWidth <= 0) return {};
    std::string out = attribute("stroke", graph::colourText(s.stroke));
    if (s.strokeWidth != 1) out += attribute("stroke-width", number(s.strokeWidth));
    if (!s.dash.empty()) out += attribute("stroke-dasharray", dashText(s.dash, s.lines));
    return out;
}
std::string rectangle(const Box& b, double radius)
{
    std::string out = "<rect" + attribute("x", number(b.x)) + attribute("y", number(b.y))
        + attribute("width", number(std::max(b.width, 0.0))) + attribute("height", number(std::max(b.height, 0.0)));
    if (radius > 0) out += attribute("rx", number(radius));
    return out;
}

class Drawing {
public:
    Drawing(std::ostream& out, const graph::Palette& palette, double lines, bool interactive, std::string_view prefix)
        : m_out(out), m_palette(palette), m_lines(lines), m_interactive(interactive), m_prefix(prefix)
    {
    }

    void draw(const Item& item)
    {
        const Style s = graph::style(item, m_palette, m_lines);
        std::visit([&](const auto& shape) { shapeOf(shape, item, s); }, item.shape);
    }

private:
    static std::string closing(const Item& item, std::string_view element)
    {
        if (item.tip.empty()) return "/>\n";
        return "><title>" + escaped(item.tip, Lines::Kept) + "</title></" + std::string(element) + ">\n";
    }

    void shapeOf(const Box& box, const Item& item, const Style& s)
    {
        const bool isFrame = m_interactive && item.node;
        m_out << rectangle(box, box.radius) << (isFrame ? " class=\"f\"" + attribute("data-node", std::to_string(item.node->value)) : "")
              << attribute("fill", graph::colourText(s.fill)) << strokeAttributes(s) << dataAttributes(item) << closing(item, "rect");
        if (s.hatch > 0)
            m_out << rectangle(box, box.radius) << attribute("fill", "url(#" + m_prefix + "hatch" + std::to_string(s.hatch) + ')')
                  << " pointer-events=\"none\"/>\n";
        if (s.doubled) {
            const double off = kSecondOutline * s.lines;
            const Box inner{box.x + off, box.y + off, box.width - 2 * off, box.height - 2 * off, 0};
            m_out << rectangle(inner, std::max(box.radius - 2, 0.0)) << attribute("fill", "none")
                  << attribute("stroke", graph::colourText(s.stroke)) << (s.lines != 1 ? attribute("stroke-width", number(s.lines)) : "")
                  << " pointer-events=\"none\"/>\n";
        }
    }

    void shapeOf(const Path& path, const Item& item, const Style& s)
    {
        if (path.points.empty()) return;
        const auto at = [](const graph::Point& p) { return number(p.x) + ' ' + number(p.y); };
        std::string d = 'M' + at(path.points.front());
        for (std::size_t i = 1; i < path.points.size(); ++i)
            d += (path.bezier ? (i % 3 == 1 ? " C" : " ") : " L") + at(path.points[i]);
        if (path.closed) d += " Z";
        m_out << "<path" << attribute("d", d)
              << attribute("fill", path.closed ? graph::colourText(s.fill >= 0 ? s.fill : s.stroke) : "none") << strokeAttributes(s);
        if (path.arrow) m_out << attribute("marker-end", "url(#" + m_prefix + "arrow" + graph::colourText(s.stroke).substr(1) + ')');
        m_out << dataAttributes(item) << closing(item, "path");
    }

    void shapeOf(const Text& text, const Item& item, const Style& s)
    {
        // Digits are equally wide in columns of numbers alone: Inter 4 makes hyphens as wide as them.
        const bool isNumber
            = text.anchor == graph::Anchor::End && !text.text.empty() && text.text.front() >= '0' && text.text.front() <= '9';
        m_out << "<text" << attribute("x", number(text.at.x)) << attribute("y", number(text.at.y));
        m_out << attribute("class",
            m_interactive && item.role == graph::Role::Frame ? "m l"
                : text.mono                                  ? "m"
                : text.bold                                  ? (isNumber ? "b n" : "b")
                                                             : (isNumber ? "s n" : "s"))
              << attribute("font-size", number(text.size));
        if (text.anchor != graph::Anchor::Start) m_out << attribute("text-anchor", text.anchor == graph::Anchor::Middle ? "middle" : "end");
        m_out << attribute("fill", graph::colourText(s.text));
        // For readers that do not know CSS's white-space: else several spaces are one.
        if (text.text.find("  ") != std::string::npos || text.text.starts_with(' ')) m_out << attribute("xml:space", "preserve");
        m_out << dataAttributes(item) << '>';
        if (!item.tip.empty()) m_out << "<title>" << escaped(item.tip, Lines::Kept) << "</title>";
        m_out << escaped(graph::fromTheLeft(text.text)) << "</text>\n";
    }

    std::ostream& m_out;
    graph::Palette m_palette;
    double m_lines;
    bool m_interactive;
    std::string m_prefix; ///< of ids
};

/// Arrow heads by colour, and the hatches that are used.
std::string definitions(const graph::Figure& figure, const graph::Palette& palette, const std::string& prefix)
{
    std::map<std::string, int> arrows;
    std::array<bool, kHatches + 1> hatches{};
    for (const auto& item : figure.items) {
        const Style s = graph::style(item, palette);
        if (s.hatch > 0 && s.hatch <= kHatches) hatches[static_cast<std::size_t>(s.hatch)] = true;
        if (const auto* path = std::get_if<Path>(&item.shape); path && path->arrow) arrows[graph::colourText(s.stroke)] = 1;
    }

    static constexpr std::array<std::string_view, kHatches + 1> kLines{
        "", "M-1 1 l2 -2 M0 6 l6 -6 M5 7 l2 -2", "M-1 5 l2 2 M0 0 l6 6 M5 -1 l2 2", "M0 3 h6 M3 0 v6"};
    const std::string ink = graph::colourText(graph::accents(palette).ink), head = number(8 * figure.lines);
    const std::string larger = figure.lines != 1 ? " patternTransform=\"scale(" + number(figure.lines) + ")\"" : "";
    std::string out;
    for (std::size_t i = 1; i <= kHatches; ++i)
        if (hatches[i])
            out += "<pattern id=\"" + prefix + "hatch" + std::to_string(i) + "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\""
                + larger + "><path d=\"" + std::string(kLines[i]) + "\" stroke=\"" + ink
                + "\" stroke-width=\"0.6\" stroke-opacity=\"0.3\" fill=\"none\"/></pattern>\n";
    for (const auto& [rgb, used] : arrows)
        out += "<marker id=\"" + prefix + "arrow" + rgb.substr(1) + "\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"" + head
            + "\" markerHeight=\"" + head + "\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 Z\" fill=\"" + rgb
            + "\"/></marker>\n";
    return out.empty() ? out : "<defs>\n" + out + "</defs>\n";
}

/// What the run was, and the run itself as far as there is room.
void addMetadata(const graph::Visual& visual, const graph::Figure& figure, const Options& options, std::size_t drawn, std::ostream& out)
{
    if (options.metadata.empty() && options.runs.empty() && options.inside == Inside::Runs) return;
    out << "<metadata>" << escaped(options.metadata, Lines::Kept);
    const auto used = drawn + options.metadata.size() + (options.interactive ? interactiveScript().size() : 0);
    const auto room = used < kMostBytes ? kMostBytes - used : 0;
    const auto parts = options.inside == Inside::Shown ? shownOf(figure, visual, room) : dataOf(options.runs, visual, room);
    for (const auto& part : parts) {
        out << "\n<dscope:data xmlns:dscope=\"urn:dscope:data:1\" role=\"" << part.role << "\" format=\"" << DataPart::kFormat << '"';
        if (part.leftOut > 0) out << " left-out=\"" << part.leftOut << '"';
        out << '>' << part.base64 << "</dscope:data>";
    }
    if (parts.empty() && !options.runs.empty())
        out << "\nThe data is too large to stand in an SVG: it has room in HTML, or keep a recording (--record).";
    out << "</metadata>\n";
}

class Svg final : public Exporter {
public:
    std::string_view suffix() const override { return "svg"; }
    bool holdsRuns() const override { return true; }
    std::string_view summary() const override { return "Scalable Vector Graphics"; }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        auto layout = options.layout;
        layout.zooms = layout.zooms || options.interactive;
        const auto figure = graph::annotatedFigure(visual, layout);
        std::ostringstream drawing;
        const auto growth = options.interactive ? std::optional(visual.facts().growth) : std::nullopt;
        drawMarks(figure, options.palette, growth, drawing);
        const std::string marks = std::move(drawing).str();
        out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
        beginSvg(figure, options.palette, out);
        addMetadata(visual, figure, options, marks.size(), out);
        out << marks;
        if (options.interactive) out << "<script><![CDATA[\n" << interactiveScript() << "]]></script>\n";
        out << "</svg>\n";
        if (!out) return Error{0, "cannot write the drawing"};
        return {};
    }
};
} // namespace

std::string escapedXml(std::string_view raw) { return escaped(raw); }
void beginSvg(const graph::Figure& figure, const graph::Palette& palette, std::ostream& out, std::string_view prefix)
{
    const std::string width = number(figure.width), height = number(figure.height);
    out << "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"" << prefix << "figure\"" << (prefix.empty() ? "" : " data-part=\"figure\"")
        << " viewBox=\"0 0 " << width << ' ' << height << '"' << attribute("width", width) << attribute("height", height)
        << attribute("data-ink", graph::colourText(graph::accents(palette).ink)) << " role=\"img\" aria-labelledby=\"" << prefix << "title "
        << prefix << "desc\">\n";
    out << "<title id=\"" << prefix << "title\">" << escaped(figure.title) << "</title>\n<desc id=\"" << prefix << "desc\">"
        << escaped(figure.description) << "</desc>\n";
}
std::string plainSvg(const graph::Figure& figure, const graph::Palette& palette, Fonts fonts)
{
    std::ostringstream svg;
    beginSvg(figure, palette, svg);
    drawMarks(figure, palette, std::nullopt, svg, {}, fonts);
    svg << "</svg>\n";
    return svg.str();
}
void drawMarks(const graph::Figure& figure, const graph::Palette& palette, std::optional<graph::Growth> interactive, std::ostream& out,
    std::string_view prefix, Fonts fonts)
{
    const bool isWeb = fonts == Fonts::Web;
    // geometricPrecision: else advances are rounded to whole pixels of the screen, and texts are up to 4 % wider than their letters.
    out << "<style>text{white-space:pre;text-rendering:geometricPrecision;" << kPlainLetters
        << "}.s,.b{font-family:" << (isWeb ? "Inter,'DejaVu Sans'" : "'DejaVu Sans',Inter")
        << ",sans-serif}.b{font-weight:700}.n{font-variant-numeric:tabular-nums}.m{font-family:"
        << "'DejaVu Sans Mono','JetBrains Mono',monospace}</style>\n"; // LibreOffice takes the first alone, which must be there
    out << definitions(figure, palette, std::string(prefix));
    Drawing drawing(out, palette, figure.lines, interactive.has_value(), prefix);
    for (const auto& item : figure.items)
        drawing.draw(item);
    if (interactive) writeFacts(figure, *interactive, palette, out, prefix);
}
std::unique_ptr<Exporter> make_svg() { return std::make_unique<Svg>(); }
} // namespace dscope::exporters
