#include "engine/base/base64.h"
#include "exporters/exporter.h"
#include "exporters/svg.h"
#include "exporters/web/facts.h"
#include "exporters/web/packed_tree.h"
#include "exporters/web/script.h"
#include "graph/annotated.h"
#include "graph/stacks.h"
#include "graph/text.h"
#include <algorithm>
#include <array>
#include <map>
namespace dscope::exporters {
namespace {
constexpr std::size_t kMostData = std::size_t{64} * 1024 * 1024; // characters

/// The stacks as a tree, when they are too many for SVG; else null.
std::shared_ptr<const graph::StackTree> largeTree(const graph::Visual& visual)
{
    const auto stacks = visual.stacks();
    const bool isWhole = stacks && stacks->measure().exponent == 0; // a page draws whole numbers alone
    auto tree = isWhole ? stacks->tree({.mostNodes = kMostPackedNodes}) : nullptr;
    const bool isLarge = tree && tree->nodes.size() > kMostMarks && tree->nodes.size() <= kMostPackedNodes;
    return isLarge ? tree : nullptr;
}
/// Whether a tree is all that a run is about: its stacks, with nothing left out.
bool isWholeRun(const graph::StackTree& tree, const graph::Stacks& stacks, const std::vector<Run>& runs)
{
    return runs.size() == 1 && runs.front().kept && runs.front().kept->hasOneMeasure() && stacks.ruled().empty() && tree.cutAtDepth == 0
        && tree.nodes.front().total == stacks.total();
}

/// One file that needs no other: the figure, its data and the script. As SVG, or on a canvas where that would be too large.
class Html final : public Exporter {
public:
    std::string_view suffix() const override { return "html"; }
    bool holdsRuns() const override { return true; }
    std::string_view summary() const override { return "Web page, interactive, with its data"; }

    Result<> write(const graph::Visual& visual, const Options& options, std::ostream& out) const override
    {
        auto layout = options.layout;
        layout.zooms = true;
        const auto figure = graph::annotatedFigure(visual, layout);
        const auto tree = largeTree(visual);
        const std::string packed = tree ? base64(packedTree(*tree, visual.stacks()->measure())) : std::string();
        const bool isWhole = tree && options.inside == Inside::Runs && isWholeRun(*tree, *visual.stacks(), options.runs);
        const auto accents = graph::accents(options.palette);
        const std::string_view script = interactiveScript();
        out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
            << scriptHash(script)
            << "\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"generator\" content=\"dscope " << DSCOPE_VERSION
            << "\">\n<title>" << escapedXml(figure.title) << "</title>\n";
        const std::string ground = graph::colourText(graph::ground(options.palette)), ink = graph::colourText(accents.ink),
                          line = graph::colourText(accents.rule);
        out << "<style>\n*{" << kPlainLetters << "}body{margin:0;background:" << ground << ";color:" << ink
            << ";font:14px Inter,'DejaVu Sans',sans-serif}\n"
               "header,footer{position:sticky;display:flex;gap:12px;align-items:center;padding:8px 16px;background:"
            << ground << ";z-index:1}\nheader{top:0;border-bottom:1px solid " << line << "}\nfooter{bottom:0;border-top:1px solid " << line
            << ";min-height:20px}\ninput,button{font:inherit;color:inherit;background:transparent;border:1px solid " << line
            << ";border-radius:4px;padding:4px 8px}\ninput{width:20em}\nkbd{font:12px 'JetBrains Mono','DejaVu Sans Mono',monospace}\n"
               ".keys{margin-left:auto;opacity:.75}\n#figure{display:block;width:100%;height:auto;max-height:calc(100vh - "
               "90px)}\n#canvas{display:block;width:calc(100% "
               "- "
               "32px);margin:0 16px}\nh1{font-size:24px;margin:12px 16px 4px}\np{margin:4px 16px 12px} "
               "aside{position:fixed;right:0;top:0;bottom:0;width:min(46em,100%);overflow:auto;z-index:2;padding:12px "
               "16px;box-sizing:border-box;"
               "background:"
            << ground << ";border-left:1px solid " << line
            << "}aside h2{font-size:16px;margin:4px 0 12px}aside button{float:right}aside ul{list-style:none;margin:0;padding:0;"
               "font:12px/1.6 'JetBrains Mono','DejaVu Sans Mono',monospace}aside li{overflow-wrap:anywhere} "
               // No line begins with "@", or the page would look like bpftrace's output. On paper the figure alone; on a phone no list of
               // keys that it has not, and text that can be read, to be moved about.
               "@media print{header,footer,aside{display:none}#figure{max-height:none}} "
               "@media (max-width:700px){.keys{display:none}#search{width:auto;flex:1;min-width:0}main{overflow-x:auto}"
               "#figure{width:1200px;max-height:none}}\n</style>\n</head>\n<body>\n";
        out << "<header><input id=\"search\" type=\"search\" placeholder=\"search: a regular expression\" aria-label=\"Search\" "
               "spellcheck=\"false\"><span id=\"found\" aria-live=\"polite\"></span><button id=\"reset\" type=\"button\">Reset</button>"
               "<span class=\"keys\"><kbd>/</kbd> search <kbd>n</kbd> <kbd>N</kbd> next, previous <kbd>\u2190\u2191\u2193\u2192</kbd> walk "
               "<kbd>Enter</kbd> zoom <kbd>i</kbd> upside down <kbd>Esc</kbd> reset</span></header>\n<main>\n";
        if (tree) {
            out << "<h1>" << escapedXml(figure.title) << "</h1>\n<p>" << escapedXml(figure.description)
                << "</p>\n<canvas id=\"canvas\" tabindex=\"0\" role=\"img\" aria-label=\"" << escapedXml(figure.title) << "\"></canvas>\n";
            writeTreeFacts(*tree, isWhole ? "\"packed\":\"\"" : "\"packed\":\"" + packed + '"', options.palette, visual.facts().growth,
                "id=\"dscope-tree\"", out);
        } else {
            beginSvg(figure, options.palette, out);
            drawMarks(figure, options.palette, visual.facts().growth, out);
            out << "</svg>\n";
        }

        out << "</main>\n<footer><span id=\"details\" aria-live=\"polite\"></span></footer>\n";
        writeData(isWhole                         ? wholeRun(*options.runs.front().kept, packed)
                : options.inside == Inside::Shown ? shownOf(figure, visual, kMostData)
                                                  : dataOf(options.runs, visual, kMostData),
            options.metadata, out);
        out << "<script>" << script << "</script>\n</body>\n</html>\n";
        if (!out) return Error{0, "cannot write the page"};
        return {};
    }

private:
    /// A recording of the run without its stacks, and these as a tree.
    static std::vector<DataPart> wholeRun(const KeptRun& kept, const std::string& packed)
    {
        return {{"after", base64(kept.withoutStacks().bytes), 0}, {"after", packed, 0, DataPart::kTree}};
    }
};
} // namespace

std::unique_ptr<Exporter> make_html() { return std::make_unique<Html>(); }
} // namespace dscope::exporters
