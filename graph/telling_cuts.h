#pragma once
#include "graph/text.h"
#include <string>
#include <vector>
namespace dscope::graph {
/// `texts` cut to `width` px by `elide`, but so that those that differ still do where that can be: of texts that would look the same the
/// cut is made in what they share, "hot`mix < \u2026 < main" and "hot`mix < \u2026 < report", and where they first differ stays.
std::vector<std::string> tellingCuts(const std::vector<std::string>& texts, double width, double size, Elide elide, TextFont font);
} // namespace dscope::graph
