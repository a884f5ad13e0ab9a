#include "exporters/report/deck.h"
#include "exporters/report/format.h"
#include "exporters/report/zip.h"
#include "exporters/svg.h"
#include "graph/units.h"
namespace dscope::reports {
namespace {
using exporters::escapedXml;
using graph::Box;
using report::Slide;

// Source: OASIS, Open Document Format for Office Applications 1.2, parts 1 (schema) and 3 (packages).
constexpr double kCentimetres = 33.867 / report::kSlideWidth; ///< of a px: a slide is 33.867 by 19.05 cm
constexpr std::string_view kType = "application/vnd.oasis.opendocument.presentation";
constexpr std::string_view kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
constexpr std::string_view kSpaces
    = " xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:style=\"urn:oasis:names:tc:opendocument:xmlns:style:1.0\" "
      "xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\" xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" "
      "xmlns:draw=\"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0\" "
      "xmlns:fo=\"urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0\" "
      "xmlns:xlink=\"http://www.w3.org/1999/xlink\" xmlns:presentation=\"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0\" "
      "xmlns:svg=\"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
      "xmlns:meta=\"urn:oasis:names:tc:opendocument:xmlns:meta:1.0\" office:version=\"1.2\"";

std::string centimetres(double px) { return graph::formatFixed(px * kCentimetres, 3) + "cm"; }
std::string points(double px) { return graph::formatFixed(px * report::kPointsOfPixel, 1) + "pt"; }
std::string place(const Box& box)
{
    return " svg:x=\"" + centimetres(box.x) + "\" svg:y=\"" + centimetres(box.y) + "\" svg:width=\"" + centimetres(box.width)
        + "\" svg:height=\"" + centimetres(box.height) + '"';
}
/// Blanks that XML would make one of.
std::string withBlanks(const std::string& line)
{
    std::string out;
    for (std::size_t at = 0; at < line.size();) {
        const auto end = std::min(line.find_first_not_of(' ', at), line.size());
        if (end - at > 1 || (at == 0 && end > at)) {
            out += "<text:s text:c=\"" + std::to_string(end - at) + "\"/>";
            at = end;
        }
        const auto next = std::min(line.find("  ", at), line.size());
        out += escapedXml(std::string_view(line).substr(at, next - at));
        at = next;
    }
    return out;
}

enum class Weight : std::uint8_t { Regular, Bold };

class Writer {
public:
    Writer(const report::Report& report, const std::vector<Slide>& slides) : m_report(report), m_slides(slides) { }

    std::string styles() const
    {
        const auto colour = [](std::int32_t rgb) { return graph::colourText(rgb); };
        return std::string(kHead) + "<office:document-styles" + std::string(kSpaces)
            + "><office:styles/><office:automatic-styles><style:page-layout style:name=\"page\"><style:page-layout-properties "
              "fo:margin-top=\"0cm\" fo:margin-bottom=\"0cm\" fo:margin-left=\"0cm\" fo:margin-right=\"0cm\" fo:page-width=\""
            + centimetres(report::kSlideWidth) + "\" fo:page-height=\"" + centimetres(report::kSlideHeight)
            + "\" style:print-orientation=\"landscape\"/></style:page-layout><style:style style:name=\"ground\" "
              "style:family=\"drawing-page\"><style:drawing-page-properties draw:background-size=\"full\" draw:fill=\"solid\" "
              "draw:fill-color=\""
            + colour(graph::ground(m_report.palette))
            + "\"/></style:style></office:automatic-styles><office:master-styles><style:master-page style:name=\"plain\" "
              "style:page-layout-name=\"page\" draw:style-name=\"ground\"/></office:master-styles></office:document-styles>\n";
    }

    std::string content() const
    {
        std::string text = std::string(kHead) + "<office:document-content" + std::string(kSpaces) + "><office:automatic-styles>" + looks()
            + "</office:automatic-styles><office:body><office:presentation>\n";
        for (std::size_t i = 0; i < m_slides.size(); ++i)
            text += page(i);
        return text + "</office:presentation></office:body></office:document-content>\n";
    }

private:
    static std::string paragraphStyle(
        const std::string& name, double px, Weight weight, std::string_view font, const std::string& colour, std::string_view more = {})
    {
        return "<style:style style:name=\"" + name + "\" style:family=\"paragraph\"><style:paragraph-properties" + std::string(more)
            + "/><style:text-properties fo:color=\"" + colour + "\" fo:font-size=\"" + points(px) + "\" style:font-size-asian=\""
            + points(px) + "\" style:font-size-complex=\"" + points(px) + "\" fo:font-family=\"" + std::string(font) + '"'
            + (weight == Weight::Bold ? " fo:font-weight=\"bold\"" : "") + "/></style:style>";
    }

    std::string looks() const
    {
        constexpr std::string_view kSans = "Arial, 'Liberation Sans', sans-serif",
                                   kMono = "'DejaVu Sans Mono', 'Liberation Mono', monospace";
        graph::Item muted;
        muted.role = graph::Role::Subtitle;
        muted.shape = graph::Text{};
        const auto accents = graph::accents(m_report.palette);
        const std::string ink = graph::colourText(accents.ink), rule = graph::colourText(accents.rule),
                          pale = graph::colourText(graph::style(muted, m_report.palette).text);
        std::string text;

        // Texts of a fixed size in a fixed place, with no border; a title that needs two lines stands on its lower edge.
        for (const auto* where : {"top", "middle", "bottom"})
            text += std::string("<style:style style:name=\"at-") + where
                + "\" style:family=\"graphic\"><style:graphic-properties draw:stroke=\"none\" draw:fill=\"none\" "
                  "draw:textarea-vertical-align=\""
                + where
                + "\" draw:auto-grow-height=\"false\" draw:auto-grow-width=\"false\" fo:wrap-option=\"wrap\" "
                  "fo:padding=\"0cm\"/></style:style>";
        text += "<style:style style:name=\"slide\" style:family=\"drawing-page\"><style:drawing-page-properties "
                "presentation:display-header=\"false\" presentation:display-footer=\"false\" presentation:display-page-number=\"false\" "
                "presentation:display-date-time=\"false\" draw:background-size=\"full\" draw:fill=\"solid\" draw:fill-color=\""
            + graph::colourText(graph::ground(m_report.palette)) + "\"/></style:style>";
        text += paragraphStyle("title-large", 46, Weight::Bold, kSans, ink) + paragraphStyle("title-small", 38, Weight::Bold, kSans, ink)
            + paragraphStyle("caption", report::kCaptionText, Weight::Regular, kSans, pale)
            + paragraphStyle("foot", report::kFootText, Weight::Regular, kSans, pale)
            + paragraphStyle("bullet", report::kBulletText, Weight::Regular, kSans, ink, " fo:margin-bottom=\"0.35cm\"")
            + paragraphStyle("code", report::kCodeText, Weight::Regular, kMono, ink)
            + paragraphStyle("cell", report::kTableText, Weight::Regular, kSans, ink)
            + paragraphStyle("number", report::kTableText, Weight::Regular, kSans, ink, " fo:text-align=\"end\"")
            + paragraphStyle("head", report::kTableText, Weight::Bold, kSans, ink)
            + paragraphStyle("head-number", report::kTableText, Weight::Bold, kSans, ink, " fo:text-align=\"end\"");
        text += "<text:list-style style:name=\"dots\"><text:list-level-style-bullet text:level=\"1\" text:bullet-char=\"\u2022\">"
                "<style:list-level-properties text:space-before=\"0cm\" text:min-label-width=\"0.8cm\"/><style:text-properties fo:color=\""
            + ink + "\" fo:font-family=\"Arial\"/></text:list-level-style-bullet></text:list-style>";
        text += "<style:style style:name=\"cells\" style:family=\"table-cell\"><loext:graphic-properties "
                "xmlns:loext=\"urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0\" draw:fill=\"none\" "
                "draw:textarea-vertical-align=\"middle\" fo:padding-top=\"0.02cm\" "
                "fo:padding-bottom=\"0.02cm\"/><style:paragraph-properties "
                "fo:border-left=\"none\" fo:border-right=\"none\" fo:border-top=\"none\" fo:border-bottom=\"0.5pt solid "
            + rule + "\"/></style:style>";
        text += "<style:style style:name=\"row\" style:family=\"table-row\"><style:table-row-properties style:row-height=\""
            + centimetres(report::kTableRow) + "\"/></style:style>";
        for (std::size_t s = 0; s < m_slides.size(); ++s)
            for (std::size_t c = 0; c < m_slides[s].columns.size(); ++c)
                text += "<style:style style:name=\"" + columnName(s, c)
                    + "\" style:family=\"table-column\"><style:table-column-properties "
                      "style:column-width=\""
                    + centimetres(m_slides[s].columns[c]) + "\"/></style:style>";
        return text;
    }

    static std::string columnName(std::size_t slide, std::size_t column)
    {
        return "column-" + std::to_string(slide + 1) + '-' + std::to_string(column + 1);
    }

    static std::string textBox(const Box& box, std::string_view where, const std::string& paragraphs, std::string_view more = {})
    {
        return "<draw:frame draw:style-name=\"at-" + std::string(where) + "\" draw:layer=\"layout\"" + std::string(more) + place(box)
            + "><draw:text-box>" + paragraphs + "</draw:text-box></draw:frame>\n";
    }
    static std::string paragraph(std::string_view style, const std::string& text)
    {
        return "<text:p text:style-name=\"" + std::string(style) + "\">" + text + "</text:p>";
    }

    std::string page(std::size_t i) const
    {
        const auto& s = m_slides[i];
        const std::string number = std::to_string(i + 1);
        std::string text = "<draw:page draw:name=\"slide-" + number + "\" draw:style-name=\"slide\" draw:master-page-name=\"plain\">\n";
        text += textBox(report::kTitleBox, "middle", paragraph(s.titleSize > 40 ? "title-large" : "title-small", escapedXml(s.title)),
            " presentation:class=\"title\"");
        if (!s.caption.empty()) text += textBox(report::kCaptionBox, "top", paragraph("caption", escapedXml(s.caption)));
        switch (s.kind) {
        case Slide::Kind::Cover: text += bullets(s); break;
        case Slide::Kind::Figure: text += picture(s, number); break;
        case Slide::Kind::Table: text += table(s, i); break;
        case Slide::Kind::Code: {
            std::string lines;
            for (const auto& line : s.code)
                lines += paragraph("code", withBlanks(line));
            text += textBox(report::kBodyBox, "top", lines);
            break;
        }
        }
        if (!s.footer.empty()) text += textBox(report::kFootBox, "bottom", paragraph("foot", escapedXml(s.footer)));
        return text + "</draw:page>\n";
    }

    static std::string bullets(const Slide& s)
    {
        std::string items;
        for (const auto& bullet : s.bullets)
            items += "<text:list-item>" + paragraph("bullet", escapedXml(bullet)) + "</text:list-item>";
        return textBox(report::kBodyBox, "top", "<text:list text:style-name=\"dots\">" + items + "</text:list>");
    }

    /// The vectors first; who cannot draw them takes the picture.
    static std::string picture(const Slide& s, const std::string& number)
    {
        const auto image = [&](const std::string& file, std::string_view type) {
            return "<draw:image xlink:href=\"Pictures/" + file
                + "\" xlink:type=\"simple\" xlink:show=\"embed\" xlink:actuate=\"onLoad\" "
                  "draw:mime-type=\""
                + std::string(type) + "\"/>";
        };
        return "<draw:frame draw:style-name=\"at-top\" draw:layer=\"layout\"" + place(report::kBodyBox) + '>'
            + image("figure-" + number + ".svg", "image/svg+xml") + image("figure-" + number + ".png", "image/png") + "<svg:title>"
            + escapedXml(s.title) + "</svg:title><svg:desc>" + escapedXml(s.inWords) + "</svg:desc></draw:frame>\n";
    }

    static std::string table(const Slide& s, std::size_t i)
    {
        double width = 0;
        std::string text;
        for (std::size_t c = 0; c < s.columns.size(); ++c) {
            width += s.columns[c];
            text += "<table:table-column table:style-name=\"" + columnName(i, c) + "\"/>";
        }

        const auto cell = [](std::string_view style, const std::string& words) {
            return "<table:table-cell table:style-name=\"cells\">" + paragraph(style, escapedXml(words)) + "</table:table-cell>";
        };
        text += "<table:table-row table:style-name=\"row\">";
        for (const auto& column : s.table.columns)
            text += cell(column.isNumber ? "head-number" : "head", column.title);
        text += "</table:table-row>";
        for (const auto& row : s.table.rows) {
            text += "<table:table-row table:style-name=\"row\">";
            for (std::size_t c = 0; c < s.table.columns.size(); ++c)
                text += cell(s.table.columns[c].isNumber ? "number" : "cell", c < row.size() ? row[c] : std::string());
            text += "</table:table-row>";
        }

        const double height = report::kTableRow * static_cast<double>(s.table.rows.size() + 1);
        return "<draw:frame draw:style-name=\"at-top\" draw:layer=\"layout\""
            + place({report::kBodyBox.x, report::kBodyBox.y, width, height, 0}) + "><table:table table:use-first-row-styles=\"true\">"
            + text + "</table:table></draw:frame>\n";
    }

    const report::Report& m_report;
    const std::vector<Slide>& m_slides;
};

/// Slides for LibreOffice Impress and others. A figure is its SVG, which Impress draws as vectors and breaks into shapes when asked to,
/// with a PNG for programs that draw none: ten thousand shapes of a flame graph as shapes of the slide would make it slow to move.
class Odp final : public Format {
public:
    std::string_view suffix() const override { return "odp"; }
    std::string_view summary() const override { return "Slides, OpenDocument"; }

    Result<> write(const report::Report& report, Beside&, std::ostream& out) const override
    {
        DSCOPE_TRY(const auto slides, report::slidesOf(report));
        const Writer writer(report, slides);
        report::Zip zip(out);
        zip.add("mimetype", kType, report::Zip::Pack::Stored); // first and as it is, so that it can be read without unpacking
        std::string manifest = std::string(kHead)
            + "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\" manifest:version=\"1.2\">"
              "<manifest:file-entry manifest:full-path=\"/\" manifest:version=\"1.2\" manifest:media-type=\""
            + std::string(kType) + "\"/>";
        const auto add = [&](const std::string& name, std::string_view type, std::string_view bytes, report::Zip::Pack pack) {
            zip.add(name, bytes, pack);
            manifest += "<manifest:file-entry manifest:full-path=\"" + name + "\" manifest:media-type=\"" + std::string(type) + "\"/>";
        };

        using Pack = report::Zip::Pack;
        add("content.xml", "text/xml", writer.content(), Pack::Deflated);
        add("styles.xml", "text/xml", writer.styles(), Pack::Deflated);
        add("meta.xml", "text/xml",
            std::string(kHead) + "<office:document-meta" + std::string(kSpaces)
                + "><office:meta><meta:generator>dscope " DSCOPE_VERSION "</meta:generator><dc:title>" + escapedXml(report.title)
                + "</dc:title><dc:subject>" + escapedXml(report.subtitle) + "</dc:subject></office:meta></office:document-meta>\n",
            Pack::Deflated);
        for (std::size_t i = 0; i < slides.size(); ++i) {
            if (slides[i].kind != Slide::Kind::Figure) continue;
            const std::string name = "Pictures/figure-" + std::to_string(i + 1);
            add(name + ".svg", "image/svg+xml", slides[i].svg, Pack::Deflated);
            add(name + ".png", "image/png", slides[i].png, Pack::Stored);
        }
        zip.add("META-INF/manifest.xml", manifest + "</manifest:manifest>\n");
        return zip.finish();
    }
};
} // namespace

std::unique_ptr<Format> make_odp() { return std::make_unique<Odp>(); }
} // namespace dscope::reports
