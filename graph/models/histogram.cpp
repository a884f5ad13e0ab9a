#include "graph/difference.h"
#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/metrics.h"
#include "graph/page.h"
#include "graph/parts/histogram_group_painter.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "histogram",
    .tab = "Histogram",
    .summary = "quantize, lquantize and llquantize as bars, one panel a key",
    .heeds = {.top = true, .order = true, .log = true, .amounts = Heeds::Amounts::Other}};

/// How often which values occur: bars of buckets, a panel a key. Of two runs the later one's, in the colours of what changed.
class Histogram final : public Visual, public HasMetrics {
public:
    explicit Histogram(const Store& store) : Histogram(store, HistogramData(store)) { }
    Histogram(const Store& before, const Store& after) : Histogram(after, HistogramData(before, after)) { }
    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override { return titles().front(); }

    bool empty() const override { return m_data.empty(); }
    Extents extents() const override { return m_data.extents(); }
    Table table() const override { return m_data.table(); }
    std::vector<Metric> metrics() const override { return m_data.metrics(); }
    Digest digest(std::size_t most, Privacy /*privacy*/) const override { return m_data.digest(most); }
    Figure figure(const LayoutOptions& options) const override;

private:
    Histogram(const Store& store, HistogramData data)
        : m_provenance(provenanceOf(store, isQuantizing)), m_probes(probesText(store.program())), m_call(onlyCall(store)),
          m_data(std::move(data))
    {
    }

    /// The longest first.
    std::vector<std::string> titles() const
    {
        if (!m_data.compares()) return {plainTitle()};
        return changedTitles(plainTitle(), m_data.totalBefore(), m_data.total(), m_data.nounOfTotal().said());
    }
    std::string plainTitle() const { return m_data.groups().empty() ? said("Histogram") : questionOf(m_data.groups(), m_call); }
    std::string subtitle() const;
    Caveats caveats(const LayoutOptions& options, std::size_t hidden) const; ///< hidden: groups that have no room
    std::string inWords() const;

    std::vector<LegendEntry> legend() const
    {
        if (!m_data.compares() || empty()) return {};
        return changeLegendOfBars(m_data.noise());
    }

    Provenance m_provenance;
    std::string m_probes, m_call;
    HistogramData m_data;
};

std::string Histogram::subtitle() const
{
    const auto& groups = m_data.groups();
    if (groups.empty()) return {};
    std::string text;
    if (m_data.panels() == 1) {
        const auto& g = groups.front().members.empty() ? groups.back() : groups.front();
        const std::string key = m_data.panelName(g.members.front());
        if (!key.empty()) text = key + kMiddleDot;
    }
    const auto noun = m_data.nounOfTotal();
    text += m_data.compares()
        ? said("before %1, after %2, as they were recorded", noun.with(countText(m_data.totalBefore())), countText(m_data.total()))
        : noun.with(countText(m_data.total())) + inShownInterval(m_provenance);
    text += kMiddleDot + describe(groups.front().shape);
    if (groups.size() > 1) text += ", \u2026";
    return text;
}

Caveats Histogram::caveats(const LayoutOptions& options, std::size_t hidden) const
{
    auto out = m_data.compares() ? Caveats() : intervalCaveat(m_provenance);
    if (m_data.panels() > 1) out.push_back(said("each panel to its own height"));
    if (options.values == ValueScale::Logarithmic) out.push_back(said("height is the logarithm of the number"));
    if (hidden > 0) out.push_back(said("%1 more not shown", std::to_string(hidden)));
    return out;
}

std::string Histogram::inWords() const
{
    std::string text = said("Histogram.");
    std::size_t told = 0;
    for (const auto& g : m_data.groups())
        for (const auto& m : g.members) {
            if (++told > 5) return text;
            const std::string panel = m_data.panelName(m);
            text += ' '
                + said("%1: %2, p50 about %3, p99 about %4.", panel.empty() ? said("All") : panel,
                    m_data.noun().with(countText(m.values.total)), percentileText(g, m.values, 0.5), percentileText(g, m.values, 0.99));
        }
    return text;
}

Figure Histogram::figure(const LayoutOptions& options) const
{
    const auto words = headed(options, m_data.compares() ? Claim() : headlineOf(m_data.groups(), m_data.noun().said()),
        fittingTitle(options, titles()), subtitle());
    Page page(options, words, m_provenance, legend(), caveats(options, 0));
    if (empty()) {
        page.empty(said("No values yet"),
            m_probes.empty() ? said("The program quantizes values when its probes fire.")
                             : said("The program quantizes values when its probes fire: %1", m_probes));
        return page.finish(said("Histogram without data."));
    }

    if (m_data.compares() && options.fit && page.content().height < HistogramLengths::kLeastForTwo * page.scale()) {
        page.empty(said("A page of this size has no room for two runs"), said("A larger --size has."));
        return page.finish(inWords());
    }

    auto groups = shownGroups(m_data.groups(), options);
    const auto fitting = options.fit ? fittingGroups(groups.size(), page.content().height, page.scale()) : groups.size();
    if (fitting < groups.size()) {
        page = Page(options, words, m_provenance, legend(), caveats(options, groups.size() - fitting));
        groups.resize(fitting);
    }

    const Box area = page.content();
    const auto heights = groupHeights(groups, area.height, page.scale(), options);
    HistogramGroupPainter painter(page, m_data, m_call);
    double y = area.y;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        painter.draw(groups[i], {area.x, y, area.width, heights[i], 0});
        y += heights[i] + HistogramLengths::kSectionGap;
    }
    return page.finish(inWords(), {area.x + area.width, y - HistogramLengths::kSectionGap});
}
} // namespace

Kind kind_histogram()
{
    return {kFacts, rank::kDistributions,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return std::any_of(all.begin(), all.end(), [](const record::Aggregation& a) { return isQuantized(a.function); });
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Histogram>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Histogram>(before, after); }};
}
} // namespace dscope::graph
