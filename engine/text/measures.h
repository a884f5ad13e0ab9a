#pragma once
#include "engine/record/record.h"
#include <cstdint>
#include <optional>
#include <string_view>
namespace dscope::text {
/// `text`, digits with or without a point and more digits, times 10^`places`: exactly, or nothing. "12.871" and 3 places are 12871.
std::optional<std::int64_t> decimal(std::string_view text, int places);
/// A unit that tools name: a value of it is `by` times as many nanoseconds or bytes, or a count.
struct Unit {
    record::StackUnit is = record::StackUnit::Unknown;
    std::int64_t by = 1;
};
/// Of "ns", "us", "milliseconds", "s", "B", "kB", "KiB", "MB", "count" and their like; nothing of a name that is no such unit. Prefixes
/// of bytes are powers of 1024, as pprof has them. Source: github.com/google/pprof, internal/measurement.
std::optional<Unit> unitOf(std::string_view name);
/// "12.871 us", "3 s": nanoseconds, exactly; nothing where it is no time, or needs parts of a nanosecond.
std::optional<std::int64_t> duration(std::string_view text);
} // namespace dscope::text
