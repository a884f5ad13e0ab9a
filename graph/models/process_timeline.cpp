#include "graph/headline.h"
#include "graph/models/process_graph.h"
#include "graph/page.h"
#include "graph/parts/process_timeline_painter.h"
#include "graph/process_drawing.h"
#include "graph/process_findings.h"
#include "graph/spans.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "process-timeline",
    .tab = "Timeline",
    .summary = "processes over time: what ran when, and what decided the end",
    .isOverTime = true,
    .heeds = {.top = true}};
constexpr std::size_t kFindings = 8;

/// Processes as bars over time, a row each, in the order of their start: who waited for whom, and what decided the end.
class ProcessTimeline final : public Visual, public HasSpans {
public:
    explicit ProcessTimeline(const Store& store) : m_provenance(provenanceOfProcesses(store)), m_data(familyOf(store)) { }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return titled(Privacy::Open); }
    bool empty() const override { return m_data.empty(); }
    Table table() const override { return m_data.table(); }
    bool isSlight() const override { return m_data.order().size() < 2; }
    Extents extents() const override { return m_data.extents(); }
    Digest digest(std::size_t most, Privacy privacy) const override { return m_data.digest(most, privacy); }
    std::vector<SpanTrack> tracks() const override { return m_data.tracks(); }
    Figure figure(const LayoutOptions& options) const override;

private:
    std::string titled(Privacy privacy) const
    {
        const auto& family = m_data.family();
        const auto what = privacy == Privacy::Redacted && family.root ? family.all[*family.root].name() : family.command;
        return what.empty() ? said("What ran when") : said("What ran when: %1", printable(what));
    }

    std::string subtitle() const;
    Headed words(const LayoutOptions& options) const;
    Caveats caveats(const std::vector<TimelineRow>& rows) const;
    std::vector<LegendEntry> legend() const;
    std::vector<std::string> shownFindings(Privacy privacy) const { return findingsOf(m_data.family(), kFindings, privacy); }

    Provenance m_provenance;
    ProcessTimelineData m_data;
};

std::string ProcessTimeline::subtitle() const
{
    const auto& family = m_data.family();
    const auto processes = m_data.order().size();
    auto text = processesText(processes) + said(" in %1", formatDuration(static_cast<double>(m_data.last() - m_data.first())));
    if (!family.path.processes.empty())
        text += kMiddleDot
            + said("outlined: the critical path, %1 of %2", formatDuration(static_cast<double>(family.path.covered)),
                formatDuration(static_cast<double>(family.all[*family.root].duration(family.now))));
    return text;
}

Headed ProcessTimeline::words(const LayoutOptions& options) const
{
    return headed(options, headlineOf(m_data.family(), options.privacy()), titled(options.privacy()), empty() ? "" : subtitle());
}

Caveats ProcessTimeline::caveats(const std::vector<TimelineRow>& rows) const
{
    const auto shown = processesOf(rows), all = m_data.order().size();
    if (shown >= all) return {};
    return {said("only those that took longest have a row, %1 of %2", formatGrouped(static_cast<std::int64_t>(shown)),
        formatGrouped(static_cast<std::int64_t>(all)))};
}

/// What the fills mean, where more than one occurs.
std::vector<LegendEntry> ProcessTimeline::legend() const
{
    const auto& family = m_data.family();
    auto legend = durationLegend(family.all, family.shown, family.now);
    if (legend.size() < 2) return {};
    legend.front().label = said("took %1", legend.front().label);
    return legend;
}

Figure ProcessTimeline::figure(const LayoutOptions& options) const
{
    if (options.extents && options.extents->time > m_data.axisEnd() - m_data.first()) {
        auto longer = *this;
        longer.m_data.lengthen(options.extents->time);
        return longer.figure(options);
    }

    const auto head = words(options);
    Page page(options, head, m_provenance);
    if (empty()) {
        page.empty(
            said("No process has started or ended yet"), said("A row appears for every process that starts, runs a program or ends."));
        return page.finish(said("Timeline of processes without data."));
    }

    const double k = page.scale();
    const auto processes = m_data.order().size();
    auto room = timelineRoom(m_data, page.content(), k, options);
    const auto rowsOfPage = [&] {
        room.height = page.content().height;
        const auto most = options.top > 0 ? options.top : static_cast<std::size_t>(-1);
        return timelineRows(m_data, std::min(most, options.fit ? room.fitting(room.row(processes, options)) : processes));
    };

    // Without a panel at the side the legend is above, where a page is not too low: the length of a bar says the same.
    const bool side = !options.forScreen && page.content().width >= TimelineLengths::kSidePage * k;
    std::vector<LegendEntry> entries;
    if (!side && !options.forScreen && page.content().height >= TimelineLengths::kRoomForBand * k) {
        entries = legend();
        page = Page(options, head, m_provenance, entries);
    }
    auto rows = rowsOfPage();
    if (processesOf(rows) < processes) { // which has to be said, and takes room itself
        page = Page(options, head, m_provenance, entries, caveats(rows));
        rows = rowsOfPage();
        page = Page(options, head, m_provenance, entries, caveats(rows));
        room.height = page.content().height;
    }

    const double row = room.row(rows.size(), options);
    const Box area = page.content();
    const double width = area.width - (side ? TimelineLengths::kSideWidth * k : 0), labels = std::clamp(width * 0.24, 90.0, 300 * k);
    const double height = row * static_cast<double>(rows.size());
    const Box plot{area.x + labels, area.y + TimelineLengths::kAxis * k + room.band, width - labels, height, 0};
    ProcessTimelinePainter painter(page, m_data, plot, labels, row);
    if (room.band > 0) painter.drawBand(area.y + 2 * k, room.band - 10 * k);
    painter.drawAxis();
    const double y = painter.drawRows(rows);
    if (side) {
        const double left = area.x + width + 30 * k, sideWidth = (TimelineLengths::kSideWidth - 30) * k;
        const double below = drawDurations(page, {left, area.y + 18 * k}, sideWidth);
        drawFindings(page, {left, below + 22 * k}, sideWidth, area.y + area.height, shownFindings(options.privacy()));
    } else if (options.fit && !options.forScreen) {
        drawFindings(page, {area.x, y + 30 * k}, area.width, area.y + area.height, shownFindings(options.privacy()));
    }
    return page.finish(said("Timeline of processes: %1.", subtitle()), {area.x + area.width, y});
}
} // namespace

Kind kind_process_timeline()
{
    return {kFacts, rank::kProcesses + 5,
        [](const Store& store) { return store.program().tellsOfProcesses && !store.program().timesAreLines; },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<ProcessTimeline>(store); },
        [](const Store& before, const Store& after) {
            return comparedTimes(kFacts, comparedProcesses(before, after, {toSay("What ran when"), toSay("What ran when: %1")}));
        }};
}
} // namespace dscope::graph
