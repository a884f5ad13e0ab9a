#pragma once
#include "engine/text/tables.h"
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
/// How bpftrace writes rows of histograms, keys and statistics in text.
namespace dscope::text {
/// "[2, 4)     5 |@@@    |", "[0]  3 |@|", "(..., 0)", "[100, ...)": a row of a histogram.
std::optional<PrintedRange> bpftraceRow(std::string_view line);
/// Splits a list of keys at `separator` where no bracket is open. Brackets that do not match are no brackets.
std::vector<std::string> bpftraceKeys(std::string_view list, std::string_view separator);
/// The number behind ".total = " in "{ .count = 2, .average = 6, .total = 12 }" (bpftrace since 0.25), or behind "total " in
/// "count 2, average 6, total 12".
std::optional<std::int64_t> bpftraceMember(std::string_view value, std::string_view name);
} // namespace dscope::text
