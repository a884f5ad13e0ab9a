#pragma once
#include "engine/record/record.h"
#include <functional>
#include <string>
#include <vector>
namespace dscope::record {
/// What clauses print or trace, as merged runs have it: with what a run is told apart by before each firing's own values.
/// Which probe fired is not kept.
class MergedFirings {
public:
    MergedFirings() = default;
    /// `clauses`: of the first run. `label`: the name of what runs are told apart by, `width` bytes of each payload; empty: they are not.
    MergedFirings(std::vector<Clause> clauses, const std::string& label, std::uint32_t width);
    /// Of the merged program, one for each of the runs'. What acts on aggregations or on the machine is not in them.
    const std::vector<Clause>& clauses() const { return m_merged; }
    /// Whether a firing of this clause of a run is in them.
    bool has(ClauseId id, const Clause& own) const;
    /// `label`: of the run. `stack`: which merged stack one of the run's is.
    Fired merged(const Fired& fired, const Bytes& label, const std::function<StackId(StackId)>& stack) const;

private:
    std::vector<Clause> m_own, m_merged;
};
} // namespace dscope::record
