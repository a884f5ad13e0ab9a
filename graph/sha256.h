#pragma once
#include <string>
#include <string_view>
namespace dscope::graph {
/// SHA-256 as 64 hexadecimal digits: how a figure names the program it was made by. Source: FIPS 180-4.
std::string sha256(std::string_view bytes);
} // namespace dscope::graph
