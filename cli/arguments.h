#pragma once
#include "cli/schedule.h"
#include "engine/base/result.h"
#include "engine/options/options.h"
#include "engine/record/merged_runs.h"
#include "engine/record/record.h"
#include "engine/remote/address.h"
#include "engine/remote/hosts.h"
#include "engine/remote/receiver.h"
#include "graph/budget.h"
#include "graph/palette.h"
#include "graph/stack_rules.h"
#include "graph/stretch.h"
#include "graph/units.h"
#include "graph/visual.h"
#include <optional>
#include <string>
#include <variant>
#include <vector>
namespace dscope::cli {
/// One D program of the command line: of -n, -P, -m, -f, -i or -s.
struct ProgramText {
    std::string text;
    std::string script;     ///< path of -s; empty for text given on the command line
    std::uint8_t parts = 4; ///< which part of a probe description a lone word is: 1 for -P, 2 for -m, 3 for -f
};
/// --export [VIEW=]FILE.
struct Export {
    std::string view; ///< empty: the first view that the format can show
    std::string file;
    std::string format; ///< its suffix; empty: the file's
};
/// --push [VIEW=]URL.
struct Push {
    std::string view; ///< as of an export
    remote::Receiver to;
};
/// A run beside the first: a further --replay or --import.
struct OtherInput {
    bool isRecording = true;
    std::string file; ///< of an import "[FORMAT:]FILE"
};
/// The command line, read but not acted upon.
struct Arguments {
    enum class Mode : std::uint8_t { Run, List, Header, Link, Version, Usage, Options, Doctor, Serve } mode = Mode::Run;
    std::vector<ProgramText> programs;
    std::vector<std::string> remarks;  ///< how words were understood that dtrace ignores
    std::vector<std::string> words;    ///< [0]: the script's path or our name ($0); then $1 ...
    std::vector<std::string> commands; ///< -c
    std::vector<std::string> pids;     ///< -p
    options::Options options;
    record::Dialect dialect = record::Dialect::Dtrace; ///< DtraceForLinux: where the environment has _DTRACE_TESTING, as its tests do
    bool compileOnly = false, allowNoMatch = false, verbose = false, disassemble = false, preprocess = false, showText = false;
    std::vector<std::string> cppArguments;
    std::string output; ///< -o; empty: standard output

    std::vector<Export> exports;
    std::vector<std::string> reports;
    std::vector<OtherInput> others;
    std::optional<record::MergedBy> by;                   ///< given: all inputs are one data set
    std::vector<OtherInput> merged;                       ///< then: all of them, and there are no others
    bool comparesRuns() const { return diff.size() > 1; } ///< several with several, as `by` has them
    std::optional<remote::Address> publish, collect;      ///< a run of many hosts: to it, from it
    std::vector<std::string> brokerOptions;               ///< --broker, for either
    std::vector<Push> pushes;                             ///< who takes the stacks, at the end
    std::vector<std::string> receiverOptions;             ///< --receiver, for each of them
    std::optional<remote::Hosts> on;                      ///< where the program runs by ssh; empty: here
    std::vector<std::string> onWords, eachOptions;        ///< --on and --each, as they were given
    std::vector<std::string> forHosts;                    ///< what of the command line is about the program and its options
    Schedule schedule;
    std::string served;     ///< --serve: the folder of programs that are allowed
    std::string metrics;    ///< where the numbers can be scraped; empty: nowhere
    bool sameScale = false; ///< of the figures of several runs
    bool again = false;     ///< `import` is a figure or report that is to be drawn again
    bool listViews = false;
    std::string record, replay, import, notes;
    std::vector<std::string> diff; ///< the runs before; more than one: as many as there are now, all of one program
    std::vector<graph::Budget> budgets;
    std::string budgetReport;
    /// What to do when the recording of a run can't be written any more.
    enum class RecordFailure : std::uint8_t { Stop, Continue } recordFailure = RecordFailure::Stop;
    bool text = false; ///< print although figures are made, or a replay makes a recording
    std::string event; ///< of imported text, which one is shown; empty: the one with the most samples
    bool interactive = false, redact = false;
    bool noData = false; ///< see holdsData()
    bool json = false;   ///< of --doctor: for programs and bug reports
    bool asUser = false; ///< the commands of -c run as the user who called sudo or pkexec
    double scale = 1;    ///< pixels of a PNG for a pixel of the figure
    int stream = -1;
    pid_t frontEnd = 0;     ///< whose stream it is, as --stream FD:PID has it; 0: the process that started us
    graph::Palette palette; ///< of the theme, or of one's own colours on its ground
    graph::LayoutOptions layout;
    graph::StackRules stackRules;        ///< --keep, --drop, --mine, --fold
    graph::Stretch stretch;              ///< --from, --to
    std::optional<graph::Measure> unit;  ///< of the values, where it is not what the program says
    bool sized = false, isSlide = false; ///< by --size
    // Options that come in any order, for finishFigureOptions(). Text: px, 0: by width and height.
    graph::Theme theme = graph::Theme::Light;
    std::optional<graph::OwnColours> colours;           ///< --palette
    std::string coloursFile;                            ///< where they stand; empty: on the command line
    double pageText = 0;                                ///< as --size has it
    std::optional<double> askedText;                    ///< --text-size
    std::optional<graph::LayoutOptions::Footer> footer; ///< --footer
};
/// What is wrong with the words themselves. `usage`: they are no words of ours, so say where those are listed (or list them, when
/// there is no message) and leave with 2; else leave with 1.
struct BadArguments {
    std::string message;
    bool usage = false;
};
/// Whether figures that can hold the run that they show do so, to open again. A run has names that its figure does not show,
/// so a redacted one does not: it holds the stacks that it shows, if any.
bool holdsData(const Arguments& arguments);
/// Whether a replay or import prints: when asked to, by --text or -o, or when it makes nothing else.
bool printsText(const Arguments& arguments);
/// Whether a live run prints: unless it makes figures or reports, and neither --text nor -o asks for the text.
bool printsLiveText(const Arguments& arguments);
std::variant<Arguments, BadArguments> parseArguments(int argc, char** argv);
std::string usage();
} // namespace dscope::cli
