#pragma once
#include "graph/ranking.h"
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
/// The values of an aggregation's names, from left to right: a column a name, a node a value of it. Who touches what.
struct Touches {
    struct Node {
        std::string name; ///< as traced
        Number weight;
    };
    /// What passes from a node of one column to a node of the next.
    struct Link {
        std::size_t from = 0, to = 0; ///< within their columns
        Number weight;
    };
    std::vector<std::string> titles;
    std::vector<std::vector<Node>> nodes;
    std::vector<std::vector<Link>> links; ///< links[c] leads from column c to the next
};
/// Whether an aggregation has two names or more, and amounts that add up.
bool tellsTouches(const record::Aggregation& aggregation);
/// What is drawn has a width, so that it is more than 0; files have all amounts.
enum class Amounts : std::uint8_t { Drawn, All };
Touches touchesOf(const record::Aggregation& aggregation, const std::vector<Ranking::Line>& lines, Amounts which);
/// Indices of a column's nodes, the weightiest first.
std::vector<std::size_t> byWeight(const std::vector<Touches::Node>& nodes);
/// A name as it is shown: printable, and "" for an empty one.
std::string shownName(const std::string& name);
} // namespace dscope::graph
