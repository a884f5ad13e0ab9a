#pragma once
#include <cstdint>
namespace dscope::graph {
/// Whether a figure shows private data: the host, users and arguments of commands.
enum class Privacy : std::uint8_t { Open, Redacted };
} // namespace dscope::graph
