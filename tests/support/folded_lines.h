#pragma once
#include "graph/stacks.h"
#include "graph/visual.h"
#include <string>
#include <utility>
#include <vector>
namespace dscope::test {
/// What a visual of stacks gives as folded text: each line's frames, joined by ';', and its value.
inline std::vector<std::pair<std::string, std::int64_t>> foldedLines(const graph::Visual& visual)
{
    std::vector<std::pair<std::string, std::int64_t>> lines;
    visual.stacks()->eachLine([&](std::string_view stack, std::int64_t value) { lines.emplace_back(stack, value); });
    return lines;
}
} // namespace dscope::test
