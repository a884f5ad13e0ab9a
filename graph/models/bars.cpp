#include "graph/difference.h"
#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/bars_painter.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <utility>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "bars",
    .tab = "Bars",
    .summary = "count, sum, min, max, avg and stddev by key, the largest first",
    .heeds = {.top = true, .order = true, .log = true, .amounts = Heeds::Amounts::Other}};

/// Numbers by key: a bar a key, the largest first.
class Bars final : public Visual, public HasMetrics {
public:
    explicit Bars(const Store& store) : Bars(store, BarsData(store)) { }
    /// What changed between two runs.
    Bars(const Store& before, const Store& after) : Bars(after, BarsData(before, after)) { }

    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override { return titles().front(); }
    /// The longest first.
    std::vector<std::string> titles() const
    {
        if (!m_data.compares()) return {plainTitle(), plainTitle(Keys::Left)};
        const bool adds = !m_data.rankings().empty() && m_data.rankings().front().adds();
        const std::string what
            = adds && m_data.rankings().front().shape.function == record::Aggregator::Count ? m_data.noun().said() : std::string();
        if (!adds) return {changedTitle(plainTitle())};
        return changedTitles(plainTitle(), m_data.rankings().front().before, m_data.rankings().front().total, what);
    }

    bool empty() const override { return m_data.empty(); }
    bool isSlight() const override { return m_data.isSlight(); }
    Extents extents() const override { return m_data.extents(); }
    Table table() const override { return m_data.table(); }
    std::vector<Metric> metrics() const override { return m_data.metrics(); }
    Digest digest(std::size_t most, Privacy /*privacy*/) const override { return m_data.digest(most); }
    Figure figure(const LayoutOptions& options) const override;

private:
    Bars(const Store& store, BarsData data)
        : m_provenance(provenanceOf(store, [](const record::Aggregation& a) { return !isQuantizing(a); })),
          m_probes(probesText(store.program())), m_data(std::move(data))
    {
    }

    enum class Keys : std::uint8_t { Named, Left }; ///< left: out
    std::string plainTitle(Keys keys = Keys::Named) const
    {
        if (m_data.rankings().empty()) return said("Bars");
        const auto& a = m_data.rankings().front().shape;
        // Names of a letter are no words.
        const auto what = a.function == record::Aggregator::Count ? m_data.noun().said()
            : a.name.size() > 2                                   ? printable(a.name)
                                                                  : printable(valueInWords(a));
        return keys == Keys::Named ? byKeys(capital(what), a) : capital(what);
    }

    std::string subtitle() const
    {
        std::string text;
        for (const auto& r : m_data.rankings()) {
            if (r.lines.empty()) continue;
            text += (text.empty() ? "" : "; ") + describe(r.shape);
            if (r.adds() && m_data.compares())
                text += kMiddleDot + said("before %1, after %2 in all", r.valueText(r.before), r.valueText(r.total));
            else if (r.adds())
                text += kMiddleDot + said("%1 in all", m_data.countedText(r, r.total));
        }
        if (m_data.compares()) return text + kMiddleDot + said("numbers as they were recorded, the largest change first");
        if (m_data.hasSpreads()) text += kMiddleDot + said("a line reaches one standard deviation to both sides of the average");
        if (const auto during = inShownInterval(m_provenance); !during.empty()) text += " \u00b7" + during;
        return text;
    }

    std::string inWords() const
    {
        std::string text = title() + '.';
        for (const auto& r : m_data.rankings())
            for (std::size_t i = 0; i < std::min<std::size_t>(r.lines.size(), 5); ++i)
                text += ' ' + Ranking::label(r.lines[i]) + ": " + m_data.valueOf(r, r.lines[i]) + '.';
        return text;
    }

    std::string logarithmic(const LayoutOptions& options) const
    {
        const bool isBelow = std::any_of(m_data.rankings().begin(), m_data.rankings().end(), [&](const Ranking& r) {
            ValueRange common;
            common.add(options, r.shape.name);
            return common.low < 0
                || std::any_of(r.lines.begin(), r.lines.end(), [](const Ranking::Line& l) { return l.value < 0 || l.before < 0; });
        });
        return isBelow ? said("logarithmic scale, but linear where values are below 0") : said("logarithmic scale");
    }

    std::vector<LegendEntry> legend() const
    {
        if (!m_data.compares() || empty()) return {};
        std::optional<Noise> noise;
        bool isOneKind = true;
        for (const auto& r : m_data.rankings()) {
            if (r.lines.empty()) continue;
            isOneKind = isOneKind && (!noise || *noise == r.noise());
            noise = r.noise();
        }
        return changeLegendOfBars(isOneKind && noise ? noise->text() : said("may be chance"));
    }

    /// `hidden`: how many sections have no room on it.
    Page pageWithout(const LayoutOptions& options, std::size_t hidden) const;

    Provenance m_provenance;
    std::string m_probes;
    BarsData m_data;
};

Page Bars::pageWithout(const LayoutOptions& options, std::size_t hidden) const
{
    auto caveats = m_data.compares() || empty() ? Caveats() : intervalCaveat(m_provenance);
    if (hidden > 0) caveats.push_back(said("%1 more not shown", std::to_string(hidden)));
    if (options.values == ValueScale::Logarithmic) caveats.push_back(logarithmic(options));
    const auto& rankings = m_data.rankings();
    const auto claim = m_data.compares() || rankings.size() != 1 ? Claim() : headlineOf(rankings.front(), m_data.noun().said());
    return Page(
        options, headed(options, claim, fittingTitle(options, titles()), empty() ? "" : subtitle()), m_provenance, legend(), caveats);
}

Figure Bars::figure(const LayoutOptions& options) const
{
    Page page = pageWithout(options, 0);
    if (empty()) {
        page.empty(said("Nothing counted yet"),
            m_probes.empty() ? said("Bars grow when the program's probes fire.") : said("Bars grow when these probes fire: %1", m_probes));
        return page.finish(said("Bars without data."));
    }

    auto shown = m_data.drawn();
    if (const auto fitting = fittingSections(shown.size(), page.content().height, page.scale(), options); fitting < shown.size()) {
        page = pageWithout(options, shown.size() - fitting);
        shown.resize(fitting);
    }

    const Box area = page.content();
    const auto sheet = barSheet(m_data, shown, area, page.scale(), options);
    BarsPainter painter(page, m_data);
    for (const auto& section : sheet.sections) {
        if (sheet.hasHeads) painter.drawHead(section);
        painter.draw(section);
    }

    return page.finish(inWords(), {area.x + area.width, sheet.bottom});
}
} // namespace

Kind kind_bars()
{
    return {kFacts, rank::kAmounts,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            return std::any_of(all.begin(), all.end(), isForBars);
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Bars>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Bars>(before, after); }};
}
} // namespace dscope::graph
