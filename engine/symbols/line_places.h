#pragma once
#include "engine/base/result.h"
#include "engine/symbols/debug_files.h"
#include <cstdint>
#include <string_view>
#include <vector>
namespace dscope::symbols {
/// Where the code of a line of source is.
struct LinePlaces {
    std::vector<std::uint64_t> addresses; ///< where it begins: one in each function, and in each place that it was inlined into
    bool knowsFile = false;               ///< code was made of a file of that name
    std::uint32_t next = 0;               ///< without addresses: the line with code behind it; 0: none
};
/// Where the code of a line is in a program or library that is open. Error, with the way out, where it has no debug information, or
/// libdw is missing.
Result<LinePlaces> placesOfLine(const ElfFile& program, const DebugPlaces& places, std::string_view file, std::uint32_t line);
} // namespace dscope::symbols
