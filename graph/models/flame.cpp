#include "graph/models/flame.h"
#include "engine/record/folded.h"
#include "graph/difference.h"
#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/layouts/icicle.h"
#include "graph/page.h"
#include "graph/ranking.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <map>
namespace dscope::graph {
namespace {
constexpr double kTallestRow = 39, kLowestRow = 17, kScreenRow = 19;
constexpr double kNarrowestLabel = 30, kNarrowestBar = 1, kNearlyAll = 0.99;
constexpr std::size_t kMostBars = 10'000, kTopFrames = 5;
constexpr std::size_t kMostHidden = 20'000; ///< nodes of a tree that is kept whole to be searched

class Flame final : public Visual {
public:
    Flame(const Store& store, bool isIcicle) : Flame(store, stacksOf(store), isIcicle) { }
    /// What changed: one tree of both, where frames are the same when they are called the same.
    Flame(const Store& before, const Store& after, bool isIcicle) : Flame(after, stacksOf(after), isIcicle)
    {
        m_compares = true;
        Frames frames;
        StackTreeBuilder builder(frames);
        std::vector<StackStep> steps;
        const auto add = [&](const Stacks& stacks, bool isBefore) {
            stacks.each(frames, [&](std::span<const StackStep> given, std::int64_t value) {
                steps.assign(given.begin(), given.end());
                for (auto& step : steps)
                    step.shade = Shade::Unknown;
                builder.add(steps, isBefore ? 0 : value, isBefore ? value : 0);
            });
        };
        add(*stacksOf(before), true);
        add(*m_stacks, false);
        m_tree = std::make_shared<StackTree>(builder.build());
        const auto& root = m_tree->nodes.front();
        if (root.total > 0 && root.before > 0) m_scale = static_cast<double>(root.total) / static_cast<double>(root.before);
        m_deviations = deviationsAmong(m_tree->nodes.size());
    }
    const ViewFacts& facts() const override { return m_isIcicle ? kIcicleFacts : kFlameFacts; }
    std::string title() const override { return m_compares ? changedTitle(plainTitle()) : plainTitle(); }
    std::string plainTitle() const
    {
        if (m_timed) return m_command.empty() ? "Where the time goes" : "Where the time goes: " + printable(shortCommand(m_command));
        return m_probes.empty() ? form() : "What leads to " + printable(m_probes);
    }
    bool empty() const override
    {
        if (!m_compares) return m_stacks->empty();
        return m_tree->nodes.front().total == 0 && m_tree->nodes.front().before == 0;
    }
    Table table() const override
    {
        if (m_compares) return changes();
        Table t;
        t.columns = {{Column::Unit::None, "stack", false}, {m_measure.unit(), "value", true}};
        m_stacks->eachLine([&](std::string_view stack, std::int64_t value) {
            t.rows.push_back({std::string(stack), std::to_string(value)});
        });
        return t;
    }
    std::shared_ptr<const Stacks> stacks() const override { return m_compares ? nullptr : m_stacks; }
    std::optional<Share> share(const NameTest& test, std::string_view /*focus*/) const override
    {
        if (empty()) return std::nullopt;
        if (!m_compares) return Share{static_cast<double>(m_stacks->matched(test)) / static_cast<double>(m_stacks->total()), "all"};
        const auto found = matchedWeight(*m_tree, test, [this](const StackNode& n) { return weight(n); });
        return Share{static_cast<double>(found) / static_cast<double>(weight(m_tree->nodes.front())), "all"};
    }
    Figure figure(const LayoutOptions& options) const override;

private:
    std::string form() const { return m_isIcicle ? "Icicle graph" : "Flame graph"; }
    Flame(const Store& store, std::shared_ptr<const Stacks> stacks, bool isIcicle)
        : m_provenance(provenanceOf(store)), m_command(store.program().command), m_probes(probesText(store.program())),
          m_stacks(std::move(stacks)), m_measure(m_stacks->measure()), m_timed(probeKinds(store).samples), m_isIcicle(isIcicle)
    {
    }
    /// The same with the tree as far as it is seen on this page; where it is searched, all of it if it is not too large.
    Flame seen(const LayoutOptions& options) const
    {
        Flame out(*this);
        if (options.zooms) {
            out.m_tree = m_stacks->tree({.mostNodes = kMostHidden});
            if (out.m_tree->nodes.size() <= kMostHidden) return out;
        }
        out.m_tree = m_stacks->tree({record::framesOf(options.focus), kNarrowestBar / std::max(options.width, 1.0)});
        return out;
    }
    Change changeOf(double before, double after) const
    {
        if (m_measure.isCount) return countChange(before, after, m_scale, m_deviations);
        return valueChange(before, after, m_scale, static_cast<double>(m_tree->nodes.front().total));
    }
    std::string noise() const { return m_measure.isCount ? countNoise(m_deviations) : valueNoise(true); }
    Change changeOf(const StackNode& n) const { return changeOf(static_cast<double>(n.before), static_cast<double>(n.total)); }
    /// What a node's width stands for. Of two runs the mean, in parts of a thousand million, so that neither what is new nor
    /// what is gone is missing.
    std::int64_t weight(const StackNode& n) const
    {
        if (!m_compares) return n.total;
        const auto& root = m_tree->nodes.front();
        const double whole = static_cast<double>(root.total) + m_scale * static_cast<double>(root.before);
        return std::llround((static_cast<double>(n.total) + m_scale * static_cast<double>(n.before)) / whole * 1e9);
    }
    bool ends(const StackNode& n) const { return n.self > 0 || n.selfBefore > 0; }
    Table changes() const
    {
        Table t;
        const auto unit = m_measure.unit();
        t.columns = {{Column::Unit::None, "stack", false}, {unit, "before", true}, {unit, "after", true}, {unit, "difference", true}};
        for (std::size_t i = 0; i < m_tree->nodes.size(); ++i) {
            const auto& n = m_tree->nodes[i];
            if (!ends(n)) continue;
            const auto change = changeOf(static_cast<double>(n.selfBefore), static_cast<double>(n.self));
            t.rows.push_back({i ? m_tree->path(i) : "[no stack]", plainNumber(change.before), plainNumber(change.after),
                plainNumber(change.difference())});
        }
        return t;
    }
    std::string subtitle(std::size_t hiddenLevels) const;
    std::string inWords() const;
    std::string changesInWords() const;
    struct Shared {
        std::uint32_t frames = 0;
        std::size_t last = 0; ///< node
    };
    Shared sharedBy(std::size_t node, std::uint32_t most) const;
    std::string tipOf(const IcicleBar& bar, const StackNode& top) const;
    std::vector<LegendEntry> legend() const;
    /// Where bars are drawn: the page, and which node of the figure's tree stands for a frame.
    struct Sheet {
        Page& page;
        const StackNode& top;
        std::vector<std::uint32_t> rows;          ///< by node of m_tree: its row of the table and 1, or 0
        std::vector<std::optional<NodeId>> drawn; ///< by node of m_tree
        std::size_t shared = 0;                   ///< node whose bar stands for its callers as well; 0: none
    };
    void drawBar(Sheet& sheet, const IcicleBar& bar, const Box& box) const;
    std::optional<NodeId> drawnParent(const Sheet& sheet, std::size_t node) const;
    void hideCallers(Sheet& sheet, std::size_t node) const;
    void addHidden(Sheet& sheet) const;

    Provenance m_provenance;
    std::string m_command, m_probes;
    std::shared_ptr<const Stacks> m_stacks;  ///< of the run, of two the later one's
    std::shared_ptr<const StackTree> m_tree; ///< of what is drawn; null while nothing is
    StackMeasure m_measure;
    bool m_timed = false, m_compares = false;
    bool m_isIcicle = false; ///< the root is at the top
    double m_scale = 1;      ///< of what was before
    double m_deviations = 2; ///< that a difference must be
};

std::string Flame::subtitle(std::size_t hiddenLevels) const
{
    const auto total = m_tree->nodes.front().total;
    const std::string unit = m_measure.isCount  ? m_measure.noun
        : m_measure.unit() == Unit::Nanoseconds ? "time"
        : m_measure.unit() == Unit::Bytes       ? "bytes"
                                                : "the sum";
    if (m_compares) {
        const auto& root = m_tree->nodes.front();
        std::string both = m_measure.what + " \u00b7 before " + m_measure.amount(root.before) + ", after " + m_measure.quantity(root.total);
        if (m_scale != 1) both += ", before scaled to the same total";
        return both + " \u00b7 width is the mean of the two";
    }
    std::string text = m_measure.what + " \u00b7 " + m_measure.amount(total) + inShownInterval(m_provenance) + " \u00b7 width is "
        + (m_measure.isCount ? "the number of " + unit : unit);
    if (const auto leftOut = m_stacks->leftOut(); leftOut > 0)
        text += " \u00b7 " + std::to_string(leftOut) + (leftOut == 1 ? " aggregation" : " aggregations") + " of another kind not shown";
    if (m_tree->cutAtDepth > 0)
        text += " \u00b7 " + m_measure.amount(m_tree->cutAtDepth) + " in stacks of more than " + formatGrouped(m_tree->depth - 1)
            + " frames, which are not shown further";
    if (hiddenLevels > 0) text += " \u00b7 " + std::to_string(hiddenLevels) + " deeper levels don't fit and are not shown";
    return text;
}
std::string Flame::changesInWords() const
{
    std::map<std::string_view, std::pair<double, double>> own;
    for (std::size_t i = 1; i < m_tree->nodes.size(); ++i) {
        own[m_tree->nameOf(i)].first += static_cast<double>(m_tree->nodes[i].selfBefore);
        own[m_tree->nameOf(i)].second += static_cast<double>(m_tree->nodes[i].self);
    }
    std::vector<std::pair<double, std::string>> order;
    for (const auto& [frame, values] : own) {
        const auto change = changeOf(values.first, values.second);
        if (change.told) order.emplace_back(-std::abs(change.difference()), std::string(frame) + ' ' + change.text());
    }
    std::sort(order.begin(), order.end());
    if (order.size() > kTopFrames) order.resize(kTopFrames);
    std::string text = form() + " of what changed between two runs. ";
    if (order.empty()) return text + "No frame changed by more than chance would have it.";
    text += "Most by themselves: ";
    for (std::size_t i = 0; i < order.size(); ++i)
        text += (i ? ", " : "") + order[i].second;
    return text + '.';
}
std::string Flame::inWords() const
{
    if (m_compares) return changesInWords();
    const auto total = m_stacks->total();
    std::string text = form() + ", " + m_measure.amount(total) + " in all. Most by themselves: ";
    bool isFirst = true;
    for (const auto& [frame, value] : m_stacks->leaves(kTopFrames)) {
        text += (isFirst ? "" : ", ") + frame + ' ' + formatShare(static_cast<double>(value), static_cast<double>(total));
        isFirst = false;
    }
    return text + '.';
}
std::vector<LegendEntry> Flame::legend() const
{
    if (m_compares)
        return {{Role::Frame, Shade::Plain, 1, "grew", false}, {Role::Frame, Shade::Plain, 0, "shrank", false},
            {Role::Frame, Shade::Unknown, -1, noise(), false}};
    return frameLegend([&](Shade shade) {
        return std::any_of(m_tree->nodes.begin(), m_tree->nodes.end(), [&](const StackNode& n) { return n.shade == shade; });
    });
}
std::string Flame::tipOf(const IcicleBar& bar, const StackNode& top) const
{
    const auto& node = m_tree->nodes[bar.node];
    const auto whole = static_cast<double>(weight(m_tree->nodes.front()));
    const std::string share = formatShare(static_cast<double>(bar.total), whole);
    if (bar.frames > 1) return formatGrouped(bar.frames) + " frames, " + share;
    std::string tip(m_tree->nameOf(bar.node));
    if (m_compares) {
        const auto& root = m_tree->nodes.front();
        const auto change = changeOf(node);
        return tip + "\nbefore " + m_measure.quantity(node.before) + ", "
            + formatShare(static_cast<double>(node.before), static_cast<double>(root.before)) + "; after " + m_measure.quantity(node.total)
            + ", " + formatShare(static_cast<double>(node.total), static_cast<double>(root.total)) + "\n" + change.text()
            + (change.told ? "" : ": " + noise());
    }
    tip += "\nself " + m_measure.quantity(node.self) + ", total " + m_measure.quantity(node.total) + ", " + share + " of all";
    if (top.total != m_tree->nodes.front().total)
        tip += ", " + formatShare(static_cast<double>(bar.total), static_cast<double>(top.total)) + " of what is in focus";
    return tip;
}
/// What a frame stands upon in the figure: its caller, or what is drawn in its place.
std::optional<NodeId> Flame::drawnParent(const Sheet& sheet, std::size_t node) const
{
    while (node != 0) {
        node = m_tree->nodes[node].parent;
        if (sheet.drawn[node]) return sheet.drawn[node];
    }
    return std::nullopt;
}
/// Puts the callers of `node` that are not drawn into the figure's tree.
void Flame::hideCallers(Sheet& sheet, std::size_t node) const
{
    std::vector<std::size_t> callers;
    for (auto at = m_tree->nodes[node].parent; !sheet.drawn[at]; at = m_tree->nodes[at].parent)
        callers.push_back(at);
    for (auto at = callers.rbegin(); at != callers.rend(); ++at)
        sheet.drawn[*at]
            = sheet.page.hiddenNode(drawnParent(sheet, *at), m_tree->nameOf(*at), static_cast<double>(weight(m_tree->nodes[*at])));
}
/// What is too narrow, or too deep, to be drawn is in the figure's tree as well, so that it can be searched.
void Flame::addHidden(Sheet& sheet) const
{
    if (m_tree->nodes.size() > kMostHidden) return;
    bool isWhole = true;
    for (std::size_t i = 1; i < m_tree->nodes.size(); ++i) {
        const auto& node = m_tree->nodes[i];
        isWhole = isWhole && node.frames == 1;
        if (sheet.drawn[i]) continue;
        const auto name = node.frames == 1 ? m_tree->nameOf(i) : std::string_view();
        sheet.drawn[i] = sheet.page.hiddenNode(drawnParent(sheet, i), name, static_cast<double>(weight(node)));
    }
    if (isWhole) sheet.page.treeIsWhole();
}
void Flame::drawBar(Sheet& sheet, const IcicleBar& bar, const Box& box) const
{
    Page& page = sheet.page;
    const auto& top = sheet.top;
    const auto& node = m_tree->nodes[bar.node];
    const bool isRun = bar.frames > 1;
    const std::string path = m_tree->path(bar.node);
    const Change change = m_compares && !isRun ? changeOf(node) : Change();
    Item& item = page.box(Role::Frame, box, isRun ? Shade::Unknown : node.shade);
    item.level = change.level();
    item.key = path;
    item.tip = tipOf(bar, top);
    if (m_compares && !isRun)
        item.data = {{"before", plainNumber(change.before)}, {"after", plainNumber(change.after)}};
    else
        item.data = {{"total", std::to_string(bar.total)}, {"self", std::to_string(isRun ? 0 : node.self)}};
    if (change.told) item.data.emplace_back("change", change.text());
    if (isRun) item.data.emplace_back("frames", std::to_string(bar.frames));
    if (sheet.rows[bar.node] != 0) item.row = Row{sheet.rows[bar.node] - 1};
    const bool isShared = isRun && bar.node == sheet.shared;
    const bool isNamed = (!isRun || isShared) && bar.node != 0;
    const auto id
        = page.node(drawnParent(sheet, bar.node), isNamed ? m_tree->nameOf(bar.node) : std::string_view(), static_cast<double>(bar.total));
    if (!isRun || isShared) sheet.drawn[bar.node] = id;

    const double size = std::clamp(std::floor(box.height * 0.62), 10.0, 16.0), pad = box.height > 24 ? 8 : 4;
    if (box.width < kNarrowestLabel) return;
    double room = box.width - 2 * pad;
    std::string label = bar.node != 0 ? std::string(m_tree->nameOf(bar.node))
        : m_compares                  ? "all"
                                      : "all: " + m_measure.quantity(node.total);
    if (isRun) {
        label = elided(item.tip, room, size, false, false, true);
    } else if (change.told) {
        // The sign is said also where nothing else fits.
        const std::string sign = change.difference() < 0 ? "\u2212" : "+";
        const std::string name = label;
        const auto with = [&](const std::string& ending) {
            const auto form = frameLabel(name, room - textWidth(ending, size, false, true), size);
            return form.empty() ? form : form + ending;
        };
        label = with("  " + change.text());
        if (label.empty() || label.find("\u2026") != std::string::npos) label = with(' ' + sign);
        if (label.empty()) label = textWidth(change.text(), size, false, true) <= room ? change.text() : sign;
    } else {
        label = frameLabel(label, room, size);
    }
    if (label.empty()) return;
    Item& text = page.text(Role::Frame, {box.x + pad, box.y + box.height / 2 + size * 0.36}, label, {.size = size, .mono = true},
        isRun ? Shade::Unknown : node.shade);
    text.key = path;
    text.level = change.level();
}

/// The frames above `node` that nearly all of its stacks have in common, one after the other; at most `most`.
Flame::Shared Flame::sharedBy(std::size_t node, std::uint32_t most) const
{
    const double least = kNearlyAll * static_cast<double>(weight(m_tree->nodes[node]));
    Shared shared{0, node};
    while (shared.frames < most) {
        const auto end = shared.last + m_tree->nodes[shared.last].size;
        auto next = shared.last + 1;
        while (next < end && static_cast<double>(weight(m_tree->nodes[next])) < least)
            next += m_tree->nodes[next].size;
        if (next >= end || m_tree->nodes[next].frames > 1) break;
        shared = {shared.frames + 1, next};
    }
    return shared;
}

Figure Flame::figure(const LayoutOptions& asked) const
{
    if (!m_tree) return seen(asked).figure(asked);
    auto options = asked;
    const auto entries = legend();
    Page page(options, options.redact && m_timed ? "Where the time goes" : title(), empty() ? m_measure.what : subtitle(0), m_provenance,
        entries);
    if (empty()) {
        page.empty("No stacks yet", "The program records stacks when its probes fire: " + m_probes);
        return page.finish(form() + " without data.");
    }
    const std::size_t focus = m_tree->find(record::framesOf(options.focus));
    if (focus == 0 && !options.focus.empty() && !options.forScreen) { // a window shows all, where what was in focus is gone
        page.empty("No stack begins with " + options.focus, "Frames are named from the root, joined by ';', as in the CSV.");
        return page.finish(form() + " of a frame that is not there.");
    }
    const auto& top = m_tree->nodes[focus];
    std::uint32_t levels = 0;
    for (std::size_t i = focus; i < focus + top.size; ++i)
        levels = std::max(levels, m_tree->nodes[i].depth + 1);
    if (options.higher && options.fit && levels * kLowestRow > page.content().height) {
        options.fit = false;
        page = Page(options, title(), subtitle(0), m_provenance, entries);
    }

    double row = options.forScreen ? kScreenRow : std::clamp(std::floor(page.content().height / levels), kLowestRow, kTallestRow);
    auto rowsShown = static_cast<std::uint32_t>(page.content().height / row);
    if (!options.fit) rowsShown = levels;
    // What nearly all stacks share tells least: where not all levels fit, it is one bar.
    const auto shared = options.forScreen || rowsShown >= levels ? Shared{} : sharedBy(focus, levels - rowsShown + 1);
    if (shared.frames > 1) levels -= shared.frames - 1;
    if (rowsShown < levels && !options.forScreen) page = Page(options, title(), subtitle(levels - rowsShown), m_provenance, entries);
    rowsShown = std::min(rowsShown, levels);
    const Box area = page.content();
    // From the page's bottom, or, where it grows, from as far down as the rows need.
    const double bottom = options.fit ? area.y + area.height : area.y + std::max(row * levels, options.forScreen ? 0.0 : area.height);
    const double gap = row > 30 ? 2 : 1;

    Sheet sheet{page, top, std::vector<std::uint32_t>(m_tree->nodes.size(), 0), std::vector<std::optional<NodeId>>(m_tree->nodes.size())};
    std::uint32_t line = 0;
    for (std::size_t i = 1; i < m_tree->nodes.size(); ++i)
        if (ends(m_tree->nodes[i])) sheet.rows[i] = ++line;
    const auto boxAt = [&](std::uint32_t depth, double x, double width) {
        const double y = m_isIcicle ? area.y + depth * row : bottom - (depth + 1) * row;
        return Box{area.x + x, y, std::max(width - (width > 3 ? gap : 0), 0.1), row - gap, row > 24 ? 2.0 : 1.0};
    };
    std::vector<std::size_t> above;
    for (std::size_t at = focus; at != 0;)
        above.push_back(at = m_tree->nodes[at].parent);
    for (auto at = above.rbegin(); at != above.rend(); ++at)
        drawBar(sheet, {*at, 1, weight(m_tree->nodes[*at]), m_tree->nodes[*at].depth, 0, area.width},
            boxAt(m_tree->nodes[*at].depth, 0, area.width));

    std::vector<IcicleNode> nodes;
    nodes.reserve(top.size);
    for (std::size_t i = focus; i < focus + top.size; ++i)
        nodes.push_back({m_tree->nodes[i].depth, m_tree->nodes[i].size, weight(m_tree->nodes[i]), m_tree->nodes[i].frames});
    auto bars = icicle(nodes, area.width, kNarrowestBar, kMostBars);
    for (auto& bar : bars) {
        bar.node += focus;
        if (shared.frames > 1 && bar.depth > top.depth) {
            if (bar.node < shared.last || bar.node >= shared.last + m_tree->nodes[shared.last].size) continue;
            if (bar.node == shared.last) {
                bar.frames = shared.frames;
                sheet.shared = shared.last;
                hideCallers(sheet, shared.last);
            }
            bar.depth -= shared.frames - 1;
        }
        if (bar.depth >= rowsShown) continue;
        drawBar(sheet, bar, boxAt(bar.depth, bar.x, bar.width));
    }
    if (options.zooms) addHidden(sheet);
    return page.finish(inWords(), {area.x + area.width, bottom});
}
} // namespace

std::unique_ptr<Visual> makeStacks(const Store& store, bool isIcicle) { return std::make_unique<Flame>(store, isIcicle); }
std::unique_ptr<Visual> makeStacks(const Store& before, const Store& after, bool isIcicle)
{
    return std::make_unique<Flame>(before, after, isIcicle);
}
Kind kind_flame()
{
    return {kFlameFacts, rank::kStacks, hasStacks, [](const Store& store) { return makeStacks(store, false); },
        [](const Store& before, const Store& after) { return makeStacks(before, after, false); }};
}
} // namespace dscope::graph
