#include "graph/cost_tree.h"
#include "graph/units.h"
#include <algorithm>
#include <map>
namespace dscope::graph {
namespace {
std::string shareOf(std::int64_t value, std::int64_t whole)
{
    return whole > 0 ? formatFixed(static_cast<double>(value) / static_cast<double>(whole) * 100, 1) : std::string();
}
} // namespace

Table costsByKey(const Stacks& stacks)
{
    Table table;
    const auto& keys = stacks.source().keys;
    if (keys.empty()) return table;
    struct Costs {
        std::int64_t total = 0;
        std::map<std::uint32_t, std::int64_t> own; ///< by function
    };
    Frames frames;
    std::map<std::vector<std::uint32_t>, Costs> all; // by the frames that the keys' values are
    stacks.each(frames, [&](std::span<const StackStep> steps, std::int64_t value) {
        std::vector<std::uint32_t> values;
        for (std::size_t i = 0; i < keys.size() && i < steps.size(); ++i)
            values.push_back(steps[i].frame);
        auto& costs = all[values];
        costs.total += value;
        if (steps.size() > keys.size()) costs.own[steps.back().frame] += value;
    });

    const auto& measure = stacks.measure();
    for (const auto& key : keys)
        table.columns.push_back(Column::text(key));
    table.columns.push_back(Column::number("total", measure.unit()));
    table.columns.push_back(Column::number("total %", Unit::Percent));
    table.columns.push_back(Column::text("most in"));
    std::vector<std::pair<const std::vector<std::uint32_t>*, const Costs*>> order;
    for (const auto& [values, costs] : all)
        order.emplace_back(&values, &costs);
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second->total > b.second->total; });
    for (const auto& [values, costs] : order) {
        auto& row = table.rows.emplace_back();
        for (std::size_t i = 0; i < keys.size(); ++i)
            row.emplace_back(i < values->size() ? frames[(*values)[i]].shown() : std::string_view());
        row.push_back(std::to_string(measure.inUnit(costs->total)));
        row.push_back(shareOf(costs->total, stacks.total()));
        const auto most
            = std::max_element(costs->own.begin(), costs->own.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        row.emplace_back(most == costs->own.end() ? std::string_view() : frames[most->first].shown());
    }
    return table;
}

Table costsByLine(const Stacks& stacks)
{
    struct Costs {
        std::int64_t self = 0, total = 0;
        std::size_t seen = 0; ///< the stack that it was last found in: one that has it twice counts once
    };
    Frames frames;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Costs> all; // by line and function
    std::size_t stack = 0;
    stacks.each(frames, [&](std::span<const StackStep> steps, std::int64_t value) {
        ++stack;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].line == 0) continue;
            auto& costs = all[{steps[i].line, steps[i].frame}];
            if (i + 1 == steps.size()) costs.self += value;
            if (std::exchange(costs.seen, stack) != stack) costs.total += value;
        }
    });

    Table table;
    if (all.empty()) return table;
    const auto& measure = stacks.measure();
    table.columns = {Column::text("line"), Column::text("function"), Column::number("self", measure.unit()),
        Column::number("self %", Unit::Percent), Column::number("total", measure.unit()), Column::number("total %", Unit::Percent)};
    std::vector<std::pair<std::pair<std::uint32_t, std::uint32_t>, Costs>> order(all.begin(), all.end());
    std::stable_sort(order.begin(), order.end(),
        [](const auto& a, const auto& b) { return std::pair(a.second.self, a.second.total) > std::pair(b.second.self, b.second.total); });
    for (const auto& [where, costs] : order)
        table.rows.push_back(
            {frames.line(where.first).shown(), std::string(frames[where.second].shown()), std::to_string(measure.inUnit(costs.self)),
                shareOf(costs.self, stacks.total()), std::to_string(measure.inUnit(costs.total)), shareOf(costs.total, stacks.total())});
    return table;
}
} // namespace dscope::graph
