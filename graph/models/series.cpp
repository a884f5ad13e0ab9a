#include "graph/difference.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/series_painter.h"
#include "graph/parts/time_headline.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include "graph/units.h"
#include <algorithm>
#include <utility>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "series",
    .tab = "Series",
    .summary = "aggregations over time: a line a key",
    .isOverTime = true,
    .heeds = {.top = true, .log = true, .amounts = Heeds::Amounts::Other}};
using record::Aggregator;
using Run = AmountsOverTime::Run;
/// "before count() by execname", where it is of one of two runs.
std::string ofRun(Run run, const std::string& text)
{
    return run == Run::Only ? text : said(run == Run::Before ? "before %1" : "after %1", text);
}

/// Aggregations by key over time: a line a key, a step an interval.
class Series final : public Visual {
public:
    explicit Series(const Store& store) : Series(store, SeriesData(store)) { }
    /// What changed between two runs.
    Series(const Store& before, const Store& after) : Series(after, SeriesData(before, after)) { }

    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override { return titles().front(); }
    /// The longest first.
    std::vector<std::string> titles() const
    {
        if (!m_data.compares() || m_data.panels().empty()) return {plainTitle(), plainTitle(Keys::Left)};
        const auto& first = m_data.panels().front();
        const auto* after = first.run == Run::Before && m_data.panels().size() > 1 && m_data.panels()[1].run == Run::After
            ? &m_data.panels()[1]
            : nullptr;
        if (!after || !addsUp(first.shape)) return {changedTitle(plainTitle())};
        return changedTitles(
            plainTitle(), first.total, after->total, first.shape.function == Aggregator::Sum ? std::string() : m_data.what(first));
    }

    bool empty() const override { return m_data.empty(); }
    bool isSlight() const override { return m_data.isSlight(); }
    Extents extents() const override { return m_data.extents(); }
    Table table() const override { return m_data.table(); }
    Figure figure(const LayoutOptions& options) const override;

private:
    Series(const Store& store, SeriesData data)
        : m_provenance(provenanceOf(store, isForSeries)), m_probes(probesText(store.program())), m_data(std::move(data))
    {
    }

    enum class Keys : std::uint8_t { Named, Left }; ///< left: out
    std::string plainTitle(Keys keys = Keys::Named) const
    {
        if (m_data.panels().empty()) return said("Over time");
        const auto& panel = m_data.panels().front();
        const auto what = capital(m_data.what(panel));
        return said("%1 over time", keys == Keys::Named ? byKeys(what, panel.shape) : what);
    }

    std::string subtitle() const;
    Claim claim() const;
    std::string inWords() const;

    Provenance m_provenance;
    std::string m_probes;
    SeriesData m_data;
};

std::string Series::subtitle() const
{
    std::string text;
    for (const auto& p : m_data.panels()) {
        if (p.lines.empty()) continue;
        text += (text.empty() ? "" : "; ") + ofRun(p.run, describe(p.shape));
        if (addsUp(p.shape)) text += kMiddleDot + said("%1 in all", m_data.amountText(p, p.total));
    }
    if (m_data.compares()) return text + kMiddleDot + said("times counted from where each run began, numbers as they were recorded");
    if (m_provenance.duration > 0) text += " \u00b7" + inDuration(m_provenance);
    return text;
}

Claim Series::claim() const
{
    if (m_data.compares() || m_data.panels().size() != 1 || m_data.panels().front().isNumbered) return {};
    const auto& panel = m_data.panels().front();
    return panel.lines.empty() ? Claim() : headlineOf(panel, m_data.started(), m_data.what(panel));
}

std::string Series::inWords() const
{
    std::string text = title() + '.';
    for (const auto& p : m_data.panels())
        for (std::size_t i = 0; i < std::min<std::size_t>(p.lines.size(), 5); ++i)
            text += ' '
                + ofRun(p.run,
                    said(
                        addsUp(p.shape) ? "%1: in all %2." : "%1: at most %2.", p.lines[i].name(), m_data.valueText(p, p.lines[i].weight)));
    return text;
}

Figure Series::figure(const LayoutOptions& asked) const
{
    auto options = asked;
    if (m_data.compares()) { // both runs on one scale
        auto common = std::make_shared<Extents>(extents());
        if (asked.extents) common->add(*asked.extents);
        options.extents = std::move(common);
    }

    std::vector<const AmountsOverTime*> shown;
    for (const auto& p : m_data.panels())
        if (!p.lines.empty()) shown.push_back(&p);
    const auto words = headed(options, claim(), fittingTitle(options, titles()), empty() ? "" : subtitle());
    Page page(options, words, m_provenance);
    if (empty()) {
        page.empty(said("Nothing counted yet"),
            m_probes.empty() ? said("Lines grow when the program's probes fire.")
                             : said("Lines grow when these probes fire: %1", m_probes));
        return page.finish(said("Lines over time without data."));
    }

    if (std::all_of(shown.begin(), shown.end(), [](const AmountsOverTime* p) { return p->intervals.size() < 2; })) {
        page.empty(said("Read only once, at the end"),
            said("A line needs several moments: print in between (tick-1s { printa(@); }), or read more often (-x aggrate=10ms)."));
        return page.finish(said("Lines over time with one moment only."));
    }

    if (const auto fitting = fittingPanels(page.content().height, page.scale()); options.fit && shown.size() > fitting) {
        page = Page(options, words, m_provenance, {}, {said("%1 more not shown", std::to_string(shown.size() - fitting))});
        shown.resize(fitting);
    }

    const Box area = page.content();
    const double k = page.scale();
    const auto sheet = seriesSheet(shown, area, k, options);
    SeriesPainter painter(page, m_data);
    double y = area.y;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        painter.draw(drawnAmounts(*shown[i]), {area.x, y, area.width, sheet.height, 0}, sheet,
            i + 1 == shown.size() ? SeriesPainter::Place::Last : SeriesPainter::Place::Above);
        y += sheet.height + SeriesLengths::kPanelGap * k;
    }
    return page.finish(inWords(), {area.x + area.width, y - SeriesLengths::kPanelGap * k + SeriesLengths::kTimeAxis * k});
}
} // namespace

Kind kind_series()
{
    return {kFacts, rank::kAmountsOverTime,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return (tellsTimes(store.program()) || store.parts() || numbersPrintings(store.program()))
                && std::any_of(all.begin(), all.end(), isForSeries);
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Series>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Series>(before, after); }};
}
} // namespace dscope::graph
