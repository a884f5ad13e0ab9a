#include "graph/parts/touches.h"
#include "graph/keys.h"
#include "graph/text.h"
#include <algorithm>
#include <map>
namespace dscope::graph {
namespace {
bool isName(const record::Field& f) { return f.kind == record::FieldKind::String || f.kind == record::FieldKind::Symbol; }
} // namespace

bool tellsTouches(const record::Aggregation& a)
{
    return (a.function == record::Aggregator::Count || a.function == record::Aggregator::Sum || isQuantized(a.function))
        && std::count_if(a.keys.begin(), a.keys.end(), isName) >= 2;
}

Touches touchesOf(const record::Aggregation& a, const std::vector<Ranking::Line>& lines, Amounts which)
{
    Touches out;
    std::vector<std::size_t> keys;
    for (std::size_t k = 0; k < a.keys.size(); ++k)
        if (isName(a.keys[k])) {
            keys.push_back(k);
            out.titles.push_back(a.keys[k].name);
        }
    std::vector<std::map<std::string, std::size_t>> numbers(keys.size());
    std::vector<std::map<std::pair<std::size_t, std::size_t>, Number>> between(keys.size());
    out.nodes.resize(keys.size());
    for (const auto& line : lines) {
        if (which == Amounts::Drawn && !(line.value > Number(0))) continue;
        std::size_t before = 0;
        for (std::size_t c = 0; c < keys.size(); ++c) {
            const auto& name = line.keys[keys[c]];
            const auto [at, isNew] = numbers[c].try_emplace(name, out.nodes[c].size());
            if (isNew) out.nodes[c].push_back({name, 0});
            out.nodes[c][at->second].weight += line.value;
            if (c > 0) between[c - 1][{before, at->second}] += line.value;
            before = at->second;
        }
    }

    for (std::size_t c = 0; c + 1 < keys.size(); ++c) {
        auto& links = out.links.emplace_back();
        for (const auto& [ends, weight] : between[c])
            links.push_back({ends.first, ends.second, weight});
    }
    return out;
}

std::vector<std::size_t> byWeight(const std::vector<Touches::Node>& nodes)
{
    std::vector<std::size_t> order(nodes.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return nodes[a].weight != nodes[b].weight ? nodes[a].weight > nodes[b].weight : nodes[a].name < nodes[b].name;
    });
    return order;
}

std::string shownName(const std::string& name)
{
    std::string text = printable(name);
    return text.empty() ? "\"\"" : text;
}
} // namespace dscope::graph
