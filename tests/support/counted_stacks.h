#pragma once
#include "tests/support/streams.h"
#include <string>
#include <utility>
#include <vector>
namespace dscope::test {
/// A run that counted stacks, written as "outermost;...;innermost" with how often.
Stream stacks(const std::vector<std::pair<std::string, std::int64_t>>& all);
} // namespace dscope::test
