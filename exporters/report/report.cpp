#include "exporters/report/report.h"
#include "graph/annotated.h"
#include "graph/page.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include "graph/view_order.h"
#include <algorithm>
#include <map>
#include <set>
namespace dscope::report {
namespace {
constexpr std::size_t kMostRows = 20, kMostFindings = 6;                   // of a run beside the titles of figures
constexpr std::size_t kLettersOfTitle = 40;                                // of a command; the facts have it whole
constexpr Room kNominal{.width = 1504, .height = 640, .smallestText = 20}; // of a figure on a slide
constexpr std::string_view kDot = " \u00b7 ";

std::string lostText(const graph::Store& store, const graph::Provenance& origin, bool isCut)
{
    std::string text = origin.drops > 0 ? graph::lostText(origin.drops) : origin.isImported ? "the text does not say" : "nothing";
    if (store.firedNotKept() > 0)
        text += "; " + graph::formatGrouped(static_cast<std::int64_t>(store.firedNotKept())) + " later records not kept";
    if (isCut) text += "; the recording is cut: the run went on after what is shown here";
    return text;
}
Run runOf(const Source& source, bool redact)
{
    const auto& store = *source.store;
    const auto& program = store.program();
    const auto origin = graph::provenanceOf(store);
    Run run{source.name, {}, program.name, program.source, program.isImported};
    using enum Fact::Kind;
    const auto add = [&](Fact::Kind kind, const char* name, std::string value) {
        if (!value.empty()) run.facts.push_back({kind, name, graph::printable(value)});
    };
    if (!redact) add(Command, "Command", program.command);
    if (!redact) add(Host, "Host", origin.host);
    add(Kernel, "Kernel", origin.kernel.empty() ? std::string() : "Linux " + origin.kernel);
    add(Begin, "Began", origin.utc != 0 ? graph::formatUtc(origin.utc) : std::string());
    add(Duration, "Took", origin.duration > 0 ? graph::formatDuration(static_cast<double>(origin.duration)) : std::string());
    add(Stretch, "Shown", graph::stretchText(origin));
    if (source.before) add(Before, "Compared with", source.beforeName);
    add(Lost, "Lost", lostText(store, origin, source.isCut));
    add(Recorder, "Recorded by", origin.version.empty() ? std::string() : "dscope " + origin.version);
    return run;
}
std::unique_ptr<graph::Visual> visualOf(const graph::Kind& kind, const Source& source)
{
    if (!kind.fits(*source.store)) return nullptr;
    const bool compares = source.before && kind.compare && kind.fits(*source.before);
    return compares ? kind.compare(*source.before, *source.store) : kind.make(*source.store);
}
std::string titleOf(std::span<const Source> sources, bool redact)
{
    const auto& program = sources.front().store->program();
    if (sources.size() > 1) return graph::formatGrouped(static_cast<std::int64_t>(sources.size())) + " runs side by side";
    const std::string command = redact ? std::string() : graph::shortCommand(program.command);
    const std::string what = !command.empty() ? command
        : !program.name.empty()               ? std::string(graph::baseName(program.name))
                                              : sources.front().name;
    const bool isWider = !command.empty() && graph::provenanceOf(*sources.front().store).whose.isWiderThanTarget();
    return (sources.front().before ? "What changed in "
                   : isWider       ? "What was seen of all processes during "
                                   : "What was seen of ")
        + cellText(what, kLettersOfTitle);
}
std::string subtitleOf(const Report& report)
{
    std::string text;
    if (report.hasSeveralRuns()) {
        for (const auto& run : report.runs)
            text += (text.empty() ? std::string() : std::string(", ")) + run.name;
        return text;
    }
    using enum Fact::Kind;
    for (const auto& fact : report.runs.front().facts) {
        if (fact.kind == Command || fact.kind == Recorder || fact.kind == Lost) continue;
        text += (text.empty() ? std::string() : std::string(kDot))
            + (fact.kind == Duration      ? "took "
                    : fact.kind == Before ? "compared with "
                                          : "")
            + fact.value;
    }
    return text;
}
/// Names are told apart, so that they may be those of files and anchors.
class Names {
public:
    std::string unique(const std::string& name)
    {
        const auto number = ++m_used[name];
        return number == 1 ? name : name + '-' + std::to_string(number);
    }

private:
    std::map<std::string, std::size_t> m_used;
};

class Builder {
public:
    Builder(std::span<const Source> sources, Report& report) : m_sources(sources), m_report(report) { }

    void add(const graph::Kind& kind)
    {
        std::vector<Picture> pictures;
        // Runs of one program stand on common scales; what others asked has nothing to do with them.
        std::map<std::string, graph::Extents> all;
        std::map<std::string, std::size_t> runsOf;
        for (std::size_t run = 0; run < m_sources.size(); ++run) {
            std::shared_ptr<const graph::Visual> visual = visualOf(kind, m_sources[run]);
            if (!visual || visual->empty()) continue;
            if (auto digest = visual->digest(kMostRows, m_report.layout.privacy()); !digest.table.rows.empty())
                m_report.sheets.push_back({kind.listsFunctions ? "Functions" : std::string(kind.tab), run, std::move(digest)});
            if (kind.repeats || kind.isTable || visual->isSlight()) continue;
            all[m_report.runs[run].program].add(visual->extents());
            ++runsOf[m_report.runs[run].program];
            pictures.push_back({m_names.unique(std::string(kind.name)), std::string(kind.tab), run, std::move(visual), {}, {}, {}});
        }
        std::map<std::string, std::shared_ptr<const graph::Extents>> common;
        for (const auto& [program, number] : runsOf)
            if (number > 1) common[program] = std::make_shared<const graph::Extents>(std::move(all[program]));
        for (auto& picture : pictures) {
            picture.extents = common[m_report.runs[picture.run].program];
            take(std::move(picture));
        }
    }

private:
    void take(Picture picture)
    {
        const auto figure = figureOf(m_report, picture, kNominal);
        picture.words = figure.words;
        picture.inWords = figure.description;
        m_report.pictures.push_back(std::move(picture));
    }

    std::span<const Source> m_sources;
    Report& m_report;
    Names m_names;
};
void addFindings(Report& report)
{
    std::set<std::pair<std::size_t, std::string>> told;
    const auto add = [&](std::string text, std::size_t run, std::optional<std::size_t> picture) {
        if (told.emplace(run, text).second) report.findings.push_back({std::move(text), run, picture});
    };
    for (std::size_t i = 0; i < report.pictures.size(); ++i)
        if (report.pictures[i].words.isFinding) add(report.pictures[i].words.title, report.pictures[i].run, i);
    for (std::size_t i = 0; i < report.pictures.size(); ++i) {
        const auto& picture = report.pictures[i];
        auto found = picture.visual->findings(report.layout.privacy());
        if (found.size() > kMostFindings) found.resize(kMostFindings);
        for (auto& text : found)
            add(graph::printable(text), picture.run, i);
    }
}
std::string aboutOf(const Report& report)
{
    std::string text = report.title + '\n';
    for (const auto& run : report.runs) {
        text += run.name + '\n';
        for (const auto& fact : run.facts)
            text += fact.name + ": " + fact.value + '\n';
    }
    return text;
}
} // namespace

Report reportOf(std::span<const Source> sources, const Wishes& wishes)
{
    Report report;
    report.layout = wishes.layout;
    report.layout.title.reset();
    report.layout.subtitle.reset();
    report.layout.heading = graph::Heading::Apart;
    report.palette = wishes.palette;
    report.scale = wishes.scale;
    Names names;
    for (const auto& source : sources) {
        report.runs.push_back(runOf(source, wishes.layout.redact));
        report.runs.back().name = names.unique(graph::printable(source.name));
    }
    Builder builder(sources, report);
    for (const auto& kind : graph::inOrderFor(sources.front().store->program(), graph::kinds()))
        builder.add(kind);
    addFindings(report);
    report.title = wishes.layout.title ? graph::printable(*wishes.layout.title) : titleOf(sources, wishes.layout.redact);
    report.subtitle = wishes.layout.subtitle ? graph::printable(*wishes.layout.subtitle) : subtitleOf(report);
    report.about = aboutOf(report);
    return report;
}

graph::Figure figureOf(const Report& report, const Picture& picture, const Room& room)
{
    auto layout = report.layout;
    layout.width = room.width;
    layout.height = room.height;
    layout.text = room.smallestText;
    layout.higher = room.mayGrow;
    layout.zooms = room.zooms;
    layout.extents = picture.extents;
    return graph::annotatedFigure(*picture.visual, layout);
}
std::string labelOf(const Report& report, std::string_view kind, std::size_t run)
{
    return std::string(kind) + (report.hasSeveralRuns() ? std::string(kDot) + report.runs[run].name : std::string());
}
std::string joinedKnown(const graph::Words& words)
{
    std::string text;
    for (const auto& line : words.known)
        text += (text.empty() ? std::string() : std::string(kDot)) + line;
    return text;
}
std::string cellText(std::string_view raw, std::size_t letters)
{
    const std::string text = graph::printable(raw);
    std::string out;
    std::size_t count = 0;
    for (std::size_t at = 0; at < text.size(); ++count) {
        const char32_t c = graph::nextCodePoint(text, at);
        if (count + 1 == letters && at < text.size()) return out + "\u2026";
        graph::appendUtf8(out, c);
    }
    return out;
}
} // namespace dscope::report
