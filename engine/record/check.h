#pragma once
#include "engine/record/record.h"
namespace dscope::record {
/// Holds a stream to what record.h promises, so that a sink need not doubt it: one Program comes first, ids that index its
/// clauses and aggregations are in range, each action has the fields and aggregations its kind needs, rows have the data
/// their function has, folded stacks have frames and a sum that is a number, and so have their parts,
/// which are in the order of time, aggregations have parameters dtrace accepts. (Reading fields past a payload gives zeros, and ids
/// of probes and stacks may be unknown: neither is checked.)
class StreamCheck {
public:
    /// Error names what is wrong with the record.
    Result<> take(const Record& record);

private:
    Result<> program(const Program& p);
    Result<> stacks(const CountedStacks& stacks);
    Result<> parts(const StackParts& stacks);
    bool m_started = false, m_hasParts = false;
    std::int64_t m_room = INT64_MAX;    ///< that the values of folded stacks leave
    std::vector<std::size_t> m_clauses; ///< payload size, by ClauseId
    std::vector<Aggregation> m_aggregations;
};
} // namespace dscope::record
