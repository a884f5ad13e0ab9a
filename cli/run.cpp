#include "cli/run.h"
#include "cli/budgets.h"
#include "cli/consumers.h"
#include "cli/figures.h"
#include "cli/front_end.h"
#include "cli/inputs.h"
#include "cli/interruption.h"
#include "cli/messages.h"
#include "cli/ordinary_user.h"
#include "cli/output.h"
#include "cli/reports.h"
#include "cli/request.h"
#include "cli/schedule.h"
#include "cli/variables_text.h"
#include "engine/base/descriptor_limit.h"
#include "engine/base/process_end.h"
#include "engine/base/reading_only.h"
#include "engine/bpf/encode.h"
#include "engine/format/document.h"
#include "engine/symbols/code_reader.h"
#include "engine/tracer/tracer.h"
#include "graph/keys.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <sstream>
#include <unistd.h>
#include <utility>
namespace dscope::cli {
namespace {
/// Recordings and figures over time need periodic rows: a recording may be asked for a time range. Aggregations by stack have no figure
/// over time.
session::Session::Watcher watcher(const Arguments& a, const record::Program& program)
{
    using Watcher = session::Session::Watcher;
    if (a.stream >= 0) return Watcher::Window;
    const bool timed = std::any_of(program.aggregations.begin(), program.aggregations.end(),
        [](const record::Aggregation& g) { return std::none_of(g.keys.begin(), g.keys.end(), graph::isStack); });
    const bool isCut = !a.record.empty() || a.publish || !a.metrics.empty() || !a.stretch.isAll();
    return (isCut && !program.aggregations.empty()) || (timed && (!a.exports.empty() || !a.reports.empty())) ? Watcher::Recorder
                                                                                                             : Watcher::Nobody;
}

// What a signal handler can reach. Set while a session runs, and only then.
std::atomic<tracer::Run*> g_running = nullptr;
bool g_diesOfPipes = false; ///< SIGPIPE was not ignored at the start
void onSignal(int)
{
    if (!isFirstToAsk()) return;
    if (auto* run = g_running.load()) run->stop(tracer::Run::Stop::Interrupted);
}
void catchSignals()
{
    struct sigaction action { };
    action.sa_handler = onSignal;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction old { };
        ::sigaction(signal, nullptr, &old);
        if (old.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr); // ignored at the start stays ignored
    }
    g_diesOfPipes = ::signal(SIGPIPE, SIG_IGN) == SIG_DFL;
}
/// Until there is a run that could end with its results.
void onEarlySignal(int signal)
{
    constexpr std::string_view kSaid = "dtrace: interrupted before tracing began: nothing was traced\n";
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kSaid.data(), kSaid.size());
    ::signal(signal, SIG_DFL);
    ::raise(signal);
}
void catchEarlySignals()
{
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (::signal(signal, onEarlySignal) == SIG_IGN) ::signal(signal, SIG_IGN);
}
/// As dtrace ends that can't write: of SIGPIPE, where that is not ignored, as in `dscope ... | head`.
int endOfOutput(int why, const std::string& text)
{
    if (why == EPIPE && g_diesOfPipes) {
        ::signal(SIGPIPE, SIG_DFL);
        ::raise(SIGPIPE);
    }
    return fail(text);
}
void disassemble(const Arguments& a, const tracer::Program& program)
{
    if (a.disassemble || program.options().flag("verbose"))
        for (const auto& code : program.object().programs) {
            std::vector<bpf::MapUse> maps;
            for (const auto& r : code.relocations)
                maps.push_back({r.slot, r.map, r.value, r.offset});
            std::fprintf(stderr, "\nDisassembly of clause :::%s\n%s", code.name.c_str(), bpf::listing(code.slots, maps).c_str());
        }
    if (a.disassemble) std::fputs(variablesText(program.analysed(), program.object().variableOffsets).c_str(), stderr);
}

/// What is asked of the compiled program alone: the exit status, or nothing when it is to run.
std::optional<int> withoutRunning(const Arguments& a, const tracer::Program& program, FigureData* before)
{
    disassemble(a, program);
    if (a.listViews) {
        graph::Store store;
        store.readCodeBy(symbols::codeReader());
        store.take(program.schema());
        for (const auto& probe : program.object().probes)
            store.take(probe);
        std::fputs(views(store, before).c_str(), stdout);
        return 0;
    }
    if (a.compileOnly) {
        Output output;
        if (auto open = output.open(a.output); !open) return fail(open.error().message);
        output.write(program.written() + program.stability());
        return 0;
    }
    return {};
}

/// What dtrace says before it traces.
void tellMatches(const tracer::Program& program)
{
    std::istringstream matched(program.schema().matched);
    for (std::string text; std::getline(matched, text);)
        std::fprintf(stderr, "dtrace: %s\n", text.c_str());
}

/// Whether a run that goes on for a front end needs nothing but to read and to write into what is open. Where probes may come while
/// it runs an older kernel is asked for them through files.
bool onlyReads(const Arguments& a, const tracer::Program& program)
{
    const auto& options = program.options();
    const bool writesFiles
        = !a.record.empty() || !a.exports.empty() || !a.reports.empty() || !a.budgetReport.empty() || !a.output.empty() || a.publish;
    return !writesFiles && !options.flag("destructive") && !options.flag("debuginfod") && !program.analysed().mayGrow;
}

/// Waits for --at. False: somebody asked for the end before it.
bool beginInTime(const Arguments& a, Front& front)
{
    if (!a.schedule.at) return true;
    const auto late = awaitBegin(*a.schedule.at, front.control(), [&] { return isInterrupted() || front.asked() == Asked::End; });
    constexpr std::int64_t kToTell = 100'000'000;
    if (late && *late > kToTell)
        front.tell(std::array{warningOf("the run begins " + std::to_string(*late / 1'000'000) + " ms after the time of --at")});
    return late.has_value();
}

/// Runs the program and hands what it yields to all who listen; the exit status.
int trace(const Arguments& a, tracer::Tracer& tracer, tracer::Program program, FigureData* before, Front& front)
{
    const auto options = program.options();
    const bool tells = !options.flag("quiet") && !front.isThere();
    if (tells) tellMatches(program);
    if (!program.matchesProbes() && !a.allowNoMatch && !options.flag("zdefs")) return front.fail("no probes matched");
    if (const auto& probe = program.refusesResult(); !probe.empty())
        return front.fail("could not enable tracing: return() not allowed for " + probe
            + (a.dialect == record::Dialect::DtraceForLinux
                    ? ""
                    : "\n    hint: return() is for probes rawfbt::FUNCTION: of the functions in error_injection/list of debugfs, "
                      "which kernels have that are built with CONFIG_FUNCTION_ERROR_INJECTION and CONFIG_BPF_KPROBE_OVERRIDE"));
    if (program.isDestructive() && !options.flag("destructive"))
        return front.fail(std::string("could not enable tracing: Destructive actions not allowed")
            + (a.dialect == record::Dialect::DtraceForLinux
                    ? ""
                    : "\n    hint: -w permits actions that change what is traced: system(), stop(), raise(), copyout()"));
    if (auto fine = checkViews(a, program.schema(), program.object().probes, before); !fine) return front.fail(fine.error().message);
    if (auto fine = checkBudgets(a, program.schema(), before); !fine) return front.fail(fine.error().message);
    Consumers consumers(a, Consumers::Of::Run, before, front.stream());
    if (auto open = consumers.open(); !open) return front.fail(open.error().message);
    const auto told = program.written() + program.stability();
    if (format::documentStyle(options.text("oformat")))
        std::fputs(told.c_str(), stderr); // no part of a document
    else
        consumers.print(told);
    if (options.flag("destructive") && tells) std::fputs("dtrace: allowing destructive actions\n", stderr);

    catchSignals();
    if (!beginInTime(a, front)) return front.end(0);
    tracer::Listening listening;
    listening.watcher = watcher(a, program.schema());
    listening.forgetsStacks = !front.isThere() && a.record.empty() && !a.publish && a.exports.empty() && a.reports.empty()
        && a.budgets.empty() && a.metrics.empty() && !a.listViews;
    listening.isOver = isInterrupted;
    listening.tell = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
    const bool readsOnly = front.isThere() && onlyReads(a, program);
    auto started = tracer.start(std::move(program), std::move(listening));
    if (!started) return front.fail(started.error().message);
    auto& run = **started;
    g_running = &run;
    if (isInterrupted()) run.stop(tracer::Run::Stop::Interrupted);
    if (auto begun = consumers.begin(); !begun) return front.fail(begun.error().message);
    if (readsOnly)
        if (const auto bound = allowReadingOnly(); !bound)
            front.tell(std::array{warningOf("the helper could do more than read: " + bound.error().message)});

    std::optional<Error> failed;
    const auto most = options.isSet("recordsize") ? options.number("recordsize") : UINT64_MAX;
    bool unread = false, isUnrecorded = false, isLarge = false;
    using Clock = std::chrono::steady_clock;
    const auto ends = a.schedule.lasts ? Clock::now() + *a.schedule.lasts : Clock::time_point::max();
    for (;;) {
        constexpr std::chrono::milliseconds kWait(100);
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(ends - Clock::now());
        if (left.count() <= 0) run.stop(tracer::Run::Stop::Asked);
        auto more = run.poll(left.count() <= 0 ? kWait : std::min(left, kWait), [&](const record::Record& r) { consumers.take(r); });
        consumers.flush();
        if (consumers.lost() != 0 && !std::exchange(unread, true)) run.stop(tracer::Run::Stop::Asked);
        if (const auto why = consumers.unrecorded()) {
            const bool stops = a.recordFailure == Arguments::RecordFailure::Stop;
            isUnrecorded = true;
            front.tell(std::array{errorOf(why->message + (stops ? ": the run ends here" : ": the run goes on without it"))});
            if (stops) run.stop(tracer::Run::Stop::Asked);
        }
        if (const auto why = consumers.unpublished()) {
            isUnrecorded = true;
            front.tell(std::array{errorOf(why->message + ": the run goes on without it")});
        }
        if (consumers.recorded() > most && !std::exchange(isLarge, true)) {
            front.tell(std::array{warningOf("the run ends here: " + a.record + " has " + std::to_string(consumers.recorded())
                + " bytes, where option recordsize allows " + options.text("recordsize"))});
            run.stop(tracer::Run::Stop::Asked);
        }
        if (!more) failed = std::move(more).error();
        if (!more || !*more) break;
        switch (front.asked()) {
        case Asked::Nothing: break;
        case Asked::End: run.stop(tracer::Run::Stop::Interrupted); break;
        case Asked::Pause: run.pause(tracer::Run::Paused::Yes); break;
        case Asked::GoOn: run.pause(tracer::Run::Paused::No); break;
        }
    }

    g_running = nullptr;
    if (failed) front.tell(std::array{errorOf(failed->message)});
    const auto done = consumers.finish();
    if (!done) front.tell(std::array{errorOf(done.error().message)});
    tellProcessEnds();
    if (const int why = consumers.lost()) return endOfOutput(why, consumers.lossText());
    return !done || failed || isUnrecorded ? 1 : consumers.status();
}
} // namespace

int run(const Arguments& a)
{
    raiseDescriptorLimit();
    catchEarlySignals();
    Front front;
    if (a.stream >= 0) {
        auto taken = takeLine(a.stream);
        if (!taken) return fail(taken.error().message);
        front.take(*std::move(taken));
    }
    auto kept = becomeOrdinary(a);
    if (!kept) return front.fail(kept.error().message);

    if (auto fine = checkOutputs(a); !fine) return fail(fine.error().message);
    if (a.programs.empty()) {
        if (a.compileOnly) return 0;
        const auto& words = a.words;
        const auto meant = words.size() > 1 ? meantBy(words[1]) : std::string();
        return fail("no probes specified: " + (meant.empty() ? "name them with -n, -s, -P, -m, -f or -i (or list them with -l)" : meant));
    }

    const auto before = runBefore(a);
    if (!before) return fail(before.error().message);

    auto request = requestOf(a);
    if (!request) return front.fail(request.error().message);
    request->kept = *std::move(kept);
    auto opened = tracer::Tracer::open(*std::move(request));
    if (!opened) {
        // DTrace for Linux, and its tests, leave it at what errno says.
        const auto& error = opened.error();
        return front.fail(a.dialect == record::Dialect::DtraceForLinux && error.code == ESRCH ? std::strerror(error.code) : error.message);
    }

    auto& tracer = **opened;
    auto compiled = tracer.compile();
    front.tell(compiled.diagnostics);
    if (!compiled.program) return front.end(1);

    if (const auto status = withoutRunning(a, *compiled.program, before->get())) return *status;
    return front.end(trace(a, tracer, *std::move(compiled.program), before->get(), front));
}
} // namespace dscope::cli
