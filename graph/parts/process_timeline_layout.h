#pragma once
#include "graph/figure.h"
#include "graph/parts/process_timeline_data.h"
#include "graph/process_fold.h"
#include "graph/visual.h"
#include <vector>
namespace dscope::graph {
/// Lengths of a timeline of processes, in px at a page's scale of 1.
struct TimelineLengths {
    static constexpr double kAxis = 30, kSideWidth = 310, kSidePage = 900;
    static constexpr double kRoomForBand = 260; // of content: on lower pages neither the band nor a legend has room
    static constexpr double kElbow = 7;         // of a line from a parent, before the child's bar
};
/// A process, or one lane of equal ones: those of its bars that do not overlap.
struct TimelineRow {
    ShownProcess node;
    std::vector<std::size_t> bars; ///< processes
    bool isFirst = true;           ///< of the lanes of its node: it has the words
};
/// How many processes have a bar.
std::size_t processesOf(const std::vector<TimelineRow>& rows);
/// At most `most` rows, in the order of their start. Where not every process has a row, siblings that are equal share one; where these
/// are too many, too, the critical path comes first of all, then what took longest.
std::vector<TimelineRow> timelineRows(const ProcessTimelineData& data, std::size_t most);

/// How the content of a page is divided, from above: the band, which says how many processes are at work at once, the axis, the rows.
struct TimelineRoom {
    double height = 0; ///< px, of the content
    double band = 0;   ///< px; 0: there is none
    double scale = 1;  ///< the page's
    /// px, of each of as many rows.
    double row(std::size_t count, const LayoutOptions& options) const;
    /// How many rows of `row` px fit; at least 1.
    std::size_t fitting(double row) const;
};
TimelineRoom timelineRoom(const ProcessTimelineData& data, const Box& content, double scale, const LayoutOptions& options);
} // namespace dscope::graph
