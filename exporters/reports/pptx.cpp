#include "exporters/report/deck.h"
#include "exporters/report/format.h"
#include "exporters/report/zip.h"
#include "exporters/svg.h"
#include <cmath>
namespace dscope::reports {
namespace {
using exporters::escapedXml;
using graph::Box;
using report::Slide;

// Source: ECMA-376, Office Open XML File Formats, parts 1 (19: PresentationML, 20 and 21: DrawingML) and 2 (packages).
constexpr double kUnits = 12'192'000 / report::kSlideWidth; ///< EMU of a px: a slide is 13.33 by 7.5 inches
constexpr std::string_view kHead = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
constexpr std::string_view kSpaces = " xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" "
                                     "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" "
                                     "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"";
constexpr std::string_view kRelations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/";
constexpr std::string_view kGroup
    = "<p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext "
      "cx=\"0\" cy=\"0\"/><a:chOff x=\"0\" y=\"0\"/><a:chExt cx=\"0\" cy=\"0\"/></a:xfrm></p:grpSpPr>";

std::string units(double px) { return std::to_string(std::llround(px * kUnits)); }
std::string hundredths(double px) { return std::to_string(std::llround(px * report::kPointsOfPixel * 100)); } ///< of a point
std::string hex(std::int32_t rgb) { return graph::colourText(rgb).substr(1); }
std::string place(const Box& box, std::string_view space = "a")
{
    const std::string s(space);
    return '<' + s + ":xfrm><a:off x=\"" + units(box.x) + "\" y=\"" + units(box.y) + "\"/><a:ext cx=\"" + units(box.width) + "\" cy=\""
        + units(box.height) + "\"/></" + s + ":xfrm>";
}
struct Look {
    double size = 20; ///< px
    std::int32_t colour = 0;
    bool bold = false, mono = false;
    std::string_view align = {};
    bool bullet = false;
};
std::string paragraph(const std::string& words, const Look& look)
{
    std::string text = "<a:p><a:pPr";
    if (!look.align.empty()) text += " algn=\"" + std::string(look.align) + '"';
    if (look.bullet)
        text += " marL=\"285750\" indent=\"-285750\"><a:spcAft><a:spcPts val=\"900\"/></a:spcAft><a:buFont typeface=\"Arial\"/><a:buChar "
                "char=\"\u2022\"/></a:pPr>";
    else
        text += "><a:buNone/></a:pPr>";
    const std::string run = " lang=\"en-US\" sz=\"" + hundredths(look.size) + "\" b=\"" + (look.bold ? "1" : "0")
        + "\" dirty=\"0\"><a:solidFill><a:srgbClr val=\"" + hex(look.colour) + "\"/></a:solidFill>"
        + (look.mono ? "<a:latin typeface=\"DejaVu Sans Mono\"/><a:cs typeface=\"DejaVu Sans Mono\"/>" : "");
    if (words.empty()) return text + "<a:endParaRPr" + run + "</a:endParaRPr></a:p>";
    return text + "<a:r><a:rPr" + run + "</a:rPr><a:t>" + escapedXml(words) + "</a:t></a:r></a:p>";
}

class Writer {
public:
    explicit Writer(const graph::Palette& palette) : m_palette(palette)
    {
        graph::Item muted;
        muted.role = graph::Role::Subtitle;
        muted.shape = graph::Text{};
        m_pale = graph::style(muted, palette).text;
        m_ink = graph::accents(palette).ink;
        m_rule = graph::accents(palette).rule;
    }

    std::string background() const
    {
        return "<p:bg><p:bgPr><a:solidFill><a:srgbClr val=\"" + hex(graph::ground(m_palette))
            + "\"/></a:solidFill><a:effectLst/></p:bgPr></p:bg>";
    }

    std::string slide(const Slide& s) const
    {
        m_id = 1;
        std::string text
            = std::string(kHead) + "<p:sld" + std::string(kSpaces) + "><p:cSld>" + background() + "<p:spTree>" + std::string(kGroup);
        text += textBox("Title", report::kTitleBox, "ctr", paragraph(s.title, {.size = s.titleSize, .colour = m_ink, .bold = true}),
            "<p:ph type=\"title\"/>");
        if (!s.caption.empty()) text += textBox("Caption", report::kCaptionBox, "t", paragraph(s.caption, {report::kCaptionText, m_pale}));
        std::string lines;
        switch (s.kind) {
        case Slide::Kind::Cover:
            for (const auto& bullet : s.bullets)
                lines += paragraph(bullet, {.size = report::kBulletText, .colour = m_ink, .bullet = true});
            text += textBox("Findings", report::kBodyBox, "t", lines);
            break;
        case Slide::Kind::Figure: text += picture(s); break;
        case Slide::Kind::Table: text += table(s); break;
        case Slide::Kind::Code:
            for (const auto& line : s.code)
                lines += paragraph(line, {.size = report::kCodeText, .colour = m_ink, .mono = true});
            text += textBox("Program", report::kBodyBox, "t", lines);
            break;
        }
        if (!s.footer.empty()) text += textBox("Origin", report::kFootBox, "b", paragraph(s.footer, {report::kFootText, m_pale}));
        return text + "</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>\n";
    }

private:
    std::string head(std::string_view name, std::string_view words = {}) const
    {
        return "<p:cNvPr id=\"" + std::to_string(++m_id) + "\" name=\"" + std::string(name) + '"'
            + (words.empty() ? std::string() : " descr=\"" + escapedXml(words) + '"') + "/>";
    }

    std::string textBox(
        std::string_view name, const Box& box, std::string_view anchor, const std::string& paragraphs, std::string_view holder = {}) const
    {
        return "<p:sp><p:nvSpPr>" + head(name)
            + (holder.empty() ? "<p:cNvSpPr txBox=\"1\"/>" : "<p:cNvSpPr><a:spLocks noGrp=\"1\"/></p:cNvSpPr>") + "<p:nvPr>"
            + std::string(holder) + "</p:nvPr></p:nvSpPr><p:spPr>" + place(box)
            + "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/></p:spPr><p:txBody><a:bodyPr wrap=\"square\" lIns=\"0\" "
              "tIns=\"0\" rIns=\"0\" "
              "bIns=\"0\" anchor=\""
            + std::string(anchor) + "\"><a:noAutofit/></a:bodyPr><a:lstStyle/>" + paragraphs + "</p:txBody></p:sp>";
    }

    /// The picture, which every program draws; those that know SVG take that instead.
    std::string picture(const Slide& s) const
    {
        return "<p:pic><p:nvPicPr>" + head("Figure", s.inWords)
            + "<p:cNvPicPr><a:picLocks noChangeAspect=\"1\"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill><a:blip "
              "r:embed=\"rId2\"><a:extLst><a:ext "
              "uri=\"{96DAC541-7B7A-43D3-8B79-37D633B846F1}\"><asvg:svgBlip "
              "xmlns:asvg=\"http://schemas.microsoft.com/office/drawing/2016/SVG/main\" "
              "r:embed=\"rId3\"/></a:ext></a:extLst></a:blip><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>"
            + place(report::kBodyBox) + "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr></p:pic>";
    }

    std::string table(const Slide& s) const
    {
        double width = 0;
        std::string grid;
        for (const auto column : s.columns) {
            width += column;
            grid += "<a:gridCol w=\"" + units(column) + "\"/>";
        }

        const auto cell = [&](const std::string& words, const graph::Column& column, bool isHead) {
            const auto none = [](const char* side) { return std::string("<a:") + side + "><a:noFill/></a:" + side + '>'; };
            return "<a:tc><a:txBody><a:bodyPr/><a:lstStyle/>"
                + paragraph(words,
                    {.size = report::kTableText,
                        .colour = m_ink,
                        .bold = isHead,
                        .align = column.isNumber ? std::string_view("r") : std::string_view()})
                + "</a:txBody><a:tcPr marL=\"45720\" marR=\"45720\" marT=\"0\" marB=\"0\" anchor=\"ctr\">" + none("lnL") + none("lnR")
                + none("lnT") + "<a:lnB w=\"6350\"><a:solidFill><a:srgbClr val=\"" + hex(m_rule)
                + "\"/></a:solidFill></a:lnB><a:noFill/></a:tcPr></a:tc>";
        };

        const std::string row = "<a:tr h=\"" + units(report::kTableRow) + "\">";
        std::string rows = row;
        for (const auto& column : s.table.columns)
            rows += cell(column.title, column, true);
        rows += "</a:tr>";
        for (const auto& cells : s.table.rows) {
            rows += row;
            for (std::size_t c = 0; c < s.table.columns.size(); ++c)
                rows += cell(c < cells.size() ? cells[c] : std::string(), s.table.columns[c], false);
            rows += "</a:tr>";
        }

        const double height = report::kTableRow * static_cast<double>(s.table.rows.size() + 1);
        return "<p:graphicFrame><p:nvGraphicFramePr>" + head("Table")
            + "<p:cNvGraphicFramePr><a:graphicFrameLocks noGrp=\"1\"/></p:cNvGraphicFramePr><p:nvPr/></p:nvGraphicFramePr>"
            + place({report::kBodyBox.x, report::kBodyBox.y, width, height, 0}, "p")
            + "<a:graphic><a:graphicData uri=\"http://schemas.openxmlformats.org/drawingml/2006/table\"><a:tbl><a:tblPr "
              "firstRow=\"1\"/><a:tblGrid>"
            + grid + "</a:tblGrid>" + rows + "</a:tbl></a:graphicData></a:graphic></p:graphicFrame>";
    }

    graph::Palette m_palette;
    std::int32_t m_ink = 0, m_pale = 0, m_rule = 0;
    mutable unsigned m_id = 1; ///< of the shapes of one slide
};
std::string relation(int id, std::string_view type, const std::string& target)
{
    const bool isWhole = type.starts_with("http");
    return "<Relationship Id=\"rId" + std::to_string(id) + "\" Type=\"" + (isWhole ? "" : std::string(kRelations)) + std::string(type)
        + "\" Target=\"" + target + "\"/>";
}
std::string relations(const std::string& all)
{
    return std::string(kHead) + "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">" + all
        + "</Relationships>\n";
}
/// What every presentation has to have: one theme, one master, one layout.
void addSkeleton(report::Zip& zip, const Writer& writer)
{
    std::string colours;
    for (const auto& [name, rgb] : {std::pair{"dk1", "1A1A1A"}, {"lt1", "FFFFFF"}, {"dk2", "14171C"}, {"lt2", "F1F6FC"},
             {"accent1", "0072B2"}, {"accent2", "D55E00"}, {"accent3", "009E73"}, {"accent4", "CC79A7"}, {"accent5", "E69F00"},
             {"accent6", "56B4E9"}, {"hlink", "0072B2"}, {"folHlink", "5B6570"}})
        colours += std::string("<a:") + name + "><a:srgbClr val=\"" + rgb + "\"/></a:" + name + '>';
    const std::string font = "<a:latin typeface=\"Arial\"/><a:ea typeface=\"\"/><a:cs typeface=\"\"/>";
    const std::string fill = "<a:solidFill><a:schemeClr val=\"phClr\"/></a:solidFill>",
                      effect = "<a:effectStyle><a:effectLst/></a:effectStyle>";
    const auto line = [&](int width) { return "<a:ln w=\"" + std::to_string(width) + "\">" + fill + "</a:ln>"; };
    zip.add("ppt/theme/theme1.xml",
        std::string(kHead)
            + "<a:theme xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" name=\"dscope\"><a:themeElements><a:clrScheme "
              "name=\"dscope\">"
            + colours + "</a:clrScheme><a:fontScheme name=\"dscope\"><a:majorFont>" + font + "</a:majorFont><a:minorFont>" + font
            + "</a:minorFont></a:fontScheme><a:fmtScheme name=\"dscope\"><a:fillStyleLst>" + fill + fill + fill
            + "</a:fillStyleLst><a:lnStyleLst>" + line(6350) + line(12700) + line(19050) + "</a:lnStyleLst><a:effectStyleLst>" + effect
            + effect + effect + "</a:effectStyleLst><a:bgFillStyleLst>" + fill + fill + fill
            + "</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>\n");
    const std::string title = "<p:sp><p:nvSpPr><p:cNvPr id=\"2\" name=\"Title\"/><p:cNvSpPr><a:spLocks "
                              "noGrp=\"1\"/></p:cNvSpPr><p:nvPr><p:ph type=\"title\"/></p:nvPr></p:nvSpPr><p:spPr>"
        + place(report::kTitleBox)
        + "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr "
          "lang=\"en-US\"/></a:p></p:txBody></p:sp>";
    zip.add("ppt/slideMasters/slideMaster1.xml",
        std::string(kHead) + "<p:sldMaster" + std::string(kSpaces) + "><p:cSld>" + writer.background() + "<p:spTree>" + std::string(kGroup)
            + title
            + "</p:spTree></p:cSld><p:clrMap bg1=\"lt1\" tx1=\"dk1\" bg2=\"lt2\" tx2=\"dk2\" accent1=\"accent1\" accent2=\"accent2\" "
              "accent3=\"accent3\" accent4=\"accent4\" "
              "accent5=\"accent5\" accent6=\"accent6\" hlink=\"hlink\" folHlink=\"folHlink\"/><p:sldLayoutIdLst><p:sldLayoutId "
              "id=\"2147483649\" "
              "r:id=\"rId1\"/></p:sldLayoutIdLst><p:txStyles><p:titleStyle/><p:bodyStyle/><p:otherStyle/></p:txStyles></p:sldMaster>\n");
    zip.add("ppt/slideMasters/_rels/slideMaster1.xml.rels",
        relations(relation(1, "slideLayout", "../slideLayouts/slideLayout1.xml") + relation(2, "theme", "../theme/theme1.xml")));
    zip.add("ppt/slideLayouts/slideLayout1.xml",
        std::string(kHead) + "<p:sldLayout" + std::string(kSpaces)
            + " type=\"titleOnly\" preserve=\"1\"><p:cSld name=\"Title and figure\"><p:spTree>" + std::string(kGroup) + title
            + "</p:spTree></p:cSld><p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>\n");
    zip.add("ppt/slideLayouts/_rels/slideLayout1.xml.rels", relations(relation(1, "slideMaster", "../slideMasters/slideMaster1.xml")));
}

/// Slides for PowerPoint and others. A figure is a picture with its SVG beside it: PowerPoint draws the vectors, and makes shapes of
/// them when asked to; whoever knows no SVG draws the picture.
class Pptx final : public Format {
public:
    std::string_view suffix() const override { return "pptx"; }
    std::string_view summary() const override { return "Slides, Office Open XML"; }

    Result<> write(const report::Report& report, Beside&, std::ostream& out) const override
    {
        DSCOPE_TRY(const auto slides, report::slidesOf(report));
        const Writer writer(report.palette);
        report::Zip zip(out);
        const auto type = [](const std::string& part, std::string_view name) {
            return "<Override PartName=\"" + part + "\" ContentType=\"application/vnd.openxmlformats-" + std::string(name) + "+xml\"/>";
        };

        std::string types = std::string(kHead)
            + "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"><Default Extension=\"rels\" "
              "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/><Default Extension=\"xml\" "
              "ContentType=\"application/xml\"/><Default "
              "Extension=\"png\" ContentType=\"image/png\"/><Default Extension=\"svg\" ContentType=\"image/svg+xml\"/>"
            + type("/ppt/presentation.xml", "officedocument.presentationml.presentation.main")
            + type("/ppt/slideMasters/slideMaster1.xml", "officedocument.presentationml.slideMaster")
            + type("/ppt/slideLayouts/slideLayout1.xml", "officedocument.presentationml.slideLayout")
            + type("/ppt/theme/theme1.xml", "officedocument.theme") + type("/docProps/core.xml", "package.core-properties");
        std::string list, links = relation(1, "slideMaster", "slideMasters/slideMaster1.xml");
        for (std::size_t i = 0; i < slides.size(); ++i) {
            const std::string number = std::to_string(i + 1);
            types += type("/ppt/slides/slide" + number + ".xml", "officedocument.presentationml.slide");
            list += "<p:sldId id=\"" + std::to_string(256 + i) + "\" r:id=\"rId" + std::to_string(i + 2) + "\"/>";
            links += relation(static_cast<int>(i + 2), "slide", "slides/slide" + number + ".xml");
        }

        const int themeLink = static_cast<int>(slides.size()) + 2;
        zip.add("[Content_Types].xml", types + "</Types>\n");
        zip.add("_rels/.rels",
            relations(relation(1, "officeDocument", "ppt/presentation.xml")
                + relation(
                    2, "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties", "docProps/core.xml")));
        zip.add("docProps/core.xml",
            std::string(kHead)
                + "<cp:coreProperties xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" "
                  "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>"
                + escapedXml(report.title) + "</dc:title><dc:subject>" + escapedXml(report.subtitle)
                + "</dc:subject><dc:creator>dscope " DSCOPE_VERSION "</dc:creator></cp:coreProperties>\n");
        zip.add("ppt/presentation.xml",
            std::string(kHead) + "<p:presentation" + std::string(kSpaces)
                + "><p:sldMasterIdLst><p:sldMasterId id=\"2147483648\" r:id=\"rId1\"/></p:sldMasterIdLst><p:sldIdLst>" + list
                + "</p:sldIdLst><p:sldSz cx=\"" + units(report::kSlideWidth) + "\" cy=\"" + units(report::kSlideHeight)
                + "\"/><p:notesSz cx=\"6858000\" cy=\"9144000\"/></p:presentation>\n");
        zip.add("ppt/_rels/presentation.xml.rels", relations(links + relation(themeLink, "theme", "theme/theme1.xml")));
        addSkeleton(zip, writer);
        for (std::size_t i = 0; i < slides.size(); ++i) {
            const std::string number = std::to_string(i + 1);
            const auto& s = slides[i];
            zip.add("ppt/slides/slide" + number + ".xml", writer.slide(s));
            std::string own = relation(1, "slideLayout", "../slideLayouts/slideLayout1.xml");
            if (s.kind == Slide::Kind::Figure) {
                own += relation(2, "image", "../media/figure" + number + ".png")
                    + relation(3, "image", "../media/figure" + number + ".svg");
                zip.add("ppt/media/figure" + number + ".png", s.png, report::Zip::Pack::Stored);
                zip.add("ppt/media/figure" + number + ".svg", s.svg);
            }
            zip.add("ppt/slides/_rels/slide" + number + ".xml.rels", relations(own));
        }
        return zip.finish();
    }
};
} // namespace

std::unique_ptr<Format> make_pptx() { return std::make_unique<Pptx>(); }
} // namespace dscope::reports
