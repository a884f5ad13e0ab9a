#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
namespace dscope::graph {
class Store;
/// How far runs of the same program lie apart that should be alike. A side of a comparison that is several runs knows it
/// (Store::runs()); of one run nobody does, and what is counted is then taken to scatter as Poisson variables do, which real runs exceed.
class RunScatter {
public:
    /// The values of one thing, as a key of an aggregation, in every run of one side. `isCount`: they scatter by counting alone, too, which
    /// is not part of what variance() gives.
    void add(const std::string& thing, std::span<const double> values, bool isCount);
    bool isKnown() const { return m_runs > 1; }
    std::size_t runs() const { return m_runs; } ///< of a side
    /// Of the difference of two sides' numbers, sums or means over their runs: what there is beyond counting. 0 where nothing is known. It
    /// is that of the thing itself, but no less than that of all things together: two or three runs that happen to agree say little.
    double variance(const std::string& thing, double before, double after) const;
    /// How far a run is from the mean of its side, all things together: 0.08 is 8 %.
    double relative() const;

private:
    struct Sums {
        double excess = 0, squares = 0, fourths = 0; ///< of variances, of means squared, and of their squares
        double ratio() const { return squares > 0 && excess > 0 ? excess / squares : 0; }
    };
    std::map<std::string, Sums> m_things;
    /// How many degrees of freedom the ratio of all has: large things count for more (Satterthwaite).
    double freedom() const;
    Sums m_all;
    std::size_t m_runs = 0;
};
/// Of the functions of stacks, by their totals.
RunScatter stackScatterOf(const Store& before, const Store& after);
/// What a comparison holds for noise.
struct Noise {
    enum class Of : std::uint8_t { Counts, Values, PartsOfAWhole } of = Of::Counts;
    double deviations = 2;               ///< of counts
    std::optional<double> likeRuns = {}; ///< how far they lie apart, where that is known
    Noise(Of kind, double apart, const RunScatter* scatter);
    bool operator==(const Noise& other) const; ///< as far as text() tells
    std::string text() const;                  ///< as a legend says it
};
} // namespace dscope::graph
