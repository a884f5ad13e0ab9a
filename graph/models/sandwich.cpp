#include "graph/frame_label.h"
#include "graph/keys.h"
#include "graph/layouts/icicle.h"
#include "graph/models/flame.h"
#include "graph/page.h"
#include "graph/stack_partition.h"
#include "graph/stack_tree.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/units.h"
#include <algorithm>
#include <cmath>
#include <mutex>
#include <unordered_map>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "sandwich",
    .tab = "Sandwich",
    .summary = "one function: what calls it above, what it calls below",
    .growth = Growth::Down,
    .hasFocus = true};
constexpr double kTallestRow = 39, kLowestRow = 17, kScreenRow = 19, kApart = 6;
constexpr double kNarrowestLabel = 30, kNarrowestBar = 1;
constexpr std::size_t kMostBars = 4'000;    ///< of a side
constexpr std::size_t kMostHidden = 20'000; ///< nodes of both trees when they are kept whole to be searched

struct Function {
    std::string_view name;
    std::int64_t self = 0, total = 0; ///< total: of stacks with it in them, each once, however often it calls itself
};
/// What leads to a function, from it outwards, and what it leads to. A stack counts once, from where the function is first called.
struct Sides {
    std::string function;
    Shade shade = Shade::Unknown;
    std::int64_t total = 0;
    StackTree callers, callees;
};

bool hasFrame(std::string_view stack, std::string_view name)
{
    for (auto at = stack.find(name); at != stack.npos; at = stack.find(name, at + 1)) {
        const auto end = at + name.size();
        if ((at == 0 || stack[at - 1] == ';') && (end == stack.size() || stack[end] == ';')) return true;
    }
    return false;
}

/// One function with all that call it above and all that it calls below, merged over all stacks.
class Sandwich final : public Visual {
public:
    explicit Sandwich(const Store& store)
        : m_provenance(provenanceOf(store)), m_noun(countedNoun(store)), m_probes(probesText(store.program())),
          m_flame(makeStacks(store, false))
    {
        const auto& all = store.program().aggregations;
        const auto first = std::find_if(all.begin(), all.end(), sumsUpStacks);
        if (first != all.end()) {
            m_isCount = first->function == record::Aggregator::Count;
            m_measure = measureOf(*first, store.program());
            m_what = describe(*first);
        } else if (store.folded()) {
            m_noun = store.folded()->noun;
            m_what = std::string(baseName(m_provenance.name));
            m_namesTell = true;
        }
        for (const auto& [id, frames] : store.stacks())
            for (const auto& frame : frames)
                m_shades.try_emplace(frameName(frame), shadeOf(frame.kind));
    }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return "Callers and callees"; }
    bool empty() const override { return m_flame->empty(); }
    /// Every function, the most in all first: what can be put in the middle.
    Table table() const override
    {
        prepare();
        Table t;
        const auto unit = m_isCount ? Unit::Count : m_measure.unit;
        t.columns = {{Unit::None, "function", false}, {unit, "self", true}, {unit, "total", true}};
        for (const auto& f : m_functions)
            t.rows.push_back({std::string(f.name), std::to_string(f.self), std::to_string(f.total)});
        return t;
    }
    Figure figure(const LayoutOptions& options) const override;
    std::optional<Share> share(const NameTest& test, std::string_view focus) const override
    {
        prepare();
        const auto* function = middle(focus);
        if (!function || function->total <= 0) return std::nullopt;
        auto lines = m_stacks.lines; // those that the figure is about
        std::erase_if(lines, [&](const auto& line) { return !hasFrame(line.stack, function->name); });
        return Share{static_cast<double>(matchedValue(lines, test)) / static_cast<double>(function->total), std::string(function->name)};
    }

private:
    /// Made when first looked at: a window makes visuals of which it shows one.
    void prepare() const
    {
        std::call_once(m_once, [&] {
            if (auto stacks = m_flame->folded()) m_stacks = std::move(*stacks);
            std::unordered_map<std::string_view, std::size_t> numbers;
            std::vector<std::size_t> seen; // the line in which a function was last found
            std::size_t line = 0;
            for (const auto& [stack, value] : m_stacks.lines) {
                ++line;
                m_total += value;
                for (std::size_t at = 0; at <= stack.size();) {
                    const auto end = std::min(stack.find(';', at), stack.size());
                    const auto [known, isNew] = numbers.try_emplace(stack.substr(at, end - at), m_functions.size());
                    if (isNew) {
                        m_functions.push_back({known->first, 0, 0});
                        seen.push_back(0);
                    }
                    auto& f = m_functions[known->second];
                    if (std::exchange(seen[known->second], line) != line) f.total += value;
                    if (end == stack.size()) f.self += value;
                    at = end + 1;
                }
            }
            std::sort(m_functions.begin(), m_functions.end(),
                [](const Function& a, const Function& b) { return a.total != b.total ? a.total > b.total : a.name < b.name; });
            for (std::uint32_t i = 0; i < m_functions.size(); ++i)
                m_rows.emplace(m_functions[i].name, i);
        });
    }
    /// What is asked for, by its name or by a path that ends in it, else what took the most by itself.
    const Function* middle(std::string_view focus) const
    {
        if (m_functions.empty()) return nullptr;
        if (!focus.empty()) {
            for (const auto asked : {focus, focus.substr(focus.rfind(';') + 1)})
                if (const auto at = m_rows.find(asked); at != m_rows.end()) return &m_functions[at->second];
            return nullptr;
        }
        return &*std::max_element(m_functions.begin(), m_functions.end(),
            [](const Function& a, const Function& b) { return a.self != b.self ? a.self < b.self : a.name > b.name; });
    }
    Sides sidesOf(const Function& function) const
    {
        Sides sides;
        sides.function = std::string(function.name);
        StackTreeBuilder callers, callees;
        std::vector<StackTreeBuilder::Step> steps;
        for (const auto& [stack, value] : m_stacks.lines) {
            if (stack.find(function.name) == std::string_view::npos) continue;
            steps.clear();
            std::size_t here = std::string_view::npos;
            bool inKernel = false; // what the kernel calls is the kernel
            for (std::size_t at = 0; at <= stack.size();) {
                const auto end = std::min(stack.find(';', at), stack.size());
                const auto name = stack.substr(at, end - at);
                if (here == std::string_view::npos && name == function.name) here = steps.size();
                auto& step = steps.emplace_back(StackTreeBuilder::Step{std::string(name), Shade::Unknown});
                if (m_namesTell)
                    step.shade = inKernel ? Shade::Kernel : shadeOfName(name);
                else if (const auto known = m_shades.find(step.name); known != m_shades.end())
                    step.shade = known->second;
                inKernel = step.shade == Shade::Kernel;
                at = end + 1;
            }
            if (here == std::string_view::npos) continue;
            sides.total += value;
            sides.shade = steps[here].shade;
            callees.add({steps.begin() + static_cast<std::ptrdiff_t>(here) + 1, steps.end()}, value);
            callers.add({steps.rend() - static_cast<std::ptrdiff_t>(here), steps.rend()}, value);
        }
        sides.callers = callers.build();
        sides.callees = callees.build();
        return sides;
    }
    std::string quantity(std::int64_t value) const
    {
        if (!m_isCount && m_measure.unit != Unit::None) return m_measure.format(static_cast<double>(value));
        return formatGrouped(value);
    }
    std::string share(std::int64_t part, std::int64_t whole) const
    {
        return formatShare(static_cast<double>(part), static_cast<double>(whole));
    }
    std::string inWords(const Sides& sides, const Function& function) const;
    /// Where a side is drawn, and which node of the figure's tree stands for each of its frames.
    struct Side {
        Page& page;
        const Sides& both;
        const StackTree& tree;
        bool isAbove;
        std::vector<std::optional<NodeId>> drawn; ///< by node of `tree`; the first is the function in the middle
    };
    void drawBar(Side& side, const IcicleBar& bar, const Box& box) const;
    void addHidden(Side& side) const;

    Provenance m_provenance;
    std::string m_noun, m_probes, m_what;
    std::unique_ptr<Visual> m_flame; ///< whose stacks these are
    Measure m_measure;
    bool m_isCount = true;
    bool m_namesTell = false; ///< what kind of code a frame is, as nothing else does
    std::unordered_map<std::string, Shade> m_shades;
    mutable std::once_flag m_once;
    mutable record::FoldedStacks m_stacks;
    mutable std::int64_t m_total = 0;
    mutable std::vector<Function> m_functions;
    mutable std::unordered_map<std::string_view, std::uint32_t> m_rows; ///< of the table
};

std::string Sandwich::inWords(const Sides& sides, const Function& function) const
{
    std::string text = sides.function + ": " + (m_isCount ? withNoun(quantity(sides.total), m_noun) : quantity(sides.total)) + ", "
        + share(sides.total, m_total) + " of all, by itself " + share(function.self, m_total) + '.';
    const auto most = [&](const StackTree& tree) {
        std::vector<std::pair<std::int64_t, std::string_view>> next;
        for (std::size_t i = 1; i < tree.nodes.size(); i += tree.nodes[i].size)
            next.emplace_back(-tree.nodes[i].total, tree.nameOf(i));
        std::sort(next.begin(), next.end());
        std::string words;
        for (std::size_t i = 0; i < std::min<std::size_t>(next.size(), 5); ++i)
            words += (i ? ", " : " ") + std::string(next[i].second) + ' ' + share(-next[i].first, sides.total);
        return words.empty() ? " none" : words;
    };
    return text + " Callers:" + most(sides.callers) + ". Callees:" + most(sides.callees) + '.';
}
/// What is too narrow, or too far away, to be drawn is in the figure's tree as well, so that it can be searched.
void Sandwich::addHidden(Side& side) const
{
    for (std::size_t i = 1; i < side.tree.nodes.size(); ++i) {
        const auto& node = side.tree.nodes[i];
        if (!side.drawn[i])
            side.drawn[i]
                = side.page.hiddenNode(side.drawn[node.parent], side.tree.nameOf(i), static_cast<double>(node.total), side.isAbove);
    }
}
void Sandwich::drawBar(Side& side, const IcicleBar& bar, const Box& box) const
{
    auto& [page, sides, tree, isAbove, drawn] = side;
    const bool isRun = bar.frames > 1, isMiddle = bar.node == 0;
    const auto& node = tree.nodes[bar.node];
    const std::string name = isMiddle ? sides.function : std::string(tree.nameOf(bar.node));
    const Shade shade = isRun ? Shade::Unknown : isMiddle ? sides.shade : node.shade;
    Item& item = page.box(Role::Frame, box, shade);
    item.tip = (isRun ? formatGrouped(bar.frames) + " frames" : name) + '\n' + quantity(bar.total) + ", "
        + (isMiddle ? std::string() : share(bar.total, sides.total) + " of " + sides.function + ", ") + share(bar.total, m_total)
        + " of all";
    item.data = {{"total", std::to_string(bar.total)}};
    if (isRun)
        item.data.emplace_back("frames", std::to_string(bar.frames));
    else
        item.key = name; // in focus it is the middle itself
    const auto id = page.node(
        isMiddle ? std::nullopt : drawn[node.parent], isRun ? std::string_view() : name, static_cast<double>(bar.total), isAbove);
    if (!isRun) drawn[bar.node] = id;
    if (const auto row = m_rows.find(name); !isRun && row != m_rows.end()) item.row = Row{row->second};
    if (box.width < kNarrowestLabel) return;
    const double size = std::clamp(std::floor(box.height * 0.62), 10.0, 16.0), pad = box.height > 24 ? 8 : 4, room = box.width - 2 * pad;
    std::string label = isRun
        ? elided(formatGrouped(bar.frames) + " frames, " + share(bar.total, sides.total), room, size, false, false, true)
        : frameLabel(isMiddle ? name + ": " + quantity(bar.total) : name, room, size);
    if (label.empty() && isMiddle) label = frameLabel(name, room, size);
    if (label.empty()) return;
    Item& text = page.text(
        Role::Frame, {box.x + pad, box.y + box.height / 2 + size * 0.36}, label, {.size = size, .bold = isMiddle, .mono = true}, shade);
    if (!isRun) text.key = name;
}

Figure Sandwich::figure(const LayoutOptions& asked) const
{
    auto options = asked;
    prepare();
    if (m_functions.empty()) {
        Page page(options, title(), m_what, m_provenance);
        page.empty("No stacks yet", "The program records stacks when its probes fire: " + m_probes);
        return page.finish("Callers and callees without data.");
    }
    const auto* function = middle(options.focus);
    if (!function) {
        Page page(options, title(), m_what, m_provenance);
        page.empty("No stack has " + options.focus + " in it",
            "Functions are named as in the flame graph. In the most stacks: " + std::string(m_functions.front().name));
        return page.finish("Callers and callees of a function that is not there.");
    }
    const auto sides = sidesOf(*function);
    const auto above = sides.callers.depth - 1, below = sides.callees.depth - 1;
    const auto legend = frameLegend([&](Shade shade) {
        const auto has = [&](const StackTree& tree) {
            return std::any_of(tree.nodes.begin() + 1, tree.nodes.end(), [&](const StackNode& n) { return n.shade == shade; });
        };
        return sides.shade == shade || has(sides.callers) || has(sides.callees);
    });
    const auto subtitle = [&](std::uint32_t hidden) {
        std::string text = m_what + " \u00b7 " + quantity(sides.total) + " of "
            + (m_isCount ? withNoun(quantity(m_total), m_noun) : quantity(m_total)) + inShownInterval(m_provenance) + ", "
            + share(function->self, m_total) + " by itself \u00b7 "
            + (below > 0 ? "what calls it above, what it calls below" : "what calls it above; nothing that it calls was seen");
        if (hidden > 0) text += " \u00b7 " + std::to_string(hidden) + " levels further away don't fit and are not shown";
        return text;
    };
    const std::string head = title() + " of " + printable(sides.function);
    Page page(options, head, subtitle(0), m_provenance, legend);
    const auto levels = above + 1 + below;
    if (options.higher && options.fit && levels * kLowestRow + 2 * kApart > page.content().height) {
        options.fit = false;
        page = Page(options, head, subtitle(0), m_provenance, legend);
    }
    const auto rowOf = [&] { return std::floor((page.content().height - 2 * kApart) / levels); };
    const double row = options.forScreen || !options.fit ? kScreenRow : std::clamp(rowOf(), kLowestRow, kTallestRow);
    auto shownAbove = above, shownBelow = below;
    const auto fitting = static_cast<std::uint32_t>(std::max((page.content().height - 2 * kApart) / row, 1.0));
    if (options.fit && fitting < levels) { // the nearest of both sides, the deeper side has what the other leaves
        page = Page(options, head, subtitle(levels - fitting), m_provenance, legend);
        const auto half = (fitting - 1) / 2;
        shownAbove = std::min(above, std::max(half, fitting - 1 - std::min(below, fitting - 1)));
        shownBelow = std::min(below, fitting - 1 - shownAbove);
    }
    const Box area = page.content();
    const double gap = row > 30 ? 2 : 1, middleTop = area.y + shownAbove * row + kApart;
    const bool searched = options.zooms && sides.callers.nodes.size() + sides.callees.nodes.size() <= kMostHidden;
    std::optional<NodeId> root;
    const auto drawSide = [&](const StackTree& tree, std::uint32_t shown, bool isAbove) {
        Side side{page, sides, tree, isAbove, std::vector<std::optional<NodeId>>(tree.nodes.size())};
        side.drawn.front() = root;
        std::vector<IcicleNode> nodes;
        nodes.reserve(tree.nodes.size());
        for (const auto& n : tree.nodes)
            nodes.push_back({n.depth, n.size, n.total, n.frames});
        for (const auto& bar : icicle(nodes, area.width, kNarrowestBar, kMostBars)) {
            if (bar.depth > shown || (isAbove && bar.depth == 0)) continue;
            const double away = bar.depth * row + (bar.depth > 0 ? kApart : 0);
            drawBar(side, bar,
                {area.x + bar.x, middleTop + (isAbove ? -away : away), std::max(bar.width - (bar.width > 3 ? gap : 0), 0.1), row - gap,
                    row > 24 ? 2.0 : 1.0});
        }
        root = side.drawn.front();
        if (searched) addHidden(side);
    };
    drawSide(sides.callees, shownBelow, false);
    drawSide(sides.callers, shownAbove, true);
    if (searched) page.treeIsWhole();
    return page.finish(inWords(sides, *function), {area.x + area.width, middleTop + (shownBelow + 1) * row + kApart});
}
} // namespace

Kind kind_sandwich()
{
    return {kFacts, rank::kStacks + 7, hasStacks,
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Sandwich>(store); }};
}
} // namespace dscope::graph
