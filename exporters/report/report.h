#pragma once
#include "exporters/web/data.h"
#include "graph/palette.h"
#include "graph/visual.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>
namespace dscope::graph {
class Store;
}
/// What a report says, before it is written in one format or another. Built once by reportOf().
namespace dscope::report {
/// What is known of a run: "Kernel", "6.1.0".
struct Fact {
    enum class Kind : std::uint8_t { Command, Host, Kernel, Begin, Duration, Stretch, Before, Lost, Recorder } kind;
    std::string name, value;
};
/// A run that a report is about.
struct Run {
    std::string name;        ///< of its file, "build.dscope"; unique in the report
    std::vector<Fact> facts; ///< host, kernel, time, what was lost; never empty
    std::string programName; ///< of the D program's file; empty where it was in the command
    std::string program;     ///< the D program, or whose text was imported
    bool isImported = false;
};
/// A figure, and what is said of it.
struct Picture {
    std::string name;                             ///< of its file or anchor: "flame", "flame-2"; unique in the report
    std::string kind;                             ///< "Flame graph"
    std::size_t run = 0;                          ///< which of the runs
    std::shared_ptr<const graph::Visual> visual;  ///< never null
    graph::Words words;                           ///< as on a slide; a smaller page has more to say of what has no room
    std::string inWords;                          ///< for who cannot see it
    std::shared_ptr<const graph::Extents> extents; ///< of this view, of all runs of the same program; null where there is one
};
/// Numbers as a table.
struct Sheet {
    std::string kind; ///< "Histogram": of the view whose numbers these are
    std::size_t run = 0;
    graph::Digest digest;
};
/// What the data says beyond doubt.
struct Finding {
    std::string text;
    std::size_t run = 0;
    std::optional<std::size_t> picture; ///< which shows it
};
/// Everything that a report says, before a format lays it out.
struct Report {
    std::string title, subtitle;
    std::vector<Finding> findings; ///< titles of figures first; may be empty
    std::vector<Run> runs;         ///< in the order they were given, at least one
    std::vector<Picture> pictures; ///< by view, then run
    std::vector<Sheet> sheets;     ///< likewise
    graph::LayoutOptions layout;   ///< of all figures, but for their sizes
    graph::Palette palette;
    double scale = 1;                  ///< pixels of a PNG for a pixel of a figure
    std::vector<exporters::Run> data;  ///< so that it opens again; may be empty
    std::string about;                 ///< what the runs were, a line each: for whoever opens it again
    bool hasSeveralRuns() const { return runs.size() > 1; }
};
/// A run and what is to be known of it.
struct Source {
    std::string name;                       ///< of its file
    const graph::Store* store = nullptr;
    const graph::Store* before = nullptr;   ///< the run that it is compared with, or null
    std::string beforeName;
    bool isCut = false;                     ///< the recording ends before the run did
};
/// How the report should be.
struct Wishes {
    graph::LayoutOptions layout; ///< its title and subtitle are the report's
    graph::Palette palette;
    double scale = 1;
};
/// What stands where findings would.
constexpr std::string_view kNoFinding = "No one thing stands out beyond doubt: the figures show how it spreads";
/// Decides which views are worth showing: those that suit a run's program, have something to show that a number does not say, and
/// do not repeat another. Figures of several runs have common scales.
Report reportOf(std::span<const Source> sources, const Wishes& wishes);

/// The room that a format has for a figure, px.
struct Room {
    double width = 0, height = 0, smallestText = 0;
    bool mayGrow = false;  ///< in height, rather than leave something out
    bool zooms = false;    ///< who reads it can look closer and search
};
/// A picture without its words, which the format sets: Figure::words has those of this size.
graph::Figure figureOf(const Report& report, const Picture& picture, const Room& room);
/// "@bytes · build.dscope": kind and, where there are several, run.
std::string labelOf(const Report& report, std::string_view kind, std::size_t run);
/// The lines of what must be known, without those of a run's facts.
std::string joinedKnown(const graph::Words& words);
/// A table's cell, or its heading, on one line of at most `letters` letters, and printable.
std::string cellText(std::string_view raw, std::size_t letters);
} // namespace dscope::report
