#pragma once
#include "engine/base/result.h"
#include <cstddef>
namespace dscope {
/// The most that is read of a file that a person wrote: a D program or library. What is longer is something else.
constexpr std::size_t kLongestSource = std::size_t{64} << 20; // bytes

/// A whole file; a pipe and a terminal too, to their end. Error names the path and the reason: it is not there, may not be
/// read, is a directory or has more than `limit` bytes.
Result<std::string> readWholeFile(const std::string& path, std::size_t limit = kLongestSource);
} // namespace dscope
