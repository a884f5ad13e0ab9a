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
        if (hasStacks(store)) m_cut = cutCaveat(*stacksOf(store));
        const auto& all = store.program().aggregations;
        if (all.size() == 1 && sumsUpStacks(all.front())) {
            m_stacks = stacksOf(store);
            m_counted = probeKinds(store).samples ? Counted::Time : Counted::Events;
        } else if (all.size() == 1 && !isQuantized(all.front().function)) {
            for (auto& ranking : rankingsOf(store))
                m_claim = headlineOf(ranking, countedNoun(store));
        }
    }

    /// What changed between two runs.
    Records(const Store& before, const Store& after)
        : m_provenance(provenanceOf(after)), m_probes(probesText(after.program())), m_data(before, after)
    {
    }

    const ViewFacts& facts() const override { return kFacts; }
    std::string title() const override { return m_data.compares() ? "What changed" : "What was recorded"; }
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
    Claim claim() const { return m_stacks ? headlineOf(*m_stacks, m_counted) : m_claim; }

    Provenance m_provenance;
    std::string m_probes;
    std::uint64_t m_notKept = 0, m_notShown = 0;
    Caveats m_cut; ///< that stacks end early
    std::shared_ptr<const Stacks> m_stacks;
    Counted m_counted = Counted::Events;
    Claim m_claim;
    TableData m_data;
};

Caveats Records::caveats() const
{
    auto out = m_data.compares() ? Caveats() : intervalCaveat(m_provenance);
    out.insert(out.end(), m_cut.begin(), m_cut.end());
    if (!m_data.noise().empty()) out.push_back("~ " + m_data.noise()); // a mark without its meaning says nothing
    if (m_notShown > 0)
        out.push_back(formatGrouped(static_cast<std::int64_t>(m_notShown)) + " earlier records not shown while the run goes on");
    else if (m_notKept > 0)
        out.push_back(formatGrouped(static_cast<std::int64_t>(m_notKept)) + " later records not kept");
    return out;
}

std::string Records::subtitle() const
{
    const auto rows = m_data.rowsOfSheets();
    return formatGrouped(static_cast<std::int64_t>(rows)) + (rows == 1 ? " row" : " rows")
        + (m_data.compares() ? " of two runs \u00b7 the largest change first" : inShownInterval(m_provenance));
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
        return page.finish("Table without data.");
    }

    const auto& sheets = m_data.sheets();
    const double scale = roomyTableScale(m_data, page.content(), page.scale(), options);
    auto places = tablePlaces(m_data, page.content(), scale, options);
    if (places.size() < sheets.size()) {
        const auto hidden = sheets.size() - places.size();
        known.push_back(std::to_string(hidden) + (hidden == 1 ? " more table has no room" : " more tables have no room"));
        page = pageWith(known);
        places = tablePlaces(m_data, page.content(), scale, options);
    }

    TablePainter painter(page, m_data, scale);
    Point corner{0, 0};
    for (const auto& [sheet, area] : places) {
        const auto end = painter.draw(sheets[sheet], area);
        corner = {std::max(corner.x, end.x), std::max(corner.y, end.y)};
    }
    return page.finish("Table of " + subtitle() + '.', corner);
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
