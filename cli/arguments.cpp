#include "cli/arguments.h"
#include "cli/budgets.h"
#include "cli/figure_options.h"
#include "cli/many_runs.h"
#include "cli/push.h"
#include "cli/words_left_over.h"
#include "engine/base/input_file.h"
#include "engine/text/importer.h"
#include "exporters/exporter.h"
#include "exporters/report/format.h"
#include "graph/visual.h"
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <getopt.h>
#include <unistd.h>
namespace dscope::cli {
namespace {
enum LongOption {
    kExport = 1000,
    kViews,
    kRecord,
    kRecordFailure,
    kReplay,
    kImport,
    kReport,
    kAgain,
    kDiff,
    kBy,
    kPublish,
    kCollect,
    kBroker,
    kOn,
    kEach,
    kAt,
    kFor,
    kMetrics,
    kPush,
    kReceiver,
    kServe,
    kSignature,
    kBudget,
    kBudgetReport,
    kStream,
    kInteractive,
    kEvent,
    kRedact,
    kAsUser,
    kText,
    kNoData,
    kVersion,
    kDoctor,
    kJson,
    kLibxo,
    kHelp
};
constexpr option kLong[] = {
    {"export", required_argument, nullptr, kExport},
    {"views", no_argument, nullptr, kViews},
    {"record", required_argument, nullptr, kRecord},
    {"record-failure", required_argument, nullptr, kRecordFailure},
    {"replay", required_argument, nullptr, kReplay},
    {"import", required_argument, nullptr, kImport},
    {"event", required_argument, nullptr, kEvent},
    {"report", required_argument, nullptr, kReport},
    {"again", required_argument, nullptr, kAgain},
    {"diff", required_argument, nullptr, kDiff},
    {"by", required_argument, nullptr, kBy},
    {"publish", required_argument, nullptr, kPublish},
    {"collect", required_argument, nullptr, kCollect},
    {"broker", required_argument, nullptr, kBroker},
    {"on", required_argument, nullptr, kOn},
    {"each", required_argument, nullptr, kEach},
    {"at", required_argument, nullptr, kAt},
    {"for", required_argument, nullptr, kFor},
    {"serve", required_argument, nullptr, kServe},
    {"signature", required_argument, nullptr, kSignature},
    {"metrics", required_argument, nullptr, kMetrics},
    {"push", required_argument, nullptr, kPush},
    {"receiver", required_argument, nullptr, kReceiver},
    {"budget", required_argument, nullptr, kBudget},
    {"budget-report", required_argument, nullptr, kBudgetReport},
    {"stream", required_argument, nullptr, kStream},
    {"interactive", no_argument, nullptr, kInteractive},
    {"redact", no_argument, nullptr, kRedact},
    {"as-user", no_argument, nullptr, kAsUser},
    {"no-data", no_argument, nullptr, kNoData},
    {"text", no_argument, nullptr, kText},
    {"version", no_argument, nullptr, kVersion},
    {"doctor", no_argument, nullptr, kDoctor},
    {"json", no_argument, nullptr, kJson},
    {"libxo", required_argument, nullptr, kLibxo},
    {"help", no_argument, nullptr, kHelp},
    {nullptr, 0, nullptr, 0},
};
constexpr const char* kShort = "3:6:AaGb:Cc:D:deFf:HhI:i:L:lm:n:Oo:P:p:qSs:U:vVwX:x:Z";
Export exportOf(const std::string& word)
{
    const auto equals = word.find('=');
    if (equals != word.npos)
        for (const auto& kind : graph::kinds())
            if (kind.name == word.substr(0, equals)) return {word.substr(0, equals), word.substr(equals + 1), {}};
    return {{}, word, {}};
}
/// The first run is what figures are of; others stand beside it in a report.
void takeRun(bool isRecording, const std::string& value, Arguments& a)
{
    if (a.replay.empty() && a.import.empty())
        (isRecording ? a.replay : a.import) = value;
    else
        a.others.push_back({isRecording, value});
}
std::optional<record::MergedBy> mergedBy(const std::string& word)
{
    using record::MergedBy;
    constexpr std::array<std::pair<std::string_view, MergedBy>, 4> kWords{
        {{"host", MergedBy::Host}, {"run", MergedBy::Run}, {"file", MergedBy::File}, {"none", MergedBy::Nothing}}};
    for (const auto& [name, by] : kWords)
        if (name == word) return by;
    return std::nullopt;
}
/// Whether the option's value is a file's name; an empty one is a mistake, as of a shell variable that is not set.
bool takesFile(int option)
{
    return option == 's' || option == 'o' || option == kExport || option == kRecord || option == kReplay || option == kImport
        || option == kDiff || option == kReport || option == kAgain || option == kBudgetReport || option == kServe;
}
/// Takes "FD" or "FD:PID"; false if it is neither.
bool takeStream(const std::string& value, Arguments& a)
{
    const char* const end = value.data() + value.size();
    const auto frames = std::from_chars(value.data(), end, a.stream);
    if (frames.ec != std::errc() || a.stream < 0) return false;
    if (frames.ptr == end) return true;
    if (*frames.ptr != ':') return false;
    const auto frontEnd = std::from_chars(frames.ptr + 1, end, a.frontEnd);
    return frontEnd.ec == std::errc() && frontEnd.ptr == end && a.frontEnd > 0;
}
} // namespace

std::string usage()
{
    const auto suffixes = [] {
        std::string all;
        for (const auto& format : exporters::all())
            all += (all.empty() ? "." : " .") + std::string(format->suffix());
        return all;
    };

    const auto reportSuffixes = [] {
        std::string all;
        for (const auto& format : reports::all())
            all += (all.empty() ? "." : " .") + std::string(format->suffix());
        return all;
    };

    const auto importFormats = [] {
        const auto all = importers::all();
        std::size_t width = 0;
        for (const auto& format : all)
            width = std::max(width, format->name().size());
        std::string lines;
        for (const auto& format : all)
            lines += "\t                      " + std::string(format->name()) + std::string(width + 2 - format->name().size(), ' ')
                + std::string(format->summary()) + '\n';
        return lines;
    };
    return "Usage: dscope [-CeFGhHlOqSvVwZ] [-b bufsz] [-c cmd] [-D name[=def]]\n"
           "\t[-I path] [-L path] [-o output] [-p pid] [-s script] [-U name]\n"
           "\t[-x opt[=val]] [-X a|c|s|t]\n\n"
           "\t[-P provider [[ predicate ] action ]]\n"
           "\t[-m [ provider: ] module [[ predicate ] action ]]\n"
           "\t[-f [[ provider: ] module: ] func [[ predicate ] action ]]\n"
           "\t[-n [[[ provider: ] module: ] func: ] name [[ predicate ] action ]]\n"
           "\t[-i probe-id [[ predicate ] action ]] [ args ... ]\n\n"
           "\tpredicate -> '/' D-expression '/'\n"
           "\t   action -> '{' D-statements '}'\n\n"
           "\t-b  set trace buffer size\n"
           "\t-c  run specified command and exit upon its completion\n"
           "\t-C  run cpp(1) preprocessor on script files\n"
           "\t-D  define symbol when invoking preprocessor\n"
           "\t-d  print the D program as it was understood: macros replaced, in one form\n"
           "\t-e  exit after compiling request but prior to enabling probes\n"
           "\t-f  enable or list probes matching the specified function name\n"
           "\t-F  coalesce trace output by function\n"
           "\t-G  make the object that objects with probes are linked with\n"
           "\t-h  generate a header file with definitions for static probes\n"
           "\t-H  print included files when invoking preprocessor\n"
           "\t-i  enable or list probes matching the specified probe id\n"
           "\t-I  add include directory to preprocessor search path\n"
           "\t-l  list probes matching specified criteria\n"
           "\t-L  add library directory to library search path\n"
           "\t-m  enable or list probes matching the specified module name\n"
           "\t-n  enable or list probes matching the specified probe name\n"
           "\t-o  set output file\n"
           "\t-O  print aggregations at the end of a document, as is done in any case\n"
           "\t-p  grab specified process-ID and cache its symbol tables\n"
           "\t-P  enable or list probes matching the specified provider name\n"
           "\t-q  set quiet mode (only output explicitly traced data)\n"
           "\t-s  enable or list probes according to the specified D script\n"
           "\t-S  print D compiler intermediate code\n"
           "\t-U  undefine symbol when invoking preprocessor\n"
           "\t-v  set verbose mode (report stability attributes, arguments)\n"
           "\t-V  report version, as --version does\n"
           "\t-w  permit destructive actions\n"
           "\t-x  enable or modify compiler and tracing options; -x help lists them\n"
           "\t-X  set what the preprocessor takes C to be: s is C before the standard\n"
           "\t-Z  permit probe descriptions that match zero probes\n\n"
           "\t--export [VIEW=]FILE  draw: the suffix chooses the format ("
        + suffixes()
        + ")\n"
          "\t--views               list the views that the program or recording yields; alone, all views\n"
          "\t--record FILE         keep everything needed to show, export and print again later\n"
          "\t--record-failure stop|continue  when FILE can't be written any more: end the run (default), or go on without it\n"
          "\t--replay FILE         run from a recording instead of the kernel\n"
          "\t--import [FORMAT:]FILE read what other tools printed; - is standard input, and FORMAT, where FILE does not tell it, one of\n"
        + importFormats() + "\t--report FILE         all views worth showing as one document, findings first (" + reportSuffixes()
        + "); several --replay or\n"
          "\t                      --import stand side by side in it, on common scales\n"
          "\t                      (--export draws each of several runs: x.svg, x-2.svg, x-3.svg)\n"
          "\t--by host|run|file|none  several --replay or --import of one D program are one data set, as if one run had seen all; host,\n"
          "\t                      run (host and start) or file is the first key of every aggregation, which tells them apart\n"
          "\t--publish URL         send what merges of this run, or of --replay, to nats://SERVER[:PORT][,SERVER...]/RUN of NATS with\n"
          "\t                      JetStream, or tls://: its aggregations as they stand, and what was lost\n"
          "\t--collect URL         the runs that all hosts published there as one data set, as --by host|run|none has it; figures are\n"
          "\t                      drawn again while hosts send\n"
          "\t--broker NAME=VALUE   for both: creds, ca, cert and key (files), replicas (servers that keep the run), every (how often\n"
          "\t                      to send or draw, 1s), wait (at the end, for a broker that is away, 60s), hosts (that are expected)\n"
          "\t--on HOST,...         run the program on each host by ssh, and take their runs as one data set, as --by has it; figures are\n"
          "\t                      drawn again meanwhile. Groups (@web) and brackets (web[1-20]) are ClusterShell's\n"
          "\t--each NAME=VALUE     for it: ssh and dscope (commands), sudo (yes), cost (share of a host's CPU time that ends a run there, "
          "10%),\n"
          "\t                      read (how often aggregations are read, 1s), every (how often to draw, 1s), atonce (hosts to connect to, "
          "32),\n"
          "\t                      signature (a file that ssh-keygen made of the program, for agents)\n"
          "\t--at TIME             begin then: in UTC, or +5s from now\n"
          "\t--for TIME            end after that time, as 10s\n"
          "\t--serve FOLDER        the agent of --on, for authorized_keys: runs programs alone that are files *.d of FOLDER, at 10%\n"
          "\t                      of the CPU time or less (-x costlimit), or that one of its allowed_signers has signed\n"
          "\t--signature TEXT      what --on sends to an agent, of --each signature=FILE\n"
          "\t--metrics [ADDRESS:]PORT  meanwhile answer GET /metrics with the numbers of the run, in OpenMetrics, for Prometheus and its\n"
          "\t                      like; without ADDRESS to this machine alone\n"
          "\t--push [VIEW=]URL     at the end send the stacks to who keeps profiles: otlp+http://SERVER:4318 (OpenTelemetry),\n"
          "\t                      pyroscope+http://SERVER:4040 or parca+http://SERVER:7070, or https\n"
          "\t--receiver NAME=VALUE how they are sent: header ('Name: value' or @FILE), ca, cert, key (files), service, label "
          "(NAME=VALUE),\n"
          "\t                      wait (for who is away, 30s)\n"
          "\t--again FILE          draw a figure or report again from the data inside it: with --export or --report\n"
          "\t--text                print what the program prints, also with --export and --report (and with --replay FILE --record FILE)\n"
          "\t--diff [FORMAT:]FILE  compare with a recording or other text: FILE is before, what is drawn of this run after;\n"
          "\t                      several are compared with as many of --replay or --import\n"
          "\t                      (in flame, icicle, call-graph, histogram, bars and table red grew, blue shrank, grey may be chance;\n"
          "\t                      process-tree, process-timeline, heatmap and series show both runs)\n"
          "\t--budget EXPR         what the run may cost, as 'p99(@lat) < +5 %' with --diff, or 'share(\"hot\") < 10 %': the exit status\n"
          "\t                      is 0 where all budgets are kept, else 4\n"
          "\t--budget-report FILE  what came of the budgets, as JUnit's XML for CI\n"
          "\t--libxo FORMAT        what -x oformat=FORMAT does: print a document for other programs, json, xml, json,pretty or xml,pretty\n"
          "\t--interactive         .svg with a script: zoom, search, details; .html always has it\n"
          "\t--as-user             run the commands of -c as the user who called sudo, not as root\n"
          "\t--event NAME          show this event of an imported file, rather than the one with the most samples\n"
          "\t--redact              leave host, users and arguments out of figures and recordings; of the run .svg and .html\n"
          "\t                      then hold only the stacks that they show\n"
          "\t--no-data             leave the run itself out of .svg and .html, which hold names that they do not show; they do not open "
          "again then\n"
          "\t--scale N             pixels of a .png for a pixel of the figure\n"
          "\t--focus NAME          show one thing alone: the function of a sandwich, source, disassembly or flame-chart, frames joined\n"
          "\t                      by ';' of a flame\n"
          "\t--theme light|dark|print, --size WxH|16:9|slide|4:3|square|poster|a4|a4-landscape|column\n"
          "\t--palette COLOURS     #RRGGBB,... or a file that names them; checked for contrast and for colour-blind sight\n"
          "\t--text-size N[px|pt]  the smallest text\n"
          "\t--title TEXT, --subtitle TEXT, --footer full|short|none, --transparent\n"
          "\t--top N               draw the N largest rows, lines or panels, and count the others\n"
          "\t--sort value|name     the order of rows and panels\n"
          "\t--log                 logarithmic scale of bars, histograms and series\n"
          "\t--unit UNIT           what values are where the program does not say it: ns, us, ms, s, bytes, KiB, MiB, GiB, percent, none\n"
          "\t--highlight REGEX     outline what is called so\n"
          "\t--mark NAME=TEXT      a note at what is called NAME\n"
          "\t--notes FILE          such notes, an outline and a title from a text file, for each time that a figure is drawn again\n"
          "\t--keep REGEX, --drop REGEX  only stacks, or no stacks, that have a frame of that name\n"
          "\t--mine[=REGEX]        only stacks that have code of one's own (of the -c program, or installed by no package), the rest of "
          "them folded\n"
          "\t--fold REGEX|recursion  neighbouring frames of that name, or a function that calls itself, as one\n"
          "\t--from T, --to T      only that stretch of the run: 1.5s or 300ms after its start, -2s before its end, or a time in UTC\n"
          "\t--same-scale          of several runs: axes of values, buckets and time as long as the longest needs\n"
          "\t--doctor              tell what this machine can trace, and why not; --json with it: for a bug report\n"
          "\t--stream FD[:PID]     write the live recording to a descriptor, for a front end\n";
}

bool holdsData(const Arguments& a) { return !a.noData && !a.redact && !a.comparesRuns(); }

bool printsText(const Arguments& a)
{
    if (a.listViews) return false;
    return a.text || !a.output.empty()
        || (a.exports.empty() && a.record.empty() && a.reports.empty() && a.budgets.empty() && a.pushes.empty() && !a.publish);
}

bool printsLiveText(const Arguments& a)
{
    if (a.listViews) return false;
    return a.text || !a.output.empty() || (a.exports.empty() && a.reports.empty());
}

std::variant<Arguments, BadArguments> parseArguments(int argc, char** argv)
{
    Arguments a;
    std::string script;
    std::optional<BadArguments> bad;
    enum class Told : std::uint8_t { Alone, WithUsage };
    auto refuse = [&](std::string message, Told told = Told::Alone) {
        if (!bad) bad = BadArguments{std::move(message), told == Told::WithUsage};
    };

    auto set = [&](std::string_view name, std::string_view value) {
        auto done = a.options.set(name, value);
        if (done) return;
        const bool mayHint = !options::find(name) && !std::getenv("_DTRACE_TESTING");
        const auto hint = mayHint ? options::meantBy(name) : std::string();
        refuse("failed to set -x " + std::string(name) + ": " + done.error().message + (hint.empty() ? "" : "\n    hint: " + hint));
    };
    if (argc < 2) return BadArguments{{}, true};
    if (auto taken = a.options.takeEnvironment(environ); !taken) refuse(taken.error().message);
    if (std::getenv("DTRACE_DEBUG")) set("debug", "");
    if (std::getenv("_DTRACE_TESTING")) a.dialect = record::Dialect::DtraceForLinux;
    auto longOptions = figureOptions();
    longOptions.insert(longOptions.end(), std::begin(kLong), std::end(kLong));
    ::opterr = 0;
    int last = 1;
    for (int c; (c = ::getopt_long(argc, argv, kShort, longOptions.data(), nullptr)) != -1; last = ::optind) {
        const std::string value = ::optarg ? ::optarg : "";
        keepForHosts(c, value, a);
        if (value.empty() && takesFile(c)) refuse(std::string(argv[last]) + " takes the name of a file, not nothing");
        switch (c) {
        case 'n': a.programs.push_back({value, {}}); break;
        case 'P': a.programs.push_back({value, {}, 1}); break;
        case 'm': a.programs.push_back({value, {}, 2}); break;
        case 'f': a.programs.push_back({value, {}, 3}); break;
        case 'i': a.programs.push_back({value, {}}); break;
        case 's': {
            auto text = readWholeFile(value);
            if (!text) {
                refuse(text.error().message);
                break;
            }
            script = value;
            a.forHosts.insert(a.forHosts.end(), {"-n", *text});
            a.programs.push_back({std::move(*text), value});
            break;
        }
        case 'c': a.commands.push_back(value); break;
        case 'p': a.pids.push_back(value); break;
        case 'q': set("quiet", ""); break;
        case 'F': set("flowindent", ""); break;
        case 'b':
            if (auto done = a.options.set("bufsize", value); !done) refuse("failed to set -b " + value + ": " + done.error().message);
            break;
        case 'x': {
            if (value == "help") {
                a.mode = Arguments::Mode::Options;
                break;
            }
            const auto equals = value.find('=');
            set(value.substr(0, equals), equals == value.npos ? "" : value.substr(equals + 1));
            break;
        }
        case 'C': a.preprocess = true; break;
        case 'D':
        case 'I':
        case 'U': a.cppArguments.push_back("-" + std::string(1, static_cast<char>(c)) + value); break;
        case 'H': a.cppArguments.emplace_back("-H"); break;
        case 'X':
            if (auto done = a.options.set("stdc", value); !done) refuse("failed to set -X " + value + ": " + done.error().message);
            break;
        case 'L': set("libdir", value); break;
        case '6':
            if (value != "4") refuse("illegal option: -6" + value, Told::WithUsage);
            break; // the data model of every machine we run on
        case '3':
            refuse(value == "2" ? "-32 (the 32-bit data model): dscope runs on 64-bit kernels, whose data model it takes: leave it out"
                                : "illegal option: -3" + value,
                value == "2" ? Told::Alone : Told::WithUsage);
            break;
        case 'd': a.showText = true; break;
        case 'e': a.compileOnly = true; break;
        case 'l': a.mode = Arguments::Mode::List; break;
        case 'O': break; // FreeBSD's: print aggregations at the end of a document, which we do in any case
        case 'o': a.output = value; break;
        case 'S': a.disassemble = true; break;
        case 'v': a.verbose = true; break;
        case 'V': a.mode = Arguments::Mode::Version; break;
        case 'w': set("destructive", ""); break;
        case 'Z': a.allowNoMatch = true; break;
        case 'h': a.mode = Arguments::Mode::Header; break;
        case 'G': a.mode = Arguments::Mode::Link; break;
        case 'A':
        case 'a':
            refuse("-" + std::string(1, static_cast<char>(c))
                + " (anonymous tracing at boot) does not exist on Linux: start dscope from an early systemd unit instead");
            break;
        case kExport: a.exports.push_back(exportOf(value)); break;
        case kViews: a.listViews = true; break;
        case kRecord: a.record = value; break;
        case kRecordFailure:
            if (value == "stop")
                a.recordFailure = Arguments::RecordFailure::Stop;
            else if (value == "continue")
                a.recordFailure = Arguments::RecordFailure::Continue;
            else
                refuse("--record-failure is stop or continue, not \"" + value + "\"");
            break;
        case kReplay:
        case kImport: takeRun(c == kReplay, value, a); break;
        case kReport: a.reports.push_back(value); break;
        case kAgain:
            takeRun(false, "figure:" + value, a);
            a.again = true;
            break;
        case kDiff: a.diff.push_back(value); break;
        case kBy:
            a.by = mergedBy(value);
            if (!a.by) refuse("--by is host, run, file or none, not \"" + value + '"');
            break;
        case kPublish:
        case kCollect: {
            auto address = remote::addressOf(value);
            if (address)
                (c == kPublish ? a.publish : a.collect) = *std::move(address);
            else
                refuse((c == kPublish ? "--publish: " : "--collect: ") + address.error().message);
            break;
        }
        case kBroker: a.brokerOptions.push_back(value); break;
        case kOn: a.onWords.push_back(value); break;
        case kEach: a.eachOptions.push_back(value); break;
        case kAt: {
            auto at = beginOf(value);
            if (at)
                a.schedule.at = *at;
            else
                refuse(at.error().message);
            break;
        }
        case kFor: {
            auto lasting = lastingOf(value);
            if (lasting)
                a.schedule.lasts = *lasting;
            else
                refuse(lasting.error().message);
            break;
        }
        case kServe:
            a.mode = Arguments::Mode::Serve;
            a.served = value;
            break;
        case kSignature: break; // for the agent, which reads it before there are arguments; who needs none runs the program all the same
        case kMetrics: a.metrics = value; break;
        case kPush: {
            auto [view, url, format] = exportOf(value);
            auto receiver = remote::receiverOf(url);
            if (receiver)
                a.pushes.push_back({std::move(view), *std::move(receiver)});
            else
                refuse("--push: " + receiver.error().message);
            break;
        }
        case kReceiver: a.receiverOptions.push_back(value); break;
        case kBudget:
            if (auto taken = takeBudget(value, a); !taken) refuse(taken.error().message);
            break;
        case kBudgetReport: a.budgetReport = value; break;
        case kInteractive: a.interactive = true; break;
        case kEvent: a.event = value; break;
        case kRedact: a.redact = true; break;
        case kAsUser: a.asUser = true; break;
        case kNoData: a.noData = true; break;
        case kText: a.text = true; break;
        case kStream:
            if (!takeStream(value, a))
                refuse("--stream takes a file descriptor, and behind a colon the front end's pid, not \"" + value + "\"");
            break;
        case kDoctor: a.mode = Arguments::Mode::Doctor; break;
        case kJson: a.json = true; break;
        case kLibxo: set("oformat", value); break;
        case kVersion: a.mode = Arguments::Mode::Version; break;
        case kHelp: a.mode = Arguments::Mode::Usage; break;
        default: {
            if (c >= kFirstFigureOption) {
                if (auto taken = takeFigureOption(c, value, a); !taken) refuse(taken.error().message);
                break;
            }
            // The letter may be one of several in a word, and arguments of the D program may come before it.
            const bool isLetter = ::optopt > 0 && ::optopt < 0x80;
            refuse((c == ':' || ::optopt != 0 ? "illegal option or missing argument: " : "illegal option: ")
                    + (isLetter ? std::string{'-', static_cast<char>(::optopt)} : std::string(argv[std::min(last, argc - 1)])),
                Told::WithUsage);
        }
        }
    }

    if (a.json && a.mode != Arguments::Mode::Doctor) refuse("--json says how --doctor tells what it found, and there is no --doctor");
    if (auto finished = finishFigureOptions(a); !finished) refuse(finished.error().message);
    if (a.again && a.exports.empty() && a.reports.empty() && !a.listViews)
        refuse("--again draws what is in a figure or report again: say into what, as in --again report.html --report new.pdf");
    if (auto merged = takeMerged(a); !merged) refuse(merged.error().message);
    if (auto pushed = takePushed(a); !pushed) refuse(pushed.error().message);
    if (a.asUser && a.commands.empty()) refuse("--as-user says as whom the command of -c runs, and there is no -c");
    if (bad) return *bad;
    a.words.push_back(script.empty() ? "dscope" : script);
    for (int i = ::optind; i < argc; ++i)
        a.words.emplace_back(argv[i]);
    takeWordsLeftOver(a);
    return a;
}
} // namespace dscope::cli
