#pragma once
#include "graph/headline.h"
#include "graph/parts/amounts_over_time.h"
#include "graph/parts/heat_panel.h"
#include <cstdint>
#include <string>
/// What titles claim of views that have a time axis (graph/headline.h). Of fewer than kFewestIntervals intervals nothing is claimed about
/// time.
namespace dscope::graph {
constexpr std::size_t kFewestIntervals = 8;
/// What is summed up, all keys together; of counts not when fewer than kFewestCounted. The first that holds of
/// 1. "calls peak at 12.3k / s after 1.20 s, 12 times the median": the largest rate is four times the median of all or more, by
///    more than chance where events are counted, and all intervals with half of it or more follow one another;
/// 2. "80 % of all calls came within 300 ms, after 1.20 s": most intervals have nothing, and the shortest stretch with half of
///    everything is a fifth of the time or less;
/// 3. what is claimed of a Ranking: one key has half or more.
/// Of a mean without keys 1, of its values as they are. Else nothing.
/// `started`: ns, when the run began; `what`: is drawn: "calls".
Claim headlineOf(const AmountsOverTime& amounts, std::int64_t started, const std::string& what);
/// "92 % of the calls of 1.0 ms or more came within 300 ms, after 2.10 s": of times and sizes with kFewestCounted values, when there are 30
/// or more in the bucket of their 99th percentile and above, the shortest stretch with half of these is a fifth of the time or less, and
/// at most half of that share of all other values lie in it. Else what is claimed of a distribution.
Claim headlineOf(const HeatPanel& panel, std::int64_t started, const std::string& noun);
} // namespace dscope::graph
