#pragma once
#include "graph/distribution.h"
#include "graph/firing_counts.h"
#include "graph/noun.h"
#include "graph/parts/share_curve.h"
#include "graph/visual.h"
#include <map>
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
/// What curves of shares are drawn of: the distributions of one run, or of two key by key. Those that can share an axis are a group.
class EcdfData {
public:
    using Member = DistributionGroup::Member;
    explicit EcdfData(const Store& store);
    EcdfData(const Store& before, const Store& after); ///< what changed

    bool compares() const { return m_compares; }
    bool empty() const;    ///< no group has a member
    bool isSlight() const; ///< a single curve says what its histogram does
    const std::vector<DistributionGroup>& groups() const { return m_groups; }
    const Noun& noun() const { return m_noun; } ///< of what is counted of a line: "values", "calls"
    Noun nounOfTotal() const { return m_firings.noun(m_noun); }
    /// Of all lines, what several of them count once; of two runs the later one's.
    double total() const { return m_firings.number(valuesOf(m_groups)); }
    double totalBefore() const { return m_firings.number(valuesBefore(m_groups)); }
    std::string nameOf(const Member& member) const; ///< never empty
    static ShareCurve curveOf(const DistributionGroup& g, const Member& m) { return shareCurve(g.shape, m.values.counts, m.values.total); }
    static ShareCurve curveBefore(const DistributionGroup& g, const Member& m)
    {
        return shareCurve(g.shape, m.values.countsBefore, m.values.totalBefore);
    }

    struct Highest {
        std::size_t member = 0;
        int median = 0, next = 0; ///< buckets: of its median, and of the highest median of all others
    };
    /// The member that has more than all others: its median is two buckets or more above theirs, and it has kFewestCounted values or more.
    static std::optional<Highest> highestOf(const DistributionGroup& group);

    /// How far apart both runs may be by chance: 0..1.
    double chanceOf(const Member& member) const;
    /// Whether a side is several runs, whose differences are no change.
    bool knowsLikeRuns() const { return !m_alike.empty(); }
    /// What became of a distribution where that is more than chance: "slower".
    std::string movedOf(const DistributionGroup& group, const Member& member) const;
    Extents extents() const;
    Table table() const;

private:
    EcdfData(const Store& store, std::vector<DistributionGroup> groups);
    void findLikeRuns(const Store& side);
    static std::string thingOf(const Member& member) { return member.aggregation + '\n' + member.values.label(); }

    Noun m_noun;
    FiringCounts m_firings;
    std::vector<DistributionGroup> m_groups;
    std::vector<std::string> m_keyNames;
    std::size_t m_comparisons = 0;
    std::map<std::string, double> m_alike; ///< by thingOf(): how far two runs of one side are apart at most
    bool m_several = false;                ///< aggregations: lines are called by these, too
    bool m_compares = false;
};
} // namespace dscope::graph
