#pragma once
#include "engine/record/merged_runs.h"
#include "engine/remote/host_run.h"
#include "engine/remote/outliers.h"
#include <memory>
#include <vector>
namespace dscope::remote {
/// What one run of many hosts has told so far, and how it becomes one data set.
class Collection {
public:
    /// `run`: of an Address. `expected`: hosts, 0: those that come.
    Collection(std::string run, std::size_t expected) : m_run(std::move(run)), m_expected(expected) { }
    /// True: something is new. What is damaged, or too much, is counted; messages that are no dscope's are ignored.
    bool take(const Kept& kept);
    /// Where a message of this run belongs, and its number, for callers without a broker.
    std::string subjectOf(const Place& place) const { return remote::subjectOf(m_run, place); }
    std::uint64_t nextNumber() { return ++m_number; }
    /// What was measured of a host's clock: for callers without a broker in between.
    void measured(const std::string& host, const record::ClockOffset& clock) { m_clocks.insert_or_assign(host, clock); }
    /// Whether all that is expected, or known, has ended.
    bool hasEnded() const;

    /// How complete the picture is.
    struct Summary {
        std::size_t hosts = 0, expected = 0; ///< that the data set has; that are known, or expected if that is more
        std::size_t withDrops = 0, running = 0, incomplete = 0;
        std::uint64_t damaged = 0;        ///< messages
        std::size_t cut = 0;              ///< hosts whose stream or published recording ended before their run did
        std::vector<Outlier> outliers;    ///< the farthest first
        std::vector<std::string> refused; ///< hosts that are left out, each with the reason
        /// "187 of 200 hosts, 3 with drops, 2 still running"
        std::string text() const;
        /// Up to `most` outliers, a sentence each, and how many more there are.
        std::vector<std::string> outlierTexts(std::size_t most) const;
        /// Whether something of what hosts sent is missing: messages, or whole hosts.
        bool lacksWhatWasSent() const { return incomplete > 0 || damaged > 0 || !refused.empty(); }
        /// Whether there is more to say than that all hosts are there.
        bool isPartial() const
        {
            return hosts < expected || withDrops > 0 || running > 0 || cut > 0 || incomplete > 0 || damaged > 0 || !refused.empty();
        }
    };
    struct DataSet {
        std::vector<record::MergedRun> runs; ///< by host and begin, what a run printed behind it; none: no host has told that much
        Summary summary;
    };
    /// What is known now, of hosts that have told each aggregation once. Runs of another program than most have (of equally many: than the
    /// first that was sent) are left out, and told.
    DataSet dataSet() const;

private:
    std::string m_run;
    std::size_t m_expected;
    std::map<Origin, HostRun> m_runs;
    std::map<std::string, record::ClockOffset> m_clocks; ///< by host
    std::uint64_t m_damaged = 0, m_number = 0;
    std::size_t m_bytes = 0; ///< that all runs keep
};
} // namespace dscope::remote
