#pragma once
#include "graph/headline.h"
#include "graph/parts/amounts_over_time.h"
#include "graph/parts/heat_panel.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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
/// A claim, and the one panel that it is about: a figure that claims it has to show it.
struct PanelClaim {
    Claim claim;
    std::optional<std::size_t> panel = {};
};
/// Of one panel the same. Of several with the same buckets, the first that holds of
/// 1. what is claimed of all together about when the slow ones came;
/// 2. "cc1 has 92 % of the calls of 1.0 ms or more": one key has half of those or more, there are 30 of them or more, and it has at most
/// half
///    of that share of all others;
/// 3. "cc1 has 70 % of all calls", as it is claimed of a Ranking;
/// 4. what is claimed of all together as one distribution.
PanelClaim headlineOf(std::span<const HeatPanel> panels, std::int64_t started, const std::string& noun);
} // namespace dscope::graph
