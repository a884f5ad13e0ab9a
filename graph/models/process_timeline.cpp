#include "graph/headline.h"
#include "graph/models/process_graph.h"
#include "graph/page.h"
#include "graph/process_drawing.h"
#include "graph/process_findings.h"
#include "graph/spans.h"
#include "graph/text.h"
#include "graph/time_axis.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "process-timeline",
    .tab = "Timeline",
    .summary = "processes over time: what ran when, and what decided the end",
    .heeds = {.top = true}};
constexpr double kSideWidth = 310, kLowestRow = 16, kTallestRow = 26, kScreenRow = 16, kAxis = 30, kSidePage = 900; // px at scale 1
constexpr std::size_t kFindings = 8;
constexpr double kBand = 56; ///< px at scale 1: how many processes are at work at once, and the words beside it
constexpr std::size_t kFewestForBand = 4;
constexpr double kRoomForBand = 260;       ///< px at scale 1
constexpr std::size_t kMostConnected = 40; ///< rows: of more the lines from parents to children would be a weave
constexpr double kElbow = 7;               ///< px at scale 1, before the child's bar

/// Processes as bars over time, a row each, in the order of their start: who waited for whom, and what decided the end.
class ProcessTimeline final : public Visual, public HasSpans {
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
        m_axisEnd = std::max(m_last, m_first + 1);
        m_order = m_family.shown;
        std::stable_sort(m_order.begin(), m_order.end(),
            [&](std::size_t a, std::size_t b) { return m_family.all[a].firstSeen < m_family.all[b].firstSeen; });
        m_row.resize(m_family.all.size());
        for (std::size_t place = 0; place < m_order.size(); ++place)
            m_row[m_order[place]] = Row{static_cast<std::uint32_t>(place)};
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return titled(Privacy::Open); }
    bool empty() const override { return m_order.empty(); }

    Table table() const override
    {
        Table t;
        for (const auto* title : {"pid", "ppid"})
            t.columns.push_back(Column::number(title));
        for (const auto* title : {"start_ns", "end_ns", "duration_ns", "cpu_ns", "critical_ns"})
            t.columns.push_back(Column::number(title, Unit::Nanoseconds));
        for (const auto* title : {"command", "args"})
            t.columns.push_back(Column::text(title));
        for (const auto i : m_order) {
            const auto& p = m_family.all[i];
            t.rows.push_back({std::to_string(p.pid), std::to_string(p.ppid), p.start ? std::to_string(*p.start) : "",
                p.end ? std::to_string(*p.end) : "", std::to_string(p.duration(m_family.now)), p.end ? std::to_string(p.cpu) : "",
                critical(i) ? std::to_string(p.duration(m_family.now)) : "", p.image().path, p.commandLine()});
        }
        return t;
    }

    bool isSlight() const override { return m_order.size() < 2; }

    Extents extents() const override
    {
        Extents out;
        out.time = m_axisEnd - m_first;
        return out;
    }

    Digest digest(std::size_t most, Privacy privacy) const override
    {
        auto longest = m_order;
        const auto took = [&](std::size_t i) { return m_family.all[i].duration(m_family.now); };
        std::stable_sort(longest.begin(), longest.end(), [&](std::size_t a, std::size_t b) { return took(a) > took(b); });
        Digest out;
        out.table.columns
            = {Column::text("process"), Column::number("pid"), Column::number("took"), Column::number("processor"), Column::text("ended")};
        for (const auto i : longest) {
            if (out.table.rows.size() == most) break;
            const auto& p = m_family.all[i];
            out.table.rows.push_back({calledIn(p, privacy), std::to_string(p.pid), formatDuration(static_cast<double>(took(i))),
                p.cpu > 0 ? formatDuration(static_cast<double>(p.cpu)) : std::string(), p.endText().empty() ? "well" : p.endText()});
        }
        out.more = longest.size() - out.table.rows.size();
        return out;
    }

    std::vector<SpanTrack> tracks() const override
    {
        std::vector<SpanTrack> out;
        for (const auto i : m_order) {
            const auto& p = m_family.all[i];
            const auto end = p.end.value_or(m_family.now);
            auto& track = out.emplace_back(SpanTrack{p.pid, p.name(), {}});
            auto from = p.firstSeen;
            for (std::size_t k = 0; k < p.images.size(); ++k) {
                const auto to = k + 1 < p.images.size() ? p.images[k + 1].since : end;
                track.spans.push_back({from, std::max(from, to), std::string(baseName(p.images[k].path))});
                from = std::max(from, to);
            }
            if (p.images.empty()) track.spans.push_back({from, std::max(from, end), track.name});
        }
        return out;
    }

    Figure figure(const LayoutOptions& options) const override;

private:
    std::string titled(Privacy privacy) const
    {
        const auto what = privacy == Privacy::Redacted && m_family.root ? m_family.all[*m_family.root].name() : m_family.command;
        return what.empty() ? "What ran when" : "What ran when: " + printable(what);
    }
    bool critical(std::size_t i) const { return std::binary_search(m_family.path.processes.begin(), m_family.path.processes.end(), i); }

    std::string subtitle() const
    {
        std::string text = formatGrouped(static_cast<std::int64_t>(m_order.size()))
            + (m_order.size() == 1 ? " process in " : " processes in ") + formatDuration(static_cast<double>(m_last - m_first));
        if (!m_family.path.processes.empty())
            text += " \u00b7 outlined: the critical path, " + formatDuration(static_cast<double>(m_family.path.covered)) + " of "
                + formatDuration(static_cast<double>(m_family.all[*m_family.root].duration(m_family.now)));
        return text;
    }

    /// A process, or one lane of equal ones: those of its bars that do not overlap.
    struct TimelineRow {
        ShownProcess node;
        std::vector<std::size_t> bars; ///< processes
        bool isFirst = true;           ///< of the lanes of its node: it has the words
    };

    static std::size_t processesOf(const std::vector<TimelineRow>& rows)
    {
        std::size_t all = 0;
        for (const auto& row : rows)
            all += row.bars.size();
        return all;
    }

    Caveats caveats(const std::vector<TimelineRow>& rows) const
    {
        const auto shown = processesOf(rows);
        if (shown >= m_order.size()) return {};
        return {"only those that took longest have a row, " + formatGrouped(static_cast<std::int64_t>(shown)) + " of "
            + formatGrouped(static_cast<std::int64_t>(m_order.size()))};
    }

    ShownProcess alone(std::size_t i) const
    {
        return {{i}, static_cast<std::size_t>(-1), m_family.all[i].duration(m_family.now), 0, false};
    }
    std::vector<TimelineRow> chosen(std::size_t most) const;
    std::vector<TimelineRow> lanesOf(const ShownProcess& node) const;
    void drawBand(Page& page, const Box& plot) const;
    void drawConnectors(Page& page, const std::vector<TimelineRow>& rows, const Box& plot, double row) const;
    Headed words(const LayoutOptions& options) const;
    void drawRow(
        Page& page, const TimelineRow& of, const Box& plot, double labels, double y, double row, Privacy privacy, bool isConnected) const;
    double x(const Box& plot, std::int64_t at) const { return TimeScale{plot, m_first, m_axisEnd}.x(at); }

    Provenance m_provenance;
    Family m_family;
    std::int64_t m_first = 0, m_last = 0;
    std::int64_t m_axisEnd = 1;            ///< not before m_last
    std::vector<std::size_t> m_order;      ///< by start
    std::vector<std::optional<Row>> m_row; ///< of the table, by process
};

/// At most `most` rows, in the order of their start. Where not every process has a row, siblings that are equal share one; where these
/// are too many, too, the critical path comes first of all, then what took longest.
auto ProcessTimeline::chosen(std::size_t most) const -> std::vector<TimelineRow>
{
    std::vector<TimelineRow> out;
    if (m_order.size() <= most) {
        for (const auto i : m_order)
            out.push_back({alone(i), {i}});
        return out;
    }

    std::vector<ShownProcess> rows;
    FoldLimits limits;
    limits.children = static_cast<std::size_t>(-1);
    limits.apart = m_family.path.processes;
    rows = foldProcesses(m_family.all, m_family.shown, m_family.now, limits);

    // A group stands for the processes below its members, too: these have rows of their own.
    const auto isCritical = [&](const ShownProcess& row) { return row.members.size() == 1 && critical(row.members.front()); };
    if (rows.size() > most) {
        std::stable_sort(rows.begin(), rows.end(), [&](const ShownProcess& a, const ShownProcess& b) {
            return isCritical(a) != isCritical(b) ? isCritical(a) : a.duration > b.duration;
        });
        rows.resize(most);
    }

    const auto begins = [&](const ShownProcess& row) { return m_family.all[row.members.front()].firstSeen; };
    std::stable_sort(rows.begin(), rows.end(), [&](const ShownProcess& a, const ShownProcess& b) { return begins(a) < begins(b); });
    // What room is left goes to groups whose bars would cover one another, the dearest first.
    std::vector<std::vector<TimelineRow>> lanes;
    std::vector<std::size_t> dearest(rows.size());
    std::iota(dearest.begin(), dearest.end(), std::size_t{0});
    std::stable_sort(dearest.begin(), dearest.end(), [&](std::size_t a, std::size_t b) { return rows[a].duration > rows[b].duration; });
    for (const auto& row : rows)
        lanes.push_back({{row, row.members}});
    auto left = most - std::min(most, rows.size());
    for (const auto at : dearest) {
        auto apart = lanesOf(rows[at]);
        if (apart.size() < 2 || apart.size() - 1 > left) continue;
        left -= apart.size() - 1;
        lanes[at] = std::move(apart);
    }
    // And then to groups whose members all have room for a row of their own.
    std::vector<std::vector<TimelineRow>> blocks;
    for (const auto at : dearest) {
        auto& of = lanes[at];
        const auto& members = rows[at].members;
        if (members.size() < 2 || members.size() - of.size() > left) continue;
        left -= members.size() - of.size();
        for (const auto i : members)
            blocks.push_back({{alone(i), {i}}});
        of.clear();
    }
    for (auto& of : lanes)
        if (!of.empty()) blocks.push_back(std::move(of));
    std::stable_sort(blocks.begin(), blocks.end(), [&](const auto& a, const auto& b) {
        const auto first = a.front().node.members.front(), second = b.front().node.members.front();
        return std::pair(m_family.all[first].firstSeen, first) < std::pair(m_family.all[second].firstSeen, second);
    });
    for (auto& of : blocks)
        out.insert(out.end(), std::make_move_iterator(of.begin()), std::make_move_iterator(of.end()));
    return out;
}
/// As few rows as its bars need to stand beside one another: each goes to the first row that is free again.
auto ProcessTimeline::lanesOf(const ShownProcess& node) const -> std::vector<TimelineRow>
{
    auto members = node.members;
    std::stable_sort(members.begin(), members.end(),
        [&](std::size_t a, std::size_t b) { return m_family.all[a].firstSeen < m_family.all[b].firstSeen; });
    std::vector<TimelineRow> out;
    std::vector<std::int64_t> ends;
    for (const auto i : members) {
        const auto& p = m_family.all[i];
        std::size_t lane = 0;
        while (lane < ends.size() && ends[lane] > p.firstSeen)
            ++lane;
        if (lane == ends.size()) {
            ends.push_back(0);
            out.push_back({node, {}, lane == 0});
        }
        ends[lane] = p.end.value_or(m_family.now);
        out[lane].bars.push_back(i);
    }
    return out;
}
/// How many processes are at work at once: those that have no child of their own.
void ProcessTimeline::drawBand(Page& page, const Box& plot) const
{
    struct Event {
        std::int64_t at;
        bool begins;
        std::size_t process;
    };

    std::vector<Event> events;
    for (const auto i : m_order) {
        events.push_back({m_family.all[i].firstSeen, true, i});
        events.push_back({m_family.all[i].end.value_or(m_family.now), false, i});
    }

    // One that ends makes room for the next of the same moment, and a parent comes before its children.
    std::stable_sort(
        events.begin(), events.end(), [](const Event& a, const Event& b) { return a.at != b.at ? a.at < b.at : a.begins < b.begins; });
    std::vector<std::size_t> children(m_family.all.size(), 0);
    std::vector<bool> lives(m_family.all.size(), false);
    std::int64_t working = 0, most = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> steps; // from when on how many
    for (const auto& [at, begins, process] : events) {
        const auto parent = m_family.all[process].parent;
        if (begins == lives[process]) continue;
        lives[process] = begins;
        if (children[process] == 0) working += begins ? 1 : -1;
        if (parent) {
            auto& own = children[*parent];
            own += begins ? 1 : static_cast<std::size_t>(-1);
            if (lives[*parent] && own == (begins ? 1U : 0U)) working += begins ? -1 : 1;
        }
        if (!steps.empty() && steps.back().first == at)
            steps.back().second = working;
        else
            steps.emplace_back(at, working);
    }

    for (const auto& [at, number] : steps)
        most = std::max(most, number);
    if (most < 2) return;
    const double k = page.scale(), size = 12 * k, low = plot.y + plot.height;
    const auto y = [&](std::int64_t number) { return low - plot.height * static_cast<double>(number) / static_cast<double>(most); };
    std::vector<Point> outline{{plot.x, low}};
    for (const auto& [at, number] : steps) {
        const double left = x(plot, at);
        outline.push_back({left, outline.back().y});
        outline.push_back({left, y(number)});
    }

    outline.push_back({plot.x + plot.width, outline.back().y});
    outline.push_back({plot.x + plot.width, low});
    Item& area = page.path(Role::Edge, std::move(outline));
    std::get<Path>(area.shape).closed = true;
    std::get<Path>(area.shape).width = 0.5;
    area.level = 0.3;
    area.tip = "processes at work at once: at most " + formatGrouped(most);
    page.text(
        Role::Note, {plot.x - 10 * k, plot.y + size}, "at work at once,", {.size = size, .anchor = Anchor::End, .maxWidth = 0.9 * plot.x});
    page.text(Role::Note, {plot.x - 10 * k, plot.y + 2.35 * size}, "at most " + formatGrouped(most),
        {.size = size, .anchor = Anchor::End, .maxWidth = 0.9 * plot.x});
}
/// From the bar of a parent down to where its child begins: below bars and words, and no darker than it must be.
void ProcessTimeline::drawConnectors(Page& page, const std::vector<TimelineRow>& rows, const Box& plot, double row) const
{
    std::map<std::size_t, std::size_t> places; // of processes
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto bar : rows[i].bars)
            places.emplace(bar, i);
    const double elbow = kElbow * page.scale();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].isFirst || rows[i].bars.empty()) continue;
        const auto child = rows[i].bars.front();
        const auto parent = m_family.all[child].parent;
        const auto place = parent ? places.find(*parent) : places.end();
        if (place == places.end() || place->second >= i) continue;
        const double begin = x(plot, m_family.all[child].firstSeen),
                     from = std::max(begin - elbow, x(plot, m_family.all[*parent].firstSeen)),
                     top = plot.y + row * static_cast<double>(place->second + 1) - 1.5,
                     middle = plot.y + row * (static_cast<double>(i) + 0.5);
        std::vector<Point> line{{from, top}, {from, middle}};
        if (begin > from) line.push_back({begin, middle});
        Item& item = page.path(Role::Edge, std::move(line));
        std::get<Path>(item.shape).width = std::max(0.8, 0.7 * page.scale());
        item.level = 0.4; // light
        item.tip = printable(m_family.all[*parent].name()) + " starts " + printable(m_family.all[child].name());
    }
}
void ProcessTimeline::drawRow(
    Page& page, const TimelineRow& of, const Box& plot, double labels, double y, double row, Privacy privacy, bool isConnected) const
{
    const auto& node = of.node;
    const auto i = node.members.front();
    const auto& p = m_family.all[i];
    const auto label = labelOf(m_family.all, node, m_family.now, privacy);
    const double k = page.scale(), size = std::clamp(std::floor(row * 0.72), 12 * k, 14 * k), base = y + row / 2 + size * 0.36;
    const double left = plot.x - labels;
    auto name = nameIn(label, labels - 12, size);
    if (name.empty()) name = elided(label.name, labels - 12, size, Elide::End, {.bold = true});
    if (of.isFirst) page.text(Role::Label, {left, base}, name, {.size = size, .bold = true, .maxWidth = labels - 12});
    const double used = textWidth(name, size, {.bold = true}) + 8;
    const double room = labels - 12 - used;
    const bool isWhole = textWidth(label.arguments, size, {.mono = true}) <= room;
    if (of.isFirst && room > 40 * k && (isWhole || !label.telling.empty()))
        page.text(
            Role::Note, {left + used, base}, isWhole ? label.arguments : label.telling, {.size = size, .mono = true, .maxWidth = room});

    double from = plot.x + plot.width, width = 0;
    auto bars = of.bars;
    std::stable_sort(
        bars.begin(), bars.end(), [&](std::size_t a, std::size_t b) { return m_family.all[a].firstSeen < m_family.all[b].firstSeen; });
    double free = plot.x - 1; // where no bar of this row is yet
    for (const auto member : bars) {
        const auto& one = m_family.all[member];
        const double whole = x(plot, one.firstSeen), end = std::max(x(plot, one.end.value_or(m_family.now)), whole + 1.5),
                     begin = std::max(whole, free);
        if (end - begin < 0.75) continue; // those before it are drawn there
        free = end + 0.25;
        const Box bar{begin, y + 1.5, end - begin, row - 3, 2};
        if (critical(member)) page.box(Role::Marker, {bar.x - 1, bar.y - 0.5, bar.width + 2, bar.height + 1, 3});
        drawSpan(page, m_family.all, alone(member), bar, m_family.now, privacy).row = m_row[member];
        from = std::min(from, begin);
        width = std::max(width, end);
    }

    width -= from;
    // Each exec after the first begins another program.
    for (std::size_t at = 1; at < p.images.size() && node.members.size() == 1; ++at) {
        const double px = x(plot, p.images[at].since);
        if (px > from + 2 && px < from + width - 2) page.path(Role::Edge, {{px, y + 1.5}, {px, y + row - 1.5}});
    }

    if (!of.isFirst) return;
    const std::string text = label.end.empty() ? label.duration
        : label.duration.empty()               ? label.end
                                               : label.duration + " \u00b7 " + label.end;
    const double beside = plot.x + plot.width - (from + width) - 8, needed = textWidth(text, size),
                 before = (isConnected ? kElbow * k : 0) + 6;
    const auto note = [&](double at) {
        // No line runs through it.
        if (isConnected) page.box(Role::Ground, {at - 2, y + 1, needed + 4, row - 2, 0});
        page.text(Role::Note, {at, base}, text, {.size = size});
    };
    if (needed <= beside)
        note(from + width + 6);
    else if (needed + before + 6 <= from - plot.x)
        note(from - before - needed);
}

Headed ProcessTimeline::words(const LayoutOptions& options) const
{
    const auto whole = m_family.root ? m_family.all[*m_family.root].duration(m_family.now) : 0;
    return headed(options, headlineOf(m_family.all, m_family.shown, m_family.now, whole, options.privacy()), titled(options.privacy()),
        empty() ? "" : subtitle());
}

Figure ProcessTimeline::figure(const LayoutOptions& options) const
{
    if (options.extents && options.extents->time > m_axisEnd - m_first) {
        auto longer = *this;
        longer.m_axisEnd = m_first + options.extents->time;
        return longer.figure(options);
    }

    const auto head = words(options);
    Page page(options, head, m_provenance);
    if (empty()) {
        page.empty("No process has started or ended yet", "A row appears for every process that starts, runs a program or ends.");
        return page.finish("Timeline of processes without data.");
    }

    const double k = page.scale();
    const auto rowsIn
        = [&](double height, double row) { return static_cast<std::size_t>(std::max(1.0, std::floor((height - kAxis * k) / row))); };
    const double band = options.forScreen || m_order.size() < kFewestForBand || page.content().height < kRoomForBand * k ? 0 : kBand * k;
    const auto rowFor = [&](std::size_t count) {
        const double even = std::floor((page.content().height - kAxis * k - band) / static_cast<double>(std::max<std::size_t>(count, 1)));
        return options.forScreen ? kScreenRow : std::clamp(even, kLowestRow * k, kTallestRow * k);
    };

    const auto most = options.top > 0 ? options.top : static_cast<std::size_t>(-1);
    const auto rowsOfPage = [&] {
        return chosen(std::min(most, options.fit ? rowsIn(page.content().height - band, rowFor(m_order.size())) : m_order.size()));
    };

    // Without a panel at the side the legend is above, where a page is not too low: the length of a bar says the same.
    const bool side = !options.forScreen && page.content().width >= kSidePage * k;
    std::vector<LegendEntry> legend;
    if (!side && !options.forScreen && page.content().height >= kRoomForBand * k) {
        legend = durationLegend(m_family.all, m_family.shown, m_family.now);
        if (legend.size() < 2)
            legend.clear();
        else
            legend.front().label = "took " + legend.front().label;
        page = Page(options, head, m_provenance, legend);
    }
    auto rows = rowsOfPage();
    if (processesOf(rows) < m_order.size()) { // which has to be said, and takes room itself
        page = Page(options, head, m_provenance, legend, caveats(rows));
        rows = rowsOfPage();
        page = Page(options, head, m_provenance, legend, caveats(rows));
    }

    const double row = rowFor(rows.size());
    const Box area = page.content();
    const double width = area.width - (side ? kSideWidth * k : 0), labels = std::clamp(width * 0.24, 90.0, 300 * k);
    const double height = row * static_cast<double>(rows.size());
    const Box plot{area.x + labels, area.y + kAxis * k + band, width - labels, height, 0};
    if (band > 0) drawBand(page, {plot.x, area.y + 2 * k, plot.width, band - 10 * k, 0});
    drawTimeAxis(page, {plot, m_first, m_axisEnd}, TimeLabels::Above, 12 * k);
    const bool isConnected = rows.size() <= kMostConnected;
    if (isConnected) drawConnectors(page, rows, plot, row);
    double y = plot.y;
    for (const auto& node : rows) {
        drawRow(page, node, plot, labels, y, row, options.privacy(), isConnected);
        y += row;
    }

    const auto findings = [&] { return findingsOf(m_family.all, m_family.shown, m_family.now, kFindings, options.privacy()); };
    if (side) {
        const double left = area.x + width + 30 * k, room = (kSideWidth - 30) * k;
        const double below = drawDurations(page, {left, area.y + 18 * k}, room);
        drawFindings(page, {left, below + 22 * k}, room, area.y + area.height, findings());
    } else if (options.fit && !options.forScreen) {
        drawFindings(page, {area.x, y + 30 * k}, area.width, area.y + area.height, findings());
    }
    return page.finish("Timeline of processes: " + subtitle() + '.', {area.x + area.width, y});
}
} // namespace

Kind kind_process_timeline()
{
    return {kFacts, rank::kProcesses + 5, [](const Store& store) { return store.program().tellsOfProcesses; },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<ProcessTimeline>(store); },
        [](const Store& before, const Store& after) { return comparedTimes(kFacts, comparedProcesses(before, after, "What ran when")); }};
}
} // namespace dscope::graph
