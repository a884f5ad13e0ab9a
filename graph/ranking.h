#pragma once
#include "graph/units.h"
#include <string>
#include <vector>
namespace dscope::graph {
class Store;
/// The rows of one aggregation that has a single number a row, largest first, ties by key.
struct Ranking {
    record::Aggregation shape;
    Measure measure;
    struct Line {
        std::vector<std::string> keys;
        double value = 0;
    };
    std::vector<Line> lines;
    double total = 0;
    static std::string label(const Line& line); ///< the keys, joined by ", "
    std::string valueText(double value) const;  ///< in units
    bool adds() const;                          ///< whether a total means something: count and sum
};
std::vector<Ranking> rankingsOf(const Store& store);
/// As it stands in a table: whole numbers in full, means with two decimals.
std::string plainNumber(double value);
} // namespace dscope::graph
