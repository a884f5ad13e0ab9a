#pragma once
#include "engine/record/counted_stacks.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>
namespace dscope::tests {
/// Stacks as folded text, and what each counts.
using FoldedLines = std::vector<std::pair<std::string, std::int64_t>>;
/// The stacks that another tool counted.
inline record::CountedStacks countedStacks(
    const FoldedLines& lines, const std::string& noun = "samples", record::StackUnit unit = record::StackUnit::Count)
{
    record::FoldedReader reader;
    for (const auto& [stack, value] : lines)
        reader.add(stack, value);
    return reader.take(noun, unit);
}
inline FoldedLines foldedLines(const record::CountedStacks& stacks)
{
    FoldedLines lines;
    record::eachLine(stacks, [&](std::string_view stack, std::int64_t value) { lines.emplace_back(stack, value); });
    return lines;
}
} // namespace dscope::tests
