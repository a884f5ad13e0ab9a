#pragma once
#include <string>
#include <string_view>
#include <vector>
namespace dscope {
/// Up to three of `candidates` that may be meant by a mistyped name, the nearest first.
std::vector<std::string> nearNames(std::string_view name, const std::vector<std::string>& candidates);
/// "did you mean a, b or c?"; empty without names.
std::string didYouMean(const std::vector<std::string>& names);
} // namespace dscope
