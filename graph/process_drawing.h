#pragma once
#include "graph/page.h"
#include "graph/process_fold.h"
#include <optional>
#include <set>
namespace dscope::graph {
enum class NodeDetail : std::uint8_t { Full, Medium, Line }; ///< three lines, two, one
/// How a node is written: how much text it shows, in px of the smallest.
struct NodeText {
    NodeDetail detail = NodeDetail::Full;
    double size = 12;
};
/// One of the facts of a node. `brief`: where there is little room.
struct ProcessFact {
    std::string text, brief;
    bool isDuration = false;
};
/// The texts of a node, printable and uncut.
struct ProcessLabel {
    std::string name;      ///< "cc ×8"
    std::string shortName; ///< "… → as" of a process that was several programs in turn, a script's name; else the name without its number
    std::string bareName;  ///< "as" of the first of these; else empty
    std::string times;     ///< " ×8": what is never cut; empty for a single process
    std::string arguments; ///< of a group what all have in common
    std::string telling;   ///< of them what tells it from its siblings: the file it works on; empty where nothing does
    std::string facts;     ///< "pid 4101 · 2.41 s · 2 execs (cpu 0.03 s)"
    std::vector<ProcessFact> parts; ///< of these, without the processor time
    std::string shortFacts;         ///< the parts in a line
    std::string duration;           ///< "2.41 s"
    std::string end;                ///< "exit 1", "SIGSEGV"; empty for a plain success
};
/// A node's name, in bold, in so much room: its number, " ×8", is never cut. Empty where fewer than four letters have room.
std::string nameIn(const ProcessLabel& label, double width, double size);
using Shared = std::set<std::string>; ///< arguments that all siblings of the same program have
/// The arguments without flags, names of temporary files and what is shared: the files that a process works on, by their base names,
/// or else other paths, or else its other words. A file has a suffix: so the folders of a compiler's -I are none. Empty when nothing is
/// left.
std::string tellingArguments(const Process& process, const Shared& shared = {});
ProcessLabel labelOf(std::span<const Process> all, const ShownProcess& node, std::int64_t now, Privacy privacy, const Shared& shared = {});
/// By node: the arguments that it has in common with its siblings of the same program. Empty for one that has none.
std::vector<Shared> sharedArguments(std::span<const Process> all, std::span<const ShownProcess> nodes);
/// The longest of the processes that a node stands for: what its colour says.
std::int64_t longestOf(std::span<const Process> all, const ShownProcess& node, std::int64_t now);
/// Everything about a node, in lines: what a tool tip says.
std::string tipOf(std::span<const Process> all, const ShownProcess& node, const ProcessLabel& label, Privacy privacy);
/// Graphviz's attributes for how a process looks: fill, stroke, text colour.
std::vector<std::pair<std::string, std::string>> nodeLook(const Process& process, std::int64_t now);
/// From the middle of the right side of one box to the middle of the left side of the next: four Bézier points.
std::vector<Point> edgeCurve(const Point& from, const Point& to, double fromWidth, double toWidth);
/// `inside`: insideOf(), for those who can open a fold.
void drawProcess(Page& page, std::span<const Process> all, const ShownProcess& node, const Box& box, NodeText text, std::int64_t now,
    Privacy privacy, std::optional<Row> row, const Shared& shared, const std::string& inside = {});
/// A process as a bar of its duration, without words: the fill and stroke of its node. The bar, until something else is drawn.
Item& drawSpan(Page& page, std::span<const Process> all, const ShownProcess& node, const Box& box, std::int64_t now, Privacy privacy);
/// What the fills mean, those that occur.
std::vector<LegendEntry> durationLegend(std::span<const Process> all, std::span<const std::size_t> shown, std::int64_t now);
/// The scale of fills; gives where it ends below.
double drawDurations(Page& page, Point at, double width);
/// Sentences under the heading "Findings", two lines each at most, as many as end above `bottom`.
void drawFindings(Page& page, Point at, double width, double bottom, const std::vector<std::string>& findings);
} // namespace dscope::graph
