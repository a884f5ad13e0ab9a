#pragma once
#include "graph/figure.h"
#include "graph/name_pattern.h"
#include "graph/privacy.h"
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
namespace dscope::graph {
class Stacks;
class Store;
struct Calls;
/// A column of a Table.
struct Column {
    enum class Unit : std::uint8_t { None, Count, Bytes, Nanoseconds, Percent } unit = Unit::None;
    std::string title; ///< the CSV header
    bool isNumber = false;
    static Column text(std::string title) { return {Unit::None, std::move(title), false}; }
    static Column number(std::string title, Unit unit = Unit::None) { return {unit, std::move(title), true}; }
};
/// The projection that CSV and text write: cells as text, a row each.
struct Table {
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
};
/// A short table for people: numbers as figures write them, the largest first.
struct Digest {
    Table table;
    std::size_t more = 0; ///< rows that are not in it
};
/// The projection that DOT writes: nodes and edges with attributes.
struct Digraph {
    struct Node {
        std::string name;
        std::string label;
        std::vector<std::pair<std::string, std::string>> attributes;
        Row row;
    }; ///< name: p1, p2, ...
    struct Edge {
        std::size_t from, to;
        std::vector<std::pair<std::string, std::string>> attributes;
    };
    std::vector<Node> nodes;
    std::vector<Edge> edges;
    enum class Ranks : std::uint8_t { Right, Down } ranks = Ranks::Right; ///< where what comes next is: as in the figure
    std::string leftOut;                                                  ///< what is not among them, in words; empty: nothing
};
/// By what rows, lines or panels are ordered.
enum class Order : std::uint8_t {
    Own,   ///< as the view has it: the largest first, or in time
    Value, ///< the largest first
    Name,  ///< by key; numbers by their value
};
/// How values are spread along an axis.
enum class ValueScale : std::uint8_t { Linear, Logarithmic };
/// What is behind a figure: its theme's colour, or whatever it is put on.
enum class Ground : std::uint8_t { Painted, Transparent };
/// Where title, subtitle, caveats and footnote are.
enum class Heading : std::uint8_t {
    Drawn, ///< in the figure
    Apart, ///< with who asked for it, as texts of a page or slide: Figure::words
};
/// A note at what is called so.
struct Mark {
    std::string name; ///< a key, or a frame with or without its module
    std::string note;
    bool isKept = false; ///< of a file of notes, which is for several figures: not all have everything that it names
};
/// The range of the x axis that fills the width of the figure. 0 is the left edge of all data, 1 the right.
struct WidthPart {
    double from = 0, to = 1; ///< from < to
    double zoom() const { return 1 / (to - from); }
    bool isAll() const { return from <= 0 && to >= 1; }
    bool operator==(const WidthPart&) const = default;
};
/// How far the axes of a figure go. Several figures are on a common scale when each has the extents of all.
struct Extents {
    struct Range {
        double low = 0, high = 0;

        void add(const Range& other)
        {
            low = std::min(low, other.low);
            high = std::max(high, other.high);
        }
    };
    std::map<std::string, Range> values; ///< of an aggregation by its name: what is drawn, 0 among it
    struct Buckets {
        int first = 0, last = 0;
    };
    std::map<std::string, Buckets> buckets; ///< likewise, of a distribution
    std::int64_t time = 0;                  ///< ns from the left edge to the right; 0: time is no axis
    void add(const Extents& other);
};
/// What a figure should be like; a visual lays itself out by them.
struct LayoutOptions {
    double width = 1600, height = 900;
    std::optional<std::string> title, subtitle;                                   ///< override the visual's own; empty: none is drawn
    enum class Footer : std::uint8_t { Full, Short, None } footer = Footer::Full; ///< Short: without the program
    double text = 0;     ///< px of the smallest text; 0: by the size of the page (smallestText())
    bool fit = true;     ///< a page of this size; false: as large as it needs (the GUI's canvas)
    bool redact = false; ///< leave out host, user and arguments
    Privacy privacy() const { return redact ? Privacy::Redacted : Privacy::Open; }
    Heading heading = Heading::Drawn;
    bool forScreen = false; ///< no title block, no footnote: the window has them
    std::string focus;      ///< key or path of what to show alone (flame: frames joined by ';'; flame-chart: a function, or a mark's key)
    bool zooms
        = false;    ///< the reader can zoom and search: small parts may stay small, and the figure's tree includes nodes too narrow to draw
    WidthPart part; ///< of a tree whose kind zoomsAlong
    bool higher = false; ///< `height` is a default: a view may exceed it rather than leave something out
    std::size_t top = 0; ///< rows, lines or panels that are drawn at most, the others counted; 0: what has room
    Order order = Order::Own;
    ValueScale values = ValueScale::Linear;
    Ground ground = Ground::Painted;
    std::optional<NamePattern> highlight; ///< what is called so is outlined
    std::vector<Mark> marks;
    std::shared_ptr<const Extents> extents; ///< at least so far go the axes; null: as far as the data
    std::vector<std::string> said;          ///< short sentences for below the subtitle, whatever that is
};
/// px: no text of a figure is smaller. Where it is not asked for, a 50th of the height, or of 9/16 of the width where that is less: on a
/// slide of 1600 by 900, 18 px, which is 11 pt; on a screen 12 px.
double smallestText(const LayoutOptions& options);
/// Whether a frame's name is one that is searched for.
using NameTest = std::function<bool(std::string_view name)>;
/// How much of a whole a search has found.
struct Share {
    double value = 0; ///< 0..1
    enum class Of : std::uint8_t { All, Time, TimeOfThreads, Function } of = Of::All;
    std::string function = {}; ///< that it is a part of: in the middle of a sandwich
    bool operator==(const Share&) const = default;
    std::string text(const std::string& number) const; ///< "12 % of all" of "12 %"
};
/// Where the root of a visual's tree is drawn.
enum class Growth : std::uint8_t { None, Up, Down }; ///< None: it shows no tree; Up: the root is at the bottom
/// Which of the options that change what is drawn a kind of view heeds.
struct Heeds {
    bool top = false, order = false, log = false;
    /// What it is made of, as far as aggregations are: StackRules are for stacks.
    enum class Amounts : std::uint8_t { None, Stacks, Other } amounts = Amounts::None;
};
/// What is true of all visuals of a kind, whatever they show.
struct ViewFacts {
    std::string_view name;    ///< "flame": the --export name
    std::string_view tab;     ///< "Flame graph": what a window calls it, in English
    std::string_view summary; ///< one line of help
    Growth growth = Growth::None;
    bool hasFocus = false;       ///< one thing of it can be shown alone: LayoutOptions::focus
    bool isText = false;         ///< its table is a text, in columns
    bool isTable = false;        ///< rows to read rather than a picture
    bool zoomsAlong = false;     ///< obeys LayoutOptions::part
    bool isOverTime = false;     ///< time is an axis of it
    bool listsFunctions = false; ///< its table has a row for each function: name, self, total
    bool repeats = false;        ///< shows in another way what another view of the same data shows: not in reports
    Heeds heeds = {};
};
/// A visual is data with three projections: CSV prints the table, DOT the graph; SVG, PDF, PNG and the screen draw the
/// same figure. A new visual gets every exporter, and a new exporter every visual, for nothing.
class Visual {
public:
    virtual ~Visual() = default;
    virtual const ViewFacts& facts() const = 0; ///< of its kind; never changes
    std::string_view name() const { return facts().name; }
    virtual std::string title() const = 0;
    virtual Table table() const = 0;
    /// Its first rows, at most `most`, and in `all` how many there are.
    virtual Table firstRows(std::size_t most, std::size_t& all) const
    {
        auto whole = table();
        all = whole.rows.size();
        if (all > most) whole.rows.resize(most);
        return whole;
    }
    virtual std::optional<Digraph> digraph() const { return std::nullopt; }
    virtual bool hasDigraph() const { return false; }      ///< cheap: digraph() may lay out
    virtual Figure figure(const LayoutOptions&) const = 0; ///< pure: same input, same figure
    /// How far its axes go by its data; none where it has no axis of values or time, or one that always has its whole, as shares have.
    virtual Extents extents() const { return {}; }
    virtual bool empty() const = 0; ///< nothing to show yet; figure() then says why in words
    /// Whether there is so little that a picture says no more than its number does, as of one moment or one key.
    virtual bool isSlight() const { return empty(); }
    /// What stands out beside the title, a sentence each, the worst first. `redact`: without arguments.
    virtual std::vector<std::string> findings(Privacy /*privacy*/) const { return {}; }
    /// The numbers that a report tells beside the figures, at most `most` rows; none where a figure or another view says them.
    virtual Digest digest(std::size_t /*most*/, Privacy /*privacy*/) const { return {}; }
    /// The stacks (graph/stacks.h) of visuals made of one run's; else null. Formats for stacks write these.
    virtual std::shared_ptr<const Stacks> stacks() const { return nullptr; }
    /// Of stacks that are compared: each with its value before and after, as text. False: it compares none.
    using DeliverChange = std::function<void(std::string_view stack, const std::string& before, const std::string& after)>;
    virtual bool eachChange(const DeliverChange& /*deliver*/) const { return false; }
    /// The share of the stacks that have a frame whose name passes `test`. Each stack counts once, and frames that are too
    /// narrow to be drawn count like others. `focus`: as in LayoutOptions; it says which function a sandwich is about. None for
    /// visuals that are not made of stacks. Takes as long as reading all stacks, so a window calls it on a thread.
    virtual std::optional<Share> share(const NameTest&, std::string_view /*focus*/) const { return std::nullopt; }
    /// Calls in time (graph/calls.h), of visuals made of them; else null. Lives as long as the visual.
    virtual const Calls* calls() const { return nullptr; }
};
/// The order in which a program's views are offered: the lowest rank is its first view. What is shown of whole programs comes
/// before what is shown of single values, and plain rows come last. A kind takes the rank of its group, and adds a little where it is
/// not the first of that group; tests/graph/models/tst_models.cpp has the whole order.
namespace rank {
constexpr int kProcesses = 0, kStacks = 10, kDistributions = 20, kCalls = 25, kDistributionsOverTime = 30, kAmounts = 40,
              kAmountsOverTime = 50, kRows = 90;
}
/// A kind of visual: one file in graph/models/ defines `Kind kind_<file>()`.
struct Kind : ViewFacts {
    int rank = 0;                                            ///< see namespace rank
    bool (*fits)(const Store&) = nullptr;                    ///< by the program's shape, before any data
    std::unique_ptr<Visual> (*make)(const Store&) = nullptr; ///< a snapshot: it outlives later changes of the store
    /// What changed from one run to another; null for kinds that cannot say. Both stores fit.
    std::unique_ptr<Visual> (*compare)(const Store& before, const Store& after) = nullptr;
};
/// All kinds, by rank, then name. Generated from the files in graph/models/.
std::vector<Kind> kinds();
} // namespace dscope::graph
