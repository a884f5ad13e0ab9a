#pragma once
#include "engine/record/record.h"
#include "graph/number.h"
#include "graph/units.h"
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
class Store;
/// What one key of an aggregation had in each interval.
struct AmountLine {
    std::vector<std::string> keys;
    std::vector<std::pair<std::uint32_t, Number>> values; ///< by interval; what is missing is nothing
    double weight = 0;                                    ///< what it is ranked by: the sum, or the largest

    std::string name() const; ///< of the keys; "all" without keys
};
/// The values of one aggregation over time, key by key: the data of a series.
struct AmountsOverTime {
    struct Interval {
        std::int64_t from = 0, to = 0; ///< ns, CLOCK_MONOTONIC
    };
    record::Aggregation shape;
    Measure measure;
    std::vector<Interval> intervals;
    std::vector<AmountLine> lines; ///< the weightiest first, ties by key
    std::int64_t usual = 0;        ///< ns, the median length of an interval
    double total = 0;
    enum class Run : std::uint8_t { Only, Before, After } run = Run::Only; ///< where those of two runs are shown
    bool isNumbered = false; ///< the ends of intervals are numbers of printings, not times
};
/// Whether what stands for times are numbers of printings: imported text that has aggregations again and again, and no times.
bool numbersPrintings(const record::Program& program);
AmountsOverTime amountsOf(const Store& store, AggregationId id);
/// The same as it is drawn. What adds up is in each interval what came in a second, because intervals are not of one length; an
/// interval less than half as long as is usual, as at the end of a run, becomes one with its neighbour: a few events in it would be
/// a peak. What does not add up stays as it is. `weight` and `total` stay those of the whole.
AmountsOverTime drawnAmounts(const AmountsOverTime& amounts);
/// How many intervals drawnAmounts() has.
std::size_t drawnIntervals(const AmountsOverTime& amounts);
/// Whether amounts of different intervals make a sum; then an interval without an amount is 0.
bool addsUp(const record::Aggregation& aggregation);

/// A line as it is drawn: a value, or none, for every interval.
struct DrawnLine {
    std::string label;
    std::vector<std::optional<double>> values;
    double hue = -1; ///< -1: none, as of the line that stands for all others
    bool isRest = false;
};
/// What is drawn of all keys.
struct DrawnLines {
    std::vector<DrawnLine> lines;
    std::size_t hidden = 0; ///< keys that no line stands for
};
/// At most `most` lines: the weightiest keys, and one for all others where amounts add up.
DrawnLines drawnLines(const AmountsOverTime& amounts, std::size_t most);

/// Which hue a key has, in every panel of a figure.
using SeriesHues = std::map<std::string, std::size_t>;
/// Gives each line its hue. A key keeps its hue from panel to panel, and from run to run as far as the others leave it free.
void colour(std::vector<DrawnLine>& lines, SeriesHues& hues);
} // namespace dscope::graph
