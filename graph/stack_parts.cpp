#include "graph/stack_parts.h"
#include "engine/record/counted_stacks.h"
#include <algorithm>
#include <map>
#include <memory>
#include <utility>
namespace dscope::graph {
std::int64_t giveParts(std::span<const record::StackParts::Part> parts, std::size_t by, std::int64_t started, History& history,
    std::vector<record::AggregationRow>& rows)
{
    std::map<Bytes, std::size_t> places;
    std::vector<std::size_t> changed;
    std::vector<record::AggregationRow> now;
    std::int64_t end = started;
    for (auto part = parts.begin(); part != parts.end();) {
        if (part->from.count() > end) history.take(part->from.count(), {}); // nothing came in meanwhile
        end = part->to.count();
        changed.clear();
        for (; part != parts.end() && part->to.count() == end; ++part) {
            const auto [place, isNew] = places.try_emplace(part->keys[by], rows.size());
            if (isNew) rows.push_back({part->keys[by], {0}});
            rows[place->second].data.front() += part->amount;
            changed.push_back(place->second);
        }
        std::sort(changed.begin(), changed.end());
        changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
        now.clear();
        for (const auto row : changed)
            now.push_back(rows[row]);
        history.take(end, now);
    }
    return end;
}

std::vector<record::CountedStacks> stacksOfParts(
    const std::vector<record::CountedStacks>& all, std::span<const record::StackParts::Part> parts)
{
    std::size_t count = 0;
    for (const auto& stacks : all)
        count += stacks.all().size();
    std::vector<std::int64_t> values(count);
    for (const auto& part : parts)
        for (const auto& line : part.lines)
            if (line.stack < count) values[line.stack] += line.value;

    std::vector<record::CountedStacks> out;
    auto value = values.begin();
    for (const auto& stacks : all) {
        std::vector<record::CountedStacks::Stack> left;
        for (const auto& stack : stacks.all())
            if (const auto now = *value++; now > 0) left.push_back({stack.node, now});
        out.push_back(record::withStacks(stacks, std::move(left)));
    }
    return out;
}
} // namespace dscope::graph
