#pragma once
#include "engine/format/values.h"
#include <map>
#include <span>
#include <string>
namespace dscope::format {
/// How much of the stacks that were printed was not followed to its end: those that end in [truncated]. A row of an aggregation
/// counts as often as count() counted it, anything else once.
class CutStacks {
public:
    void take(const Context& context, const record::Field& field, ByteView bytes, std::int64_t times = 1);
    void take(const Context& context, const record::Aggregation& aggregation, std::span<const record::AggregationRow> rows);
    /// One sentence for people without a newline; empty where none was cut.
    std::string text() const;

private:
    std::int64_t m_all = 0, m_cut = 0;
    std::map<record::Truncation, std::int64_t> m_reasons;
};
} // namespace dscope::format
