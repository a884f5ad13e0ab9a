#include "graph/difference.h"
#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/bars_painter.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cctype>
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
            = adds && m_data.rankings().front().shape.function == record::Aggregator::Count ? m_data.noun() : std::string();
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
        : m_provenance(provenanceOf(store)), m_probes(probesText(store.program())), m_data(std::move(data))
    {
    }

    enum class Keys : std::uint8_t { Named, Left }; ///< left: out
    std::string plainTitle(Keys keys = Keys::Named) const
    {
        if (m_data.rankings().empty()) return "Bars";
        const auto& a = m_data.rankings().front().shape;
        const std::string by = keys == Keys::Named ? byKeys(a) : std::string();
        if (a.function == record::Aggregator::Count) {
            std::string noun = m_data.noun();
            noun[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(noun[0])));
            return noun + by;
        }
        // Names of a letter are no words.
        std::string what = a.name.size() > 2 ? a.name : describeValue(a);
        what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
        return printable(what) + by;
    }

    static std::string describeValue(const record::Aggregation& a)
    {
        return std::string(functionName(a.function)) + " of " + (isLiteral(a.value) ? "a constant" : a.value);
    }

    std::string subtitle() const
    {
        std::string text;
        for (const auto& r : m_data.rankings()) {
            if (r.lines.empty()) continue;
            text += (text.empty() ? "" : "; ") + describe(r.shape);
            if (r.adds() && m_data.compares())
                text += " \u00b7 before " + r.valueText(r.before) + ", after " + r.valueText(r.total) + " in all";
            else if (r.adds())
                text += " \u00b7 " + m_data.countedText(r, r.total) + " in all";
        }
        if (m_data.compares()) return text + " \u00b7 numbers as they were recorded, the largest change first";
        if (m_data.hasSpreads()) text += " \u00b7 a line reaches one standard deviation to both sides of the average";
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
        return isBelow ? "logarithmic scale, but linear where values are below 0" : "logarithmic scale";
    }

    std::vector<LegendEntry> legend() const
    {
        if (!m_data.compares() || empty()) return {};
        std::string noise;
        for (const auto& r : m_data.rankings())
            if (!r.lines.empty()) noise = noise.empty() || noise == r.noise() ? r.noise() : said("may be chance");
        return changeLegendOfBars(noise);
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
    if (hidden > 0) caveats.push_back(std::to_string(hidden) + " more not shown");
    if (options.values == ValueScale::Logarithmic) caveats.push_back(logarithmic(options));
    const auto& rankings = m_data.rankings();
    const auto claim = m_data.compares() || rankings.size() != 1 ? Claim() : headlineOf(rankings.front(), m_data.noun());
    return Page(
        options, headed(options, claim, fittingTitle(options, titles()), empty() ? "" : subtitle()), m_provenance, legend(), caveats);
}

Figure Bars::figure(const LayoutOptions& options) const
{
    Page page = pageWithout(options, 0);
    if (empty()) {
        page.empty(said("Nothing counted yet"),
            m_probes.empty() ? said("Bars grow when the program's probes fire.") : said("Bars grow when these probes fire: %1", m_probes));
        return page.finish("Bars without data.");
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
