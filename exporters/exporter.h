#pragma once
#include "engine/base/result.h"
#include "exporters/web/data.h"
#include "graph/metrics.h"
#include "graph/palette.h"
#include "graph/visual.h"
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>
namespace dscope::exporters {
/// What an exporter is given besides the visual. Each format uses what it has a use for.
struct Options {
    graph::LayoutOptions layout;
    graph::Palette palette;
    std::string metadata;  ///< D program, command, host, kernel, time: for SVG's <metadata>
    double scale = 1;      ///< PNG
    std::vector<Run> runs; ///< what stands inside SVG and HTML so that they open again; may be empty
    Inside inside = Inside::Runs;
    bool interactive = false;                                    ///< SVG: with a script; HTML has it always
    record::ClockAgreement clocks;                               ///< of merged runs, where time is an axis
    std::vector<std::pair<std::string, std::string>> attributes; ///< OTLP: name and value, of what was traced
    std::vector<graph::Metric> metrics; ///< of all aggregations of the program, for formats that take these; empty: those of the visual
    std::string command;                ///< that was traced (-c); empty: none, or not known
};
/// A view of one of several runs, in a file that has them side by side.
struct RunBesideOthers {
    std::string name; ///< of its host, and when it began where that has several
    const graph::Visual* visual = nullptr;
    std::int64_t shift = 0; ///< ns to add to its times, so that all are on one clock
};
/// One file format = one file in exporters/ that defines std::unique_ptr<Exporter> make_<file>().
class Exporter {
public:
    virtual ~Exporter() = default;
    virtual std::string_view suffix() const = 0;  ///< "svg"
    virtual std::string_view summary() const = 0; ///< for the file dialog: "Scalable Vector Graphics"
    virtual bool accepts(const graph::Visual&) const { return true; }
    virtual bool holdsRuns() const { return false; } ///< its files open again: they have Options::runs inside
    virtual Result<> write(const graph::Visual&, const Options&, std::ostream&) const = 0;
    virtual bool takesMetrics() const { return false; } ///< its files have all aggregations of a program, whichever visual is shown
    /// Whether runs that are merged are each on their own in its files, beside one another.
    virtual bool takesRuns() const { return false; }
    /// Those, if so: visuals of one kind that it accepts.
    virtual Result<> writeRuns(std::span<const RunBesideOthers>, const Options&, std::ostream&) const
    {
        return Error{0, "a file of this format has one run"};
    }
};
/// All formats, by suffix. Generated from the files in exporters/.
std::vector<std::unique_ptr<Exporter>> all();
} // namespace dscope::exporters
