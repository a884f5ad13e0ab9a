#pragma once
#include "engine/record/buckets.h"
#include "graph/units.h"
#include <map>
#include <string>
#include <vector>
namespace dscope::graph {
class Store;
/// The buckets of one row of a quantize, lquantize or llquantize.
struct Distribution {
    std::vector<std::string> keys;
    std::map<int, double> counts; ///< by bucket, zero and below left out
    double total = 0;
    /// The bucket in which the share 0..1 of all values is reached.
    int percentile(double share) const;
    std::string label() const; ///< the keys, joined by ", "
};
/// Rows that can share an x axis: the same function, parameters and unit.
struct DistributionGroup {
    record::Aggregation shape; ///< of the first
    Measure measure;
    struct Member {
        std::string aggregation; ///< its name
        Distribution values;
    };
    std::vector<Member> members; ///< by total, then by key
    double total = 0;
    int first = 0, last = 0;             ///< buckets to show: those with values, what lies between, one on each side
    bool hatched(int bucket) const;      ///< an open end
    std::string edge(int bucket) const;  ///< the lower end of a bucket in units; empty for an open one
    std::string range(int bucket) const; ///< "8.2 – 16.4 µs", "≥ 100", "0"
};
std::vector<DistributionGroup> distributionsOf(const Store& store);
/// "write" when all probes of the program are of one system call; else empty.
std::string onlyCall(const record::Program& program);
/// What the values answer: "How long does write(2) take?"
std::string questionOf(const DistributionGroup& group, std::string_view call);
} // namespace dscope::graph
