#include "cli/run.h"
#include "cli/budgets.h"
#include "cli/collected.h"
#include "cli/figures.h"
#include "cli/inputs.h"
#include "cli/merged.h"
#include "cli/messages.h"
#include "cli/metrics_server.h"
#include "cli/on_hosts.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/reports.h"
#include "cli/request.h"
#include "cli/schedule.h"
#include "cli/variables_text.h"
#include "engine/base/reading_only.h"
#include "engine/bpf/encode.h"
#include "engine/format/document.h"
#include "engine/format/printer.h"
#include "engine/record/redact.h"
#include "engine/record/wire.h"
#include "engine/remote/publisher.h"
#include "engine/symbols/code_reader.h"
#include "engine/symbols/later_names.h"
#include "engine/tracer/tracer.h"
#include "graph/keys.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <span>
#include <sstream>
#include <utility>
namespace dscope::cli {
namespace {
/// Everything that listens to a run: the text, the recording, the pipe of a front end, the store that figures are made of.
class Consumers {
public:
    /// The source of the records: a run, which executes system() and freopen(), or a replay, which only prints them.
    enum class Of : std::uint8_t { Run, Replay };
    /// `before`: what --diff names, or null.
    /// `stream`: to a front end, or null; it is not ended here.
    Consumers(const Arguments& a, Of what, FigureData* before, record::Writer* stream = nullptr)
        : m_arguments(a), m_stream(stream), m_live(what == Of::Run), m_before(before), m_figures(a)
    {
    }

    Result<> open()
    {
        DSCOPE_CHECK(m_output.open(m_arguments.output));
        if (!m_arguments.record.empty()) {
            DSCOPE_CHECK(m_recording.open(m_arguments.record, m_live ? OutputFile::Kind::Growing : OutputFile::Kind::Whole));
        }
        if (m_arguments.publish) {
            DSCOPE_TRY(auto broker, remote::natsBroker(*m_arguments.publish));
            const auto what = m_live ? remote::Publisher::Of::Run : remote::Publisher::Of::Replay;
            m_publisher = std::make_unique<remote::Publisher>(
                std::move(broker), *m_arguments.publish, what, [](const std::string& text) { tell("dtrace: " + text + '\n'); });
        }
        if (!m_arguments.metrics.empty() && m_live) {
            DSCOPE_TRY(auto server, MetricsServer::open(m_arguments.metrics));
            m_metrics.emplace(std::move(server));
        }
        if (!m_stream && (m_live ? !m_arguments.listViews : printsText(m_arguments))) addPrinter();
        m_wantsStore = m_metrics || !m_arguments.exports.empty() || !m_arguments.reports.empty() || !m_arguments.budgets.empty()
            || m_arguments.listViews;
        return {};
    }

    void take(const record::Record& r)
    {
        if (m_arguments.redact && (m_recording.isOpen() || m_wantsStore || m_publisher))
            keep(m_redactor(r));
        else
            keep(r);
        if (m_stream) m_stream->take(r);
        if (m_printer) m_printer->take(r);
        if (const auto* exit = std::get_if<record::Exit>(&r)) m_status = exit->status;
    }

    /// The same of one of the runs that are merged.
    void takeOf(std::size_t run, const record::Record& r)
    {
        if (m_wantsStore) m_figures.takeOf(run, r);
    }

    /// After a batch of records: what a reader at the other end should see now.
    void flush()
    {
        m_output.flush();
        if (m_stream) m_stream->flush();
        m_recording.keepUp();
        if (m_publisher) m_publisher->keepUp();
        if (m_metrics) m_metrics->keepUp([this] { return openMetrics(m_figures.store()); });
    }

    /// The run has begun: what an earlier run recorded is emptied.
    Result<> begin() { return m_recording.begin(); }
    /// Why the recording can't be written any more: once, as soon as that is known.
    std::optional<Error> unrecorded() { return m_recording.takeFailure(); }
    /// Why nothing can be published any more: likewise.
    std::optional<Error> unpublished() { return m_publisher ? m_publisher->takeFailure() : std::nullopt; }
    std::uint64_t recorded() const { return m_recording.size(); }
    /// Text that is no record: not for front ends.
    void print(std::string_view text)
    {
        if (m_printer) m_output.write(text);
    }

    /// errno if text can no longer be written (no reader, full disk). Recording and drawing go on; printing stops, and so does
    /// system(), which would run between the lines.
    int lost()
    {
        if (m_output.failure() != 0) m_printer.reset();
        return m_output.failure();
    }

    /// `others`: of a report, beside this one. `isCut`: the recording ends before the run did.
    Result<> finish(std::vector<OtherRun> others = {}, bool isCut = false)
    {
        if (m_printer) m_printer->finish();
        flush();
        auto recorded = m_recording.finish();
        if (m_publisher)
            if (auto published = m_publisher->finish(); recorded && !published) recorded = std::move(published).error();
        if (m_arguments.listViews) m_output.write(views(m_figures.store(), m_before));
        DSCOPE_CHECK(writeFigures(m_arguments, m_figures, m_before, others));
        DSCOPE_CHECK(writeReports(m_arguments, runName(m_arguments), m_figures, m_before, isCut, others));
        if (m_arguments.budgets.empty()) return recorded;
        DSCOPE_TRY(const auto kept, judgeBudgets(m_arguments, runName(m_arguments), m_figures, m_before));
        m_status = kept == Kept::All ? 0 : kOverBudget;
        return recorded;
    }

    int status() const { return m_status; }
    std::string lossText() const { return m_output.failureText(); }

private:
    void keep(const record::Record& r)
    {
        m_recording.take(r);
        if (m_publisher) m_publisher->take(r);
        if (m_wantsStore) m_figures.take(r);
    }

    void addPrinter()
    {
        if (m_live) m_effects.emplace(m_output.descriptor(), [this] { m_output.flush(); });
        m_printer = std::make_unique<format::Printer>([this](std::string_view s) { m_output.write(s); },
            [this](std::string_view s) {
                m_output.flush();
                tell(s);
            },
            m_effects ? &*m_effects : nullptr);
        if (m_arguments.options.isSet("oformat")) m_printer->setFormat(m_arguments.options.text("oformat"));
        m_printer->toTerminal(m_output.isTerminal());
        m_printer->checkOptions([options = m_arguments.options](const std::string& name, const std::string& value) mutable -> Result<> {
            DSCOPE_CHECK(options.set(name, value));
            if (const auto* row = options::find(name); row && !row->atRunTime) return Error{0, "Operation illegal when tracing is active"};
            return {};
        });
    }

    const Arguments& m_arguments;
    Output m_output;
    Recording m_recording;
    std::unique_ptr<remote::Publisher> m_publisher;
    record::Writer* m_stream;
    bool m_live;
    std::optional<format::LiveEffects> m_effects;
    std::unique_ptr<format::Printer> m_printer;
    FigureData* m_before;
    record::Redactor m_redactor;
    FigureData m_figures;
    bool m_wantsStore = false;
    std::optional<MetricsServer> m_metrics;
    int m_status = 0;
};

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
std::atomic<int> g_signals = 0;
bool g_diesOfPipes = false; ///< SIGPIPE was not ignored at the start
void onSignal(int)
{
    if (g_signals.fetch_add(1) > 0) ::_exit(0); // asked twice: leave at once
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
/// As dtrace ends that can't write: of SIGPIPE, where that is not ignored, as in `dscope ... | head`.
int endOfOutput(int why, const std::string& text)
{
    if (why == EPIPE && g_diesOfPipes) {
        ::signal(SIGPIPE, SIG_DFL);
        ::raise(SIGPIPE);
    }
    return fail(text);
}
/// What a front end asks for by the bytes that it writes to us, and by closing its end.
enum class Asked : std::uint8_t { Nothing, End, Pause, GoOn };
Asked askedBy(int control)
{
    constexpr char kPause = 'p', kGoOn = 'c';
    pollfd in{control, POLLIN, 0};
    if (control < 0) return Asked::End;
    if (::poll(&in, 1, 0) <= 0) return Asked::Nothing;
    char byte;
    if ((in.revents & (POLLHUP | POLLERR | POLLNVAL)) || ::read(control, &byte, 1) <= 0) return Asked::End;
    return byte == kPause ? Asked::Pause : byte == kGoOn ? Asked::GoOn : Asked::Nothing;
}
/// The descriptors a front end talks to us by, out of reach of the commands we start: their input is empty, and what they
/// print goes to standard error where the frames take standard output.
struct Line {
    Fd frames, control;
};
Result<Line> takeLine(int frames)
{
    Line line{Fd(::fcntl(frames, F_DUPFD_CLOEXEC, 3)), Fd(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3))};
    if (!line.frames) return Error{errno, "--stream " + std::to_string(frames) + ": " + std::strerror(errno)};
    const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing) ::dup2(nothing.get(), STDIN_FILENO);
    if (frames == STDOUT_FILENO)
        ::dup2(STDERR_FILENO, STDOUT_FILENO);
    else
        ::close(frames);
    return line;
}
record::Diagnostic warningOf(const std::string& message) { return {record::Diagnostic::Severity::Warning, {}, {}, 0, 0, message, message}; }
record::Diagnostic errorOf(const std::string& message) { return {record::Diagnostic::Severity::Error, {}, {}, 0, 0, message, message}; }

/// Who hears how it goes before there are records: a front end, as records of a stream, or standard error.
class Front {
public:
    void take(Line line)
    {
        m_line = std::move(line);
        m_stream = std::make_unique<record::Writer>(m_line.frames.get());
    }
    bool isThere() const { return m_stream != nullptr; }
    record::Writer* stream() const { return m_stream.get(); }
    int control() const { return isThere() ? m_line.control.get() : -1; }
    Asked asked() const { return isThere() ? askedBy(m_line.control.get()) : Asked::Nothing; }

    void tell(std::span<const record::Diagnostic> diagnostics)
    {
        if (!m_stream) return print(diagnostics);
        for (const auto& d : diagnostics)
            m_stream->take(d);
        m_stream->flush();
    }

    /// Tells why it ends here; the exit status.
    int fail(const std::string& message)
    {
        tell(std::array{errorOf(message)});
        return end(1);
    }

    /// Ends the stream; the exit status.
    int end(int status)
    {
        if (auto stream = std::move(m_stream))
            if (auto done = stream->finish(); !done) return cli::fail("--stream: " + done.error().message);
        return status;
    }

private:
    Line m_line;
    std::unique_ptr<record::Writer> m_stream;
};

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
        output.write(program.stability());
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
    const auto late = awaitBegin(*a.schedule.at, front.control(), [&] { return g_signals > 0 || front.asked() == Asked::End; });
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
    if (format::documentStyle(options.text("oformat")))
        std::fputs(program.stability().c_str(), stderr); // no part of a document
    else
        consumers.print(program.stability());
    if (options.flag("destructive") && tells) std::fputs("dtrace: allowing destructive actions\n", stderr);

    catchSignals();
    if (!beginInTime(a, front)) return front.end(0);
    tracer::Listening listening;
    listening.watcher = watcher(a, program.schema());
    listening.forgetsStacks = !front.isThere() && a.record.empty() && !a.publish && a.exports.empty() && a.reports.empty()
        && a.budgets.empty() && a.metrics.empty() && !a.listViews;
    listening.tell = [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); };
    const bool readsOnly = front.isThere() && onlyReads(a, program);
    auto started = tracer.start(std::move(program), std::move(listening));
    if (!started) return front.fail(started.error().message);
    auto& run = **started;
    g_running = &run;
    if (g_signals > 0) run.stop(tracer::Run::Stop::Interrupted);
    if (auto begun = consumers.begin(); !begun) return front.fail(begun.error().message);
    if (readsOnly)
        if (const auto bound = allowReadingOnly(); !bound)
            front.tell(std::array{warningOf("the helper could do more than read: " + bound.error().message)});

    std::optional<Error> failed;
    const auto most = options.isSet("recordsize") ? options.number("recordsize") : UINT64_MAX;
    bool unread = false, isUnrecorded = false, isLarge = false;
    using Clock = std::chrono::steady_clock;
    const auto ends = a.schedule.lasts ? std::optional(Clock::now() + *a.schedule.lasts) : std::nullopt;
    for (;;) {
        constexpr std::chrono::milliseconds kWait(100);
        const auto left = ends ? std::chrono::ceil<std::chrono::milliseconds>(*ends - Clock::now()) : kWait;
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
    if (auto done = consumers.finish(); !done) return front.fail(done.error().message);
    if (const int why = consumers.lost()) return endOfOutput(why, consumers.lossText());
    return failed || isUnrecorded ? 1 : consumers.status();
}
} // namespace

int run(const Arguments& a)
{
    if (auto fine = checkExports(a); !fine) return fail(fine.error().message);
    if (auto fine = checkReports(a); !fine) return fail(fine.error().message);
    if (auto fine = checkBudgets(a); !fine) return fail(fine.error().message);
    if (a.programs.empty()) {
        if (a.compileOnly) return 0;
        const auto& words = a.words;
        const auto meant = words.size() > 1 ? meantBy(words[1]) : std::string();
        return fail("no probes specified: " + (meant.empty() ? "name them with -n, -s, -P, -m, -f or -i (or list them with -l)" : meant));
    }

    const auto before = runBefore(a);
    if (!before) return fail(before.error().message);

    Front front;
    if (a.stream >= 0) {
        auto taken = takeLine(a.stream);
        if (!taken) return fail(taken.error().message);
        front.take(*std::move(taken));
    }

    auto request = requestOf(a);
    if (!request) return front.fail(request.error().message);
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

namespace {
/// What names recorded stacks, when -x ustacklines asks for it; else null.
Result<std::unique_ptr<symbols::LaterNames>> laterNames(const Arguments& a)
{
    if (!a.options.flag("ustacklines")) return std::unique_ptr<symbols::LaterNames>();
    DSCOPE_TRY(auto lines, symbols::SourceLines::start());
    std::shared_ptr<symbols::Debuginfod> servers;
    if (a.options.flag("debuginfod")) { DSCOPE_TRY(servers, symbols::Debuginfod::start()); }
    return std::make_unique<symbols::LaterNames>(std::move(lines), std::move(servers), a.options.text("debugpath"));
}

void tellOfUnknown(const std::vector<std::string>& files)
{
    constexpr std::size_t kMostNamed = 5;
    if (files.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < std::min(files.size(), kMostNamed); ++i)
        names += (i == 0 ? "" : ", ") + files[i];
    if (files.size() > kMostNamed) names += " and " + std::to_string(files.size() - kMostNamed) + " more";
    std::fprintf(stderr, "dtrace: no debug information was found of %s: -x debuginfod fetches it from the servers of DEBUGINFOD_URLS\n",
        names.c_str());
}
} // namespace

int replay(const Arguments& given)
{
    Arguments a = given;
    if (auto fine = checkExports(a); !fine) return fail(fine.error().message);
    if (auto fine = checkReports(a); !fine) return fail(fine.error().message);
    if (auto fine = checkBudgets(a); !fine) return fail(fine.error().message);
    const auto before = runBefore(a);
    if (!before) return fail(before.error().message);
    Consumers consumers(a, Consumers::Of::Replay, before->get());
    if (auto open = consumers.open(); !open) return fail(open.error().message);
    auto names = laterNames(a);
    if (!names) return fail(names.error().message);
    const auto take = [&](const record::Record& r) {
        const auto* stack = *names ? std::get_if<record::StackDef>(&r) : nullptr;
        const auto* told = a.by ? std::get_if<record::Diagnostic>(&r) : nullptr;
        if (told) tell("dtrace: " + told->text + '\n');
        if (stack)
            consumers.take(record::StackDef{stack->id, (**names)(stack->frames)});
        else if (!told)
            consumers.take(r);
    };
    const auto takeOf = [&](std::size_t run, const record::Record& r) { consumers.takeOf(run, r); };
    const auto each = a.comparesRuns() ? cli::TakeOfRun(takeOf) : cli::TakeOfRun();
    bool isPartial = false;
    const auto print = [&](std::string_view text) {
        consumers.print(text);
        consumers.flush();
        return consumers.lost() == 0;
    };
    const auto read = a.on ? readHosts(a, take, print, isPartial)
        : a.collect        ? readCollected(a, take)
        : a.by             ? readMerged(a.merged, *a.by, take, each)
                           : readRecording(a.replay, take);

    if (!read) {
        consumers.flush();
        return fail(read.error().message);
    }

    auto others = otherRuns(a);
    if (!others) return fail(others.error().message);
    if (auto done = consumers.finish(*std::move(others), *read); !done) return fail(done.error().message);
    if (consumers.lost() != 0) return fail(consumers.lossText());
    if (*read)
        std::fprintf(
            stderr, "dtrace: %s is cut: the run went on after what is shown here\n", a.by ? "one of the recordings" : a.replay.c_str());
    if (*names) tellOfUnknown((*names)->unknown());
    return isPartial ? 1 : consumers.status();
}
} // namespace dscope::cli
