#pragma once
#include "engine/record/buckets.h"
#include "graph/difference.h"
#include "graph/number.h"
#include "graph/run_scatter.h"
#include "graph/units.h"
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
class Store;
/// The buckets of one row of a quantize, lquantize or llquantize.
struct Distribution {
    std::vector<std::string> keys;
    std::map<int, double> counts; ///< by bucket, zero and below left out
    double total = 0;
    /// Of the run that this one is compared with; `counts` then has a zero for each bucket that only this has.
    std::map<int, double> countsBefore = {};
    double totalBefore = 0;
    /// What changed in a bucket, of numbers as they were recorded.
    Change change(int bucket) const;
    Change changeInAll() const;
    double deviations = 2; ///< that the difference of a bucket must be
    /// Of two sides that are several runs each: how far like runs are apart, by thing(). Null where nobody knows.
    std::shared_ptr<const RunScatter> scatter = nullptr;
    /// As files have them: with all digits, and with those below zero, which increments of less than zero leave.
    std::map<int, Number> exact = {}, exactBefore = {};
    std::string thing(std::optional<int> bucket) const; ///< what it is called in `scatter`: a bucket, or all of them
    Noise noise() const;                                ///< what change() holds for noise
    /// The bucket in which the share 0..1 of all values is reached.
    int percentile(double share) const { return reached(counts, share * total); }
    int percentileBefore(double share) const { return reached(countsBefore, share * totalBefore); }
    std::string label() const; ///< the keys, joined by ", "

private:
    static int reached(const std::map<int, double>& counts, double sum);
};
/// Rows that can share an x axis: the same function, parameters and unit.
struct DistributionGroup {
    record::Aggregation shape; ///< of the first
    Measure measure;
    struct Member {
        std::string aggregation; ///< its name
        Distribution values;
        std::uint32_t firstRow = 0; ///< of a table with a row a bucket
        std::shared_ptr<const record::Aggregation> own = nullptr; ///< which has keys of its own; null: those of the group's first
    };
    const record::Aggregation& shapeOf(const Member& member) const { return member.own ? *member.own : shape; }
    std::vector<Member> members; ///< by total, then by key
    std::vector<Member> below = {}; ///< that have no bucket above zero: files have them, figures do not
    double total = 0;
    int first = 0, last = 0; ///< buckets to show: those with values, what lies between, one on each side
    /// Narrows them to what these members have, where others are not drawn.
    void showOnly(std::span<const std::size_t> which);
    bool hatched(int bucket) const;      ///< an open end
    std::string edge(int bucket) const;  ///< the lower end of a bucket in units; empty for an open one
    std::string range(int bucket) const; ///< "8.2 – 16.4 µs", "≥ 100", "0"
};
std::vector<DistributionGroup> distributionsOf(const Store& store);
/// Of Extents: the same for aggregations of the same name whose buckets are the same.
std::string bucketsKey(const record::Aggregation& aggregation);
/// What the values answer: "How long does write(2) take?", "How long does write(2) take over time?"
enum class Over : std::uint8_t { Run, Time };
std::string questionOf(const DistributionGroup& group, std::string_view call, Over over = Over::Run);
/// The same of all distributions of a figure: where they answer different questions, how many they are.
std::string questionOf(std::span<const DistributionGroup> groups, std::string_view call, Over over = Over::Run);
/// How many values each aggregation has in all, by its name; of two runs in the later one, and in the one before.
std::map<std::string, double> valuesOf(std::span<const DistributionGroup> groups);
std::map<std::string, double> valuesBefore(std::span<const DistributionGroup> groups);
/// Both runs, member by member; a distribution that one of them lacks is empty there.
std::vector<DistributionGroup> distributionsOf(const Store& before, const Store& after);
} // namespace dscope::graph
