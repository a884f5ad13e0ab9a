#pragma once
#include "engine/record/record.h"
#include <optional>
#include <string_view>
namespace dscope::text {
/// The stacks of a flame graph that flamegraph.pl or a program like it drew as SVG: each frame is a rectangle whose title says
/// "name (1,234 samples, 5.67%)", callees lie on their callers. Frames too narrow to be drawn count as their callers' own.
/// Empty when `svg` has no such titles.
std::optional<record::CountedStacks> drawnStacks(std::string_view svg);
} // namespace dscope::text
