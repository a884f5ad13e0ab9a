#include "graph/cost_tree.h"
#include "graph/units.h"
#include <algorithm>
namespace dscope::graph {
CostTree::CostTree(std::shared_ptr<const StackTree> stacks, From from, const NameTest& test)
    : m_stacks(std::move(stacks)), m_from(from), m_rows(1)
{
    m_rows[kTop].places.push_back({0, 0});
    if (test) keepOnly(test);
}

void CostTree::keepOnly(const NameTest& test)
{
    const auto& nodes = m_stacks->nodes;
    std::vector<bool> passes;
    for (const auto& frame : m_stacks->frames)
        passes.push_back(test(frame.shown()));
    m_keeps.resize(nodes.size());
    for (std::size_t i = 1; i < nodes.size(); ++i)
        m_keeps[i] = passes[nodes[i].name] || (m_from == From::Roots && nodes[i].parent != 0 && m_keeps[nodes[i].parent]);
    if (m_from == From::Functions) return;
    for (auto i = nodes.size(); i-- > 1;)
        if (m_keeps[i]) m_keeps[nodes[i].parent] = true;
}

bool CostTree::hasBelow(std::uint32_t row) const
{
    const auto& nodes = m_stacks->nodes;
    const auto& places = m_rows[row].places;
    if (m_from == From::Roots || row == kTop)
        return std::any_of(places.begin(), places.end(), [&](const Place& p) { return nodes[p.at].size > 1; });
    return std::any_of(places.begin(), places.end(), [&](const Place& p) { return nodes[p.at].parent != 0; });
}

const std::vector<std::uint32_t>& CostTree::below(std::uint32_t row)
{
    if (m_rows[row].isOpen) return m_rows[row].below;
    m_rows[row].isOpen = true;
    const auto& nodes = m_stacks->nodes;
    std::vector<std::pair<std::uint32_t, Place>> named; // by frame
    if (m_from == From::Functions && row == kTop) {
        for (std::uint32_t i = 1; i < nodes.size(); ++i)
            if (!isLeftOut(i)) named.push_back({nodes[i].name, {i, i}});
    } else if (m_from == From::Functions) {
        for (const auto& place : m_rows[row].places)
            if (const auto caller = nodes[place.at].parent; caller != 0) named.push_back({nodes[caller].name, {place.function, caller}});
    } else {
        for (const auto& place : m_rows[row].places)
            for (auto child = place.at + 1; child < place.at + nodes[place.at].size; child += nodes[child].size)
                if (!isLeftOut(child)) named.push_back({nodes[child].name, {child, child}});
    }
    addBelow(row, std::move(named));
    return m_rows[row].below;
}

void CostTree::addBelow(std::uint32_t row, std::vector<std::pair<std::uint32_t, Place>> named)
{
    std::stable_sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto& nodes = m_stacks->nodes;
    const auto first = m_rows.size();
    std::uint32_t end = 0; // of the nodes below the function that was counted last
    for (const auto& [frame, place] : named) {
        if (m_rows.size() == first || m_rows.back().row.frame != frame) {
            m_rows.push_back({{frame, row, m_rows[row].row.level + 1}, {}, {}});
            end = 0;
        }
        auto& kept = m_rows.back();
        const auto& function = nodes[place.function];
        kept.places.push_back(place);
        kept.row.self += function.self;
        if (place.function >= end) {
            kept.row.total += function.total;
            end = place.function + function.size;
        }
    }

    auto& below = m_rows[row].below;
    for (auto one = first; one < m_rows.size(); ++one)
        below.push_back(static_cast<std::uint32_t>(one));
    std::stable_sort(below.begin(), below.end(), [&](auto a, auto b) { return m_rows[a].row.total > m_rows[b].row.total; });
}

Table tableOf(CostTree& tree, const StackMeasure& measure, std::size_t most, bool& isAll)
{
    Table table;
    const auto unit = measure.unit();
    table.columns = {Column::number("level"), Column::text("function"), Column::number("self", unit),
        Column::number("self %", Unit::Percent), Column::number("total", unit), Column::number("total %", Unit::Percent)};
    const auto share = [&](std::int64_t value) {
        return tree.whole() > 0 ? formatFixed(static_cast<double>(value) / static_cast<double>(tree.whole()) * 100, 1) : std::string();
    };
    std::vector<std::uint32_t> waiting; // the next at the end
    const auto enter = [&](std::uint32_t row) {
        const auto& below = tree.below(row);
        waiting.insert(waiting.end(), below.rbegin(), below.rend());
    };
    enter(CostTree::kTop);
    while (!waiting.empty() && table.rows.size() < most) {
        const auto at = waiting.back();
        waiting.pop_back();
        const auto row = tree[at];
        table.rows.push_back({std::to_string(row.level), std::string(tree.nameOf(at)), std::to_string(measure.inUnit(row.self)),
            share(row.self), std::to_string(measure.inUnit(row.total)), share(row.total)});
        enter(at);
    }
    isAll = waiting.empty();
    return table;
}
} // namespace dscope::graph
