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
/// The numbers of an aggregation with what they are, for formats of monitoring.
struct Metric {
    enum class Kind : std::uint8_t {
        Counter, ///< of count(): it only grows
        Gauge,   ///< any other number
        Buckets, ///< of quantize() and its relatives
    } kind = Kind::Gauge;
    std::string name;      ///< "bytes" of @bytes, "" of @
    std::string describes; ///< "sum(arg2) by execname"
    Measure measure;       ///< of the values, and of the buckets' ends
    /// Of Buckets: the largest value of each, ascending, the same for all rows. What is in none of them is above the last.
    std::vector<Number> ends;
    struct Row {
        std::vector<std::pair<std::string, std::string>> keys; ///< by the names that tables give their columns
        Number value;                                          ///< of Buckets how many values there are
        std::vector<std::pair<std::size_t, Number>> buckets;   ///< those that have values, ascending: which of `ends`, and how many
    };
    std::vector<Row> rows;
};
/// The first and the last bucket that who reads again and again has been told of, by aggregation (bucketsKey()). The set only grows: a sum
/// over series, or a rate, needs one set of ends for all of them and all the time.
using ToldBuckets = std::map<std::string, std::pair<int, int>>;
/// Rows of one aggregation as they become a metric.
struct MetricRows {
    record::Aggregation of;
    Measure measure;
    struct Row {
        std::vector<std::string> keys;
        Number value;
        std::map<int, Number> counts; ///< by bucket
    };
    std::vector<Row> rows = {};

    void add(const std::vector<std::string>& keys, const Number& value) { rows.push_back({keys, value, {}}); }
    void add(const std::vector<std::string>& keys, const std::map<int, Number>& counts) { rows.push_back({keys, {}, counts}); }
    Metric metric(ToldBuckets& told) const;
};
/// Every aggregation of the program, in its order. Rows whose keys have the same text are one.
std::vector<Metric> metricsOf(const Store& store, ToldBuckets& told);
/// What visuals have that are made of such numbers, beside Visual.
class HasMetrics {
public:
    virtual ~HasMetrics() = default;
    virtual std::vector<Metric> metrics() const = 0; ///< of one run; empty where two are compared
};
} // namespace dscope::graph
