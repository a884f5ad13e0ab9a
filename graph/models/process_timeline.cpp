#include "graph/models/process_graph.h"
#include "graph/page.h"
#include "graph/process_drawing.h"
#include "graph/process_findings.h"
#include "graph/text.h"
#include "graph/time_axis.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{
    .name = "process-timeline", .tab = "Timeline", .summary = "processes over time: what ran when, and what decided the end"};
constexpr double kSideWidth = 420, kLowestRow = 14, kTallestRow = 26, kScreenRow = 16, kAxis = 30, kSidePage = 1000;
constexpr std::size_t kFindings = 8;

/// Processes as bars over time, a row each, in the order of their start: who waited for whom, and what decided the end.
class ProcessTimeline final : public Visual {
public:
    explicit ProcessTimeline(const Store& store) : m_provenance(provenanceOf(store)), m_family(familyOf(store))
    {
        m_first = m_family.now;
        m_last = 0;
        for (const auto i : m_family.shown) {
            const auto& p = m_family.all[i];
            m_first = std::min(m_first, p.firstSeen);
            m_last = std::max(m_last, p.end.value_or(m_family.now));
        }
        m_order = m_family.shown;
        std::stable_sort(m_order.begin(), m_order.end(),
            [&](std::size_t a, std::size_t b) { return m_family.all[a].firstSeen < m_family.all[b].firstSeen; });
    }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return titled(false); }
    bool empty() const override { return m_order.empty(); }
    Table table() const override
    {
        Table t;
        for (const auto* title : {"pid", "ppid"})
            t.columns.push_back({Unit::None, title, true});
        for (const auto* title : {"start_ns", "end_ns", "duration_ns", "cpu_ns", "critical_ns"})
            t.columns.push_back({Unit::Nanoseconds, title, true});
        for (const auto* title : {"command", "args"})
            t.columns.push_back({Unit::None, title, false});
        for (const auto i : m_order) {
            const auto& p = m_family.all[i];
            t.rows.push_back({std::to_string(p.pid), std::to_string(p.ppid), p.start ? std::to_string(*p.start) : "",
                p.end ? std::to_string(*p.end) : "", std::to_string(p.duration(m_family.now)), p.end ? std::to_string(p.cpu) : "",
                critical(i) ? std::to_string(p.duration(m_family.now)) : "", p.image().path, p.commandLine()});
        }
        return t;
    }
    Figure figure(const LayoutOptions& options) const override;

private:
    std::string titled(bool redact) const
    {
        const auto what = redact && m_family.root ? m_family.all[*m_family.root].name() : m_family.command;
        return what.empty() ? "What ran when" : "What ran when: " + printable(what);
    }
    bool critical(std::size_t i) const { return std::binary_search(m_family.path.processes.begin(), m_family.path.processes.end(), i); }
    std::string subtitle(std::size_t shown) const
    {
        std::string text = formatGrouped(static_cast<std::int64_t>(m_order.size()))
            + (m_order.size() == 1 ? " process in " : " processes in ") + formatDuration(static_cast<double>(m_last - m_first));
        if (!m_family.path.processes.empty())
            text += " \u00b7 outlined: the critical path, " + formatDuration(static_cast<double>(m_family.path.covered)) + " of "
                + formatDuration(static_cast<double>(m_family.all[*m_family.root].duration(m_family.now)));
        if (shown < m_order.size())
            text += " \u00b7 the " + formatGrouped(static_cast<std::int64_t>(shown)) + " that took longest are shown";
        return text;
    }
    std::vector<std::size_t> chosen(std::size_t most) const;
    void drawRow(Page& page, std::size_t i, const Box& plot, double labels, double y, double row, bool redact) const;
    double x(const Box& plot, std::int64_t at) const { return TimeScale{plot, m_first, std::max(m_last, m_first + 1)}.x(at); }

    Provenance m_provenance;
    Family m_family;
    std::int64_t m_first = 0, m_last = 0;
    std::vector<std::size_t> m_order; ///< by start
};

/// At most `most` of them, in the order of their start: the critical path first of all, then the longest.
std::vector<std::size_t> ProcessTimeline::chosen(std::size_t most) const
{
    if (m_order.size() <= most) return m_order;
    auto order = m_order;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        if (critical(a) != critical(b)) return critical(a);
        return m_family.all[a].duration(m_family.now) > m_family.all[b].duration(m_family.now);
    });
    order.resize(most);
    std::vector<std::size_t> kept;
    std::sort(order.begin(), order.end());
    for (const auto i : m_order)
        if (std::binary_search(order.begin(), order.end(), i)) kept.push_back(i);
    return kept;
}
void ProcessTimeline::drawRow(Page& page, std::size_t i, const Box& plot, double labels, double y, double row, bool redact) const
{
    const auto& p = m_family.all[i];
    const ShownProcess node{{i}, static_cast<std::size_t>(-1), p.duration(m_family.now), 0, false};
    const auto label = labelOf(m_family.all, node, m_family.now, redact);
    const double size = std::clamp(std::floor(row * 0.72), 10.0, 14.0), base = y + row / 2 + size * 0.36;
    const double left = plot.x - labels;
    page.text(Role::Label, {left, base}, label.name, {.size = size, .bold = true, .maxWidth = labels - 12});
    const double used = textWidth(elided(label.name, labels - 12, size, false, true), size, true) + 8;
    if (labels - 12 - used > 40)
        page.text(
            Role::Note, {left + used, base}, label.arguments, {.size = size, .mono = true, .maxWidth = labels - 12 - used, .middle = true});

    const auto end = p.end.value_or(m_family.now);
    const double from = x(plot, p.firstSeen), width = std::max(x(plot, end) - from, 1.5);
    const Box bar{from, y + 1.5, width, row - 3, 2};
    if (critical(i)) page.box(Role::Marker, {bar.x - 2, bar.y - 2, bar.width + 4, bar.height + 4, 3});
    drawSpan(page, m_family.all, node, bar, m_family.now, redact);
    // Each exec after the first begins another program.
    for (std::size_t k = 1; k < p.images.size(); ++k) {
        const double px = x(plot, p.images[k].since);
        if (px > from + 2 && px < from + width - 2) page.path(Role::Edge, {{px, bar.y}, {px, bar.y + bar.height}});
    }
    const std::string text = label.end.empty() ? label.duration : label.duration + " \u00b7 " + label.end;
    const double room = plot.x + plot.width - (from + width) - 8, needed = textWidth(text, size - 1);
    if (needed <= room)
        page.text(Role::Note, {from + width + 6, base}, text, {.size = size - 1});
    else if (needed + 12 <= from - plot.x)
        page.text(Role::Note, {from - 6, base}, text, {.size = size - 1, .anchor = Anchor::End});
}

Figure ProcessTimeline::figure(const LayoutOptions& options) const
{
    Page page(options, titled(options.redact), empty() ? "" : subtitle(m_order.size()), m_provenance);
    if (empty()) {
        page.empty("No process has started or ended yet", "A row appears for every process that starts, runs a program or ends.");
        return page.finish("Timeline of processes without data.");
    }
    const auto rowsIn
        = [&](double height, double row) { return static_cast<std::size_t>(std::max(1.0, std::floor((height - kAxis) / row))); };
    double row = options.forScreen
        ? kScreenRow
        : std::clamp(std::floor((page.content().height - kAxis) / static_cast<double>(m_order.size())), kLowestRow, kTallestRow);
    const auto rows = options.fit ? chosen(rowsIn(page.content().height, row)) : m_order;
    if (rows.size() < m_order.size()) page = Page(options, titled(options.redact), subtitle(rows.size()), m_provenance);
    const Box area = page.content();
    const bool side = !options.forScreen && area.width >= kSidePage;
    const double width = area.width - (side ? kSideWidth : 0), labels = std::clamp(width * 0.24, 90.0, 300.0);
    const double height = row * static_cast<double>(rows.size());
    const Box plot{area.x + labels, area.y + kAxis, width - labels, height, 0};
    drawTimeAxis(page, {plot, m_first, std::max(m_last, m_first + 1)}, false);
    double y = plot.y;
    for (const auto i : rows) {
        drawRow(page, i, plot, labels, y, row, options.redact);
        y += row;
    }
    if (side) {
        const double left = area.x + width + 40;
        const double below = drawDurations(page, {left, area.y + 24}, kSideWidth - 40);
        drawFindings(page, {left, below + 28}, kSideWidth - 40, area.y + area.height,
            findingsOf(m_family.all, m_family.shown, m_family.now, kFindings, options.redact));
    }
    return page.finish("Timeline of processes: " + subtitle(rows.size()) + '.', {area.x + area.width, y});
}
} // namespace

Kind kind_process_timeline()
{
    return {kFacts, rank::kProcesses + 5, [](const Store& store) { return store.program().tellsOfProcesses; },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<ProcessTimeline>(store); }};
}
} // namespace dscope::graph
