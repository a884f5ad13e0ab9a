#include "graph/firing_counts.h"
#include "graph/keys.h"
#include "graph/run_probes.h"
#include "graph/store.h"
#include <algorithm>
#include <set>
#include <vector>
namespace dscope::graph {
namespace {
std::vector<std::size_t> clausesThatFill(const record::Program& program, AggregationId id)
{
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < program.clauses.size(); ++i)
        if (const auto& fills = program.clauses[i].fills; std::find(fills.begin(), fills.end(), id) != fills.end()) out.push_back(i);
    return out;
}
} // namespace

FiringCounts::FiringCounts(const Store& store)
{
    const auto& program = store.program();
    std::vector<AggregationId> ids;
    for (std::uint32_t id = 0; id < program.aggregations.size(); ++id)
        if (isQuantized(program.aggregations[id].function)) ids.push_back({id});
    if (ids.size() < 2) return;

    bool areSame = true, areApart = true;
    const auto first = clausesThatFill(program, ids.front());
    std::set<const record::ProbeDef*> probes;
    std::size_t ofAll = 0;
    for (const auto id : ids) {
        const auto clauses = clausesThatFill(program, id);
        areSame = areSame && !clauses.empty() && clauses == first;
        const auto own = probesThatFill(store, std::span(&id, 1));
        areApart = areApart && !clauses.empty();
        probes.insert(own.begin(), own.end());
        ofAll += own.size();
    }
    m_are = areSame ? Are::Same : areApart && probes.size() == ofAll ? Are::Apart : Are::Unknown;
}

double FiringCounts::number(const std::map<std::string, double>& values) const
{
    double sum = 0, most = 0;
    for (const auto& [aggregation, number] : values) {
        sum += number;
        most = std::max(most, number);
    }
    return m_are == Are::Same ? most : sum;
}
} // namespace dscope::graph
