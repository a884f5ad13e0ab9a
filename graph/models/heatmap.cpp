#include "graph/difference.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/beside.h"
#include "graph/parts/heatmap_painter.h"
#include "graph/parts/time_headline.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "heatmap",
    .tab = "Heat map",
    .summary = "quantize, lquantize and llquantize over time; samples by where in the second they fall",
    .isOverTime = true,
    .heeds = {.top = true, .order = true, .amounts = Heeds::Amounts::Other}};

/// Where values lie, over time: buckets upwards, colour by how many.
class Heatmap final : public Visual {
public:
    explicit Heatmap(const Store& store)
        : m_provenance(provenanceOf(store, isQuantizing)), m_probes(probesText(store.program())), m_call(onlyCall(store)), m_data(store)
    {
    }

    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override
    {
        if (m_data.isOfOffsets()) return said("When in each second: %1", m_probes);
        if (m_data.empty()) return said("Heat map");
        std::vector<DistributionGroup> groups;
        for (const auto& panel : m_data.panels())
            groups.emplace_back(panel.of).members.push_back({panel.aggregation, {}});
        return questionOf(groups, m_call, Over::Time);
    }

    bool empty() const override { return m_data.empty(); }
    Extents extents() const override { return m_data.extents(); }
    Table table() const override { return m_data.table(); }
    Figure figure(const LayoutOptions& options) const override;

    std::string changedFrom(const Heatmap& before) const
    {
        return changedTitle(title()) + changedTotal(before.m_data.total(), m_data.total(), m_data.nounOfTotal().said());
    }
    /// Of this run and one before it.
    std::string besideText() const
    {
        return describeShapes() + said("the earlier run beside the later one") + kMiddleDot
            + said("the same colour is as many in the same time, numbers as they were recorded");
    }
    std::string counted() const { return m_data.nounOfTotal().with(heatCount(m_data.total())) + inDuration(m_provenance); }
    const Provenance& provenance() const { return m_provenance; }

    bool isSlight() const override
    {
        constexpr std::size_t kFewest = 3; // columns
        return std::all_of(m_data.panels().begin(), m_data.panels().end(), [](const HeatPanel& p) { return p.times.size() < kFewest; });
    }

private:
    std::string subtitle() const
    {
        if (m_data.empty()) return {};
        std::string text = counted();
        if (m_data.isOfOffsets())
            return text + kMiddleDot + said("seconds to the right, the offset within the second upwards, in steps of %1", "20 ms");
        text += kMiddleDot + describe(m_data.panels().front().of.shape);
        return text + kMiddleDot + said("a column is %1", formatDuration(m_data.usualLength()));
    }

    std::string describeShapes() const
    {
        return m_data.isOfOffsets() || m_data.empty() ? std::string() : describe(m_data.panels().front().of.shape) + kMiddleDot;
    }
    PanelClaim claim() const
    {
        return m_data.isOfOffsets() || m_data.empty() || m_data.areSeveral()
            ? PanelClaim()
            : headlineOf(m_data.panels(), m_data.started(), m_data.noun().said());
    }
    std::string inWords() const;

    Provenance m_provenance;
    std::string m_probes, m_call;
    HeatmapData m_data;
};

std::string Heatmap::inWords() const
{
    std::string text = said("Heat map.");
    for (std::size_t i = 0; i < std::min<std::size_t>(m_data.panels().size(), 5); ++i) {
        const auto& p = m_data.panels()[i];
        const auto most
            = std::max_element(p.counts.begin(), p.counts.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        text += ' '
            + said("%1: %2, most of them, %3, in %4 until %5.", p.name.empty() ? said("All") : p.name,
                m_data.noun().with(heatCount(p.total)), heatCount(most->second), p.of.range(most->first.second),
                formatDuration(static_cast<double>(p.times[most->first.first].to - m_data.started())));
    }
    return text;
}

Figure Heatmap::figure(const LayoutOptions& options) const
{
    auto claimed = claim();
    const auto pageFor = [&] { return Page(options, headed(options, claimed.claim, title(), empty() ? "" : subtitle()), m_provenance); };
    Page page = pageFor();
    if (empty()) {
        page.empty(m_data.isOfOffsets() ? said("No samples yet") : said("No values yet"),
            m_probes.empty() ? said("Columns appear when the program's probes fire.")
                             : said("Columns appear when these probes fire: %1", m_probes));
        return page.finish(said("Heat map without data."));
    }

    const double k = page.scale();
    auto sheet = heatSheet(m_data, page.content(), k, options, claimed.panel);
    if (claimed.panel && sheet.panels.size() == 1 && m_data.panels().size() > 1) { // nothing there would show what is claimed of one key
        claimed = {};
        page = pageFor();
        sheet = heatSheet(m_data, page.content(), k, options);
    }
    const Box area = page.content();
    HeatmapPainter painter(page, m_data, sheet.scale);
    painter.drawLegend({area.x, area.y}, sheet.panels);
    double y = area.y + HeatLengths::kLegend * k;
    for (std::size_t i = 0; i < sheet.panels.size(); ++i) {
        const double height = HeatLengths::kHead * k + sheet.row * sheet.panels[i].rows();
        painter.draw(sheet.panels[i], {area.x, y, area.width, height, 0},
            i + 1 == sheet.panels.size() ? HeatmapPainter::Place::Last : HeatmapPainter::Place::Above);
        y += height + HeatLengths::kPanelGap * k;
    }
    return page.finish(inWords(), {area.x + area.width, y - HeatLengths::kPanelGap * k + HeatLengths::kTimeAxis * k});
}
} // namespace

Kind kind_heatmap()
{
    return {kFacts, rank::kDistributionsOverTime,
        [](const Store& store) {
            const auto& p = store.program();
            if (!tellsTimes(p)) return false;
            const bool quantizes
                = std::any_of(p.aggregations.begin(), p.aggregations.end(), [](const auto& a) { return isQuantized(a.function); });
            return quantizes || recordsOf(store, isSample);
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Heatmap>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> {
            auto was = std::make_unique<Heatmap>(before), is = std::make_unique<Heatmap>(after);
            auto provenance = is->provenance();
            const auto wordsOf = [was = was.get(), is = is.get()] {
                return BesideWords{is->changedFrom(*was), is->besideText(), {was->counted(), is->counted()}};
            };
            return beside(std::move(was), std::move(is), wordsOf, std::move(provenance));
        }};
}
} // namespace dscope::graph
