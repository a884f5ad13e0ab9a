#pragma once
#include "graph/metrics.h"
#include "graph/noun.h"
#include "graph/ranking.h"
#include "graph/visual.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>
namespace dscope::graph {
/// What bars are drawn of: a ranking for each aggregation that has a single number a key, of one run or of two.
class BarsData {
public:
    explicit BarsData(const Store& store);
    /// What changed between two runs.
    BarsData(const Store& before, const Store& after);

    bool compares() const { return m_compares; }
    bool empty() const;
    bool isSlight() const;                      ///< no ranking has two lines
    const Noun& noun() const { return m_noun; } ///< of what is counted: "calls"
    const std::vector<Ranking>& rankings() const { return m_rankings; }
    const std::vector<std::string>& keyNames() const { return m_keyNames; } ///< of all rankings
    /// The rankings that are drawn, by their places: those that have lines and that are not the deviations of another one's averages.
    std::vector<std::size_t> drawn() const;
    bool hasSpreads() const { return !m_spreads.empty(); }
    /// The standard deviation of the values that a line is the average of, where it was recorded, too.
    std::optional<double> spreadOf(std::size_t ranking, const Ranking::Line& line) const;
    Extents extents() const;

    /// The number of a line with its share or its change.
    std::string valueOf(const Ranking& ranking, const Ranking::Line& line) const;
    /// The same with the deviation: what a figure says of a bar.
    std::string wordsOf(std::size_t ranking, const Ranking::Line& line) const;
    /// A value with the noun of what is counted, where it is a count: "1,024 calls".
    std::string countedText(const Ranking& ranking, double value) const;

    Table table() const { return filled(nullptr); }
    Row rowOf(std::size_t ranking, std::size_t line) const ///< of the table
    {
        return Row{m_rows.empty() ? static_cast<std::uint32_t>(line) : m_rows[ranking][line]};
    }
    std::vector<Metric> metrics() const;
    Digest digest(std::size_t most) const;

private:
    enum class Of : std::uint8_t { OneRun, TwoRuns };
    BarsData(const Store& store, std::vector<Ranking> rankings, Of of);
    void findSpreads();
    bool isSpread(std::size_t ranking) const;
    using Rows = std::vector<std::vector<std::uint32_t>>;
    Table filled(Rows* rows) const;
    std::size_t valueColumns() const { return m_compares ? 3 : 1; }

    Noun m_noun;
    std::vector<Ranking> m_rankings;
    std::vector<std::string> m_keyNames;
    bool m_compares;
    Rows m_rows; ///< of the table, by ranking and line; empty where each line of the only ranking has its own
    struct Spread {
        std::size_t ranking = 0; ///< of the deviations
        std::map<std::vector<std::string>, double> deviations;
    };
    std::map<std::size_t, Spread> m_spreads; ///< by the ranking of the averages
};
/// Whether bars show an aggregation: numbers by key. Stacks alone make no bars that can be read, the flame graph shows them.
bool isForBars(const record::Aggregation& aggregation);
/// Where a line of the deviation ends: times and sizes are never below zero.
double lowEndOfSpread(const Ranking& ranking, const Ranking::Line& line, double spread);
} // namespace dscope::graph
