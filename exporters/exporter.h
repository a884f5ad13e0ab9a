#pragma once
#include "engine/base/result.h"
#include "exporters/web/data.h"
#include "graph/palette.h"
#include "graph/visual.h"
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>
namespace dscope::exporters {
/// What an exporter is given besides the visual. Each format uses what it has a use for.
struct Options {
    graph::LayoutOptions layout;
    graph::Palette palette;
    std::string metadata;           ///< D program, command, host, kernel, time: for SVG's <metadata>
    double scale = 1;               ///< PNG
    std::vector<Run> runs;          ///< what stands inside SVG and HTML so that they open again; may be empty
    Inside inside = Inside::Runs;
    bool interactive = false;       ///< SVG: with a script; HTML has it always
    std::vector<std::pair<std::string, std::string>> attributes; ///< OTLP: name and value, of what was traced
};
/// One file format = one file in exporters/ that defines std::unique_ptr<Exporter> make_<file>().
class Exporter {
public:
    virtual ~Exporter() = default;
    virtual std::string_view suffix() const = 0;    ///< "svg"
    virtual std::string_view summary() const = 0;   ///< for the file dialog: "Scalable Vector Graphics"
    virtual bool accepts(const graph::Visual&) const { return true; }
    virtual bool holdsRuns() const { return false; }    ///< its files open again: they have Options::runs inside
    virtual Result<> write(const graph::Visual&, const Options&, std::ostream&) const = 0;
};
/// All formats, by suffix. Generated from the files in exporters/.
std::vector<std::unique_ptr<Exporter>> all();
} // namespace dscope::exporters
