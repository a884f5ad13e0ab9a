#include "exporters/raster/raster.h"
#include "exporters/report/format.h"
#include "exporters/report/pages.h"
#include "exporters/svg.h"
#include "graph/text.h"
#include <set>
#include <sstream>
namespace dscope::reports {
namespace {
using report::Pages;
using Style = Pages::Style;
constexpr double kUsual = 385; ///< px: the height of a figure that need not grow: two have room on a page

std::string named(const report::Report& report, std::size_t run, const std::string& title)
{
    return (report.hasSeveralRuns() ? report.runs[run].name + ": " : std::string()) + title;
}

/// Pages of A4, painted by librsvg and cairo: text stays text, and the contents lead to each figure.
class Pdf final : public Format {
public:
    std::string_view suffix() const override { return "pdf"; }
    std::string_view summary() const override { return "Portable Document Format, pages of A4"; }

    Result<> write(const report::Report& report, Beside&, std::ostream& out) const override
    {
        Pages pages(report.title + " \u00b7 dscope " DSCOPE_VERSION);
        cover(report, pages);
        for (const auto& picture : report.pictures)
            add(report, picture, pages);
        sheets(report, pages);
        runs(report, pages);
        std::vector<exporters::RasterPage> all;
        for (auto& page : pages.take())
            all.push_back({exporters::plainSvg(page.figure, report.palette), std::move(page.outline)});
        std::string keywords = "dscope, DTrace, report";
        std::set<std::string_view> views;
        for (const auto& picture : report.pictures)
            views.insert(picture.visual->facts().name);
        for (const auto view : views)
            keywords += ", " + std::string(view);
        return exporters::paintPdf(all, {report.title, report.subtitle, keywords}, out);
    }

private:
    static void cover(const report::Report& report, Pages& pages)
    {
        pages.mark("Findings");
        pages.gap(20);
        pages.text(report.title, Style::Title);
        pages.gap(6);
        pages.text(report.subtitle, Style::Plain);
        pages.gap(20);
        for (const auto& finding : report.findings)
            pages.bullet(named(report, finding.run, finding.text));
        if (report.findings.empty()) pages.bullet(std::string(report::kNoFinding));
        if (report.pictures.empty()) pages.text("Nothing was recorded that a figure could show.", Style::Plain);
        pages.gap(20);
    }

    static void add(const report::Report& report, const report::Picture& picture, Pages& pages)
    {
        auto figure
            = figureOf(report, picture, {.width = Pages::kRoomWidth, .height = kUsual, .smallestText = Pages::kSmallest, .mayGrow = true});
        auto heading = [&] { return named(report, picture.run, figure.words.title); };
        auto above = [&] {
            const auto known = report::joinedKnown(figure.words);
            return pages.heightOf(figure.words.subtitle, Style::Pale) + (known.empty() ? 0 : pages.heightOf(known, Style::Strong)) + 8;
        };
        // What grows beyond a page is drawn for one.
        const double most = Pages::kRoomHeight - pages.heightOf(heading(), Style::Caption) - above() - 40;
        if (figure.height > most || figure.width > Pages::kRoomWidth)
            figure = figureOf(report, picture,
                {.width = Pages::kRoomWidth, .height = std::min(std::max(figure.height, kUsual), most), .smallestText = Pages::kSmallest});
        pages.text(heading(), Style::Caption, above() + figure.height);
        pages.mark(heading());
        pages.text(figure.words.subtitle, Style::Pale);
        if (const auto known = report::joinedKnown(figure.words); !known.empty()) pages.text(known, Style::Strong);
        pages.gap(8);
        pages.figure(figure);
        pages.gap(14);
    }

    static void sheets(const report::Report& report, Pages& pages)
    {
        for (std::size_t i = 0; i < report.sheets.size(); ++i) {
            const auto& sheet = report.sheets[i];
            if (i == 0) pages.text("In numbers", Style::Heading, 120);
            if (i == 0) pages.mark("In numbers");
            pages.text(report::labelOf(report, sheet.kind, sheet.run), Style::Caption, 80);
            pages.table(sheet.digest);
            pages.gap(14);
        }
    }

    static void runs(const report::Report& report, Pages& pages)
    {
        pages.text("Where this came from", Style::Heading, 160);
        pages.mark("Where this came from");
        for (const auto& run : report.runs) {
            pages.text(report.hasSeveralRuns() || run.programName.empty() ? run.name : run.programName, Style::Caption, 100);
            for (const auto& fact : run.facts)
                pages.fact(fact.name, fact.value);
            if (run.isImported) pages.fact("Made from", graph::printable(run.program));
            pages.gap(10);
            if (run.isImported) continue;
            std::istringstream lines(run.program);
            for (std::string line; std::getline(lines, line);) {
                std::string spaced;
                for (const char c : line)
                    c == '\t' ? spaced.append("    ") : spaced.append(1, c);
                pages.text(graph::printable(spaced), Style::Code);
            }
        }
    }
};
} // namespace

std::unique_ptr<Format> make_pdf() { return std::make_unique<Pdf>(); }
} // namespace dscope::reports
