#include "exporters/report/format.h"
#include "exporters/svg.h"
#include "graph/text.h"
namespace dscope::reports {
namespace {
constexpr report::Room kRoom{.width = 1200, .height = 620, .smallestText = 14, .mayGrow = true};
constexpr std::size_t kLetters = 80;

/// As text, whatever it has in it. Source: CommonMark 0.31, 2.4 (backslash escapes) and 6.6 (raw HTML); '|' ends a cell of a table.
std::string words(std::string_view raw)
{
    constexpr std::string_view kMarks = "\\`*_{}[]<>#|!~&$";
    std::string out;
    for (const char c : graph::printable(raw)) {
        if (kMarks.find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}
/// A fence that no line of the text can end.
std::string fenced(const std::string& text)
{
    std::string fence = "```";
    while (text.find(fence) != std::string::npos)
        fence += '`';
    return fence + '\n' + text + (text.ends_with('\n') ? "" : "\n") + fence + '\n';
}
/// Text of several lines, without what steers a display.
std::string visibleLines(std::string_view raw)
{
    std::string out;
    for (std::size_t at = 0; at <= raw.size();) {
        const auto end = std::min(raw.find('\n', at), raw.size());
        std::string line;
        for (const char c : raw.substr(at, end - at))
            c == '\t' ? line.append("    ") : line.append(1, c);
        out += graph::printable(line) + '\n';
        at = end + 1;
    }
    return out;
}
std::string table(const graph::Table& table)
{
    std::string text = "|", rule = "|";
    for (const auto& column : table.columns) {
        text += ' ' + words(report::cellText(column.title, kLetters)) + " |";
        rule += column.isNumber ? " ---: |" : " --- |";
    }
    text += '\n' + rule + '\n';
    for (const auto& row : table.rows) {
        text += '|';
        for (std::size_t c = 0; c < table.columns.size(); ++c)
            text += ' ' + words(report::cellText(c < row.size() ? row[c] : std::string(), kLetters)) + " |";
        text += '\n';
    }
    return text;
}

/// Text with links to figures, for repositories, issues and wikis. The figures are SVG files beside it.
class Markdown final : public Format {
public:
    std::string_view suffix() const override { return "md"; }
    std::string_view summary() const override { return "Markdown, with its figures as SVG in a folder beside it"; }

    Result<> write(const report::Report& report, Beside& beside, std::ostream& out) const override
    {
        out << "# " << words(report.title) << "\n\n" << words(report.subtitle) << "\n\n## Findings\n\n";
        for (const auto& finding : report.findings) {
            const std::string text
                = (report.hasSeveralRuns() ? words(report.runs[finding.run].name) + ": " : std::string()) + words(finding.text);
            out << "- " << (finding.picture ? '[' + text + "](#" + report.pictures[*finding.picture].name + ')' : text) << '\n';
        }
        if (report.findings.empty()) out << report::kNoFinding << ".\n";
        out << "\n## Figures\n";
        for (const auto& picture : report.pictures)
            DSCOPE_CHECK(write(report, picture, beside, out));
        if (report.pictures.empty()) out << "\nNothing was recorded that a figure could show.\n";
        if (!report.sheets.empty()) out << "\n## In numbers\n";
        for (const auto& sheet : report.sheets) {
            out << "\n### " << words(report::labelOf(report, sheet.kind, sheet.run)) << "\n\n" << table(sheet.digest.table);
            if (sheet.digest.more > 0) out << "\n" << sheet.digest.more << " more rows are not shown.\n";
        }
        out << "\n## Where this came from\n";
        for (const auto& run : report.runs)
            write(report, run, out);
        if (!out) return Error{0, "cannot write the report"};
        return {};
    }

private:
    static Result<> write(const report::Report& report, const report::Picture& picture, Beside& beside, std::ostream& out)
    {
        const auto figure = figureOf(report, picture, kRoom);
        const std::string file = picture.name + ".svg";
        DSCOPE_CHECK(beside.add(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + exporters::plainSvg(figure, report.palette)));
        const auto known = report::joinedKnown(figure.words);
        out << "\n<a id=\"" << picture.name << "\"></a>\n\n### "
            << words((report.hasSeveralRuns() ? report.runs[picture.run].name + ": " : std::string()) + figure.words.title) << "\n\n"
            << words(figure.words.subtitle) << '\n';
        if (!known.empty()) out << "\n**To be known:** " << words(known) << '\n';
        out << "\n![" << words(figure.description) << "](<" << beside.folder() << '/' << file << ">)\n";
        return {};
    }

    static void write(const report::Report& report, const report::Run& run, std::ostream& out)
    {
        out << "\n### " << words(report.hasSeveralRuns() || run.programName.empty() ? run.name : run.programName) << "\n\n";
        for (const auto& fact : run.facts)
            out << "- " << fact.name << ": " << words(fact.value) << '\n';
        if (run.isImported)
            out << "- Made from: " << words(run.program) << '\n';
        else if (!run.program.empty())
            out << '\n' << fenced(visibleLines(run.program));
    }
};
} // namespace

std::unique_ptr<Format> make_md() { return std::make_unique<Markdown>(); }
} // namespace dscope::reports
