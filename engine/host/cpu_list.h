#pragma once
#include <string_view>
#include <vector>
namespace dscope::host {
/// The processors of a list as the kernel writes it: "0-3,5" gives {0, 1, 2, 3, 5}. Ends at the first text that is no list,
/// at a range that goes backwards, and at a number beyond what a kernel can have.
/// Source: Documentation/admin-guide/cputopology.rst.
std::vector<int> cpuList(std::string_view text);
} // namespace dscope::host
