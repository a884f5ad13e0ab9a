#include "tests/support/drawn/folded_lines.h"
namespace dscope::test {
std::vector<std::pair<std::string, std::int64_t>> foldedLines(const graph::Visual& visual)
{
    std::vector<std::pair<std::string, std::int64_t>> lines;
    visual.stacks()->eachLine([&](std::string_view stack, std::int64_t value) { lines.emplace_back(stack, value); });
    return lines;
}
} // namespace dscope::test
