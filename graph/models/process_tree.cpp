#include "engine/record/redact.h"
#include "graph/dot_places.h"
#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/layouts/layered.h"
#include "graph/layouts/tidy_tree.h"
#include "graph/models/process_graph.h"
#include "graph/page.h"
#include "graph/parts/process_tree_plan.h"
#include "graph/process_drawing.h"
#include "graph/process_findings.h"
#include "graph/process_fold.h"
#include "graph/process_inside.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <array>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{
    .name = "process-tree", .tab = "Process tree", .summary = "processes: who started whom, how long they ran, how they ended"};
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr double kDotNodeWidth = 216, kDotNodeHeight = 66, kDotFont = 11;
constexpr std::size_t kFindings = 8;
constexpr double kLowFigure = 300; // likewise of a figure whose words stand elsewhere
constexpr double kLowPage = 400;   // px at scale 1 below which the tree needs the legend's room

std::string cell(std::optional<std::int64_t> value) { return value ? std::to_string(*value) : std::string(); }

class ProcessTree final : public Visual {
public:
    explicit ProcessTree(const Store& store) : m_provenance(provenanceOfProcesses(store)), m_family(familyOf(store))
    {
        m_row.assign(m_family.all.size(), kNone);
        for (std::size_t i = 0; i < m_family.shown.size(); ++i)
            m_row[m_family.shown[i]] = i;
        for (std::size_t i = 0; i < m_family.all.size(); ++i)
            if (m_row[i] == kNone && (m_family.all[i].start || m_family.all[i].end)) ++m_others;
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return titled(Privacy::Open); }
    bool empty() const override { return m_family.shown.empty(); }
    Table table() const override;
    std::optional<Digraph> digraph() const override;
    bool hasDigraph() const override { return true; }
    bool isSlight() const override { return m_family.shown.size() < 2; }
    std::vector<std::string> findings(Privacy privacy) const override { return findingsOf(m_family, kFindings, privacy); }
    Figure figure(const LayoutOptions& options) const override;

private:
    double widthOfArguments(const TreePlan& plan, Privacy privacy) const;
    std::string titled(Privacy privacy) const
    {
        std::string what = m_family.command;
        if (privacy == Privacy::Redacted && m_family.root) what = m_family.all[*m_family.root].name();
        return what.empty() ? said("Who started whom") : said("Who started whom: %1", printable(what));
    }

    std::size_t count(Process::End how) const
    {
        return static_cast<std::size_t>(
            std::count_if(m_family.shown.begin(), m_family.shown.end(), [&](std::size_t i) { return m_family.all[i].how() == how; }));
    }
    std::string subtitle() const;

    Caveats caveats() const
    {
        if (m_others == 0) return {};
        return {saidOf(
            m_others, "%1 other process not shown", "%1 other processes not shown", formatGrouped(static_cast<std::int64_t>(m_others)))};
    }

    std::string inWords() const;
    std::vector<LegendEntry> ends() const;

    void drawSide(Page& page, const Box& side, Privacy privacy) const;

    Provenance m_provenance;
    Family m_family;
    std::vector<std::size_t> m_row; ///< by process, of the table
    std::size_t m_others = 0;
};

Table ProcessTree::table() const
{
    Table t;
    for (const auto* title : {"id", "parent", "pid", "ppid"})
        t.columns.push_back(Column::number(title));
    for (const auto* title : {"start_ns", "end_ns"})
        t.columns.push_back(Column::number(title, Unit::Nanoseconds));
    for (const auto* title : {"exit_status", "signal", "execs", "uid"})
        t.columns.push_back(Column::number(title));
    for (const auto* title : {"cwd", "command", "args"})
        t.columns.push_back(Column::text(title));
    for (const auto i : m_family.shown) {
        const auto& p = m_family.all[i];
        const bool byParent = p.parent && m_row[*p.parent] != kNone;
        const auto how = p.how();
        const bool exited = how == Process::End::Success || how == Process::End::Failure;
        t.rows.push_back({std::to_string(m_row[i] + 1), byParent ? std::to_string(m_row[*p.parent] + 1) : "", std::to_string(p.pid),
            std::to_string(p.ppid), p.hasTimes ? cell(p.start) : "", p.hasTimes ? cell(p.end) : "",
            exited ? std::to_string(p.exitStatus()) : "", how == Process::End::Signal ? std::to_string(p.signal()) : "",
            std::to_string(p.images.size()), p.uid == record::kNoUser ? "" : std::to_string(p.uid), p.image().cwd, p.image().path,
            p.commandLine()});
    }
    return t;
}
std::optional<Digraph> ProcessTree::digraph() const
{
    Digraph g;
    if (const auto known = caveats(); !known.empty()) g.leftOut = known.front();
    std::vector<NodeSize> sizes(m_family.shown.size(), {kDotNodeWidth, kDotNodeHeight});
    std::vector<std::pair<std::size_t, std::size_t>> edges;
    std::vector<std::size_t> parents;
    for (const auto i : m_family.shown) {
        const auto& p = m_family.all[i];
        const bool byParent = p.parent && m_row[*p.parent] != kNone;
        parents.push_back(byParent ? m_row[*p.parent] : kNoParent);
        if (byParent) edges.emplace_back(m_row[*p.parent], m_row[i]);
    }

    const LayoutGaps gaps{16, 80};
    std::optional<std::vector<Point>> centres;
    if (m_family.shown.size() <= kMostLayered) centres = layered(sizes, edges, gaps);
    if (!centres) centres = tidyTree(sizes, parents, gaps);
    for (const auto i : m_family.shown) {
        const auto& p = m_family.all[i];
        const auto at = m_row[i];
        const ShownProcess alone{{i}, kNone, p.duration(m_family.now), 0, false};
        const ProcessLabel label = labelOf(m_family.all, alone, m_family.now, Privacy::Open);
        std::string images;
        for (const auto& image : p.images)
            images += (images.empty() ? "" : " \u2192 ") + printable(image.path);
        const auto how = p.how();
        const std::string exit = how == Process::End::Running ? ""
            : how == Process::End::Signal                     ? signalName(p.signal())
                                                              : std::to_string(p.exitStatus());
        Digraph::Node node;
        node.name = 'p' + std::to_string(at + 1);
        // Of arguments that have no room those that tell most: the file that is worked on.
        const double room = kDotNodeWidth - 30;
        const bool isWhole = label.telling.empty() || textWidth(label.arguments, kDotFont) <= room;
        node.label = elided(label.name + (label.end.empty() ? "" : " \u00b7 " + label.end), room, kDotFont, Elide::Middle) + '\n'
            + elided(isWhole ? label.arguments : label.telling, room, kDotFont, Elide::Middle) + '\n'
            + elided(label.shortFacts, room, kDotFont, Elide::End);
        node.attributes = {{"pid", std::to_string(p.pid)}, {"ppid", std::to_string(p.ppid)},
            {"execname", printable(p.images.empty() ? p.name() : std::string(baseName(p.image().path)))},
            {"args", printable(p.commandLine())}, {"exit", exit}, {"images", images},
            {"tooltip", tipOf(m_family.all, alone, label, Privacy::Open)}};
        for (auto& look : nodeLook(p, m_family.now))
            node.attributes.push_back(std::move(look));
        placeAt(node, (*centres)[at], kDotNodeWidth, kDotNodeHeight);
        node.row = Row{static_cast<std::uint32_t>(at)};
        g.nodes.push_back(std::move(node));
    }

    for (const auto& [from, to] : edges) {
        Digraph::Edge edge{from, to, {{"kind", "fork"}}};
        if (m_family.all[m_family.shown[to]].waitedFor) edge.attributes.emplace_back("style", "dashed");
        routeAlong(edge, edgeCurve((*centres)[from], (*centres)[to], kDotNodeWidth, kDotNodeWidth));
        g.edges.push_back(std::move(edge));
    }
    return g;
}
std::string ProcessTree::subtitle() const
{
    auto text = processesText(m_family.shown.size());
    if (m_family.root && m_family.all[*m_family.root].hasTimes)
        text += said(" in %1", formatDuration(static_cast<double>(m_family.all[*m_family.root].duration(m_family.now))));
    else
        text += inDuration(m_provenance);
    if (const auto n = count(Process::End::Failure)) text += kMiddleDot + said("%1 failed", std::to_string(n));
    if (const auto n = count(Process::End::Signal)) text += kMiddleDot + said("%1 ended by a signal", std::to_string(n));
    if (const auto n = count(Process::End::Running)) text += kMiddleDot + said("%1 still running", std::to_string(n));
    return text;
}
std::string ProcessTree::inWords() const
{
    if (m_family.shown.empty() || !m_family.all[m_family.shown.front()].hasTimes) return said("Process tree: %1.", subtitle());
    std::vector<std::size_t> order(m_family.shown);
    const auto dearer = [&](std::size_t a, std::size_t b) {
        const auto x = m_family.all[a].duration(m_family.now), y = m_family.all[b].duration(m_family.now);
        return x != y ? x > y : a < b;
    };
    const auto most = std::min<std::size_t>(order.size(), 5);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most), order.end(), dearer);
    std::string longest;
    for (std::size_t i = 0; i < most; ++i)
        longest += (i ? ", " : "") + m_family.all[order[i]].name() + ' '
            + formatDuration(static_cast<double>(m_family.all[order[i]].duration(m_family.now)));
    return said("Process tree: %1. The longest: %2.", subtitle(), longest);
}
std::vector<LegendEntry> ProcessTree::ends() const
{
    std::vector<LegendEntry> entries;
    if (count(Process::End::Failure) > 0) entries.push_back({Role::Node, Shade::Failed, -1, said("non-zero exit")});
    if (count(Process::End::Signal) > 0) entries.push_back({Role::Node, Shade::Signalled, -1, said("ended by a signal")});
    if (count(Process::End::Running) > 0) entries.push_back({Role::Node, Shade::Running, -1, said("still running")});
    if (std::any_of(m_family.shown.begin(), m_family.shown.end(), [&](std::size_t i) { return m_family.all[i].failedExec.has_value(); }))
        entries.push_back({Role::Node, Shade::FailedExec, -1, said("exec failed")});
    if (std::any_of(m_family.shown.begin(), m_family.shown.end(), [&](std::size_t i) { return m_family.all[i].waitedFor; }))
        entries.push_back(LegendEntry::line(Role::Edge, Shade::Dashed, said("parent waits (vfork, posix_spawn)")));
    if (!m_family.path.processes.empty())
        entries.push_back({Role::Marker, Shade::Plain, -1,
            said("critical path: %1 of %2", formatDuration(static_cast<double>(m_family.path.covered)),
                formatDuration(static_cast<double>(m_family.all[*m_family.root].duration(m_family.now))))});
    return entries;
}
void ProcessTree::drawSide(Page& page, const Box& side, Privacy privacy) const
{
    const double k = page.scale();
    const bool hasTimes = m_family.shown.empty() || m_family.all[m_family.shown.front()].hasTimes;
    double y = hasTimes ? drawDurations(page, {side.x, side.y}, side.width) : side.y;
    const auto entries = ends();
    if (!entries.empty()) {
        if (hasTimes) y += 24 * k;
        page.text(Role::Label, {side.x, y}, said("Lines and outlines"), {.size = 13 * k, .bold = true});
        y += 9 * k;
        for (const auto& entry : entries)
            y += page.legend({side.x, y}, side.width, {&entry, 1}) + 6 * k;
    }
    drawFindings(page, {side.x, y + 22 * k}, side.width, side.y + side.height, findingsOf(m_family, kFindings, privacy));
}
/// px, of a node that shows what tells it from its siblings in full.
double ProcessTree::widthOfArguments(const TreePlan& plan, Privacy privacy) const
{
    constexpr double kPads = 2.5, kMostLetters = 56,
                     kOfSeveral = 24; // of the text: left and right of it; what is longer is cut in any case
    if (plan.size.detail == NodeDetail::Line) return 0;
    const auto shared = sharedArguments(m_family.all, plan.nodes);
    const double letter = textWidth("n", plan.text, {.mono = true});
    double widest = 0;
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
        const auto label = labelOf(m_family.all, plan.nodes[i], m_family.now, privacy, shared[i]);
        const auto& text = label.telling.empty() ? label.arguments : label.telling;
        const double most = (plan.nodes[i].members.size() > 1 ? kOfSeveral : kMostLetters) * letter;
        widest = std::max(widest, std::min(textWidth(text, plan.text, {.mono = true}), most));
    }
    return widest + kPads * plan.text;
}

Figure ProcessTree::figure(const LayoutOptions& options) const
{
    const auto words = headed(options, headlineOf(m_family, options.privacy()), titled(options.privacy()), empty() ? "" : subtitle());
    Page page(options, words, m_provenance, {}, caveats());
    if (empty()) {
        page.empty(
            said("No process has started or ended yet"), said("The tree grows with every process that starts, runs a program or ends."));
        return page.finish(said("Process tree without data."));
    }

    const auto findings = options.fit ? findingsOf(m_family, kFindings, options.privacy()) : std::vector<std::string>();
    const double line = 1.85 * page.smallest(), needed = findings.empty() ? 0 : line * static_cast<double>(findings.size() + 3);
    const auto roomOn = [&](const Page& on) { return TreeRoom{on.content(), needed, on.scale(), options.fit, options.forScreen}; };
    TreeFolds folds(m_family.all, m_family.shown, m_family.now, m_family.path.processes);
    TreePlan chosen = planTree(folds, roomOn(page));
    if (!chosen.side) {
        auto entries = durationLegend(m_family.all, m_family.shown, m_family.now);
        if (entries.size() == 1) entries.clear(); // one colour tells nothing
        if (!entries.empty()) entries.front().label = said("took %1", entries.front().label);
        const double lowPage = options.heading == Heading::Apart ? kLowFigure : kLowPage;
        if (options.height >= lowPage * page.scale())
            for (auto& entry : ends())
                entries.push_back(std::move(entry));
        page = Page(options, words, m_provenance, entries, caveats());
        auto room = roomOn(page);
        room.hasSide = false;
        folds = TreeFolds(m_family.all, m_family.shown, m_family.now, m_family.path.processes);
        chosen = planTree(folds, room);
    }

    const Box area = page.content();
    const double k = page.scale(), width = area.width - (chosen.side ? TreePlan::kSideWidth * k : 0);
    if (options.fit) widenNodes(chosen, width, widthOfArguments(chosen, options.privacy()));
    bool own = false;
    auto centres = placeTree(chosen, own);
    double right = 0, bottom = 0;
    for (const auto& c : centres) {
        right = std::max(right, c.x + chosen.width / 2);
        bottom = std::max(bottom, c.y + chosen.size.height / 2);
    }

    // Findings that have no place at the side stand below, where the page has room for all of them.
    const double free = area.height - bottom - TreePlan::kAround;
    const bool hasFindings = !chosen.side && !findings.empty() && needed <= free;
    const double down = options.fit ? std::max(0.0, (free - (hasFindings ? needed : 0)) / 2) : 0;
    for (auto& c : centres)
        c = {c.x + area.x, c.y + area.y + down};
    for (std::size_t i = 0; i < chosen.nodes.size(); ++i) {
        const auto parent = chosen.nodes[i].parent;
        if (parent == kNone) continue;
        const bool waits = std::all_of(
            chosen.nodes[i].members.begin(), chosen.nodes[i].members.end(), [&](std::size_t m) { return m_family.all[m].waitedFor; });
        Item& edge = page.path(
            Role::Edge, edgeCurve(centres[parent], centres[i], chosen.width, chosen.width), waits ? Shade::Dashed : Shade::Plain);
        if (chosen.nodes[i].critical) edge.role = Role::Marker;
        std::get<Path>(edge.shape).bezier = true;
        std::get<Path>(edge.shape).arrow = true;
    }

    const auto shared = sharedArguments(m_family.all, chosen.nodes);
    for (std::size_t i = 0; i < chosen.nodes.size(); ++i) {
        const Box box{centres[i].x - chosen.width / 2, centres[i].y - chosen.size.height / 2, chosen.width, chosen.size.height,
            chosen.size.detail == NodeDetail::Line ? 5.0 : 7.0};
        const auto& node = chosen.nodes[i];
        // Of equal ones the first: what is asked of one is asked of all. Of different ones none.
        const std::optional<Row> row
            = node.rest ? std::nullopt : std::optional(Row{static_cast<std::uint32_t>(m_row[node.members.front()])});
        if (node.critical) {
            const double off = 3 * page.lines();
            page.box(Role::Marker, {box.x - off, box.y - off, box.width + 2 * off, box.height + 2 * off, box.radius + 2});
        }
        drawProcess(page, m_family.all, node, box, {chosen.size.detail, chosen.text}, m_family.now, options.privacy(), row, shared[i],
            options.zooms ? insideOf(m_family.all, folds.classes().children, node, m_family.now, options.privacy()) : std::string());
    }

    if (hasFindings)
        drawFindings(page, {area.x, area.y + down + bottom + TreePlan::kAround + 2 * line}, area.width, area.y + area.height, findings);
    if (chosen.side) {
        const double gap = 30 * k, x = area.x + (options.fit ? width : std::max(width, right)) + gap;
        drawSide(page, {x, area.y + 18 * k, TreePlan::kSideWidth * k - gap, area.height - 18 * k, 0}, options.privacy());
        right = x - area.x + TreePlan::kSideWidth * k - gap;
    }

    if (own)
        page.text(Role::Note, {area.x, area.y + std::max(bottom, options.fit ? area.height : bottom) + 14},
            said("Laid out by dscope itself: too many nodes for Graphviz"), {.size = page.smallest()});
    return page.finish(inWords(), {area.x + right, area.y + bottom + (own ? 20 : 0)});
}
} // namespace

Kind kind_process_tree()
{
    return {kFacts, rank::kProcesses, [](const Store& store) { return store.program().tellsOfProcesses; },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<ProcessTree>(store); },
        [](const Store& before, const Store& after) {
            return comparedTrees(kFacts, comparedProcesses(before, after, {toSay("Processes"), toSay("Processes: %1")}));
        }};
}
} // namespace dscope::graph
