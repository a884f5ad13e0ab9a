#pragma once
#include "engine/record/folded.h"
#include "graph/visual.h"
#include <memory>
#include <string>
#include <vector>
/// What stands inside SVG and HTML so that they open again: the run itself, not only its drawing.
namespace dscope::exporters {
/// A run whose figure is drawn.
struct Run {
    bool isBefore = false;                              ///< the one that the other is compared with
    std::string recording;                              ///< a whole recording; empty when it is not known or too large to keep
    record::FoldedStacks stacks; ///< of foreign text, beside the recording
};
/// One part of what stands inside.
struct DataPart {
    std::string role, format; ///< "before" or "after"; "recording" or "folded"
    std::string base64;       ///< of the recording, or of the lines of folded text, deflated
    std::size_t leftOut = 0;  ///< lines of folded text that had no room, the least
};
/// The runs in at most `room` characters; of foreign stacks that are very many the heaviest. When the runs are larger, the
/// stacks of `visual` as far as there is room; none when it has no stacks either.
std::vector<DataPart> dataOf(const std::vector<Run>& runs, const graph::Visual& visual, std::size_t room);
} // namespace dscope::exporters
