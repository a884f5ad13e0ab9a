#include "exporters/report/deck.h"
#include "exporters/raster/raster.h"
#include "exporters/svg.h"
#include "graph/text.h"
#include <algorithm>
#include <numeric>
#include <sstream>
namespace dscope::report {
namespace {
constexpr double kLargeTitle = 46, kSmallTitle = 38; // px
constexpr double kPictureScale = 1.5;                // pixels of the PNG for a pixel of the slide: sharp at 1080 lines
constexpr std::size_t kMostBullets = 8, kMostCodeSlides = 4, kLetters = 80;
constexpr double kCellPad = 24, kBoldSlack = 8; // px: an office's bold letters may be wider than ours
constexpr double kTitleSlack = 1.05;            // likewise of a title that has to stay one line
constexpr double kCellSlack = 1.08;             // likewise of a number, whose unit would get a line of its own
constexpr std::string_view kDot = " \u00b7 ";

std::string footerOf(const Run& run)
{
    std::string text;
    for (const auto& fact : run.facts)
        if (fact.kind != Fact::Kind::Command && fact.kind != Fact::Kind::Recorder && fact.kind != Fact::Kind::Stretch)
            text += (text.empty() ? std::string() : std::string(kDot)) + (fact.kind == Fact::Kind::Lost ? "lost: " : "") + fact.value;
    return graph::elided(text, kFootBox.width, kFootText, graph::Elide::End);
}
double titleSize(const std::string& title)
{
    const bool isShort = kTitleSlack * graph::textWidth(title, kLargeTitle, {.bold = true}) <= kTitleBox.width;
    return isShort ? kLargeTitle : kSmallTitle;
}
Slide slide(Slide::Kind kind, std::string title, std::string caption, std::string footer)
{
    Slide out;
    out.kind = kind;
    out.title = std::move(title);
    out.titleSize = titleSize(out.title);
    // Of three lines the third says that there is more.
    std::string shown;
    for (const auto& line : graph::wrapped(caption, kCaptionBox.width, kCaptionText, 2))
        shown += (shown.empty() ? "" : " ") + line;
    out.caption = std::move(shown);
    out.footer = std::move(footer);
    return out;
}
Slide coverOf(const Report& report)
{
    Slide out = slide(Slide::Kind::Cover, report.title, report.subtitle, {});
    for (const auto& finding : report.findings) {
        if (out.bullets.size() + 1 == kMostBullets && report.findings.size() > kMostBullets) {
            out.bullets.push_back("\u2026 " + std::to_string(report.findings.size() - out.bullets.size()) + " more");
            break;
        }
        out.bullets.push_back((report.hasSeveralRuns() ? report.runs[finding.run].name + ": " : std::string()) + finding.text);
    }
    if (out.bullets.empty()) { // then what there is to see
        out.bullets.push_back(std::string(kNoFinding));
        for (const auto& picture : report.pictures)
            if (out.bullets.size() < kMostBullets)
                out.bullets.push_back(
                    (report.hasSeveralRuns() ? report.runs[picture.run].name + ": " : std::string()) + picture.words.title);
    }
    out.footer = "dscope " DSCOPE_VERSION;
    if (!report.hasSeveralRuns()) out.footer = footerOf(report.runs.front()) + std::string(kDot) + out.footer;
    return out;
}
Result<Slide> figureSlide(const Report& report, const Picture& picture)
{
    const auto figure = figureOf(report, picture, {.width = kBodyBox.width, .height = kBodyBox.height, .smallestText = 20});
    const auto known = joinedKnown(figure.words);
    // What must be known is never cut: it comes first where both have no room.
    const auto& below = figure.words.subtitle;
    std::string caption = below;
    if (!known.empty()) {
        const double room = 2 * kCaptionBox.width - graph::textWidth(known, kCaptionText) - 60;
        caption = graph::elided(below, std::max(room, 0.0), kCaptionText, graph::Elide::End);
        caption += (caption.empty() ? std::string() : std::string(kDot)) + known;
    }
    const std::string run = report.hasSeveralRuns() ? report.runs[picture.run].name + ": " : std::string();
    auto out = slide(Slide::Kind::Figure, run + figure.words.title, caption, footerOf(report.runs[picture.run]));
    out.svg = exporters::plainSvg(figure, report.palette, exporters::Fonts::Office);
    out.inWords = figure.description;
    std::ostringstream png;
    DSCOPE_CHECK(exporters::rasterize(out.svg, exporters::RasterFormat::Png, kPictureScale * report.scale, {}, png));
    out.png = std::move(png).str();
    return out;
}
/// Widths by what stands in them, as far as there is room; texts give way to numbers.
std::vector<double> widthsOf(const graph::Table& table)
{
    std::vector<double> wanted;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        double width = graph::textWidth(table.columns[c].title, kTableText, {.bold = true}) + kBoldSlack;
        for (const auto& row : table.rows)
            if (c < row.size()) width = std::max(width, kCellSlack * graph::textWidth(row[c], kTableText));
        wanted.push_back(width + kCellPad);
    }
    const double all = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    double texts = 0;
    for (std::size_t c = 0; c < wanted.size(); ++c)
        if (!table.columns[c].isNumber) texts += wanted[c];
    const double excess = all - kBodyBox.width;
    for (std::size_t c = 0; c < wanted.size(); ++c)
        if (excess > 0 && !table.columns[c].isNumber && texts > 0) wanted[c] = std::max(wanted[c] - excess * wanted[c] / texts, 80.0);
    const double now = std::accumulate(wanted.begin(), wanted.end(), 0.0);
    if (now > kBodyBox.width)
        for (auto& width : wanted)
            width *= kBodyBox.width / now;
    return wanted;
}
Slide tableSlide(graph::Table table, std::size_t more, std::string title, std::string footer)
{
    const auto fitting = static_cast<std::size_t>(kBodyBox.height / kTableRow) - 1;
    if (table.rows.size() > fitting) {
        more += table.rows.size() - fitting;
        table.rows.resize(fitting);
    }
    auto out = slide(Slide::Kind::Table, std::move(title), more > 0 ? std::to_string(more) + " more rows are not shown" : std::string(),
        std::move(footer));
    for (auto& column : table.columns)
        column.title = cellText(column.title, kLetters);
    for (auto& row : table.rows)
        for (auto& cell : row)
            cell = cellText(cell, kLetters);
    out.columns = widthsOf(table);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
        auto& head = table.columns[c].title;
        head = graph::elided(head, out.columns[c] - kCellPad + 1, kTableText, graph::Elide::End, {.bold = true});
        for (auto& row : table.rows)
            if (c < row.size()) row[c] = graph::elided(row[c], out.columns[c] - kCellPad + 1, kTableText, graph::Elide::End);
    }
    out.table = std::move(table);
    return out;
}
Slide factsSlide(const Report& report, std::size_t number)
{
    const auto& run = report.runs[number];
    graph::Table table;
    table.columns = {{graph::Column::Unit::None, "what", false}, {graph::Column::Unit::None, run.name, false}};
    for (const auto& fact : run.facts)
        table.rows.push_back({fact.name, fact.value});
    return tableSlide(std::move(table), 0, "Where this came from", "dscope " DSCOPE_VERSION);
}
void addCode(const Report& report, const Run& run, std::vector<Slide>& out)
{
    if (run.isImported || run.program.empty()) return;
    std::vector<std::string> lines;
    std::istringstream text(run.program);
    const double letter = graph::textWidth("m", kCodeText, {.mono = true});
    const auto most = static_cast<std::size_t>(kBodyBox.width / letter);
    for (std::string line; std::getline(text, line);) {
        std::string spaced;
        for (const char c : line)
            c == '\t' ? spaced.append(4 - spaced.size() % 4, ' ') : spaced.append(1, c);
        const auto whole = cellText(spaced, std::max<std::size_t>(spaced.size() + 1, 2));
        for (std::size_t at = 0; at == 0 || at < whole.size();) {
            auto end = std::min(at + most, whole.size());
            // Behind a blank where there is one, else a word is broken.
            if (const auto blank = whole.rfind(' ', end - 1); end < whole.size() && blank != whole.npos && blank > at + most / 2)
                end = blank + 1;
            lines.push_back(whole.substr(at, end - at));
            at = std::max(end, at + 1);
        }
    }

    const auto fitting = static_cast<std::size_t>(kBodyBox.height / (kCodeText * 1.25));
    const std::string title = "The D program" + (report.hasSeveralRuns() ? " of " + run.name : std::string());
    for (std::size_t at = 0, slides = 0; at < lines.size() && slides < kMostCodeSlides; ++slides) {
        const auto end = std::min(at + fitting, lines.size());
        const bool isLast = slides + 1 == kMostCodeSlides && end < lines.size();
        auto next = slide(Slide::Kind::Code, title,
            isLast ? std::to_string(lines.size() - end) + " more lines are not shown" : std::string(graph::baseName(run.programName)),
            footerOf(run));
        next.code.assign(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.begin() + static_cast<std::ptrdiff_t>(end));
        out.push_back(std::move(next));
        at = end;
    }
}
} // namespace

Result<std::vector<Slide>> slidesOf(const Report& report)
{
    std::vector<Slide> out;
    out.push_back(coverOf(report));
    for (const auto& picture : report.pictures) {
        DSCOPE_TRY(auto next, figureSlide(report, picture));
        out.push_back(std::move(next));
    }
    for (const auto& sheet : report.sheets)
        out.push_back(tableSlide(sheet.digest.table, sheet.digest.more, "In numbers: " + labelOf(report, sheet.kind, sheet.run),
            footerOf(report.runs[sheet.run])));
    for (std::size_t i = 0; i < report.runs.size(); ++i)
        out.push_back(factsSlide(report, i));
    for (const auto& run : report.runs)
        addCode(report, run, out);
    return out;
}
} // namespace dscope::report
