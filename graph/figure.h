#pragma once
#include "engine/base/strong_id.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>
/// A drawing as data: what is where, and what it is; not how it looks. The palette (graph/palette.h) turns roles, keys
/// and levels into colours, so that theme, SVG and a printed page may differ while `key` keeps a hue stable between runs.
namespace dscope::graph {
/// Row of a visual's table(): the thread that ties a table row, a graph node and a drawn item together.
using Row = Id<struct RowTag>;
using ItemId = Id<struct ItemTag>; ///< index into Figure::items
using NodeId = Id<struct NodeTag>; ///< index into Figure::tree
struct Point { double x = 0, y = 0; };                       ///< pixels; y grows downwards
/// A rectangle; `radius` rounds its corners.
struct Box { double x = 0, y = 0, width = 0, height = 0, radius = 0; };
/// A line or curve, or an area when `closed`.
struct Path {
    std::vector<Point> points;
    bool bezier = false;                                      ///< 1 + 3n points
    bool closed = false, arrow = false;                       ///< arrow at the last point
    double width = 0;                                         ///< px of the stroke; 0: what the role has
};
/// Which end of a text stands at its place.
enum class Anchor : std::uint8_t { Start, Middle, End };
/// A line of text.
struct Text {
    Point at;                                                 ///< baseline
    std::string text;                                         ///< already elided to what fits
    double size = 12, width = 0;                              ///< px; width: the room it has, textWidth()
    Anchor anchor = Anchor::Start;
    bool bold = false, mono = false;
};
/// What an item means; with Shade and level it decides how the palette draws it.
enum class Role : std::uint8_t {
    Ground, Title, Subtitle, Note, Legend, Label,            ///< text and its backgrounds
    Axis, Grid, Tick,
    Frame,                                                    ///< a function; `shade` colours it
    Bar, Cell,                                                ///< a bucket or value; `level` of a heat map cell
    Node, Edge,                                               ///< a process; a relation
    Series,                                                   ///< a key over time; `level` is the number of its hue, from 0
    Marker,                                                   ///< percentile, selection
};
/// A variant of a role's look: a kind of frame, how a process ended, a kind of line or ground.
enum class Shade : std::uint8_t { Plain, User, Library, Kernel, Jit, System, Unknown, Failed, Signalled, Running, FailedExec, Dashed, Dotted, Hatched, OnDark, Inlined, Clear };
/// A mark of a figure: its shape, what it means, and its texts and numbers.
struct Item {
    Role role = Role::Label;
    std::variant<Box, Path, Text> shape;
    Shade shade = Shade::Plain;
    double level = -1;                                        ///< 0..1 along the role's ramp (of Series: the hue); -1: none
    std::string key;                                          ///< what keeps its hue: function, process or series name
    std::string tip;                                          ///< full text for <title> and tool tips
    std::vector<std::pair<std::string, std::string>> data;    ///< numbers of the mark: data-value="42"
    std::optional<Row> row;
    std::optional<NodeId> node;                               ///< of the figure's tree, whose drawing this is
};
/// A part of what a figure shows as a tree: a frame of a flame graph, a call of a flame chart. Search, zoom and walking by keys
/// read this, not where things are drawn.
struct Node {
    std::optional<NodeId> parent;                             ///< comes before its children; none: a root
    std::string name;                                         ///< in full; empty: nothing that can be searched for, as a run of neighbours
    double weight = 0;                                        ///< of it and all below it, in the figure's unit; the roots are the whole
    bool isCaller = false;                                    ///< in a sandwich, of what calls the root: drawn on the other side of it
    std::optional<ItemId> item;                               ///< none: too narrow to be drawn
};
/// A part of a figure where time runs from left to right.
struct TimePlot {
    Box area;
    std::int64_t from = 0, to = 0;                            ///< ns, CLOCK_MONOTONIC, at its edges; from < to
};
/// The text above and below a drawing. The figure draws it, or the caller does (LayoutOptions::heading).
struct Words {
    std::string title, subtitle;
    bool isFinding = false;                                   ///< the title is what the data says (graph/headline.h), not what the figure is
    std::vector<std::string> known;                           ///< caveats of the data, and the options that changed the figure
};
/// A drawing: its size, its words, and its marks.
struct Figure {
    double width = 0, height = 0;                             ///< px
    /// How many times as thick lines are as at the smallest text of 12 px, and dashes, hatches and arrows as large; 1 on smaller pages.
    double lines = 1;
    Words words;
    std::string title, description;                           ///< for <title>, <desc>
    std::vector<Item> items;                                  ///< painter's order
    std::vector<Node> tree;                                   ///< children of a node from left to right; empty: no tree is shown
    std::vector<TimePlot> times;                              ///< from top to bottom; empty where time is no axis
    /// Whether `tree` holds every node. Drawn nodes are always in it. Nodes too narrow to draw are added if LayoutOptions::zooms
    /// asks for them and they are not too many.
    bool hasWholeTree = false;
};
/// What of our fonts a text is set in.
struct TextFont {
    bool bold = false, mono = false;
};
/// The width that a text has at most in the fonts that readers have (graph/font_metrics.h), in px at `size`; the same on every machine.
double textWidth(std::string_view text, double size, TextFont font = {});
/// Where a text that is too wide is cut.
enum class Elide : std::uint8_t { Middle, End };
/// `text` cut to at most `width` px, with an ellipsis; empty when not even that fits.
std::string elided(std::string_view text, double width, double size, Elide where, TextFont font = {});
} // namespace dscope::graph
