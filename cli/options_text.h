#pragma once
#include <string>
namespace dscope::cli {
/// What `-x help` prints: each option with its value where none is set, and what it does.
std::string optionsText();
} // namespace dscope::cli
