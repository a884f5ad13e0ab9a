#include "engine/symbols/stack_walker.h"
#include "engine/symbols/frame_step.h"
#include "engine/symbols/jit_names.h"
#include "engine/symbols/kallsyms.h"
#include "engine/symbols/mapped_ranges.h"
#include "engine/symbols/modules.h"
#include "engine/symbols/named_stacks.h"
#include <algorithm>
#include <chrono>
#include <deque>
#include <unordered_map>
namespace dscope::symbols {
using Clock = std::chrono::steady_clock;
using record::Frame;

namespace {
// Between looks at the maps of one process: none while looking helps (it has just been exec'ed and loads its libraries),
// twice as long after each look in vain.
constexpr auto kFirstPause = std::chrono::milliseconds(1), kLongestPause = std::chrono::milliseconds(200);
constexpr auto kAttendPause = std::chrono::milliseconds(50);
constexpr auto kKernelPause = std::chrono::seconds(1); // between looks at kallsyms, for modules and BPF programs
constexpr auto kKeepExited = std::chrono::seconds(10); // records of a process that is gone are long through by then
constexpr auto kRoomPause = std::chrono::seconds(1);
constexpr auto kUnnoticedPause = std::chrono::seconds(60); // between looks for processes that ended without a word
constexpr std::size_t kMostExited = 4096;
constexpr std::size_t kMostFrames = 1U << 16U; // kept with their names; they take some 20 MB

struct Process {
    ProcessMaps maps;
    ProcessMaps before; // the last exec: until that returns, the thread is where it called it, and nothing can be unwound
    NamedStacks named;
    Clock::time_point read{};
    Clock::duration pause{};
    bool exited = false;
    bool unnamedTold = false; // generated code of this process was found to have no names
};
} // namespace

struct Symbolizer::Impl {
    explicit Impl(const host::Host& h) : host(h), modules(h), jit(h) { }
    const host::Host& host;
    Modules modules;
    JitNames jit;
    std::optional<std::uint32_t> unnamedJava; // the first such process
    std::unordered_map<std::uint32_t, Process> processes;
    std::deque<std::pair<Clock::time_point, std::uint32_t>> exited; // oldest first
    std::unique_ptr<Kallsyms> kallsyms;
    Clock::time_point kallsymsRead{};
    Clock::time_point roomMade{}, unnoticedDropped = Clock::now();
    bool following = false; // MapEvents tell of processes
    bool functions = true;  // are named
    bool namesMayCome = false; // of the debug files that servers are asked for
    FrameStore frames;
    std::shared_ptr<HeldFiles> held = std::make_shared<HeldFiles>();
    std::vector<HeldFiles::Place> holding;            // of the stack that is asked about
    NamedStacks heldNames;                            // by place
    const std::vector<SourcePlace>* places = nullptr; // of the last frame(); null: none
    bool stays = false;                               // the last frame() is the same as long as the process has that mapped

    void readMaps(std::uint32_t pid, Process& process)
    {
        process.read = Clock::now();
        modules.forgetProgram(pid);
        auto maps = mappedRanges(host, pid);
        if (!maps || maps->all().empty()) return; // gone, or a zombie: keep what we know
        maps->inherit(process.maps);
        process.maps = *std::move(maps);
        process.named.clear();
        process.exited = false;
    }

    Process& process(std::uint32_t pid)
    {
        auto& p = processes[pid];
        if (p.read == Clock::time_point{}) readMaps(pid, p);
        return p;
    }

    Mapping* mapping(std::uint32_t pid, Process& process, std::uint64_t address)
    {
        auto* found = process.maps.find(address);
        if (!found && Clock::now() - process.read >= process.pause) {
            readMaps(pid, process);
            found = process.maps.find(address);
            process.pause = found ? Clock::duration{} : std::clamp<Clock::duration>(process.pause * 2, kFirstPause, kLongestPause);
        }
        if (found) modules.resolve(pid, *found);
        return found;
    }

    /// One step outwards; `exact`: whether the new instruction pointer was interrupted rather than calling; `guessed`:
    /// whether nothing but the frame pointer led there.
    Step step(Mapping* mapping, std::uint64_t pc, const StackCopy& stack, FrameState& state, bool& exact, bool& guessed)
    {
        exact = guessed = false;
        if (mapping && mapping->module) {
            mapping->module->setWalked();
            const auto at = pc - mapping->displacement;
            if (mapping->module->endsStackAt(at)) return Step::Outermost;
            const auto& rows = mapping->module->frames().around(at);
            if (const auto* rule = rows.find(at)) {
                exact = rule->signal != 0;
                // There the rule leads to the frame record that the kernel pushed, beyond what was interrupted.
                if (kHasLink && exact) return stepBySignalFrame(stack, state);
                return stepByRule(*rule, rows, stack, state);
            }
            if (mapping->module->restorerAt(state[Column::ReturnAddress] - mapping->displacement)) {
                exact = true;
                return stepBySignalFrame(stack, state);
            }
        }
        guessed = true;
        return stepByFramePointer(stack, state);
    }

    void fork(std::uint32_t parent, std::uint32_t child);
    void exit(std::uint32_t pid);

    void dropExited()
    {
        const auto now = Clock::now();
        while (!exited.empty() && (now - exited.front().first > kKeepExited || exited.size() > kMostExited)) {
            const auto gone = processes.find(exited.front().second);
            if (gone != processes.end() && gone->second.exited) {
                processes.erase(gone);
                jit.forget(exited.front().second);
            }
            exited.pop_front();
        }
        if (now - roomMade < kRoomPause) return;
        roomMade = now;
        modules.makeRoom();

        // A record that comes after all makes a process known anew that ended long ago.
        if (now - unnoticedDropped < kUnnoticedPause) return;
        unnoticedDropped = now;
        dropUnnoticed();
    }

    void nameGenerated(std::uint32_t pid, Process& process, std::uint64_t lookup, Frame& frame);
    void dropUnnoticed();
    Frame frame(std::uint32_t pid, std::uint64_t address, bool isReturnAddress, bool& signal, bool alone = false);
    Frame frameOf(Module& module, bool main, std::uint64_t displacement, std::uint64_t address, std::uint64_t lookup, bool& signal);
    void boundFrames();
    class Asked;
    class Held;
};

Symbolizer::Symbolizer(const host::Host& host) : m(std::make_unique<Impl>(host)) { }
Symbolizer::~Symbolizer() = default;

Symbolizer::Unwound Symbolizer::unwind(std::uint32_t pid, const UserContext& context, std::uint32_t limit)
{
    using object::WalkEnd;
    Unwound unwound;
    auto& result = unwound.addresses;
    if (limit == 0) return unwound;
    const auto ends = [&](WalkEnd why) {
        unwound.end = why;
        return std::move(unwound);
    };

    auto& process = m->process(pid);
    const StackCopy stack{context.sp, context.stack};
    FrameState state;
    state.sp = context.sp;
    state.know(Column::ReturnAddress, context.ip);
    state.know(Column::Rbp, context.bp);
    state.know(Column::Rbx, context.bx);
    state.know(Column::R12, context.r12);
    state.know(Column::R13, context.r13);
    state.know(Column::R14, context.r14);
    state.know(Column::R15, context.r15);
    result.reserve(std::min<std::uint32_t>(limit, 64));
    result.push_back(context.ip);
    bool exact = true;
    while (result.size() < limit) {
        const auto pc = state[Column::ReturnAddress] - (exact ? 0 : 1);
        const auto sp = state.sp;
        auto* mapping = m->mapping(pid, process, pc);
        bool interrupted = false, guessed = false;
        if (!mapping && result.size() == 1) {
            // A call through a bad pointer: nothing was executed there, so the return address is on top of the stack.
            const auto top = kHasLink ? std::optional(codeAddress(state[Column::Link])) : stack.word(sp);
            if (!top || !m->mapping(pid, process, *top - 1)) return ends(WalkEnd::NoMapping);
            state.know(Column::ReturnAddress, *top);
            if (kHasLink)
                state.forget(Column::Link);
            else
                state.sp += 8;
        } else {
            const auto frame = state[Column::Rbp];
            const auto step = m->step(mapping, pc, stack, state, interrupted, guessed);
            if (step == Step::Outermost || (step == Step::Lost && guessed && frame == 0)) return ends(WalkEnd::Outermost);
            if (step == Step::Lost) return ends(guessed ? WalkEnd::NoCaller : WalkEnd::BadMemory);
        }
        const auto caller = state[Column::ReturnAddress];
        // Outer frames lie at higher addresses; a signal handler may run on a stack of its own.
        if (caller == 0) return ends(WalkEnd::Outermost);
        // A function that calls none may have none of the stack.
        const bool isLeaf = kHasLink && exact && state.sp == sp;
        if (state.sp <= sp && !interrupted && !isLeaf) return ends(WalkEnd::BadMemory);
        if (guessed && !process.maps.find(caller - 1)) return ends(WalkEnd::NoCaller);
        // Tables that do not tell of the outermost frame, or of a change of stacks (Go's), lead to what is no code, and is no frame.
        if (!guessed && !interrupted && !m->mapping(pid, process, caller - 1))
            return ends(state.knows(Column::Rbp) && state[Column::Rbp] == 0 ? WalkEnd::Outermost : WalkEnd::NoMapping);
        result.push_back(caller);
        exact = interrupted;
    }
    return unwound;
}

std::optional<Symbolizer::Place> Symbolizer::place(std::uint32_t pid, std::uint64_t address)
{
    const auto* found = m->mapping(pid, m->process(pid), address);
    if (!found || !found->module) return {};
    return Place{found->module, address - found->displacement};
}

std::vector<Mapping> Symbolizer::mapped(std::uint32_t pid, Which which)
{
    auto maps = mappedRanges(m->host, pid);
    if (!maps) return {};
    if (const auto known = m->processes.find(pid); known != m->processes.end()) maps->inherit(known->second.maps);
    for (auto& mapping : maps->all()) {
        if (which == Which::All) m->modules.resolve(pid, mapping);
        if (which == Which::Walked && mapping.module && !mapping.module->isWalked()) mapping.module = nullptr;
    }
    return std::move(maps->all());
}

void Symbolizer::Impl::nameGenerated(std::uint32_t pid, Process& process, std::uint64_t lookup, Frame& frame)
{
    frame.kind = Frame::Kind::Jit;
    if (!functions) return;
    if (const auto found = jit.find(pid, lookup, process.maps)) {
        frame.function = found->name;
        frame.offset = frame.address - found->start;
        return;
    }
    if (process.unnamedTold) return;
    process.unnamedTold = true;
    const auto isJvm = [](const Mapping& one) { return moduleName(one.path) == "libjvm.so"; };
    const auto& all = process.maps.all();
    if (!unnamedJava && std::any_of(all.begin(), all.end(), isJvm)) unnamedJava = pid;
}

/// The frame of an address within a file, and whether that is in a trampoline of signals.
Frame Symbolizer::Impl::frameOf(
    Module& module, bool main, std::uint64_t displacement, std::uint64_t address, std::uint64_t lookup, bool& signal)
{
    Frame frame;
    frame.address = address;
    frame.kind = main ? Frame::Kind::User : Frame::Kind::Library;
    frame.module = module.name();
    frame.code = module.code();
    frame.linked = lookup - displacement;
    places = nullptr;
    signal = false;
    if (!functions) {
        stays = true;
        frame.offset = address - displacement;
        return frame;
    }
    const auto& named = module.named(frame.linked);
    signal = named.signal;
    frame.function = named.function;
    frame.offset = named.offset;
    if (named.function.empty())
        frame.address -= displacement;
    else
        frame.offset += address - lookup;
    places = &named.places;
    stays = !namesMayCome;
    return frame;
}

Frame Symbolizer::Impl::frame(std::uint32_t pid, std::uint64_t address, bool isReturnAddress, bool& signal, bool alone)
{
    Frame frame;
    places = nullptr;
    stays = false;
    frame.address = address;
    signal = false;
    auto& owner = process(pid);
    const auto lookup = isReturnAddress ? address - 1 : address;
    auto* at = mapping(pid, owner, lookup);
    const bool isMapped = at;
    if (!at && alone && (at = owner.before.find(lookup))) modules.resolve(pid, *at);
    if (!at) return frame;
    if (at->module) {
        frame = frameOf(*at->module, at->main, at->displacement, address, lookup, signal);
        stays = stays && isMapped;
        return frame;
    }

    if (at->path == "[vsyscall]") {
        frame.kind = Frame::Kind::Library;
        frame.module = at->path;
        frame.offset = address - at->start;
        return frame;
    }

    if (at->mayBeGenerated()) {
        nameGenerated(pid, owner, lookup, frame);
        return frame;
    }

    // A file that was gone before we could open it: its name is known, and where we are in it.
    frame.kind = at->main ? Frame::Kind::User : Frame::Kind::Library;
    frame.module = moduleName(at->path);
    frame.offset = address - at->start + at->offset;
    return frame;
}

/// Names what NamedStacks asks for.
class Symbolizer::Impl::Asked : public NamedStacks::Namer {
public:
    Asked(Impl& impl, std::uint32_t pid, bool alone) : m_impl(impl), m_pid(pid), m_alone(alone) { }

    NamedStacks::Name operator()(std::uint64_t address, bool isReturnAddress, const NamedStacks::Name* known) final
    {
        // Asking may clear what is known.
        const auto before = known ? known->frames : NamedStacks::Frames();
        NamedStacks::Name name;
        auto frame = this->frame(address, isReturnAddress, name.signal);
        name.stays = m_impl.stays;
        std::vector<Frame> found;
        addFrames(found, std::move(frame), m_impl.places ? std::span<const SourcePlace>(*m_impl.places) : std::span<const SourcePlace>());
        const auto isSame = [](const Frame& one, const record::KnownFrame* other) { return one == other->frame; };
        if (std::equal(found.begin(), found.end(), before.begin(), before.end(), isSame)) {
            name.frames = before;
            return name;
        }
        for (auto& one : found)
            name.frames.push_back(m_impl.frames.add(std::move(one)));
        return name;
    }

protected:
    virtual Frame frame(std::uint64_t address, bool isReturnAddress, bool& signal)
    {
        return m_impl.frame(m_pid, address, isReturnAddress, signal, m_alone);
    }

    Impl& m_impl;

private:
    std::uint32_t m_pid;
    bool m_alone; ///< the stack's only address
};

/// Names the places of held stacks.
class Symbolizer::Impl::Held final : public Asked {
public:
    explicit Held(Impl& impl) : Asked(impl, 0, false) { }

private:
    Frame frame(std::uint64_t place, bool isReturnAddress, bool& signal) override
    {
        const auto& file = m_impl.held->file(place);
        const auto address = HeldFiles::linked(place) + file.displacement;
        return m_impl.frameOf(*file.module, file.main, file.displacement, address, isReturnAddress ? address - 1 : address, signal);
    }
};

void Symbolizer::Impl::boundFrames()
{
    if (frames.size() <= kMostFrames) return;
    frames.clear();
    heldNames.clear();
    for (auto& [number, process] : processes)
        process.named.clear();
}

record::FrameList Symbolizer::name(std::uint32_t pid, std::span<const std::uint64_t> addresses, std::optional<record::Truncation> cut)
{
    m->boundFrames();
    Impl::Asked asked(*m, pid, addresses.size() == 1);
    auto frames = m->process(pid).named.name(addresses, asked);
    if (cut) frames.push_back(m->frames.truncated(*cut));
    return m->frames.list(std::move(frames));
}

std::optional<HeldStack> Symbolizer::hold(std::uint32_t pid, std::span<const std::uint64_t> addresses)
{
    if (m->namesMayCome) return {}; // the sooner the servers are asked the better
    auto& process = m->process(pid);
    m->holding.clear();
    for (const auto address : addresses) {
        const auto* mapping = m->mapping(pid, process, address - (m->holding.empty() ? 0 : 1));
        const auto place = mapping ? m->held->place(*mapping, address) : std::nullopt;
        if (!place) {
            const HeldStack none(m->held, m->holding); // lets go of what place() has met
            return {};
        }
        m->holding.push_back(*place);
    }
    return HeldStack(m->held, m->holding);
}

bool Symbolizer::holdsMuch() const { return m->held->isMuch(); }

record::FrameList Symbolizer::name(const HeldStack& stack, std::optional<record::Truncation> cut)
{
    m->boundFrames();
    Impl::Held held(*m);
    auto frames = m->heldNames.name(stack.places(), held);
    if (cut) frames.push_back(m->frames.truncated(*cut));
    return m->frames.list(std::move(frames));
}

Frame Symbolizer::user(std::uint32_t pid, std::uint64_t address, Address kind)
{
    bool signal = false;
    return m->frame(pid, address, kind == Address::Return, signal);
}

Frame Symbolizer::kernel(std::uint64_t address, Address kind)
{
    Frame frame;
    frame.address = address;
    frame.kind = Frame::Kind::Kernel;
    const auto lookup = kind == Address::Return ? address - 1 : address;
    std::optional<Kallsyms::Named> named;
    if (m->kallsyms) named = m->kallsyms->find(lookup);
    if (const auto now = Clock::now(); !named && (!m->kallsyms || now - m->kallsymsRead >= kKernelPause)) {
        const auto text = m->host.read("/proc/kallsyms");
        m->kallsyms = std::make_unique<Kallsyms>(text ? std::string_view(*text) : std::string_view{});
        m->kallsymsRead = now;
        named = m->kallsyms->find(lookup);
    }
    if (!named) return frame;
    frame.module = named->module;
    frame.function = named->function;
    frame.offset = named->offset + (address - lookup);
    return frame;
}

std::optional<std::uint32_t> Symbolizer::javaWithoutNames() const { return m->unnamedJava; }

bool Symbolizer::kernelHidesNames() const { return m->kallsyms && !m->kallsyms->known(); }

void Symbolizer::leaveOutFunctions() { m->functions = false; }

void Symbolizer::askServers(std::shared_ptr<Debuginfod> servers)
{
    m->namesMayCome = servers != nullptr;
    m->modules.askServers(std::move(servers));
}

void Symbolizer::lookIn(std::string folders) { m->modules.lookIn(std::move(folders)); }
void Symbolizer::tellLines(std::shared_ptr<SourceLines> lines) { m->modules.tellLines(std::move(lines)); }

void Symbolizer::attend(std::uint32_t pid)
{
    auto& p = m->processes[pid];
    const auto now = Clock::now();
    if (p.read == Clock::time_point{} || p.exited || now - p.read >= kAttendPause) m->readMaps(pid, p);
    for (auto& mapping : p.maps.all())
        m->modules.resolve(pid, mapping);
}

void Symbolizer::meet(std::uint32_t pid) { m->process(pid); }

void Symbolizer::forked(std::uint32_t parent, std::uint32_t child)
{
    if (m->following) return;
    m->modules.forgetProgram(child);
    m->fork(parent, child);
}
void Symbolizer::execed(std::uint32_t pid)
{
    if (m->following) return;
    m->modules.forgetProgram(pid);
    m->processes.erase(pid);
    m->jit.forget(pid);
}
void Symbolizer::exited(std::uint32_t pid)
{
    if (!m->following) m->exit(pid);
}

void Symbolizer::Impl::fork(std::uint32_t parent, std::uint32_t child)
{
    const auto from = processes.find(parent);
    processes.erase(child); // one before it had that number
    if (from == processes.end() || from->second.read == Clock::time_point{}) return;
    Process copy;
    copy.maps = from->second.maps;
    copy.read = from->second.read;
    processes[child] = std::move(copy);
}

void Symbolizer::Impl::exit(std::uint32_t pid)
{
    const auto p = processes.find(pid);
    if (p != processes.end()) {
        p->second.exited = true;
        exited.emplace_back(Clock::now(), pid);
    } else
        jit.forget(pid);
    dropExited();
}

/// Of processes whose end was not reported, because events were lost, or had been when they were asked for.
void Symbolizer::Impl::dropUnnoticed()
{
    const auto entries = host.entries("/proc");
    if (!entries) return;
    std::vector<std::uint32_t> gone;
    for (const auto& [pid, process] : processes)
        if (!process.exited && !std::binary_search(entries->begin(), entries->end(), std::to_string(pid))) gone.push_back(pid);
    for (const auto pid : gone)
        exit(pid);
}

void Symbolizer::prepare(MapEvent& event)
{
    // configure's test programs do not live as long as their samples.
    const auto forget = [this](std::uint32_t pid) {
        m->jit.forget(pid);
        m->modules.forgetProgram(pid);
    };
    if (const auto* execed = std::get_if<Execed>(&event)) forget(execed->pid);
    if (const auto* forked = std::get_if<Forked>(&event)) forget(forked->pid);
    auto* mapped = std::get_if<Mapped>(&event);
    if (!mapped) return;
    m->jit.mapped(mapped->pid, mapped->mapping);
    // At once, as its tables are the kernel's to walk by: a process may be gone before anybody asks for a name.
    m->modules.resolve(mapped->pid, mapped->mapping);
}

void Symbolizer::follow(const MapEvent& event)
{
    m->following = true;
    if (const auto* mapped = std::get_if<Mapped>(&event)) {
        const auto p = m->processes.find(mapped->pid);
        // One that was there before us is read whole when it is first asked for.
        if (p == m->processes.end() || p->second.read == Clock::time_point{}) return;
        p->second.maps.add(mapped->mapping);
        p->second.named.clear();
    } else if (const auto* forked = std::get_if<Forked>(&event))
        m->fork(forked->parent, forked->pid);
    else if (const auto* execed = std::get_if<Execed>(&event)) {
        auto& p = m->processes[execed->pid];
        Process fresh;
        fresh.before = std::move(p.maps);
        fresh.read = Clock::now(); // its mappings follow
        p = std::move(fresh);
    } else if (const auto* exited = std::get_if<Exited>(&event))
        m->exit(exited->pid);
    else {
        m->dropUnnoticed();
        for (auto& [pid, p] : m->processes)
            if (!p.exited) p.read = Clock::time_point{} + Clock::duration(1); // known, but to be read again at the first miss
    }
}

std::size_t Symbolizer::living() const
{
    return static_cast<std::size_t>(
        std::count_if(m->processes.begin(), m->processes.end(), [](const auto& p) { return !p.second.exited; }));
}
} // namespace dscope::symbols
