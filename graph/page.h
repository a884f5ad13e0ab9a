#pragma once
#include "graph/figure.h"
#include "graph/run_probes.h"
#include "graph/stretch.h"
#include "graph/visual.h"
#include "graph/whose.h"
#include <cstdint>
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
/// Where a figure's data came from: its footnote.
struct Provenance {
    std::string source, name; ///< the D program and, when it came from a file, that file
    std::string host, kernel, version;
    std::int64_t utc = 0;      ///< ns since 1970; 0 unknown
    std::int64_t duration = 0; ///< ns
    std::uint64_t drops = 0;
    bool isImported = false;             ///< another tool's text, whose program we don't know; `source` then says whose
    std::int64_t from = 0, to = 0;       ///< ns since tracing began: of what is shown, where the program empties its aggregations; else 0
    std::optional<ShownStretch> stretch; ///< what of the run is shown (--from, --to)
    Whose whose;
    double notUnderstood = 0; ///< of the lines of imported text, the share that was not understood
};
/// `takes`: of a view that is made of some of the aggregations.
Provenance provenanceOf(const Store& store, Takes takes = nullptr);
/// Of a view of process events, which no clause chooses.
Provenance provenanceOfProcesses(const Store& store);
/// "2026-11-20 09:14:02 UTC"
std::string formatUtc(std::int64_t nanoseconds);
/// ns: how long the run was, or what is shown of it; 0: not known.
std::int64_t shownTime(const Provenance& provenance);
/// "2.4 s of tracing" is the same for all visuals: "in 2.41 s", empty when the duration isn't known.
std::string inDuration(const Provenance& provenance);
/// What must be known before a figure is believed: short sentences without an end. Page shows them whatever title and subtitle say.
using Caveats = std::vector<std::string>;
/// "only the last interval, 9.00 – 10.0 s" where the program empties its aggregations and these show what they held at the end; and what
/// share of imported text was not understood, where that is more than a tenth.
Caveats intervalCaveat(const Provenance& provenance);
/// "only the first 2.0 s of 10.0 s"; empty where no stretch of the run was asked for.
std::string stretchText(const Provenance& provenance);
/// "3 records lost"
std::string lostText(std::uint64_t records);
/// As inDuration() for figures with that caveat: empty where it holds.
std::string inShownInterval(const Provenance& provenance);

/// How a text on the page is set.
struct TextStyle {
    double size = 12;
    bool bold = false, mono = false;
    Anchor anchor = Anchor::Start;
    double maxWidth = 0; ///< px; longer text is cut; 0: as long as it is
    bool middle = false; ///< cut in the middle
};
/// An entry of a legend: a mark as it is drawn, and what it means.
struct LegendEntry {
    Role role = Role::Frame;
    Shade shade = Shade::Plain;
    double level = -1;
    std::string label;
    bool isLine = false; ///< the mark is a line, not a box
    bool isFine = false; ///< a step of a scale, which low pages have no room for
    std::string brief;   ///< the label on such a page; empty: the same
    static LegendEntry line(Role role, Shade shade, std::string label) { return {role, shade, -1, std::move(label), true}; }
};
/// The legend of a comparison of two runs. Its colours mean: grew, shrank, changed by no more than `noise`.
std::vector<LegendEntry> changeLegend(Role role, std::string noise);
/// The same for marks whose colour says how much: from what change on each has its colour.
std::vector<LegendEntry> changeScale(Role role, std::string noise);
/// As changeScale(), for bars; an outline shows the value before.
std::vector<LegendEntry> changeLegendOfBars(std::string noise);

/// Whether a page is so low that its title has one line.
bool isLowPage(const LayoutOptions& options);
/// Whether a page with these options has room for such a title in one line.
bool isTitleOfOneLine(const LayoutOptions& options, std::string_view title);
/// Whether all of such a title is drawn.
bool isWholeTitle(const LayoutOptions& options, std::string_view title);
/// Title and subtitle of a figure, and whether the title is a claim (graph/headline.h).
struct Headed {
    std::string title, subtitle;
    bool isFinding = false;
};
/// A sheet with title, subtitle and footnote around the area where a visual draws. Text given to it is made printable and is
/// cut to the width that was asked for; the item's tip then has the whole text.
class Page {
public:
    /// `legend`: entries that are drawn at the top right, beside title and subtitle. `caveats`: below the subtitle, and with them what
    /// was lost. Where the data is wider than what the run was about, the title says so, or else the subtitle.
    Page(const LayoutOptions& options, const Headed& words, Provenance provenance, std::span<const LegendEntry> legend = {},
        const Caveats& caveats = {});

    Page(const LayoutOptions& options, std::string_view title, std::string_view subtitle, Provenance provenance,
        std::span<const LegendEntry> legend = {}, const Caveats& caveats = {})
        : Page(options, Headed{std::string(title), std::string(subtitle)}, std::move(provenance), legend, caveats)
    {
    }

    const Box& content() const { return m_content; } ///< between subtitle and footnote
    /// Of text and of what is measured by it: at 1 the smallest text is 12 px, and no view sets any smaller.
    double scale() const { return m_scale; }
    double smallest() const { return 12 * m_scale; } ///< px, of text
    double lines() const { return m_figure.lines; }  ///< what the widths of lines are multiplied with, and what lies around boxes
    bool fit() const { return m_options.fit; }
    const LayoutOptions& options() const { return m_options; }

    Item& box(Role role, const Box& box, Shade shade = Shade::Plain);
    /// Nothing is drawn, and a scratch item is returned, when not even the ellipsis fits.
    Item& text(Role role, Point baseline, std::string_view text, const TextStyle& style, Shade shade = Shade::Plain);
    Item& path(Role role, std::vector<Point> points, Shade shade = Shade::Plain);
    /// On which side of the root a node is: of what it calls, or in a sandwich of what calls it.
    enum class Side : std::uint8_t { Callees, Callers };
    /// A mark that another figure has drawn, in its place on this page.
    void put(Item item) { m_figure.items.push_back(std::move(item)); }
    /// Makes the item that was added last the drawing of a new node of the figure's tree.
    NodeId node(std::optional<NodeId> parent, std::string_view name, double weight, Side side = Side::Callees);
    /// A node that is too narrow to be drawn.
    NodeId hiddenNode(std::optional<NodeId> parent, std::string_view name, double weight, Side side = Side::Callees);
    void timePlot(TimePlot plot) { m_figure.times.push_back(plot); }
    void treeIsWhole() { m_figure.hasWholeTree = true; }
    /// Marks with labels, in the smallest text, in a row from `at` (top left), wrapped at `width`; returns the height used.
    double legend(Point at, double width, std::span<const LegendEntry> entries);
    /// Says in the middle of the content why there is nothing to see, and what to do.
    void empty(std::string_view sentence, std::string_view advice);
    /// The footnote below, and the figure. Without fit the page grows until `used` is on it.
    Figure finish(std::string description, Point used = {});

private:
    void addFootnote();
    bool hasFootnote() const;
    double addHeading(std::span<const LegendEntry> entries);
    bool isLow() const;
    std::string originOnLow() const;
    double legendGap() const;
    double legendWidth(std::span<const LegendEntry> entries) const;
    Caveats known(const Caveats& caveats) const;
    std::vector<std::string> programLines(double size, double width) const;

    LayoutOptions m_options;
    Provenance m_provenance;
    Figure m_figure;
    Item m_scratch;
    Box m_content;
    double m_scale = 1, m_margin = 48, m_footHeight = 0;
};
} // namespace dscope::graph
