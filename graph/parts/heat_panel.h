#pragma once
#include "graph/distribution.h"
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
class Store;
/// Distributions of one key over time, a column an interval: the data of a panel of a heat map.
struct HeatPanel {
    DistributionGroup of; ///< shape, measure and the buckets to show; no members
    std::string aggregation;
    std::vector<std::string> keys;
    struct Column {
        std::int64_t from = 0, to = 0; ///< ns, CLOCK_MONOTONIC
        bool operator==(const Column&) const = default;
    };
    std::vector<Column> times;                              ///< of the columns
    std::map<std::pair<std::uint32_t, int>, Number> counts; ///< by column and bucket
    double total = 0;
    std::string name; ///< printable

    void add(std::uint32_t column, int bucket, const Number& count);
    /// Which buckets are shown: those with values, and a neighbour or two where they are alone.
    void findEnds();
    double rows() const { return of.last - of.first + 1; }
    /// ns, the median length of a column as it is drawn; more than 0.
    double usualLength() const;
    /// As it is drawn: a column less than half as long as is usual is one with its neighbour.
    HeatPanel drawn() const;
    /// What the count of a cell would be if its column were `usual` ns long.
    double evened(std::uint32_t column, double count, double usual) const;
    bool isEven(double usual) const; ///< all columns are about that long
    /// Whether rows of both mean the same values.
    bool hasBucketsOf(const HeatPanel& other) const;
};
/// Adds a panel for each key of a quantize, lquantize or llquantize.
void addHeatPanels(std::vector<HeatPanel>& panels, const Store& store, AggregationId id);
/// Samples by their second and where in it they are: what comes again every second, or stops, is seen at once. Without samples it has
/// no columns.
HeatPanel sampleOffsets(const Store& store);
} // namespace dscope::graph
