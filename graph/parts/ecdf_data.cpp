#include "graph/parts/ecdf_data.h"
#include "graph/headline.h"
#include "graph/key_columns.h"
#include "graph/keys.h"
#include "graph/ranking.h"
#include "graph/store.h"
#include "graph/text.h"
#include "graph/tongue.h"
#include <algorithm>
namespace dscope::graph {
EcdfData::EcdfData(const Store& store) : EcdfData(store, distributionsOf(store)) { }

EcdfData::EcdfData(const Store& before, const Store& after) : EcdfData(after, distributionsOf(before, after))
{
    m_compares = true;
    findLikeRuns(before);
    findLikeRuns(after);
}

EcdfData::EcdfData(const Store& store, std::vector<DistributionGroup> groups)
    : m_noun(ofValues(countedNoun(store))), m_firings(store), m_groups(std::move(groups))
{
    std::size_t aggregations = 0;
    for (const auto& a : store.program().aggregations) {
        if (!isQuantized(a.function)) continue;
        ++aggregations;
        addKeyNames(m_keyNames, a);
    }
    m_several = aggregations > 1;
    for (const auto& g : m_groups)
        m_comparisons += g.members.size();
}

bool EcdfData::empty() const
{
    return std::all_of(m_groups.begin(), m_groups.end(), [](const DistributionGroup& g) { return g.members.empty(); });
}

bool EcdfData::isSlight() const
{
    return std::all_of(m_groups.begin(), m_groups.end(), [](const DistributionGroup& g) { return g.members.size() < 2; });
}

std::string EcdfData::nameOf(const Member& member) const
{
    const std::string keys = member.values.label();
    if (!m_several) return keys.empty() ? said("all") : keys;
    return '@' + member.aggregation + (keys.empty() ? "" : " " + keys);
}

std::optional<EcdfData::Highest> EcdfData::highestOf(const DistributionGroup& group)
{
    if (group.members.size() < 2) return std::nullopt;
    Highest out;
    for (std::size_t i = 0; i < group.members.size(); ++i) {
        const int median = group.members[i].values.percentile(0.5);
        if (i > 0 && median <= out.median) {
            out.next = i == 1 ? median : std::max(out.next, median);
            continue;
        }
        out = {i, median, out.median};
    }
    if (group.members[out.member].values.total < kFewestCounted || out.median < out.next + 2) return std::nullopt;
    return out;
}

double EcdfData::chanceOf(const Member& member) const
{
    const auto alike = m_alike.find(thingOf(member));
    return std::max(
        apartByChance(member.values.totalBefore, member.values.total, m_comparisons), alike == m_alike.end() ? 0.0 : alike->second);
}

/// What differs no more than two runs of one side do is no change.
void EcdfData::findLikeRuns(const Store& side)
{
    std::map<std::string, std::vector<ShareCurve>> curves;
    for (const auto& run : side.runs())
        for (const auto& group : distributionsOf(*run))
            for (const auto& member : group.members)
                curves[thingOf(member)].push_back(curveOf(group, member));
    for (const auto& [thing, all] : curves)
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                auto& most = m_alike[thing];
                most = std::max(most, farthestApart(all[k], all[i]).distance());
            }
}

std::string EcdfData::movedOf(const DistributionGroup& group, const Member& member) const
{
    const auto& values = member.values;
    if (values.totalBefore <= 0) return said("new");
    if (values.total <= 0) return said("gone");
    const auto apart = farthestApart(curveBefore(group, member), curveOf(group, member));
    const double chance = chanceOf(member);
    const bool isTime = group.measure.unit == Unit::Nanoseconds, shrank = apart.more > chance, grew = apart.less > chance;
    if (shrank && grew) return isTime ? said("faster and slower") : said("smaller and larger");
    if (grew) return isTime ? said("slower") : said("larger");
    if (shrank) return isTime ? said("faster") : said("smaller");
    return said("may be chance");
}

Extents EcdfData::extents() const
{
    Extents out;
    for (const auto& g : m_groups)
        out.buckets[bucketsKey(g.shape)] = {g.first, g.last};
    return out;
}

Table EcdfData::table() const
{
    Table t;
    if (m_several) t.columns.push_back(Column::text("aggregation"));
    for (const auto& key : m_keyNames)
        t.columns.push_back(Column::text(keyColumn(m_keyNames, key)));
    t.columns.push_back(Column::number("below", m_groups.empty() ? Unit::None : m_groups.front().measure.unit));
    if (m_compares) t.columns.push_back(Column::number("before", Unit::Percent));
    t.columns.push_back(Column::number(m_compares ? "after" : "share", Unit::Percent));
    constexpr int kDigits = 4;
    for (const auto& g : m_groups)
        for (const auto& m : g.members) {
            const auto is = curveOf(g, m), was = curveBefore(g, m);
            std::map<double, std::pair<double, double>> rows;
            for (const auto& point : is.points)
                rows[point.value].second = point.share;
            if (m_compares)
                for (const auto& point : was.points)
                    rows[point.value].first = point.share;
            double before = 0, after = 0; // where one of them has no bucket it stays what it was
            for (const auto& [value, shares] : rows) {
                before = std::max(before, shares.first);
                after = std::max(after, shares.second);
                auto& row = t.rows.emplace_back();
                if (m_several) row.push_back(m.aggregation.empty() ? "value" : m.aggregation);
                for (auto& cell : keyCells(m_keyNames, g.shapeOf(m).keys, m.values.keys))
                    row.push_back(std::move(cell));
                row.push_back(formatFixed(value, 0));
                if (m_compares) row.push_back(formatFixed(100 * before, kDigits));
                row.push_back(formatFixed(100 * after, kDigits));
            }
        }
    return t;
}
} // namespace dscope::graph
