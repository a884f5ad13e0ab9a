#include "tests/support/counted_stacks.h"
#include <algorithm>
namespace dscope::test {
Stream stacks(const std::vector<std::pair<std::string, std::int64_t>>& all)
{
    Stream s;
    auto p = program("profile-997 { @[ustack()] = count(); }", {"profile:::profile-997"});
    p.aggregations = {aggregation("", Aggregator::Count, "", {stackKey(FieldKind::UserStack)})};
    begin(s, p);
    std::vector<record::AggregationRow> out;
    std::uint32_t id = 0;
    for (const auto& [line, count] : all) {
        std::vector<record::Frame> frames;
        for (std::size_t at = 0; at <= line.size();) {
            const auto end = std::min(line.find(';', at), line.size());
            frames.push_back(frame("", line.substr(at, end - at), record::Frame::Kind::User));
            at = end + 1;
        }
        s.emplace_back(stack(++id, frames));
        out.push_back({Key().stack(id).bytes(), {count}});
    }
    s.emplace_back(rows(0, out));
    s.emplace_back(end(kSecond));
    return s;
}
} // namespace dscope::test
