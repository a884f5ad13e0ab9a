#pragma once
#include "engine/symbols/symbol_table.h"
#include <cstdint>
#include <string_view>
namespace dscope::symbols {
/// Functions that a just-in-time compiler announced in /tmp/perf-PID.map: lines `START SIZE name`, hexadecimal.
/// Later lines stand for later code and win over earlier ones at the same address. Source: linux tools/perf/Documentation/jit-interface.txt
SymbolTable parsePerfMap(std::string_view text);
/// The file's text, if it is a regular file of at most 64 MiB that belongs to `owner` or root: anyone may write to /tmp.
std::string readPerfMap(const std::string& path, std::uint32_t owner);
} // namespace dscope::symbols
