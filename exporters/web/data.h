#pragma once
#include "exporters/web/kept_run.h"
#include "graph/visual.h"
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>
/// What stands inside SVG and HTML so that they open again: the run itself, not only its drawing.
namespace dscope::exporters {
/// A run whose figure is drawn.
struct Run {
    bool isBefore = false;               ///< the one that the other is compared with
    std::string name;                    ///< of one among several
    std::shared_ptr<const KeptRun> kept; ///< whose end has come; null when it is not known
};
/// Which data a figure embeds: the whole runs up to the size limit, or only the stacks that it shows.
enum class Inside : std::uint8_t { Runs, Shown };
/// One part of what stands inside: a recording.
struct DataPart {
    std::string_view role;                                   ///< "before" or "after"
    std::string base64;                                      ///< of the recording
    std::size_t leftOut = 0;                                 ///< folded stacks that had no room, the least
    static constexpr std::string_view kFormat = "recording"; ///< format 1.0 had "folded" too, which is still read
    static constexpr std::string_view kTree = "tree";        ///< exporters/web/packed_tree.h
    std::string_view format = kFormat;
    std::size_t run = 0;                                     ///< of several in one page, from 0
    std::string name;                                        ///< of that run; empty where there is one
};
/// As a data block of a page, with what is said `about` them, a line each.
void writeData(const std::vector<DataPart>& parts, const std::string& about, std::ostream& out);
/// The scripts' name in a page's security policy: nothing but it runs, and nothing is fetched.
std::string scriptHash(std::string_view script);
/// All of the runs in at most `room` characters; none when one of them is not known or they are larger.
std::vector<DataPart> wholeRuns(const std::vector<Run>& runs, std::size_t room);
/// The runs in at most `room` characters; of imported stacks that are very many the heaviest. When the runs are larger, the
/// stacks of `visual` as far as there is room; none when it has no stacks either.
std::vector<DataPart> dataOf(const std::vector<Run>& runs, const graph::Visual& visual, std::size_t room);
/// The stacks of `visual` that are in the tree of its `figure`, in at most `room` characters. What is not in it counts as its
/// caller's own. None for a visual that is not made of stacks.
std::vector<DataPart> shownOf(const graph::Figure& figure, const graph::Visual& visual, std::size_t room);
} // namespace dscope::exporters
