#include "graph/difference.h"
#include "graph/distribution.h"
#include "graph/headline.h"
#include "graph/keys.h"
#include "graph/page.h"
#include "graph/parts/ecdf_painter.h"
#include "graph/parts/histogram_data.h"
#include "graph/parts/histogram_layout.h"
#include "graph/ranking.h"
#include "graph/run_probes.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
namespace dscope::graph {
namespace {
constexpr ViewFacts kFacts{.name = "ecdf",
    .tab = "Shares",
    .summary = "quantize, lquantize and llquantize as curves: the share of all values below each, a line a key",
    .heeds = {.top = true, .order = true, .log = true, .amounts = Heeds::Amounts::Other}};

/// Distributions on one axis: the share of all values below each value. Of two runs a panel a key, with both.
class Ecdf final : public Visual {
public:
    explicit Ecdf(const Store& store) : Ecdf(store, EcdfData(store)) { }
    Ecdf(const Store& before, const Store& after) : Ecdf(after, EcdfData(before, after)) { }
    const ViewFacts& facts() const override { return kFacts; }

    std::string title() const override { return titles().front(); }
    /// The longest first.
    std::vector<std::string> titles() const
    {
        if (!m_data.compares()) return {plainTitle()};
        return changedTitles(plainTitle(), m_data.totalBefore(), m_data.total(), m_data.nounOfTotal().said());
    }

    bool empty() const override { return m_data.empty(); }
    bool isSlight() const override { return m_data.isSlight(); }
    Extents extents() const override { return m_data.extents(); }
    Table table() const override { return m_data.table(); }
    Figure figure(const LayoutOptions& options) const override;

private:
    Ecdf(const Store& store, EcdfData data)
        : m_provenance(provenanceOf(store, isQuantizing)), m_probes(probesText(store.program())), m_call(onlyCall(store)),
          m_data(std::move(data))
    {
    }

    std::string plainTitle() const { return m_data.groups().empty() ? said("Shares of values") : questionOf(m_data.groups(), m_call); }
    Claim claim() const;
    std::string subtitle() const;
    Caveats caveats(const LayoutOptions& options, std::size_t hidden) const; ///< hidden: groups that have no room
    std::string inWords() const;
    std::vector<LegendEntry> legend() const;

    Provenance m_provenance;
    std::string m_probes, m_call;
    EcdfData m_data;
};

/// "half of fsync takes 1 ms or more, half of the others less than 65.5 µs": when the bucket of one key's median is two or more above those
/// of all others, of times and sizes, where that key has kFewestCounted values or more.
Claim Ecdf::claim() const
{
    if (m_data.compares() || m_data.groups().size() != 1) return {};
    const auto& group = m_data.groups().front();
    const bool isTime = group.measure.unit == Unit::Nanoseconds;
    if (!isTime && group.measure.unit != Unit::Bytes) return {};
    const auto highest = EcdfData::highestOf(group);
    if (!highest) return {};
    const auto low = record::bucketRange(group.shape, highest->median), other = record::bucketRange(group.shape, highest->next);
    if (!low.low || !other.high) return {};
    const auto text = [&](std::int64_t value) { return group.measure.format(static_cast<double>(value)); };
    const auto name = printable(m_data.nameOf(group.members[highest->member]));
    const auto least = text(*low.low), others = text(*other.high + 1), noun = m_data.noun().said();
    if (isTime)
        return {said("%1 takes longest: half of its %2 %3 or more, of each other less than %4", name, noun, least, others),
            {said("%1 takes longest: half %2 or more", name, least), said("%1 takes longest", name)}};
    return {said("%1 has the largest: half of its %2 %3 or more, of each other less than %4", name, noun, least, others),
        {said("%1 has the largest: half %2 or more", name, least), said("%1 has the largest", name)}};
}

std::string Ecdf::subtitle() const
{
    if (m_data.groups().empty()) return {};
    const auto noun = m_data.nounOfTotal();
    const auto total = countText(m_data.total());
    const auto text = m_data.compares() ? said("before %1, after %2", noun.with(countText(m_data.totalBefore())), total)
                                        : noun.with(total) + inShownInterval(m_provenance);
    return text + kMiddleDot + describe(m_data.groups().front().shape) + (m_data.groups().size() > 1 ? ", \u2026" : "");
}

Caveats Ecdf::caveats(const LayoutOptions& options, std::size_t hidden) const
{
    auto out = m_data.compares() ? Caveats() : intervalCaveat(m_provenance);
    if (!empty()) out.push_back(said("known at the ends of buckets"));
    if (options.values == ValueScale::Logarithmic) out.push_back(said("height is the logarithm of the share above"));
    double most = 0;
    for (const auto& g : m_data.groups())
        for (const auto& m : g.members)
            if (m.values.total > 0) most = std::max(most, EcdfData::curveOf(g, m).beyond);
    if (most > 0) out.push_back(said("up to %1 of a line's values are beyond the range", formatShare(most, 1)));
    if (hidden > 0) out.push_back(said("%1 more not shown", std::to_string(hidden)));
    return out;
}

std::string Ecdf::inWords() const
{
    std::string text = said("Shares of values.");
    std::size_t told = 0;
    for (const auto& g : m_data.groups())
        for (const auto& m : g.members) {
            if (++told > 5) return text;
            const auto name = m_data.nameOf(m), number = m_data.noun().with(countText(m.values.total)),
                       half = percentileText(g, m.values, 0.5), tail = percentileText(g, m.values, 0.99);
            text += ' '
                + (m_data.compares() ? said("%1: %2, p50 about %3, p99 about %4, %5.", name, number, half, tail, m_data.movedOf(g, m))
                                     : said("%1: %2, p50 about %3, p99 about %4.", name, number, half, tail));
        }
    return text;
}

std::vector<LegendEntry> Ecdf::legend() const
{
    if (!m_data.compares() || empty()) return {};
    auto out = changeLegend(Role::Bar,
        m_data.knowsLikeRuns() ? said("may be chance (Kolmogorov–Smirnov, 5 % in all; no more than like runs)")
                               : said("may be chance (Kolmogorov–Smirnov, 5 % in all)"));
    const bool isTime = m_data.groups().front().measure.unit == Unit::Nanoseconds;
    out[0].label = isTime ? said("slower") : said("larger");
    out[1].label = isTime ? said("faster") : said("smaller");
    out.push_back(LegendEntry::line(Role::Marker, Shade::Dashed, said("before")));
    out.push_back(LegendEntry::line(Role::Marker, Shade::Plain, said("after")));
    return out;
}

Figure Ecdf::figure(const LayoutOptions& options) const
{
    const auto words = headed(options, claim(), fittingTitle(options, titles()), subtitle());
    Page page(options, words, m_provenance, legend(), caveats(options, 0));
    if (empty()) {
        page.empty(said("No values yet"),
            m_probes.empty() ? said("The program quantizes values when its probes fire.")
                             : said("The program quantizes values when its probes fire: %1", m_probes));
        return page.finish(said("Shares of values without data."));
    }

    auto groups = shownGroups(m_data.groups(), options);
    const double least = m_data.compares() ? EcdfLengths::kLeastForTwo : EcdfLengths::kLeast;
    if (options.fit && page.content().height < least * page.scale()) {
        page.empty(said("A page of this size has no room for curves"), said("A larger --size has."));
        return page.finish(inWords());
    }
    const auto fitting = options.fit ? fittingEcdfs(groups.size(), page.content().height, page.scale()) : groups.size();
    if (fitting < groups.size()) {
        page = Page(options, words, m_provenance, legend(), caveats(options, groups.size() - fitting));
        groups.resize(fitting);
    }

    const Box area = page.content();
    EcdfPainter painter(page, m_data, m_call);
    double y = area.y;
    for (const auto& group : groups) {
        const double height
            = ecdfHeight(groups.size(), group.members.size(), area, m_data.compares() ? EcdfRuns::Two : EcdfRuns::One, options);
        painter.draw(group, {area.x, y, area.width, height, 0});
        y += height + EcdfLengths::kSectionGap;
    }
    return page.finish(inWords(), {area.x + area.width, y - EcdfLengths::kSectionGap});
}
} // namespace

Kind kind_ecdf()
{
    return {kFacts, rank::kDistributions + 2,
        [](const Store& store) {
            const auto& all = store.program().aggregations;
            const auto quantized = std::count_if(all.begin(), all.end(), [](const auto& a) { return isQuantized(a.function); });
            return quantized > 1
                || std::any_of(all.begin(), all.end(), [](const auto& a) { return isQuantized(a.function) && !a.keys.empty(); });
        },
        [](const Store& store) -> std::unique_ptr<Visual> { return std::make_unique<Ecdf>(store); },
        [](const Store& before, const Store& after) -> std::unique_ptr<Visual> { return std::make_unique<Ecdf>(before, after); }};
}
} // namespace dscope::graph
