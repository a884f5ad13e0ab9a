#pragma once
#include "graph/difference.h"
#include "graph/number.h"
#include "graph/run_scatter.h"
#include "graph/units.h"
#include "graph/visual.h"
#include <optional>
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
        Number value;
        Number before;                                                      ///< of the run that this one is compared with
        enum class In : std::uint8_t { Both, Before, After } in = In::Both; ///< which of the two runs has the key
    };
    std::vector<Line> lines;
    double total = 0, before = 0;
    double deviations = 2;                      ///< that a difference of counts must be
    RunScatter scatter;                         ///< of the runs that both sides are made of
    static std::string label(const Line& line); ///< the keys, joined by ", "
    std::string valueText(double value) const;  ///< in units
    Change change(const Line& line) const;
    Noise noise() const; ///< what change() holds for noise
    bool adds() const;   ///< whether a total means something: count and sum
    /// As it stands in a table: of averages and deviations always with decimals, so that who reads the first rows knows what the others are.
    std::string plain(const Number& value) const;
};
/// Whether keys come before others by name, numbers by their value.
bool isBeforeByName(const std::vector<std::string>& keys, const std::vector<std::string>& others);
/// The places of lines in the order that is asked for.
std::vector<std::size_t> ordered(const Ranking& ranking, Order order);
std::vector<Ranking> rankingsOf(const Store& store);
/// Both runs, by key: the largest change first, changes within noise last. Two aggregations match if name and function are equal.
std::vector<Ranking> rankingsOf(const Store& before, const Store& after);
/// As it stands in a table: whole numbers with all their digits, others as decimalNumber().
std::string plainNumber(const Number& value);
/// With two decimals; with as many more as a number needs that would be 0 with two.
std::string decimalNumber(const Number& value);
/// Whether its values are no whole numbers, even where one happens to be: averages and deviations.
bool hasDecimals(const record::Aggregation& aggregation);
/// As Ranking::plain(), of any aggregation's value.
std::string plainNumber(const record::Aggregation& of, const Number& value);
} // namespace dscope::graph
