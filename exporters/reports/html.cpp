#include "exporters/report/format.h"
#include "exporters/svg.h"
#include "exporters/web/data.h"
#include "exporters/web/packed_tree.h"
#include "exporters/web/script.h"
#include "graph/stacks.h"
#include <algorithm>
namespace dscope::reports {
namespace {
using exporters::escapedXml;
constexpr std::size_t kMostData = std::size_t{64} * 1024 * 1024; // characters
constexpr report::Room kRoom{.width = 1200, .height = 620, .smallestText = 14, .mayGrow = true, .zooms = true};
constexpr std::size_t kLetters = 120;

std::string table(const graph::Table& table)
{
    std::string text = "<table><thead><tr>";
    const auto cell = [](const char* name, bool isNumber, const std::string& words) {
        return std::string("<") + name + (isNumber ? " class=\"n\">" : ">") + escapedXml(report::cellText(words, kLetters)) + "</" + name
            + '>';
    };
    for (const auto& column : table.columns)
        text += cell("th", column.isNumber, column.title);
    text += "</tr></thead><tbody>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            text += cell("td", table.columns[c].isNumber, c < row.size() ? row[c] : std::string());
        text += "</tr>\n";
    }
    return text + "</tbody></table>\n";
}
/// A program's text as it was written, with its lines.
std::string lines(const std::string& text)
{
    std::string out;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find('\n', at), text.size());
        std::string line;
        for (const char c : text.substr(at, end - at))
            c == '\t' ? line.append("    ") : line.append(1, c);
        // No line begins with "@", or the page would look like bpftrace's output.
        out += (line.starts_with('@') ? " " : "") + escapedXml(line) + '\n';
        at = end + 1;
    }
    return out;
}

class Writer {
public:
    Writer(const report::Report& report, const std::vector<exporters::DataPart>& data, std::ostream& out)
        : m_report(report), m_data(data), m_out(out)
    {
    }

    void head(std::string_view script)
    {
        const auto accents = graph::accents(m_report.palette);
        graph::Item muted;
        muted.role = graph::Role::Subtitle;
        muted.shape = graph::Text{};
        const std::string ground = graph::colourText(graph::ground(m_report.palette)), ink = graph::colourText(accents.ink),
                          line = graph::colourText(accents.rule), pale = graph::colourText(graph::style(muted, m_report.palette).text);
        m_out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
                 "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
              << exporters::scriptHash(script)
              << "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"generator\" content=\"dscope " DSCOPE_VERSION
                 "\">\n<title>"
              << escapedXml(m_report.title) << "</title>\n<style>\n*{" << exporters::kPlainLetters
              << "}body{margin:0 auto;padding:0 24px 48px;max-width:1200px;background:" << ground << ";color:" << ink
              << ";font:16px/1.5 Inter,'DejaVu Sans',sans-serif}\nh1{font-size:32px;line-height:1.2;margin:40px 0 "
                 "8px}h2{font-size:22px;margin:48px 0 "
                 "8px;border-bottom:1px solid "
              << line
              << "}h3{font-size:20px;line-height:1.25;margin:40px 0 4px}h4{font-size:16px;margin:28px 0 4px}\np{margin:4px "
                 "0}.pale,dt,.bar{color:"
              << pale << "}.known{font-weight:600}\na{color:inherit;text-decoration-color:" << pale
              << "}\nsvg{display:block;width:100%;height:auto}canvas{display:block;width:100%}.paper{display:none}\n.bar{display:flex;gap:"
                 "12px;align-items:center;min-height:32px;font-size:"
                 "14px;margin-top:8px}"
                 "input,button{font:inherit;color:"
              << ink << ";background:transparent;border:1px solid " << line
              << ";border-radius:4px;padding:2px 8px}input{width:18em}.details{min-height:24px;font-size:14px;overflow-wrap:anywhere}\n"
                 "table{border-collapse:collapse;font-size:14px;margin:8px "
                 "0}th,td{text-align:left;padding:3px 24px 3px 0;"
                 "border-bottom:1px solid "
              << line
              << ";vertical-align:top;overflow-wrap:anywhere}th{white-space:nowrap}.n{text-align:right;white-space:nowrap;font-variant-"
                 "numeric:tabular-nums}\n.wide{overflow-"
                 "x:auto}dl{display:grid;grid-template-columns:max-content "
                 "1fr;gap:2px 24px;margin:8px 0}dd{margin:0;overflow-wrap:anywhere}pre{font:13px/1.5 'JetBrains Mono','DejaVu Sans "
                 "Mono',monospace;overflow-x:auto;border-left:3px solid "
              << line
              << ";padding-left:16px}\naside{position:fixed;right:0;top:0;bottom:0;width:min(46em,100%);overflow:auto;z-index:2;padding:"
                 "12px 16px;box-sizing:border-box;background:"
              << ground << ";border-left:1px solid " << line
              << "}aside h2{font-size:16px;margin:4px 0 12px;border:0}aside button{float:right}aside "
                 "ul{list-style:none;margin:0;padding:0;font:12px/1.6 'JetBrains "
                 "Mono','DejaVu Sans Mono',monospace}aside li{overflow-wrap:anywhere}\n"
                 // On paper a figure and its words stay together, and there is nothing to press.
                 "@page{size:A4 landscape;margin:12mm}@media "
                 "print{body{padding:0;max-width:none;font-size:10pt}.bar,.details,aside,canvas{display:none}.paper{display:block}section,"
                 "table,dl{break-inside:avoid}"
                 "h2,h3,h4{break-"
                 "after:avoid}svg{max-height:150mm}pre{white-space:pre-wrap}} @media (max-width:700px){body{padding:0 12px "
                 "24px}.figure{overflow-x:auto}.figure "
                 "svg{width:1000px}input{flex:1;width:auto;min-width:0}}\n</style>\n</head>\n<body>\n";
    }

    void cover()
    {
        m_out << "<header>\n<h1>" << escapedXml(m_report.title) << "</h1>\n<p class=\"pale\">" << escapedXml(m_report.subtitle)
              << "</p>\n<ul>\n";
        for (const auto& finding : m_report.findings) {
            const std::string text
                = escapedXml((m_report.hasSeveralRuns() ? m_report.runs[finding.run].name + ": " : std::string()) + finding.text);
            m_out << "<li>" << (finding.picture ? "<a href=\"#" + m_report.pictures[*finding.picture].name + "\">" + text + "</a>" : text)
                  << "</li>\n";
        }
        m_out << "</ul>\n";
        if (m_report.findings.empty()) m_out << "<p>" << report::kNoFinding << ".</p>\n";
        m_out << "</header>\n<main>\n";
        if (m_report.pictures.empty()) m_out << "<p>Nothing was recorded that a figure could show.</p>\n";
    }

    void picture(const report::Picture& picture)
    {
        const bool onCanvas = hasTreeInside(picture);
        auto room = kRoom;
        room.zooms = !onCanvas; // what is for paper alone needs no more than what is seen
        const auto figure = figureOf(m_report, picture, room);
        const auto known = report::joinedKnown(figure.words);
        const std::string prefix = picture.name + '-';
        m_out << "<section id=\"" << picture.name << "\" data-dscope=\"\">\n<h3>"
              << escapedXml((m_report.hasSeveralRuns() ? m_report.runs[picture.run].name + ": " : std::string()) + figure.words.title)
              << "</h3>\n<p class=\"pale\">" << escapedXml(figure.words.subtitle) << "</p>\n";
        if (!known.empty()) m_out << "<p class=\"known\">" << escapedXml(known) << "</p>\n";
        m_out << "<div class=\"bar\"><input data-part=\"search\" type=\"search\" placeholder=\"search: a regular expression\" "
                 "aria-label=\"Search in "
              << escapedXml(report::labelOf(m_report, picture.kind, picture.run))
              << "\" spellcheck=\"false\"><button data-part=\"reset\" type=\"button\">Reset</button><span data-part=\"found\" "
                 "aria-live=\"polite\"></span></div>\n";
        if (onCanvas) {
            m_out << "<canvas data-part=\"canvas\" tabindex=\"0\" role=\"img\" aria-label=\"" << escapedXml(figure.words.title)
                  << "\"></canvas>\n";
            exporters::writeTreeFacts(*treeOf(picture), "\"run\":\"" + std::to_string(picture.run) + '"', m_report.palette,
                picture.visual->facts().growth, "data-part=\"dscope-tree\"", m_out);
        }

        m_out << "<div class=\"figure" << (onCanvas ? " paper" : "") << "\">\n";
        exporters::beginSvg(figure, m_report.palette, m_out, prefix);
        exporters::drawMarks(figure, m_report.palette, picture.visual->facts().growth, m_out, prefix);
        m_out << "</svg>\n</div>\n<div class=\"details\" data-part=\"details\" aria-live=\"polite\"></div>\n</section>\n";
    }

    void sheets()
    {
        if (!m_report.sheets.empty()) m_out << "<h2>In numbers</h2>\n";
        for (const auto& sheet : m_report.sheets) {
            m_out << "<h4>" << escapedXml(report::labelOf(m_report, sheet.kind, sheet.run)) << "</h4>\n<div class=\"wide\">"
                  << table(sheet.digest.table) << "</div>\n";
            if (sheet.digest.more > 0) m_out << "<p class=\"pale\">" << sheet.digest.more << " more rows are not shown.</p>\n";
        }
    }

    void runs()
    {
        m_out << "<h2>Where this came from</h2>\n";
        for (const auto& run : m_report.runs) {
            m_out << "<h4>" << escapedXml(m_report.hasSeveralRuns() || run.programName.empty() ? run.name : run.programName)
                  << "</h4>\n<dl>\n";
            for (const auto& fact : run.facts)
                m_out << "<dt>" << escapedXml(fact.name) << "</dt><dd>" << escapedXml(fact.value) << "</dd>\n";
            if (run.isImported) m_out << "<dt>Made from</dt><dd>" << escapedXml(run.program) << "</dd>\n";
            m_out << "</dl>\n";
            if (!run.isImported && !run.program.empty()) m_out << "<pre>" << lines(run.program) << "</pre>\n";
        }
    }

private:
    /// Whether the stacks of a tree that is too large for SVG stand among the data, just as they are.
    bool hasTreeInside(const report::Picture& picture) const
    {
        const auto& visual = *picture.visual;
        const auto stacks = visual.facts().growth == graph::Growth::None ? nullptr : visual.stacks();
        const bool isInside = std::any_of(m_data.begin(), m_data.end(), [&](const exporters::DataPart& part) {
            return part.format == exporters::DataPart::kTree && part.run == picture.run && part.role == "after";
        });
        if (!stacks || !isInside || !stacks->ruled().empty()) return false;
        const auto tree = treeOf(picture);
        return tree && tree->nodes.size() > exporters::kMostMarks;
    }
    static std::shared_ptr<const graph::StackTree> treeOf(const report::Picture& picture)
    {
        return picture.visual->stacks()->tree({.mostNodes = exporters::kMostPackedNodes});
    }

    const report::Report& m_report;
    const std::vector<exporters::DataPart>& m_data;
    std::ostream& m_out;
};

/// One page that needs no other file: all figures with the script of the web page, and the runs once, so that it opens again.
class Html final : public Format {
public:
    std::string_view suffix() const override { return "html"; }
    bool holdsRuns() const override { return true; }
    std::string_view summary() const override { return "Web page, its figures interactive, with the data of its runs"; }

    Result<> write(const report::Report& report, Beside&, std::ostream& out) const override
    {
        const std::string_view script = exporters::interactiveScript();
        const auto parts = exporters::wholeRuns(report.data, kMostData);
        Writer writer(report, parts, out);
        writer.head(script);
        writer.cover();
        for (const auto& picture : report.pictures)
            writer.picture(picture);
        writer.sheets();
        writer.runs();
        if (parts.empty() && !report.data.empty())
            out << "<p class=\"pale\">The data is too large to stand in this page: keep the recordings to draw it again.</p>\n";
        out << "</main>\n";
        exporters::writeData(parts, report.about, out);
        if (!report.pictures.empty()) out << "<script>" << script << "</script>\n";
        out << "</body>\n</html>\n";
        if (!out) return Error{0, "cannot write the page"};
        return {};
    }
};
} // namespace

std::unique_ptr<Format> make_html() { return std::make_unique<Html>(); }
} // namespace dscope::reports
