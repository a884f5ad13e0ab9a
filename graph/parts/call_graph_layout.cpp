#include "graph/parts/call_graph_layout.h"
#include "graph/frame_label.h"
#include "graph/layouts/shelves.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr double kNodeHeight = 44, kWidestName = 230;
constexpr double kStepUp = 1.6;
constexpr int kFolds = 3;
constexpr std::size_t kLongestChain = 10; // functions of one that are drawn each where others are folded

/// `page`: where what does not hang together goes below one another; null: side by side.
void layOut(const CallGraphData& graph, LaidCalls& laid, const Page* page)
{
    laid.labels.clear();
    laid.sizes.clear();
    for (std::size_t i = 0; i < laid.drawn.functions.size(); ++i) {
        laid.labels.push_back(callLabel(graph, shownFunction(graph, laid.drawn, i)));
        laid.sizes.push_back(laid.labels.back().size);
    }
    const auto gaps = callGaps(laid.drawn);
    laid.at = routed(laid.sizes, laid.drawn.edges, gaps, RankDirection::Down);
    if (laid.at && page)
        laid.at = onShelves(*std::move(laid.at), laid.sizes, laid.drawn.edges, gaps, {page->content().width, page->content().height});
}

bool hasRoom(const LaidCalls& laid, const Page& page)
{
    return !laid.at || RoutedDrawing(page, *laid.at, laid.sizes).scale() >= page.scale() * 0.999; // else text would be too small
}

/// For functions that are all in the same stacks: shows as many as stay readable, and merges their outermost callers into one node.
void fitLeast(const CallGraphData& graph, LaidCalls& laid, const Page& page)
{
    const auto levels = static_cast<std::size_t>((page.content().height / page.scale() + 20) / (kNodeHeight + 20));
    laid.drawn = withShortChains(graph, laid.whole, std::max(levels, kShortestChain));
    layOut(graph, laid, &page);
    while (laid.drawn.functions.size() > 2 && laid.at && !hasRoom(laid, page)) {
        const auto fewer = std::clamp(levels, std::size_t{2}, laid.drawn.functions.size() - 1);
        laid.drawn = withoutOutermost(graph, laid.drawn, laid.at->centres, fewer);
        layOut(graph, laid, &page);
    }
    if (!hasRoom(laid, page)) laid.drawn = CallPart();
}

/// A part as it can be read on its page, with nodes folded as far as it takes; none where that does not suffice.
std::optional<LaidCalls> laidReadably(const CallGraphData& graph, const CallPart& whole, const LayoutOptions& options,
    const std::function<Page(const CallPart& whole)>& pageFor)
{
    const double scale = smallestText(options) / CallLabel::kFactSize, area = options.width * options.height / (scale * scale);
    const double most
        = options.fit ? std::max(1.0, 0.7 * area / ((kWidestName + 18) * (kNodeHeight + 42))) : static_cast<double>(kMostRouted);
    const auto isTooMuch = [&](const CallPart& p) {
        return static_cast<double>(p.functions.size()) > most || p.functions.size() > kMostRouted || p.edges.size() > kMostRoutes;
    };

    LaidCalls laid{whole, whole, {}, {}, {}};
    auto& drawn = laid.drawn;
    if (whole.isLeast) {
        if (options.fit)
            fitLeast(graph, laid, pageFor(whole));
        else
            layOut(graph, laid, nullptr);
        return laid;
    }

    int folds = 0;
    std::size_t links = kShortestChain;
    const auto fold = [&](int which) {
        switch (which) {
        case 0: drawn = withShortChains(graph, drawn, links); break;
        case 1: drawn = withFewLeaves(graph, drawn); break;
        default: drawn = withShortRoots(graph, drawn); break;
        }
    };
    while (folds < kFolds && isTooMuch(drawn))
        fold(folds++);
    if (isTooMuch(drawn) && drawn.functions.size() > 1) return std::nullopt;

    const Page page = pageFor(whole);
    const Page* shelves = options.fit ? &page : nullptr;
    layOut(graph, laid, shelves);
    const auto isReadable = [&] { return !options.fit || hasRoom(laid, page); };
    while (!isReadable() && folds < kFolds) {
        fold(folds++);
        layOut(graph, laid, shelves);
    }
    if (!isReadable()) return std::nullopt;

    // Room that folded chains leave is theirs.
    while (options.fit && folds > 0 && links < kLongestChain) {
        auto before = laid;
        ++links;
        drawn = whole;
        for (int which = 0; which < folds; ++which)
            fold(which);
        if (drawn.functions.size() == before.drawn.functions.size()) continue;
        layOut(graph, laid, shelves);
        if (!isReadable()) return before;
    }
    return laid;
}
} // namespace

CallLabel callLabel(const CallGraphData& graph, const CalledFunction& f)
{
    const auto share = [&](std::int64_t value) { return formatShare(static_cast<double>(value), static_cast<double>(graph.total)); };
    CallLabel out;
    out.name = f.isFolded ? f.name : frameLabel(f.name, kWidestName, CallLabel::kNameSize);
    if (out.name.empty()) out.name = elided(f.name, kWidestName, CallLabel::kNameSize, Elide::Middle, {.mono = true});
    if (graph.compares) {
        const auto own = graph.change(f.name, f.self, f.selfBefore);
        const auto all = graph.change(f.name, f.total, f.totalBefore).text();
        out.facts = f.self == f.total ? said("%1 self", all) : own.told ? said("%1 \u00b7 self %2", all, own.text()) : all;
    } else
        out.facts = f.self == f.total ? said("%1 self", share(f.total))
            : f.self > 0              ? said("%1 \u00b7 self %2", share(f.total), share(f.self))
                                      : share(f.total);
    const double width = std::max(textWidth(out.name, CallLabel::kNameSize, {.mono = true}), textWidth(out.facts, CallLabel::kFactSize));
    out.size = {width + 20, kNodeHeight};
    return out;
}

LayoutGaps callGaps(const CallPart& drawn) { return {18, drawn.isLeast ? 20.0 : 42.0}; }

LaidCalls readableCalls(const CallGraphData& graph, const LayoutOptions& options, const std::function<Page(const CallPart& whole)>& pageFor)
{
    CallPart whole = graph.part(1);
    for (double times = 1;;) {
        if (auto laid = laidReadably(graph, whole, options, pageFor)) return *std::move(laid);
        times *= kStepUp;
        auto less = graph.part(times);
        // What is in half of all stacks or more is in the same ones: a line of callers, which can be made shorter.
        if (less.functions.empty() || (less.functions.size() == 1 && whole.leastNode > 0.5))
            whole.isLeast = true;
        else
            whole = std::move(less);
    }
}
} // namespace dscope::graph
