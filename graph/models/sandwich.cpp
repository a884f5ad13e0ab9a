#include "engine/record/folded.h"
#include "graph/frame_label.h"
#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/layouts/icicle.h"
#include "graph/page.h"
#include "graph/parts/flame_layout.h"
#include "graph/parts/sandwich_focus.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
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
    .hasFocus = true,
    .listsFunctions = true,
    .repeats = true,
    .heeds = {.amounts = Heeds::Amounts::Stacks}};
constexpr double kScreenRow = 19, kApart = 6;
constexpr double kNarrowestLabel = 30, kNarrowestBar = 1;
constexpr std::size_t kMostBars = 4'000;    ///< of a side
constexpr std::size_t kDeepest = 2'048;     ///< levels of a side
constexpr std::size_t kMostHidden = 20'000; ///< nodes of both trees when they are kept whole to be searched
constexpr std::size_t kMostAsked = 256;     ///< functions that may be in the middle unasked: the most in all

struct Function {
    std::uint32_t frame = 0;
    std::string_view name;            ///< as it is spelled
    std::int64_t self = 0, total = 0; ///< total: of stacks with it in them, each once, however often it calls itself
};
/// Callers of a function (innermost first) and its callees. Each stack counts once, at the outermost call of the function.
struct Sides {
    std::string function, key; ///< its name as it is shown, and as it is spelled
    Shade shade = Shade::Unknown;
    std::int64_t total = 0;
    StackTree callers, callees;
};
/// Levels that have a frame as wide as can be seen, the root's included, where all are as wide as `width` px.
std::uint32_t seenLevels(const StackTree& tree, double width)
{
    constexpr double kSeen = 2; // px
    std::uint32_t levels = 1;
    for (const auto& node : tree.nodes)
        if (static_cast<double>(node.total) * width >= kSeen * static_cast<double>(tree.nodes.front().total))
            levels = std::max(levels, node.depth + 1);
    return levels;
}
/// One function with all that call it above and all that it calls below, merged over all stacks.
class Sandwich final : public Visual {
public:
    explicit Sandwich(const Store& store)
        : m_provenance(provenanceOf(store, sumsUpStacks)), m_probes(probesText(store.program())), m_stacks(stacksOf(store)),
          m_measure(m_stacks->measure())
    {
    }
    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return said("Callers and callees"); }
    bool empty() const override { return m_stacks->empty(); }

    /// Every function, the most in all first: what can be put in the middle.
    Table table() const override
    {
        prepare();
        Table t;
        const auto unit = m_measure.unit();
        t.columns = {Column::text("function"), Column::number("self", unit), Column::number("total", unit)};
        for (const auto& f : m_functions)
            t.rows.push_back({std::string(f.name), m_measure.exact(f.self), m_measure.exact(f.total)});
        return t;
    }

    Digest digest(std::size_t most, Privacy /*privacy*/) const override
    {
        prepare();
        std::vector<const Function*> functions;
        for (const auto& f : m_functions)
            functions.push_back(&f);
        std::stable_sort(functions.begin(), functions.end(), [](const Function* a, const Function* b) { return a->self > b->self; });
        Digest out;
        const auto whole = static_cast<double>(m_stacks->total());
        const std::string what = m_measure.isCount ? m_measure.noun.plural() : std::string("amount");
        out.table.columns = {Column::text("function"), Column::number("itself: " + what), Column::number("share"),
            Column::number("with what it calls: " + what), Column::number("share")};
        for (const auto* f : functions) {
            if (out.table.rows.size() == most) break;
            out.table.rows.push_back({std::string(f->name), m_measure.quantity(f->self), formatShare(static_cast<double>(f->self), whole),
                m_measure.quantity(f->total), formatShare(static_cast<double>(f->total), whole)});
        }
        out.more = functions.size() - out.table.rows.size();
        return out;
    }

    Figure figure(const LayoutOptions& options) const override;

    std::optional<Share> share(const NameTest& test, std::string_view focus) const override
    {
        prepare();
        const auto* function = middle(focus);
        if (!function || function->total <= 0) return std::nullopt;
        Frames frames;
        const auto middleFrame = frames.of(m_frames[function->frame]);
        std::vector<signed char> known; // by frame: whether it passes, or not asked yet
        const auto passes = [&](const StackStep& step) {
            known.resize(frames.size(), -1);
            auto& answer = known[step.frame];
            if (answer < 0) answer = test(frames[step.frame].shown()) ? 1 : 0;
            return answer > 0;
        };
        std::int64_t found = 0;
        m_stacks->eachWith(m_frames[function->frame], frames, [&](std::span<const StackStep> steps, std::int64_t value) {
            const bool isAbout = std::any_of(steps.begin(), steps.end(), [&](const StackStep& s) { return s.frame == middleFrame; });
            if (isAbout && std::any_of(steps.begin(), steps.end(), passes)) found += value;
        });
        return Share{static_cast<double>(found) / static_cast<double>(function->total), Share::Of::Function,
            std::string(m_frames[function->frame].shown())};
    }

private:
    /// Made when first looked at: a window makes visuals of which it shows one.
    void prepare() const
    {
        std::call_once(m_once, [&] {
            std::vector<std::size_t> seen; // the stack in which a function was last found
            std::size_t stack = 0;
            m_stacks->each(m_frames, [&](std::span<const StackStep> steps, std::int64_t value) {
                ++stack;
                for (auto i = static_cast<std::uint32_t>(m_functions.size()); i < m_frames.size(); ++i)
                    m_functions.push_back({i, m_frames[i].name, 0, 0});
                seen.resize(m_functions.size(), 0);
                for (const auto& step : steps)
                    if (std::exchange(seen[step.frame], stack) != stack) m_functions[step.frame].total += value;
                m_functions[steps.back().frame].self += value;
            });
            std::sort(m_functions.begin(), m_functions.end(),
                [](const Function& a, const Function& b) { return a.total != b.total ? a.total > b.total : a.name < b.name; });
            for (std::uint32_t i = 0; i < m_functions.size(); ++i)
                m_rows.emplace(m_functions[i].name, i);
        });
    }

    /// What is asked for, by its name or by a path that ends in it, else mostTelling(), else what took the most by itself.
    const Function* middle(std::string_view focus) const
    {
        if (m_functions.empty()) return nullptr;
        if (!focus.empty()) {
            for (const auto asked : {focus, record::lastFrame(focus)}) {
                if (const auto at = m_rows.find(asked); at != m_rows.end()) return &m_functions[at->second];
                for (const auto& f : m_functions) // the most in all first
                    if (m_frames[f.frame].shown() == asked) return &f;
            }
            return nullptr;
        }
        std::call_once(m_chosenOnce, [&] {
            std::vector<std::uint32_t> largest;
            for (std::size_t i = 0; i < std::min(m_functions.size(), kMostAsked); ++i)
                largest.push_back(m_functions[i].frame);
            const auto telling = mostTelling(*m_stacks, m_frames, largest);
            const auto bySelf = [](const Function& a, const Function& b) { return a.self != b.self ? a.self < b.self : a.name > b.name; };
            m_chosen = telling
                ? m_rows.at(m_frames[*telling].name)
                : static_cast<std::uint32_t>(std::max_element(m_functions.begin(), m_functions.end(), bySelf) - m_functions.begin());
        });
        return &m_functions[m_chosen];
    }

    Sides sidesOf(const Function& function) const
    {
        Sides sides;
        sides.function = std::string(m_frames[function.frame].shown());
        sides.key = std::string(function.name);
        Frames frames;
        const auto middle = frames.of(m_frames[function.frame]);
        StackTreeBuilder callers(frames, kDeepest), callees(frames, kDeepest);
        std::vector<StackStep> steps;
        m_stacks->eachWith(m_frames[function.frame], frames, [&](std::span<const StackStep> all, std::int64_t value) {
            const auto here = std::find_if(all.begin(), all.end(), [&](const StackStep& step) { return step.frame == middle; });
            if (here == all.end()) return;
            sides.total += value;
            sides.shade = here->shade;
            callees.add(all.subspan(static_cast<std::size_t>(here - all.begin()) + 1), value);
            steps.assign(std::make_reverse_iterator(here), all.rend());
            callers.add(steps, value);
        });
        sides.callers = callers.build();
        sides.callees = callees.build();
        return sides;
    }

    std::string quantity(std::int64_t value) const { return m_measure.quantity(value); }
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
    std::string m_probes;
    std::shared_ptr<const Stacks> m_stacks;
    StackMeasure m_measure;
    mutable std::once_flag m_once;
    mutable Frames m_frames;
    mutable std::vector<Function> m_functions;
    mutable std::unordered_map<std::string_view, std::uint32_t> m_rows; ///< of the table
    mutable std::once_flag m_chosenOnce;
    mutable std::uint32_t m_chosen = 0; ///< the row of what is in the middle where nothing is asked for
};

std::string Sandwich::inWords(const Sides& sides, const Function& function) const
{
    const auto text = said("%1: %2, %3 of all, %4 self.", sides.function, m_measure.amount(sides.total),
        share(sides.total, m_stacks->total()), share(function.self, m_stacks->total()));
    const auto most = [&](const StackTree& tree) {
        std::vector<std::pair<std::int64_t, std::string_view>> next;
        for (std::size_t i = 1; i < tree.nodes.size(); i += tree.nodes[i].size)
            next.emplace_back(-tree.nodes[i].total, tree.nameOf(i));
        std::sort(next.begin(), next.end());
        std::string words;
        for (std::size_t i = 0; i < std::min<std::size_t>(next.size(), 5); ++i)
            words += (i ? ", " : "") + std::string(next[i].second) + ' ' + share(-next[i].first, sides.total);
        return words;
    };
    const auto callers = most(sides.callers), callees = most(sides.callees);
    const auto* both = callers.empty() && callees.empty() ? toSay("Callers: none. Callees: none.")
        : callers.empty()                                 ? toSay("Callers: none. Callees: %2.")
        : callees.empty()                                 ? toSay("Callers: %1. Callees: none.")
                                                          : toSay("Callers: %1. Callees: %2.");
    return text + ' ' + said(both, callers, callees);
}
/// What is too narrow, or too far away, to be drawn is in the figure's tree as well, so that it can be searched.
void Sandwich::addHidden(Side& side) const
{
    for (std::size_t i = 1; i < side.tree.nodes.size(); ++i) {
        const auto& node = side.tree.nodes[i];
        if (!side.drawn[i])
            side.drawn[i] = side.page.hiddenNode(side.drawn[node.parent], side.tree.nameOf(i), static_cast<double>(node.total),
                side.isAbove ? Page::Side::Callers : Page::Side::Callees);
    }
}
void Sandwich::drawBar(Side& side, const IcicleBar& bar, const Box& box) const
{
    auto& [page, sides, tree, isAbove, drawn] = side;
    const bool isRun = bar.frames > 1, isMiddle = bar.node == 0;
    const auto& node = tree.nodes[bar.node];
    const std::string name = isMiddle ? sides.function : std::string(tree.nameOf(bar.node));
    const std::string& key = isMiddle ? sides.key : tree.frameOf(bar.node).name;
    const Shade shade = isRun ? Shade::Unknown : isMiddle ? sides.shade : node.shade;
    Item& item = page.box(Role::Frame, box, shade);
    item.tip = (isRun ? said("%1 frames", formatGrouped(bar.frames)) : name) + '\n' + quantity(bar.total) + ", "
        + (isMiddle ? std::string() : said("%1 of %2", share(bar.total, sides.total), sides.function) + ", ")
        + said("%1 of all", share(bar.total, m_stacks->total()));
    item.data = {{"total", m_measure.exact(bar.total)}};
    if (isRun)
        item.data.emplace_back("frames", std::to_string(bar.frames));
    else
        item.key = key; // in focus it is the middle itself
    const auto id = page.node(isMiddle ? std::nullopt : drawn[node.parent], isRun ? std::string_view() : name,
        static_cast<double>(bar.total), isAbove ? Page::Side::Callers : Page::Side::Callees);
    if (!isRun) drawn[bar.node] = id;
    if (const auto row = m_rows.find(key); !isRun && row != m_rows.end()) item.row = Row{row->second};
    if (box.width < kNarrowestLabel) return;
    const double size = flameText(box.height, page.smallest()), pad = box.height > 24 ? 8 : 4, room = box.width - 2 * pad;
    std::string label = isRun
        ? elided(said("%1 frames, %2", formatGrouped(bar.frames), share(bar.total, sides.total)), room, size, Elide::End, {.mono = true})
        : frameLabel(name, room, size);
    if (const auto amount = ": " + quantity(bar.total); isMiddle) { // a shorter name rather than no number
        const auto beside = frameLabel(name, room - textWidth(amount, size, {.mono = true}), size);
        if (!beside.empty()) label = beside + amount;
    }
    if (label.empty()) return;
    Item& text = page.text(
        Role::Frame, {box.x + pad, box.y + box.height / 2 + size * 0.36}, label, {.size = size, .bold = isMiddle, .mono = true}, shade);
    if (!isRun) text.key = key;
}

Figure Sandwich::figure(const LayoutOptions& asked) const
{
    auto options = asked;
    prepare();
    if (m_functions.empty()) {
        Page page(options, title(), m_measure.what(), m_provenance);
        sayNoStacks(page, *m_stacks, m_probes);
        return page.finish(said("Callers and callees without data."));
    }

    const auto* function = middle(options.focus);
    if (!function) {
        Page page(options, title(), m_measure.what(), m_provenance);
        page.empty(said("No stack has %1 in it", options.focus),
            said("Functions are named as in the flame graph. In the most stacks: %1", std::string(m_functions.front().name)));
        return page.finish(said("Callers and callees of a function that is not there."));
    }

    const auto sides = sidesOf(*function);
    const auto below = sides.callees.depth - 1;
    const auto legend = frameLegend([&](Shade shade) {
        const auto has = [&](const StackTree& tree) {
            return std::any_of(tree.nodes.begin() + 1, tree.nodes.end(), [&](const StackNode& n) { return n.shade == shade; });
        };
        return sides.shade == shade || has(sides.callers) || has(sides.callees);
    });

    const auto subtitle = [&] {
        // How much it is comes first, and in short facts: a narrow page has room for one or two.
        return m_measure.part(sides.total, m_stacks->total()) + inShownInterval(m_provenance) + kMiddleDot
            + said("%1 self", share(function->self, m_stacks->total())) + kMiddleDot + m_measure.what() + kMiddleDot
            + (below > 0 ? said("what calls it above, what it calls below") : said("what calls it above; nothing that it calls was seen"));
    };

    const auto caveats = [&](std::uint32_t hidden) {
        auto out = intervalCaveat(m_provenance);
        for (auto& cut : stackCaveats(*m_stacks))
            out.push_back(std::move(cut));
        if (hidden > 0)
            out.push_back(saidOf(hidden, "%1 level further away not shown", "%1 levels further away not shown", std::to_string(hidden)));
        if (const auto cut = sides.callers.cutAtDepth + sides.callees.cutAtDepth; cut > 0)
            out.push_back(said("%1 in stacks of more than %2 frames on a side, which are not shown further", m_measure.amount(cut),
                formatGrouped(kDeepest)));
        return out;
    };

    const auto head = fittingTitle(options, titlesAbout(toSay("Callers and callees of %1"), toSay("Around %1"), sides.function));
    const auto pageWithout = [&](std::uint32_t hidden) { return Page(options, head, subtitle(), m_provenance, legend, caveats(hidden)); };
    Page page = pageWithout(0);
    // What is thinner than can be seen has no rows kept free for it.
    const double seen = page.content().width;
    const bool zooms = options.forScreen || options.zooms;
    const auto above = zooms ? sides.callers.depth - 1 : seenLevels(sides.callers, seen) - 1,
               beneath = zooms ? below : seenLevels(sides.callees, seen) - 1;
    const auto levels = above + 1 + beneath, deeper = sides.callers.depth + sides.callees.depth - 1 - levels;
    const auto tellingAbove = tellingLevels(sides.callers) - 1, tellingBelow = tellingLevels(sides.callees) - 1;
    const auto telling = tellingAbove + 1 + tellingBelow;
    if (options.higher && options.fit && telling * lowestFlameRow(page.smallest()) + 2 * kApart > page.content().height) {
        options.fit = false;
        page = pageWithout(0);
    }

    const auto room = [&] { return page.content().height - 2 * kApart; };
    const double row = options.forScreen ? kScreenRow : flameRow(levels, telling, room(), page.smallest());
    auto shownAbove = above, shownBelow = beneath;
    if (deeper > 0 && !options.forScreen) page = pageWithout(deeper);
    const auto rowsOfPage = [&] {
        const auto fitting = static_cast<std::uint32_t>(std::max(room() / row, 1.0));
        return options.fit ? fitting : std::max(fitting, telling); // a page grows for what many stacks reach, not for the depth of a few
    };
    auto fitting = rowsOfPage();
    if (!options.forScreen && fitting < levels) {
        page = pageWithout(levels - fitting + deeper);
        fitting = rowsOfPage(); // what has to be said takes room itself
        page = pageWithout(levels - std::min(fitting, levels) + deeper);
        // What many stacks reach first, on the deeper side what the other leaves; then the nearest of what few reach.
        const auto upTo = [](std::uint32_t wanted, std::uint32_t other, std::uint32_t rows) {
            return std::min(wanted, std::max(rows / 2, rows - std::min(other, rows)));
        };
        shownAbove = upTo(tellingAbove, tellingBelow, fitting - 1);
        shownBelow = std::min(tellingBelow, fitting - 1 - shownAbove);
        shownAbove += upTo(above - shownAbove, beneath - shownBelow, fitting - 1 - shownAbove - shownBelow);
        shownBelow = std::min(beneath, fitting - 1 - shownAbove);
    }

    const Box area = page.content();
    const double gap = row > 30 ? 2 : 1, middleTop = area.y + shownAbove * row + kApart;
    const bool searched = options.zooms && sides.callers.nodes.size() + sides.callees.nodes.size() <= kMostHidden;
    std::optional<NodeId> root;
    enum class Place : std::uint8_t { Above, Below };
    const auto drawSide = [&](const StackTree& tree, std::uint32_t shown, Place place) {
        const bool isAbove = place == Place::Above;
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

    drawSide(sides.callees, shownBelow, Place::Below);
    drawSide(sides.callers, shownAbove, Place::Above);
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
