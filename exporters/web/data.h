#pragma once
#include "exporters/web/kept_run.h"
#include "graph/visual.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>
/// What stands inside SVG and HTML so that they open again: the run itself, not only its drawing.
namespace dscope::exporters {
/// A run whose figure is drawn.
struct Run {
    bool isBefore = false;               ///< the one that the other is compared with
    std::shared_ptr<const KeptRun> kept; ///< whose end has come; null when it is not known
};
/// What of the runs stands inside: all of them as far as there is room, or the stacks that the figure shows and no other names.
enum class Inside : std::uint8_t { Runs, Shown };
/// One part of what stands inside: a recording.
struct DataPart {
    std::string_view role;                                   ///< "before" or "after"
    std::string base64;                                      ///< of the recording
    std::size_t leftOut = 0;                                 ///< folded stacks that had no room, the least
    static constexpr std::string_view kFormat = "recording"; ///< format 1.0 had "folded" too, which is still read
    static constexpr std::string_view kTree = "tree";        ///< exporters/web/packed_tree.h
    std::string_view format = kFormat;
};
/// The runs in at most `room` characters; of imported stacks that are very many the heaviest. When the runs are larger, the
/// stacks of `visual` as far as there is room; none when it has no stacks either.
std::vector<DataPart> dataOf(const std::vector<Run>& runs, const graph::Visual& visual, std::size_t room);
/// The stacks of `visual` that are in the tree of its `figure`, in at most `room` characters. What is not in it counts as its
/// caller's own. None for a visual that is not made of stacks.
std::vector<DataPart> shownOf(const graph::Figure& figure, const graph::Visual& visual, std::size_t room);
} // namespace dscope::exporters
