#pragma once
#include "graph/number.h"
#include "graph/units.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>
namespace dscope::graph {
/// The numbers of an aggregation with what they are, for formats of monitoring.
struct Metric {
    enum class Kind : std::uint8_t {
        Counter,  ///< of count(): it only grows
        Gauge,    ///< any other number
        Buckets,  ///< of quantize() and its kin
    } kind = Kind::Gauge;
    std::string name;      ///< "bytes" of @bytes, "" of @
    std::string describes; ///< "sum(arg2) by execname"
    Measure measure;       ///< of the values, and of the buckets' ends
    struct Bucket {
        std::optional<Number> most; ///< the largest value in it; none: it has no end
        Number count;
    };
    struct Row {
        std::vector<std::pair<std::string, std::string>> keys; ///< by the expressions' names
        Number value;
        std::vector<Bucket> buckets; ///< ascending
    };
    std::vector<Row> rows;
};
/// What visuals have that are made of such numbers, beside Visual.
class HasMetrics {
public:
    virtual ~HasMetrics() = default;
    virtual std::vector<Metric> metrics() const = 0; ///< of one run; empty where two are compared
};
} // namespace dscope::graph
