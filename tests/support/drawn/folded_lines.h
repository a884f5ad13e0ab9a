#pragma once
#include "graph/stacks.h"
#include "graph/visual.h"
#include <string>
#include <utility>
#include <vector>
namespace dscope::test {
/// What a visual of stacks gives as folded text: each line's frames, joined by ';', and its value.
std::vector<std::pair<std::string, std::int64_t>> foldedLines(const graph::Visual& visual);
} // namespace dscope::test
