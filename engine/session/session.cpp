#include "engine/session/session.h"
#include "engine/base/process_end.h"
#include "engine/decode/decoder.h"
#include "engine/format/flow.h"
#include "engine/object/raw.h"
#include "engine/record/value.h"
#include "engine/session/clocks.h"
#include "engine/session/control.h"
#include "engine/session/drops.h"
#include "engine/session/growth.h"
#include "engine/session/key_taker.h"
#include "engine/session/live_stacks.h"
#include "engine/session/load.h"
#include "engine/session/maps.h"
#include "engine/session/own_cost.h"
#include "engine/session/process_memory.h"
#include "engine/session/programs.h"
#include "engine/session/ring.h"
#include "engine/session/waiter.h"
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <unistd.h>
#include <utility>
namespace dscope::session {
namespace {
using object::State;
using std::chrono::milliseconds;
using std::chrono::steady_clock;
constexpr milliseconds kTick{50};              ///< how often targets and the kernel's state are looked at, at least
constexpr milliseconds kLiveRate{80};          ///< of aggregations, while a front end looks on
constexpr milliseconds kFirstRate{100};        ///< and while they are recorded ...
constexpr std::chrono::seconds kRateStays{20}; ///< ... for that long
constexpr milliseconds kNap{3};                ///< while records pour in
constexpr milliseconds kGather{20};            ///< while only a few stacks arrive and nobody waits for them
constexpr std::size_t kBusyBytes = 64U << 10U;

enum class Ending : int { No, Asked, Interrupted };
static_assert(std::atomic<Ending>::is_always_lock_free, "stop() is called by signal handlers");

/// Whether anything recorded or aggregated by holds addresses of user space.
bool namesUserSpace(const object::Object& object)
{
    const auto any = [](const std::vector<object::Object::RawLayout>& layouts) {
        return std::any_of(layouts.begin(), layouts.end(), [](const auto& layout) {
            return std::any_of(layout.stacks.begin(), layout.stacks.end(),
                [](const auto& field) { return field.user || field.kind == record::FieldKind::UserStack; });
        });
    };
    return any(object.clauseLayouts) || any(object.keyLayouts);
}
} // namespace

struct Session::Impl {
    Impl(Request r, const host::Host& h)
        : request(std::move(r)), host(h), stacks(h), processes(h), programs({request.object, request.options, request.tell, maps, h})
    {
        if (request.leftOut > 0) processes.leaveOutThoseOf(static_cast<std::uint32_t>(request.leftOut));
    }

    Result<> load();
    Result<> attach();
    Result<> begin();
    void grow(const record::Source::Deliver& deliver);
    void complete(record::Program& program) const;

    Result<bool> poll(milliseconds timeout, const record::Source::Deliver& deliver);
    void introduce(const record::Source::Deliver& deliver);
    Result<std::size_t> drain(std::size_t most, const record::Source::Deliver& deliver);
    Result<> drainAll(const record::Source::Deliver& deliver);
    void warnOfMissingNames();
    void awaitDebugFiles();
    void notice(const record::Record& record);
    void perform(const record::Action& action, ByteView payload);
    Result<> checkTargets(const record::Source::Deliver& deliver);
    Result<> report(const record::Source::Deliver& deliver);
    Result<> readAggregations(const record::Source::Deliver& deliver);
    std::chrono::nanoseconds rowsRate() const;
    OwnCost::Parts costly() const;
    bool heedCost();
    bool ends();
    void tellOfPause(steady_clock::time_point until);
    Result<> finish(const record::Source::Deliver& deliver);
    Result<> checkBufferSize() const;
    milliseconds untilSwitch(milliseconds most);

    Request request;
    const host::Host& host;
    LiveStacks stacks;
    ProcessMemory processes;
    Maps maps;
    ControlBlock control;
    Ring ring;
    Waiter waiter;
    Drops drops;
    std::optional<decode::Decoder> decoder;
    std::atomic<Ending> stopping{Ending::No};
    bool namesCallers = false;     ///< calls are recorded, and nothing of the processes that make them
    bool followsProcesses = false; ///< addresses of user space are to be named
    bool introduced = false, over = false, targetsEnded = false;
    std::chrono::nanoseconds rowsPause{0}; ///< that the last reading of aggregations asks for
    milliseconds nap{0};                   ///< before the ring is read again: writers need not wake us for each record
    bool hiddenTold = false;               ///< that the kernel names no functions
    bool javaTold = false;                 ///< that Java's code has no names, or no callers
    std::int32_t status = 0;
    std::vector<bool> targetTold;
    std::vector<std::string> warnings;
    Result<> trouble; ///< met while delivering
    steady_clock::time_point pausedAt{}, targetsDue{}, dropsDue{}, rowsDue{}, switchDue{}, statusDue{};
    Growth growth;
    Programs programs;             ///< so gone before the others: nothing fires into what is gone
    std::unique_ptr<OwnCost> cost; ///< null: nobody asked
};

/// Series and rates have a hole there, which is not to be taken for rest.
void Session::Impl::tellOfPause(steady_clock::time_point until)
{
    char text[96];
    const auto seconds = std::chrono::duration<double>(until - pausedAt).count();
    std::snprintf(text, sizeof text, "tracing paused for %.1f s: probes that fired then left no trace", seconds);
    warnings.emplace_back(text);
}

/// A buffer that the largest record does not fit into is an error, as it is for dtrace: it would lose them all.
Result<> Session::Impl::checkBufferSize() const
{
    if (!request.options.isSet("bufsize")) return {};
    constexpr std::uint64_t kHead = 8; // what dtrace puts before the data: an identifier, aligned
    for (const auto& clause : request.object.schema.clauses)
        if (kHead + clause.payloadSize > request.options.number("bufsize")) return Error{0, "Enabling exceeds size of buffer"};
    return {};
}

/// How long to wait before the ring is read again. With option switchrate records are read, and exit() is seen, no more often
/// than that, unless the ring is half full.
milliseconds Session::Impl::untilSwitch(milliseconds most)
{
    if (!request.options.isSet("switchrate") || stopping != Ending::No || ring.pending() > ring.size() / 2) return milliseconds(0);
    const auto now = steady_clock::now();
    if (now < switchDue) return std::min(most, std::chrono::ceil<milliseconds>(switchDue - now));
    switchDue = now + std::chrono::nanoseconds(request.options.number("switchrate"));
    return milliseconds(0);
}

void Session::Impl::complete(record::Program& program) const
{
    program.host = host.hostName();
    program.kernel = host.kernelRelease();
    program.version = DSCOPE_VERSION;
    for (const auto& [name, value] : request.options.all())
        program.options[name] = value;
    for (const auto& target : request.targets) {
        if (program.target == 0) program.target = target.pid();
        if (program.command.empty()) program.command = target.command();
    }
    program.started = monotonicNow().count();
    program.clock = readClocks();
    program.wallClockOffset = program.clock.offset();
    program.utcOffset = utcOffset();
}

Result<> Session::Impl::load()
{
    auto& object = request.object;
    if (!object.fits) return Error{0, "Enabling exceeds size of buffer"}; // dtrace's words for it
    DSCOPE_TRY(maps, Maps::create(object, host.cpuCount()));
    DSCOPE_TRY(control, ControlBlock::map(maps.fd(object.control)));
    DSCOPE_TRY(ring, Ring::map(maps.fd(object.ring), maps.description(object.ring).maxEntries));
    DSCOPE_TRY(waiter, Waiter::make());
    DSCOPE_CHECK(waiter.watch(maps.fd(object.ring)));
    for (const auto& target : request.targets)
        DSCOPE_CHECK(waiter.watchChanges(target.pidFd()));
    return programs.load();
}

Result<> Session::Impl::attach()
{
    const pid_t target = request.targets.empty() ? 0 : request.targets.front().pid();
    return programs.attach(target, request.growth.newcomers, warnings);
}

void Session::Impl::grow(const record::Source::Deliver& deliver)
{
    VerifierLog log{request.options.flag("debug"), request.options.flag("bpflog"), request.options.number("bpflogsize"), {}};
    growth.poll({request.object, maps, host, programs}, log, deliver, warnings);
}

Result<> Session::Impl::begin()
{
    std::vector<pid_t> targets;
    for (const auto& target : request.targets)
        targets.push_back(target.pid());
    DSCOPE_CHECK(growth.begin(std::move(request.growth), targets, {request.object, maps, host, programs}, warnings));
    if (growth.fd() >= 0) DSCOPE_CHECK(waiter.watch(growth.fd()));
    auto& object = request.object;
    followsProcesses = namesUserSpace(object) || object.walks;
    if (request.options.flag("noresolve")) stacks.leaveOutFunctions();
    if (followsProcesses && request.options.flag("ustacklines"))
        if (const auto started = stacks.tellLines(); !started) warnings.push_back(started.error().message);
    if (request.options.isSet("debugpath")) stacks.lookIn(request.options.text("debugpath"));
    if (followsProcesses) stacks.begin();
    if (followsProcesses && request.options.flag("debuginfod"))
        if (const auto started = stacks.fetchDebugFiles(); !started) warnings.push_back(started.error().message);
    if (object.walks) {
        DSCOPE_TRY(WalkTables tables, WalkTables::open(maps, *object.walks));
        DSCOPE_CHECK(waiter.watch(stacks.walkBy(std::move(tables), request.options.text("ustackcache"))));
        for (const auto pid : targets)
            for (const auto fd : stacks.prepareFor(static_cast<std::uint32_t>(pid)))
                DSCOPE_CHECK(waiter.watchChanges(fd));
        if (object.walks->ourOwn) stacks.prepareFor(static_cast<std::uint32_t>(::getpid()));
        // A command that is held before its exec has what we have mapped, the C library among it.
        DSCOPE_CHECK(targets.empty() && !object.walks->ourOwn ? stacks.install() : stacks.installAll(request.isOver));
    }

    complete(object.schema);
    decoder.emplace(
        object, stacks, [this](MapId map, const auto& each) { return maps.read(map, each); },
        [this](auto from, auto keys, const auto& each) { return KeyTaker(request.object, maps, control).take(from, keys, each); });
    if (request.options.isSet("aggrate")) decoder->printFromReadings();
    if (request.forgetsStacks) decoder->forgetStacks();
    control.setTarget(static_cast<std::uint32_t>(object.schema.target));
    control.setCpus(static_cast<std::uint32_t>(maps.cpus()));
    control.setWallOffset(object.schema.wallClockOffset);
    control.setLoads();
    DSCOPE_CHECK(programs.fireBegin());
    control.change(State::Inactive, State::Active); // unless BEGIN called exit()
    DSCOPE_CHECK(programs.startTicks());
    // Probes do nothing from there on; poll() sees it when it comes to it.
    DSCOPE_TRY(cost, OwnCost::watch(request.options, host, costly(), [this] {
        if (!control.change(State::Active, State::Draining)) control.change(State::Paused, State::Draining);
    }));
    const auto now = steady_clock::now();
    switchDue = now + std::chrono::nanoseconds(request.options.number("switchrate"));
    statusDue = now + std::chrono::nanoseconds(request.options.number("statusrate"));
    targetTold.resize(request.targets.size());
    for (auto& target : request.targets)
        target.release();
    return {};
}

void Session::Impl::introduce(const record::Source::Deliver& deliver)
{
    introduced = true;
    const auto& object = request.object;
    deliver(object.schema);
    for (const auto& probe : object.probes)
        deliver(probe);
    const auto& clauses = object.schema.clauses;
    namesCallers = !object.schema.tellsOfProcesses && std::any_of(clauses.begin(), clauses.end(), [](const auto& c) { return !c.silent; })
        && std::any_of(object.probes.begin(), object.probes.end(), [](const auto& probe) { return format::entersFunction(probe.name); });
    const record::Nanoseconds when(object.schema.started);
    if (object.schema.tellsOfProcesses)
        for (const auto& target : request.targets)
            processes.introduce(static_cast<std::uint32_t>(target.pid()), when, deliver);
}

/// Acts on the actions that concern the session (exit, setopt). The printer does the rest.
void Session::Impl::perform(const record::Action& action, ByteView payload)
{
    if (action.kind == record::ActionKind::Exit) {
        status = static_cast<std::int32_t>(record::integerOf(action.fields.at(0), payload));
    } else if (action.kind == record::ActionKind::Setopt && action.fields.size() == 2) {
        // A wrong name or value changes nothing; the printer reports it.
        [[maybe_unused]] const auto set
            = request.options.set(record::stringOf(action.fields[0], payload), record::stringOf(action.fields[1], payload));
    }
}

void Session::Impl::notice(const record::Record& record)
{
    if (const auto* fired = std::get_if<record::Fired>(&record)) {
        for (const auto& action : request.object.schema.clauses.at(fired->clause.value).actions)
            perform(action, fired->payload);
    } else if (const auto* event = std::get_if<record::ProcessEvent>(&record)) {
        if (followsProcesses) stacks.follow(*event);
    }
}

/// Hands over what is in the ring, at most about `most` bytes; returns how many there were.
Result<std::size_t> Session::Impl::drain(std::size_t most, const record::Source::Deliver& deliver)
{
    const record::Source::Deliver told = [&](const record::Record& record) {
        if (const auto* event = std::get_if<record::ProcessEvent>(&record)) {
            if (processes.leavesOut(*event)) return notice(record);
            processes.before(*event, deliver);
        }
        if (const auto* fired = namesCallers ? std::get_if<record::Fired>(&record) : nullptr)
            processes.name(fired->pid, fired->when, deliver);
        deliver(record);
        notice(record);
    };
    const auto decode = [&](ByteView raw) {
        stacks.reach(record::Nanoseconds(static_cast<std::int64_t>(readAt<object::RawHeader>(raw, 0).when)));
        if (auto decoded = decoder->ring(raw, told); !decoded) trouble = std::move(decoded);
        // At once: until then each firing sends a copy of its stack.
        if (trouble && stacks.isWanting()) trouble = stacks.install();
        return trouble.has_value();
    };
    const auto bytes = ring.consume(most, decode);
    if (!trouble) return std::move(trouble).error();
    DSCOPE_CHECK(stacks.install());
    warnOfMissingNames();
    return bytes;
}

void Session::Impl::warnOfMissingNames()
{
    if (!hiddenTold && stacks.kernelHidesNames()) {
        hiddenTold = true;
        warnings.emplace_back("the kernel hides where its functions are, so their stacks are bare addresses: sysctl kernel.kptr_restrict=1 "
                              "shows them to root and to who has CAP_SYSLOG");
    }
    if (const auto java = javaTold ? std::nullopt : stacks.javaWithoutNames()) {
        javaTold = true;
        warnings.push_back("the code that Java compiled in process " + std::to_string(*java) + " has no names: jcmd "
            + std::to_string(*java)
            + " Compiler.perfmap tells them while it runs, and java -XX:+PreserveFramePointer lets its stacks be whole");
    }
    if (const auto java = javaTold ? std::nullopt : stacks.javaWithoutCallers()) {
        javaTold = true;
        warnings.push_back("stacks of process " + std::to_string(*java)
            + " end in code that Java compiled, which keeps no frame pointers: java -XX:+PreserveFramePointer lets them be whole");
    }
}

/// What is fetched is there for the next run, if not for this one.
void Session::Impl::awaitDebugFiles()
{
    constexpr auto kMost = std::chrono::seconds(20);
    const auto missing = stacks.awaitDebugFiles(stopping == Ending::Interrupted ? milliseconds(0) : kMost);
    if (missing > 0)
        warnings.push_back(
            std::to_string(missing) + " debug files did not come from the servers of DEBUGINFOD_URLS in time to name functions");
}

/// Reads the ring until it is empty, also records that another CPU is still writing: they hold up all records behind them.
Result<> Session::Impl::drainAll(const record::Source::Deliver& deliver)
{
    const auto deadline = steady_clock::now() + kTick;
    do {
        DSCOPE_TRY([[maybe_unused]] const auto bytes, drain(SIZE_MAX, deliver));
    } while (ring.pending() != 0 && steady_clock::now() < deadline);
    return {};
}

Result<> Session::Impl::checkTargets(const record::Source::Deliver& deliver)
{
    bool all = !request.targets.empty();
    for (std::size_t i = 0; i < request.targets.size(); ++i) {
        auto& target = request.targets[i];
        const auto ended = target.ended();
        if (!ended) all = false;
        if (!ended || targetTold[i]) continue;
        targetTold[i] = true;
        DSCOPE_CHECK(drain(ring.pending(), deliver)); // what it did comes before its end
        if (auto failure = target.failure()) return *std::move(failure);
        deliver(record::TargetExited{target.pid(), *ended});
    }
    targetsEnded = all;
    return {};
}

/// Periodic work: reports drops, and sends rows to a front end.
Result<> Session::Impl::report(const record::Source::Deliver& deliver)
{
    const auto now = steady_clock::now();
    if (now >= dropsDue) {
        DSCOPE_CHECK(drops.report(maps, request.object.drops, deliver));
        decoder->drops(deliver);
        dropsDue = now + std::chrono::nanoseconds(request.options.number("statusrate"));
    }
    return request.options.isSet("aggrate") ? Result<>() : readAggregations(deliver);
}
Result<> Session::Impl::readAggregations(const record::Source::Deliver& deliver)
{
    const auto now = steady_clock::now();
    if ((request.watcher != Watcher::Nobody || request.options.isSet("aggrate")) && now >= rowsDue) {
        const bool first = rowsDue == steady_clock::time_point() && request.watcher == Watcher::Recorder; // nothing yet
        const auto before = threadTime();
        if (!first) DSCOPE_CHECK(decoder->aggregations(monotonicNow(), deliver));
        // Large maps take at most a tenth of the processor, and a quarter of the time where a slow reader is waited for: records wait, too.
        // What one reading alone costs more than the one before it, as naming new stacks does, does not count.
        const std::chrono::nanoseconds spent = threadTime() - before, passed = steady_clock::now() - now;
        const auto pause = std::max(spent * 10, passed * 4);
        rowsDue = now + std::max(rowsRate(), std::min(pause, std::exchange(rowsPause, pause)));
    }
    return {};
}
std::chrono::nanoseconds Session::Impl::rowsRate() const
{
    if (request.options.isSet("aggrate")) return std::chrono::nanoseconds(request.options.number("aggrate"));
    if (request.watcher == Watcher::Window) return kLiveRate;
    const auto run = monotonicNow().count() - request.object.schema.started;
    std::chrono::nanoseconds rate = kFirstRate;
    for (std::chrono::nanoseconds until = kRateStays; until.count() < run; until *= 2)
        rate *= 2;
    return rate;
}

OwnCost::Parts Session::Impl::costly() const
{
    OwnCost::Parts parts;
    for (const auto& program : programs.all())
        parts.programs.push_back(program.get());
    growth.programs(parts.programs);
    const auto fds = maps.fds();
    parts.maps.assign(fds.begin(), fds.end());
    return parts;
}

/// Whether the run has to end now for what it costs the machine; says so, once.
bool Session::Impl::heedCost()
{
    if (!cost) return false;
    if (cost->isBehind()) cost->follow(costly());
    auto why = cost->why();
    if (!why || stopping != Ending::No) return false;
    warnings.push_back(*std::move(why));
    stopping = Ending::Asked;
    return true;
}

bool Session::Impl::ends()
{
    if (stopping != Ending::No || targetsEnded) return true;
    if (const auto state = control.state(); state == State::Active || state == State::Paused) return false;
    // exit() is noticed at once, unless statusrate says when to look.
    if (!request.options.isSet("statusrate")) return true;
    return steady_clock::now() >= statusDue;
}

Result<> Session::Impl::finish(const record::Source::Deliver& deliver)
{
    if (control.state() == State::Paused) tellOfPause(steady_clock::now());
    control.setState(State::Draining);
    // exit() is seen before the record of the firing that calls it, or of another one under way, has been sent. What the session itself
    // runs (BEGIN, END) is over when it goes on.
    const auto& all = request.object.programs;
    const auto firesItself = [](const probe::Place& place) { return !std::holds_alternative<probe::Manual>(place); };
    if (std::any_of(all.begin(), all.end(),
            [&](const object::Code& program) { return std::any_of(program.attach.begin(), program.attach.end(), firesItself); }))
        awaitRunning();
    DSCOPE_CHECK(drainAll(deliver));
    if (request.options.isSet("aggrate")) DSCOPE_CHECK(decoder->aggregations(monotonicNow(), deliver));
    DSCOPE_CHECK(programs.fireEnd());
    DSCOPE_CHECK(drainAll(deliver));
    control.setState(State::Stopped);
    DSCOPE_CHECK(drops.report(maps, request.object.drops, deliver));
    if (const auto count = programs.notRun() + programs.overdue()) deliver(record::Drop{record::Drop::Kind::Firing, 0, count});
    decoder->drops(deliver);
    stacks.endUnwinding();
    DSCOPE_CHECK(decoder->aggregations(monotonicNow(), deliver));
    warnOfMissingNames();
    awaitDebugFiles();
    stacks.endNaming();
    deliver(record::Exit{.status = status, .interrupted = stopping == Ending::Interrupted, .when = monotonicNow(), .clock = readClocks()});
    return {};
}

Result<bool> Session::Impl::poll(milliseconds timeout, const record::Source::Deliver& deliver)
{
    if (over) return false;
    const auto deadline = steady_clock::now() + timeout;
    const auto gather = request.targets.empty() ? kGather : kNap; // a target's new mappings and its end do not wait longer
    bool delivered = !introduced;
    const record::Source::Deliver counted = [&](const record::Record& record) {
        delivered = true;
        deliver(record);
    };

    if (!introduced) introduce(deliver);
    for (;;) {
        if (const auto pause = untilSwitch(kTick); pause > milliseconds(0) && !targetsEnded) {
            waiter.nap(pause);
            DSCOPE_CHECK(checkTargets(counted));
            if (!targetsEnded && stopping == Ending::No && steady_clock::now() < deadline) continue;
            if (!targetsEnded && stopping == Ending::No) return true;
        }
        if (nap > milliseconds(0) && ring.pending() < ring.size() / 8 && stopping == Ending::No) waiter.nap(std::min(timeout, nap));
        const auto begun = monotonicNow();
        const bool hadDelivered = std::exchange(delivered, false);
        if (request.options.isSet("aggrate")) DSCOPE_CHECK(readAggregations(counted)); // for what printa() prints now
        DSCOPE_TRY(const auto bytes, drain(ring.size() / 2, counted));
        const bool isQuiet = !stacks.hadNoTables() && !delivered;
        nap = bytes >= kBusyBytes ? kNap : bytes != 0 && isQuiet ? gather : milliseconds(0);
        delivered = delivered || hadDelivered;
        if (ring.pending() == 0) stacks.settle(begun);
        grow(counted);
        if (const auto now = steady_clock::now(); now >= targetsDue) {
            DSCOPE_CHECK(checkTargets(counted));
            control.setLoads();
            targetsDue = now + kTick;
        }
        if (heedCost()) return true;
        if (ends()) {
            over = true;
            DSCOPE_CHECK(finish(deliver));
            return false;
        }
        if (request.options.isSet("statusrate") && steady_clock::now() >= statusDue)
            statusDue = steady_clock::now() + std::chrono::nanoseconds(request.options.number("statusrate"));
        DSCOPE_CHECK(report(counted));
        if (delivered) return true;
        const auto left = std::chrono::duration_cast<milliseconds>(deadline - steady_clock::now());
        if (left <= milliseconds(0)) return true;
        if (nap > milliseconds(0)) continue;
        waiter.wait(std::min(left, kTick));
        if (ring.pending() == 0) targetsDue = {}; // woken for another reason: a target's end, perhaps
    }
}

Session::Session() = default;
Session::~Session()
{
    if (!m) return;
    m->growth.end();
    m->programs.leave();
    if (m->decoder) leaveIfProcessEnds(*m->decoder);
}

Result<std::unique_ptr<Session>> Session::start(Request request, const host::Host& host)
{
    std::unique_ptr<Session> session(new Session);
    session->m = std::make_unique<Impl>(std::move(request), host);
    DSCOPE_CHECK(session->m->checkBufferSize());
    DSCOPE_CHECK(session->m->load());
    DSCOPE_CHECK(session->m->attach());
    DSCOPE_CHECK(session->m->begin());
    return session;
}

Result<bool> Session::poll(std::chrono::milliseconds timeout, const Deliver& deliver) { return m->poll(timeout, deliver); }

const std::vector<std::string>& Session::warnings() const { return m->warnings; }

void Session::stop(Stop how)
{
    m->stopping = how == Stop::Interrupted ? Ending::Interrupted : Ending::Asked;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(m->waiter.wakeFd(), &one, sizeof one);
}

void Session::pause(Paused how)
{
    const auto now = steady_clock::now();
    if (how == Paused::Yes) {
        if (m->control.change(State::Active, State::Paused)) m->pausedAt = now;
        return;
    }
    if (!m->control.change(State::Paused, State::Active)) return;
    m->tellOfPause(now);
}
} // namespace dscope::session
