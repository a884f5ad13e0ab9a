#pragma once
#include "engine/record/record.h"
#include "graph/visual.h"
#include <cstdint>
#include <string>
/// Numbers as people read them: 4.1 µs, 12.3 MiB, 35.6k; with the separators of this thread's Tongue, the same on every machine without
/// one.
namespace dscope::graph {
class Store;
using Unit = Column::Unit;
std::string formatDuration(double nanoseconds); ///< three digits: "0.70 s" stays "700 ms", "2.41 s", "3 min 20 s"
std::string formatMoment(
    std::int64_t nanoseconds, std::int64_t step);      ///< as formatDuration, with the digits that moments `step` apart need
std::string formatBytes(double bytes);                 ///< binary prefixes: "512 B", "4.0 KiB"
std::string formatCompact(double value);               ///< "35.6k", "1.2M"; whole numbers below 1,000 as they are
std::string formatGrouped(std::int64_t value);         ///< "57,516"
std::string formatShare(double part, double whole);    ///< "81.7 %"; "0 %" of nothing
std::string formatDecimal(double value, int decimals); ///< "-0" never
std::string formatFixed(double value, int decimals);   ///< for programs: as formatDecimal in English, whatever the thread speaks
std::string formatQuantity(double value, Unit unit);   ///< by unit: the first three, or formatCompact
/// "8.2 – 16.4 µs" when both have one unit, else "512 B – 1.0 KiB".
std::string formatRange(double low, double high, Unit unit);

/// What an aggregated value measures, where its expression says so beyond doubt.
struct Measure {
    Unit unit = Unit::None;
    double scale = 1; ///< the value times this is in `unit` (timestamps divided by 1000: 1000)
    bool operator==(const Measure&) const = default;
    std::string format(double value) const { return formatQuantity(value * scale, unit); }
};
/// Nanoseconds for differences of `timestamp` and `vtimestamp` (also through one assignment in the program), bytes for
/// sizes by name and for the counts of read and write calls, Count for count(). None when in doubt.
Measure measureOf(const record::Aggregation& aggregation, const Store& store);
} // namespace dscope::graph
