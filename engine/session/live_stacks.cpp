#include "engine/session/live_stacks.h"
#include "engine/base/descriptor_limit.h"
#include "engine/object/raw.h"
#include "engine/session/clocks.h"
#include <algorithm>
#include <charconv>
#include <unistd.h>
#include <utility>
namespace dscope::session {
namespace {
using symbols::Symbolizer;
using Which = Symbolizer::Which;
using Address = Symbolizer::Address;
// A record gets its time when its probe fires, and is seen when it was written whole.
constexpr std::uint64_t kWriting = 5'000'000;
constexpr auto kUnnoticedPause = std::chrono::seconds(60); // between looks for processes whose end was not reported
/// How a tracepoint gets to us differs: these lie between where several listen, or the compiler made no tail call.
/// Source: include/linux/tracepoint.h, include/trace/bpf_probe.h
bool callsListeners(const record::Frame& frame)
{
    return frame.function.starts_with("__traceiter_") || frame.function.starts_with("__bpf_trace_");
}
/// The process that a folder of /proc is about.
std::optional<std::uint32_t> processOf(std::string_view folder)
{
    std::uint32_t pid = 0;
    const auto [end, error] = std::from_chars(folder.data(), folder.data() + folder.size(), pid);
    if (error != std::errc{} || end != folder.data() + folder.size()) return {};
    return pid;
}
/// Why a stack is shown as cut that was walked until there.
std::optional<record::Truncation> cutBy(object::WalkEnd end)
{
    using object::WalkEnd;
    using record::Truncation;
    switch (end) {
    case WalkEnd::Outermost:
    case WalkEnd::Asked: return {};
    case WalkEnd::Limit: return Truncation::TooDeep;
    case WalkEnd::NoCaller: return unopened() > 0 ? Truncation::NoTable : Truncation::NoCaller; // nobody knows what the code has
    case WalkEnd::Switched: return Truncation::Switched;
    case WalkEnd::NoSpace:
    case WalkEnd::NoMapping:
    case WalkEnd::NoTable:
    case WalkEnd::NoPage:
    case WalkEnd::NoRule: return Truncation::NoTable;
    default: return Truncation::BadMemory;
    }
}
std::uint64_t nanoseconds(record::Nanoseconds when) { return static_cast<std::uint64_t>(when.count()); }
} // namespace

LiveStacks::LiveStacks(const host::Host& host) : m_host(host), m_symbolizer(host) { }

void LiveStacks::begin()
{
    auto events = symbols::MapEvents::open(m_host);
    if (!events) return;
    m_events = *std::move(events);
    // The processes that exist already. From now on every process is known, or is the child of a known one.
    const auto processes = m_host.entries("/proc");
    if (!processes) return;
    for (const auto& name : *processes)
        if (const auto pid = processOf(name)) m_symbolizer.meet(*pid);
}

Result<> LiveStacks::fetchDebugFiles()
{
    DSCOPE_TRY(m_servers, symbols::Debuginfod::start());
    m_symbolizer.askServers(m_servers);
    return {};
}

Result<> LiveStacks::tellLines()
{
    DSCOPE_TRY(auto lines, symbols::SourceLines::start());
    m_symbolizer.tellLines(std::move(lines));
    return {};
}

std::size_t LiveStacks::awaitDebugFiles(std::chrono::milliseconds most)
{
    if (!m_servers) return 0;
    m_servers->await(most);
    return m_servers->underWay();
}

void LiveStacks::listen()
{
    m_heard = nanoseconds(monotonicNow());
    m_events->drain([this](const symbols::TimedMapEvent& event) {
        auto heard = event;
        m_symbolizer.prepare(heard.event, heard.when);
        const auto place = std::upper_bound(m_upcoming.begin(), m_upcoming.end(), heard.when,
            [](std::uint64_t when, const symbols::TimedMapEvent& other) { return when < other.when; });
        m_upcoming.insert(place, std::move(heard));
    });
}

void LiveStacks::apply(std::uint64_t until)
{
    for (; !m_upcoming.empty() && m_upcoming.front().when <= until; m_upcoming.pop_front()) {
        const auto& event = m_upcoming.front().event;
        m_symbolizer.follow(event);
        if (!m_tables) continue;
        if (const auto* forked = std::get_if<symbols::Forked>(&event)) m_parents[forked->pid] = forked->parent;
        if (const auto* execed = std::get_if<symbols::Execed>(&event)) m_parents.erase(execed->pid);
        if (const auto* exited = std::get_if<symbols::Exited>(&event)) {
            m_parents.erase(exited->pid);
            if (m_installed.erase(exited->pid) != 0) m_tables->remove(exited->pid);
        }
    }
}

void LiveStacks::reach(record::Nanoseconds when)
{
    if (!m_events) return;
    if (nanoseconds(when) > m_heard) listen();
    apply(nanoseconds(when));
}

void LiveStacks::settle(record::Nanoseconds when)
{
    if (!m_events) return;
    listen();
    apply(nanoseconds(when) - kWriting);

    const auto now = std::chrono::steady_clock::now();
    if (now - m_unnoticedForgotten < kUnnoticedPause) return;
    m_unnoticedForgotten = now;
    forgetUnnoticed();
}

/// The kernel reports the end of most processes; events that were lost, or came before a late record, leave some behind.
void LiveStacks::forgetUnnoticed()
{
    if (!m_tables) return;
    const auto folders = m_host.entries("/proc");
    if (!folders) return;
    std::unordered_set<std::uint32_t> running;
    for (const auto& folder : *folders)
        if (const auto pid = processOf(folder)) running.insert(*pid);
    const auto isGone = [&](const auto& process) { return !running.contains(process.first); };

    for (const auto& process : m_installed)
        if (isGone(process)) m_tables->remove(process.first);
    std::erase_if(m_installed, isGone);
    std::erase_if(m_parents, isGone);
}

void LiveStacks::attend(std::uint32_t pid)
{
    // Without events /proc is read, though it may show a later state than the one asked about.
    if (!m_events && m_attended.insert(pid).second) m_symbolizer.attend(pid);
}

record::FrameList LiveStacks::kernel(std::span<const std::uint64_t> addresses)
{
    std::vector<record::Frame> frames;
    frames.reserve(addresses.size());
    for (const auto address : addresses)
        frames.push_back(m_symbolizer.kernel(address, frames.empty() ? Address::Place : Address::Return));
    const auto first = std::find_if_not(frames.begin(), frames.end(), callsListeners);
    if (first != frames.end()) frames.erase(frames.begin(), first);
    return frames;
}

/// A stack that was walked, and is named when that is asked for.
class LiveStacks::Walk final : public decode::StackNamer::Held {
public:
    Walk(symbols::Symbolizer& symbolizer, symbols::HeldStack stack, object::WalkEnd end)
        : m_symbolizer(symbolizer), m_stack(std::move(stack)), m_end(end)
    {
    }
    record::FrameList name() override { return m_symbolizer.name(m_stack, cutBy(m_end)); }
    std::span<const std::uint64_t> places() const override { return m_stack.places(); }

private:
    symbols::Symbolizer& m_symbolizer;
    symbols::HeldStack m_stack;
    object::WalkEnd m_end;
};

/// The addresses of a copied stack, none of a thread of the kernel's.
LiveStacks::Unwound LiveStacks::unwound(std::uint32_t pid, ByteView raw, const object::Object::RawField& field)
{
    const auto head = readAt<object::RawUserStack>(raw, 0);
    if ((head.flags & object::kKernelThread) != 0 || field.limit == 0) return {};
    attend(pid);
    const auto why = static_cast<object::WalkEnd>(head.flags >> object::kCopiedShift);
    symbols::UserContext context{head.ip, head.sp, head.bp, head.bx, head.r12, head.r13, head.r14, head.r15, {}, head.restFrom, head.holes};
    context.stack = raw.subspan(std::min(raw.size(), sizeof head));
    context.stack = context.stack.first(std::min<std::size_t>(context.stack.size(), head.length));
    // Of a process that nothing is known of its large files' tables are asked for at once: they are made while this stack is unwound.
    if (m_tables && why >= object::WalkEnd::NoSpace && why <= object::WalkEnd::NoPage && !m_installed.contains(pid)) {
        wantTables(pid, why, Which::All);
        if (m_refused) m_refused = installDue();
    }
    auto [addresses, end] = m_symbolizer.unwind(pid, context, field.limit);
    if (m_tables) {
        wantTables(pid, why, Which::Walked);
        if (why >= object::WalkEnd::NoSpace && why <= object::WalkEnd::NoPage)
            loadRows(pid, addresses, head.stopped, end == object::WalkEnd::BadMemory ? Needed::Now : Needed::Soon);
        // Before anything is named: for that a large file's symbols may have to be read, and until then each firing sends a copy.
        if (m_refused) m_refused = installDue();
    }
    if (end == object::WalkEnd::Limit) end = field.atLimit;
    return {std::move(addresses), end};
}

record::FrameList LiveStacks::user(std::uint32_t pid, ByteView raw, const object::Object::RawField& field)
{
    const auto [addresses, end] = unwound(pid, raw, field);
    return addresses.empty() ? record::FrameList() : named(pid, addresses, end);
}

decode::StackNamer::Copied LiveStacks::copied(std::uint32_t pid, ByteView raw, const object::Object::RawField& field)
{
    const auto [addresses, end] = unwound(pid, raw, field);
    if (addresses.empty()) return {};
    auto stack = m_symbolizer.hold(pid, addresses);
    if (!stack) return {nullptr, {}, named(pid, addresses, end)};
    record::Digest digest{static_cast<std::uint64_t>(end), 0x5bd1e995};
    for (const auto place : stack->places())
        digest = digest.then({place, place});
    return {std::make_unique<Walk>(m_symbolizer, *std::move(stack), end), digest, {}};
}

record::FrameList LiveStacks::walked(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end)
{
    DSCOPE_ASSERT(end != object::WalkEnd::Differs);
    if (addresses.empty()) return {}; // a thread of the kernel's
    attend(pid);
    return named(pid, addresses, end);
}

/// The frames, and after them why there are no more where there are.
record::FrameList LiveStacks::named(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end)
{
    return m_symbolizer.name(pid, addresses, cutBy(end));
}

std::unique_ptr<decode::StackNamer::Held> LiveStacks::hold(std::uint32_t pid, std::span<const std::uint64_t> addresses, object::WalkEnd end)
{
    if (addresses.empty()) return nullptr;
    attend(pid);
    auto stack = m_symbolizer.hold(pid, addresses);
    if (!stack) return nullptr;
    return std::make_unique<Walk>(m_symbolizer, *std::move(stack), end);
}

void LiveStacks::unwalked(std::uint32_t pid, object::WalkEnd end, std::uint64_t stopped)
{
    if (!m_tables) return;
    // Without a copy, which walks through them, it is not known which files are needed.
    wantTables(pid, end, Which::All);
    if (const auto wanting = m_wanting.find(pid); wanting != m_wanting.end()) wanting->second.begins = true;
    loadRows(pid, {}, stopped, Needed::Now);
}

void LiveStacks::wantTables(std::uint32_t pid, object::WalkEnd why, Which which)
{
    using object::WalkEnd;
    m_hadNoTables = true;
    // What was mapped there before may still be in the midst of giving way.
    constexpr auto kChanging = std::chrono::milliseconds(20), kAgain = std::chrono::milliseconds(5);
    const auto now = std::chrono::steady_clock::now();
    Wanting wanting{now, which};
    switch (why) {
    case WalkEnd::NoSpace:
        // Its parent hands on to the next child what is known of it.
        if (const auto parent = m_parents.find(pid); parent != m_parents.end() && !m_installed.contains(parent->second))
            m_wanting.try_emplace(parent->second, wanting);
        break;
    case WalkEnd::NoMapping: break;
    case WalkEnd::NoTable: wanting.which = Which::All; break;
    case WalkEnd::Changed: wanting.due = now + kChanging; break;
    default: return;
    }

    if (const auto installed = m_installed.find(pid); installed != m_installed.end()) {
        wanting.due = std::max(wanting.due, installed->second.when + kAgain);
        if (installed->second.all) wanting.which = Which::All;
    }
    const auto [known, isNew] = m_wanting.try_emplace(pid, wanting);
    if (!isNew && wanting.which == Which::All) known->second.which = Which::All;
}

/// The kernel is to know the code that this stack went through, and where its own walk stopped: a copy may not reach that far. Files whose
/// whole tables are under way are left out, so that copies are read as fast as they come; but not where a copy does not do.
void LiveStacks::loadRows(std::uint32_t pid, std::span<const std::uint64_t> addresses, std::uint64_t stopped, Needed needed)
{
    constexpr auto kPart = symbols::FrameParts::kPart;
    std::uint64_t last = 0;
    const auto comes
        = [&](const std::shared_ptr<symbols::Module>& module) { return needed == Needed::Soon && m_maker->isUnderWay(module); };
    const auto load = [&](std::uint64_t address) {
        if (address / kPart == last / kPart) return true; // or nearly so; what is left out comes with the next stack
        last = address;
        const auto place = m_symbolizer.place(pid, address);
        return !place || comes(place->module) || m_tables->load(place->module, place->address);
    };

    const auto loadMissed = [&] {
        last = stopped;
        const auto place = m_symbolizer.place(pid, stopped);
        return !place || comes(place->module) || m_tables->loadMissed(place->module, place->address);
    };

    bool fits = stopped == 0 || loadMissed();
    for (std::size_t i = 0; i < addresses.size() && fits; ++i)
        fits = load(i == 0 ? addresses[i] : addresses[i] - 1);
    // More code is in use than there is room for: begin anew, with what is used from now on. Not again and again.
    constexpr auto kPause = std::chrono::seconds(1);
    const auto now = std::chrono::steady_clock::now();
    if (fits || now - m_forgotten < kPause) return;
    m_forgotten = now;
    forgetTables();
}

/// What was installed is not there any more: children of those processes have nothing to be walked by, either.
void LiveStacks::forgetTables()
{
    m_tables->forgetAll();
    m_maker->forget();
    m_installed.clear();
}

int LiveStacks::walkBy(WalkTables tables, const std::string& cache)
{
    m_tables.emplace(std::move(tables));
    m_maker = std::make_unique<TableMaker>(cache, m_tables->mostOfFile());
    return m_maker->fd();
}

/// The rows of all code of files that stacks go through, or soon will: until they are there, stacks are copied, one after the other.
void LiveStacks::wantWhole(std::span<const symbols::Mapping> mappings, Wanted wanted)
{
    constexpr std::uint64_t kLarge = 4 << 20; // bytes of code
    for (const auto& mapping : mappings) {
        if (!mapping.module) continue;
        if (wanted == Wanted::Likely && !mapping.module->isWalked() && mapping.end - mapping.start < kLarge) continue;
        if (!m_maker->want(mapping.module)) m_tables->load(mapping.module, mapping.start - mapping.displacement);
    }
}

void LiveStacks::loadMade()
{
    for (const auto& [module, table] : m_maker->take())
        if (!table.rows.empty() && !m_tables->loadWhole(module, table)) m_maker->leaveOut(module); // what is met is loaded in parts
}

Result<> LiveStacks::installAll(const std::function<bool()>& isOver)
{
    DSCOPE_CHECK(install());
    constexpr auto kMost = std::chrono::seconds(5);
    m_maker->await(kMost, isOver);
    loadMade();
    return {};
}

std::vector<int> LiveStacks::prepareFor(std::uint32_t pid)
{
    if (!m_tables) return {};
    auto events = symbols::MapEvents::open(m_host, pid);
    if (!events) return {}; // its tables come with its first stacks
    m_targets.push_back(*std::move(events));
    m_wanting[pid] = {std::chrono::steady_clock::now(), Which::All, true};
    return m_targets.back()->fds();
}

Result<> LiveStacks::install()
{
    if (!m_refused) return std::exchange(m_refused, Result<>());
    return installDue();
}

Result<> LiveStacks::installDue()
{
    for (const auto& target : m_targets)
        target->drain([this](const symbols::TimedMapEvent& event) {
            if (const auto* mapped = std::get_if<symbols::Mapped>(&event.event)) m_wanting[mapped->pid] = {{}, Which::All, true};
        });
    if (!m_tables) return {};
    loadMade();
    if (m_wanting.empty()) return {};
    const auto now = std::chrono::steady_clock::now();
    for (auto it = m_wanting.begin(); it != m_wanting.end();) {
        const auto [pid, wanting] = *it;
        if (wanting.due > now) {
            ++it;
            continue;
        }
        it = m_wanting.erase(it);
        const auto epoch = m_tables->epoch(pid);
        const auto mappings = m_symbolizer.mapped(pid, wanting.which);
        if (mappings.empty()) continue;
        if (!m_tables->hasRoomFor(mappings)) forgetTables();
        DSCOPE_CHECK(m_tables->install(pid, epoch, mappings));
        wantWhole(mappings, wanting.begins ? Wanted::All : Wanted::Likely);
        m_installed[pid] = {now, wanting.which == Which::All};
    }
    return {};
}

record::Frame LiveStacks::kernelSymbol(std::uint64_t address) { return m_symbolizer.kernel(address); }
record::Frame LiveStacks::userSymbol(std::uint32_t pid, std::uint64_t address)
{
    attend(pid);
    return m_symbolizer.user(pid, address);
}

void LiveStacks::follow(const record::ProcessEvent& event)
{
    using Kind = record::ProcessEvent::Kind;
    if (m_events) return;
    switch (event.kind) {
    case Kind::Existing: attend(event.pid); break;
    case Kind::Fork: m_symbolizer.forked(event.parent, event.pid); break;
    case Kind::Exec:
        // Its libraries are mapped a moment later. Missing mappings are read when an address lies in none.
        m_symbolizer.execed(event.pid);
        m_symbolizer.attend(event.pid);
        m_attended.insert(event.pid);
        break;
    case Kind::Exit:
        m_symbolizer.exited(event.pid);
        m_attended.erase(event.pid);
        break;
    case Kind::ExecFailed: break;
    }
}
} // namespace dscope::session
