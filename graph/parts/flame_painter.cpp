#include "graph/parts/flame_painter.h"
#include "graph/frame_label.h"
#include "graph/ranking.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
namespace dscope::graph {
namespace {
constexpr double kNarrowestLabel = 30;
constexpr double kLeastToldShare = 0.05; // of all: what a frame says of itself

/// "\nmix.c:31 and 2 other lines", where lines are known.
std::string lineText(const StackTree& tree, const StackNode& node)
{
    if (node.line == 0) return {};
    const auto line = tree.lines[node.line].shown();
    if (node.lines <= 1) return '\n' + line;
    return '\n' + saidOf(node.lines - 1, "%1 and another line", "%1 and %2 other lines", line, formatGrouped(node.lines - 1));
}
} // namespace

FlamePainter::FlamePainter(Page& page, const FlameData& data, std::size_t focus, const FlameRows& rows)
    : m_page(page), m_data(data), m_focus(focus)
{
    if (rows.shared.frames > 1) m_shared = rows.shared.last;
}

/// The node of the caller in the figure, or of the bar that is drawn instead of it.
std::optional<NodeId> FlamePainter::drawnParent(std::size_t node) const
{
    while (node != 0) {
        node = m_data.tree().nodes[node].parent;
        if (const auto drawn = m_drawn.find(node); drawn != m_drawn.end()) return drawn->second;
    }
    return std::nullopt;
}

/// Puts the callers of `node` that are not drawn into the figure's tree.
void FlamePainter::hideCallers(std::size_t node)
{
    const auto& tree = m_data.tree();
    std::vector<std::size_t> callers;
    for (std::size_t at = tree.nodes[node].parent; !m_drawn.contains(at); at = tree.nodes[at].parent)
        callers.push_back(at);
    for (auto at = callers.rbegin(); at != callers.rend(); ++at)
        m_drawn.emplace(*at, m_page.hiddenNode(drawnParent(*at), tree.nameOf(*at), static_cast<double>(m_data.weight(*at))));
}

void FlamePainter::addHidden()
{
    const auto& tree = m_data.tree();
    if (tree.nodes.size() > kMostHiddenFrames) return;
    bool isWhole = true;
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
        const auto& node = tree.nodes[i];
        isWhole = isWhole && node.frames == 1;
        if (m_drawn.contains(i)) continue;
        const auto name = node.frames == 1 ? tree.nameOf(i) : std::string_view();
        m_drawn.emplace(i, m_page.hiddenNode(drawnParent(i), name, static_cast<double>(m_data.weight(i))));
    }
    if (isWhole) m_page.treeIsWhole();
}

std::string FlamePainter::tipOf(const IcicleBar& bar) const
{
    const auto& node = m_data.tree().nodes[bar.node];
    const auto& root = m_data.root();
    const auto& measure = m_data.measure();
    const std::string share = formatShare(static_cast<double>(bar.total), static_cast<double>(m_data.weight(root)));
    if (bar.frames > 1) return said("%1 frames, %2", formatGrouped(bar.frames), share);
    auto tip = bar.node == 0 ? said("all") : std::string(m_data.tree().nameOf(bar.node));
    if (node.times > 1) tip += '\n' + said("calls itself: up to %1 at once, as one frame", formatGrouped(node.times));
    if (m_data.compares()) {
        const auto change = m_data.changeOf(bar.node);
        return tip + '\n'
            + said("before %1, %2; after %3, %4", measure.quantity(node.before),
                formatShare(static_cast<double>(node.before), static_cast<double>(root.before)), measure.quantity(node.total),
                formatShare(static_cast<double>(node.total), static_cast<double>(root.total)))
            + '\n' + change.text() + (change.told ? "" : ": " + m_data.noise());
    }
    tip += lineText(m_data.tree(), node);
    tip += '\n' + said("self %1, total %2, %3 of all", measure.quantity(node.self), measure.quantity(node.total), share);
    const auto inFocus = m_data.tree().nodes[m_focus].total;
    if (inFocus != root.total)
        tip += ", " + said("%1 of what is in focus", formatShare(static_cast<double>(bar.total), static_cast<double>(inFocus)));
    return tip;
}

/// Makes the item that was added last the drawing of a frame.
void FlamePainter::addNode(const IcicleBar& bar)
{
    const bool isShared = bar.node == m_shared && bar.frames > 1, isFrame = bar.frames == 1 || isShared;
    const auto name = isFrame && bar.node != 0 ? m_data.tree().nameOf(bar.node) : std::string_view();
    const auto id = m_page.node(drawnParent(bar.node), name, static_cast<double>(bar.total));
    if (isFrame) m_drawn.insert_or_assign(bar.node, id);
}

/// What is written on a bar, in `room` px; empty when nothing fits.
std::string FlamePainter::labelOf(const IcicleBar& bar, const Change& change, const std::string& tip, double room, double size) const
{
    if (bar.frames > 1) { // a number that is cut would be another one
        const auto fits = [&](const std::string& text) { return textWidth(text, size, {.mono = true}) <= room; };
        const auto shorter = said("%1 frames", formatGrouped(bar.frames));
        return fits(tip) ? tip : fits(shorter) ? shorter : std::string();
    }
    const std::string name = bar.node != 0 ? std::string(m_data.tree().nameOf(bar.node))
        : m_data.compares()                ? said("all")
                                           : said("all: %1", m_data.measure().amount(m_data.root().total));
    const auto times = m_data.tree().nodes[bar.node].times;
    const std::string again = times > 1 ? " \u00d7" + formatGrouped(times) : std::string();
    const auto with = [&](const std::string& given) {
        const auto ending = again + given;
        const auto form = frameLabel(name, room - textWidth(ending, size, {.mono = true}), size);
        return form.empty() ? form : form + ending;
    };

    if (!change.told) {
        const double share = static_cast<double>(bar.total) / static_cast<double>(m_data.weight(m_data.root()));
        auto plain = with("");
        if (plain.empty()) plain = frameLabel(name, room, size);
        if (m_data.compares() || bar.node == 0 || share < kLeastToldShare) return plain;
        // The share is told where it costs nothing of the function's name.
        const bool nearlyAll = share >= 0.995 && share < 1; // is not 100 %
        const auto told = with("  " + (nearlyAll ? formatShare(share, 1) : formatDecimal(100 * share, 0) + " %"));
        return told.empty() || told.find("\u2026") != std::string::npos ? plain : told;
    }

    // Which way it went is said also where nothing else fits; a sign alone would look like a number that is cut.
    const std::string sign = change.difference() < 0 ? "\u25bc" : "\u25b2";
    auto label = with("  " + change.text());
    if (label.empty() || label.find("\u2026") != std::string::npos) label = with(' ' + sign);
    for (const auto& less : {change.text(), sign})
        if (label.empty() && textWidth(less, size, {.mono = true}) <= room) label = less;
    return label;
}

void FlamePainter::draw(const FlameBar& flame)
{
    const auto& [bar, box] = flame;
    const auto& node = m_data.tree().nodes[bar.node];
    const bool isRun = bar.frames > 1, isChange = m_data.compares() && !isRun;
    if (isRun && bar.node == m_shared) hideCallers(bar.node);
    const std::string path = m_data.tree().path(bar.node), tip = tipOf(bar);
    const Change change = isChange ? m_data.changeOf(bar.node) : Change();
    const Shade shade = isRun ? Shade::Unknown : node.shade;

    Item& item = m_page.box(Role::Frame, box, shade);
    item.level = change.level();
    item.key = path;
    item.tip = tip;
    if (isChange)
        item.data = {{"before", plainNumber(change.before)}, {"after", plainNumber(change.after)}};
    else
        item.data = {{"total", std::to_string(bar.total)}, {"self", std::to_string(isRun ? 0 : node.self)}};
    if (change.told) item.data.emplace_back("change", change.text());
    if (isRun) item.data.emplace_back("frames", std::to_string(bar.frames));
    if (bar.node != 0 && m_data.ends(node)) item.row = Row{static_cast<std::uint32_t>(m_data.tree().endsBefore(bar.node))};
    addNode(bar);

    if (box.width < kNarrowestLabel) return;
    double size = flameText(box.height, m_page.smallest());
    const double pad = box.height > 24 ? 8 : 4, room = box.width - 2 * pad;
    auto label = labelOf(bar, change, tip, room, size);

    // Rather smaller than cut.
    const bool hasNoName = change.told && label == change.text();
    if (size > m_page.smallest() && (label.empty() || hasNoName || label.find("\u2026") != std::string::npos)) {
        size = m_page.smallest();
        label = labelOf(bar, change, tip, room, size);
    }

    if (label.empty()) return;
    Item& text = m_page.text(Role::Frame, {box.x + pad, box.y + box.height / 2 + size * 0.36}, label, {.size = size, .mono = true}, shade);
    text.key = path;
    text.level = change.level();
}
} // namespace dscope::graph
