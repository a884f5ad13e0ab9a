#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/table_painter.h"
#include "graph/stacks.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
#include <cstdint>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "table",
    .tab = "Table",
    .summary = "every aggregation and every printf and trace record",
    .isTable = true,
    .heeds = {.top = true, .order = true, .amounts = Heeds::Amounts::Other}};

/// What was recorded, row by row.
class Records final : public Visual {
public:
    explicit Records(const Store& store)
        : m_provenance(provenanceOf(store)), m_probes(probesText(store.program())), m_notKept(store.firedNotKept()),
          m_notShown(store.firedNotShown()), m_data(store)
    {
        if (hasStacks(store)) m_cut = stacksOf(store);
        const auto& all = store.program().aggregations;
        if (all.size() == 1 && sumsUpStacks(all.front())) {
            m_stacks = stacksOf(store);
        } else if (all.size() == 1 && !isQuantized(all.front().function)) {
            m_rankings = rankingsOf(store);
            m_noun = countedNoun(store);
        }
    }

    /// What changed between two runs.
    Records(const Store& before, const Store& after)
        : m_provenance(provenanceOf(after)), m_probes(probesText(after.program())), m_data(before, after)
    {
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return m_data.compares() ? said("What changed") : said("What was recorded"); }
    bool empty() const override { return m_data.empty(); }
    Table table() const override { return m_data.table(SIZE_MAX); }
    Table firstRows(std::size_t most, std::size_t& all) const override
    {
        all = m_data.rows();
        return m_data.table(most);
    }
    Digest digest(std::size_t most, Privacy /*privacy*/) const override { return m_data.digest(most); }
    Figure figure(const LayoutOptions& options) const override;

private:
    Caveats caveats() const;
    std::string subtitle() const;
    /// Of a program with one aggregation, that all rows are of: one key or, where it is by stack, one function has most of it.
    Claim claim() const
    {
        if (m_stacks) return headlineOf(*m_stacks);
        return m_rankings.empty() ? Claim() : headlineOf(m_rankings.back(), m_noun.said());
    }

    Provenance m_provenance;
    std::string m_probes;
    std::uint64_t m_notKept = 0, m_notShown = 0;
    std::shared_ptr<const Stacks> m_cut, m_stacks; ///< that may end early; that all rows are of
    std::vector<Ranking> m_rankings; ///< likewise
    Noun m_noun;
    TableData m_data;
};

Caveats Records::caveats() const
{
    auto out = m_data.compares() ? Caveats() : intervalCaveat(m_provenance);
    if (m_cut)
        for (auto& cut : cutCaveat(*m_cut))
            out.push_back(std::move(cut));
    if (const auto noise = m_data.noise(); !noise.empty()) out.push_back("~ " + noise); // a mark without its meaning says nothing
    if (m_notShown > 0)
        out.push_back(saidOf(m_notShown, "%1 earlier record not shown while the run goes on",
            "%1 earlier records not shown while the run goes on", formatGrouped(static_cast<std::int64_t>(m_notShown))));
    else if (m_notKept > 0)
        out.push_back(saidOf(
            m_notKept, "%1 later record not kept", "%1 later records not kept", formatGrouped(static_cast<std::int64_t>(m_notKept))));
    return out;
}

std::string Records::subtitle() const
{
    const auto rows = m_data.rowsOfSheets();
    const auto number = formatGrouped(static_cast<std::int64_t>(rows));
    if (m_data.compares())
        return saidOf(rows, "%1 row of two runs", "%1 rows of two runs", number) + kMiddleDot + said("the largest change first");
    return saidOf(rows, "%1 row", "%1 rows", number) + inShownInterval(m_provenance);
}

Figure Records::figure(const LayoutOptions& options) const
{
    const auto words = headed(options, empty() ? Claim() : claim(), title(), empty() ? "" : subtitle());
    const auto pageWith = [&](const Caveats& known) { return Page(options, words, m_provenance, {}, known); };
    auto known = empty() ? Caveats() : caveats();
    Page page = pageWith(known);
    if (empty()) {
        page.empty(said("Nothing recorded yet"),
            m_probes.empty() ? said("Rows appear when the program's probes fire.")
                             : said("Rows appear when these probes fire: %1", m_probes));
        return page.finish(said("Table without data."));
    }

    const auto& sheets = m_data.sheets();
    const double scale = roomyTableScale(m_data, page.content(), page.scale(), options);
    auto places = tablePlaces(m_data, page.content(), scale, options);
    if (places.size() < sheets.size()) {
        const auto hidden = sheets.size() - places.size();
        known.push_back(saidOf(hidden, "%1 more table has no room", "%1 more tables have no room", std::to_string(hidden)));
        page = pageWith(known);
        places = tablePlaces(m_data, page.content(), scale, options);
    }

    TablePainter painter(page, m_data, scale);
    Point corner{0, 0};
    for (const auto& [sheet, area] : places) {
        const auto end = painter.draw(sheets[sheet], area);
        corner = {std::max(corner.x, end.x), std::max(corner.y, end.y)};
    }
    return page.finish(said("Table of %1.", subtitle()), corner);
}
} // namespace

Kind kind_table()
{
    return {kFacts, rank::kRows,
        [](const Store& store) {
            const auto& p = store.program();
            return !p.aggregations.empty() || std::any_of(p.clauses.begin(), p.clauses.end(), [](const record::Clause& c) {
                return std::any_of(c.actions.begin(), c.actions.end(), isForTable);
            });
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Records>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Records>(before, after); }};
}
} // namespace dscope::graph
