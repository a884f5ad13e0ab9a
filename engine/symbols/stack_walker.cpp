#include "engine/symbols/stack_walker.h"
#include "engine/base/process_end.h"
#include "engine/symbols/frame_names.h"
#include "engine/symbols/frame_step.h"
#include "engine/symbols/kallsyms.h"
#include "engine/symbols/known_processes.h"
#include "engine/symbols/walk_table.h"
#include <algorithm>
#include <chrono>
#include <fcntl.h>
#include <unistd.h>
namespace dscope::symbols {
using Clock = std::chrono::steady_clock;
using record::Frame;

namespace {
constexpr auto kKernelPause = std::chrono::seconds(1); // between looks at kallsyms, for modules and BPF programs

/// Code of a process behind a return address, as it is now; 0 where it is not there.
std::uint64_t codeAt(const host::Host& host, std::uint32_t pid, std::uint64_t address)
{
    const auto memory = host.open("/proc/" + std::to_string(pid) + "/mem", O_RDONLY);
    std::uint64_t code = 0;
    if (!memory || ::pread(memory.get(), &code, sizeof code, static_cast<off_t>(address)) < 0) return 0;
    return code;
}

/// Whether the rule leads to another stack, by memory.
bool isSwitch(const FrameRule& rule, const FrameRows& rows)
{
    constexpr std::uint64_t kKinds = (1U << object::kCfaShift) - 1;
    return rule.cfa == FrameRule::Cfa::Expression
        && (walkRuleOf(rule, rows) & kKinds) == static_cast<std::uint64_t>(object::WalkKind::Switch);
}

/// One step outwards; `exact`: whether the new instruction pointer was interrupted rather than calling; `guessed`:
/// whether nothing but the frame pointer led there, or code that returns there. `calledFrom`: gives the code at a return address.
template <typename CalledFrom>
Step stepFrom(
    Mapping* mapping, std::uint64_t pc, const StackCopy& stack, FrameState& state, const CalledFrom& calledFrom, bool& exact, bool& guessed)
{
    const bool isPlace = pc == state[Column::ReturnAddress];
    exact = guessed = false;
    if (mapping && mapping->module) {
        mapping->module->setWalked();
        const auto at = pc - mapping->displacement;
        if (const auto end = mapping->module->stackEndAt(at, isPlace))
            return *end == object::walkRule(object::WalkKind::End) ? Step::Outermost : Step::Switched;
        const auto& rows = mapping->module->frames().at(at);
        if (const auto* rule = rows.find(at)) {
            exact = rule->signal != 0;
            if (rule->elsewhere != 0)
                return (*rule)[Column::ReturnAddress].kind == ColumnRule::Kind::Undefined ? Step::Outermost : Step::Switched;
            // There the rule leads to the frame record that the kernel pushed, beyond what was interrupted.
            if (kHasLink && exact) return stepBySignalFrame(stack, state);
            const bool needsStack = rule->cfa == FrameRule::Cfa::Register && rule->cfaRegister == kDwarfRsp
                && (*rule)[Column::ReturnAddress].kind != ColumnRule::Kind::Undefined;
            guessed = state.isBound && needsStack;
            if (guessed) return stepByFramePointer(stack, state);
            const auto step = stepByRule(*rule, rows, stack, state);
            return step == Step::Lost && isSwitch(*rule, rows) ? Step::Switched : step;
        }
        if (mapping->module->restorerAt(state[Column::ReturnAddress] - mapping->displacement)) {
            exact = true;
            return stepBySignalFrame(stack, state);
        }
        if (mapping->module->isStubAt(at)) return stepFromEntry(stack, state);
    }
    guessed = true;
    if (const auto code = mapping && !isPlace ? calledFrom(state[Column::ReturnAddress]) : 0)
        if (const auto step = stepByReturn(code, stack, state)) return *step;
    return stepByFramePointer(stack, state);
}

} // namespace

struct Symbolizer::Impl {
    explicit Impl(const host::Host& h) : host(h), modules(h), jit(h), processes(h, modules, jit), names(processes, modules, jit) { }
    const host::Host& host;
    Modules modules;
    JitNames jit;
    KnownProcesses processes;
    FrameNames names;
    bool hasThreads = false; ///< of servers that are asked, or of source lines
    std::unique_ptr<Kallsyms> kallsyms;
    Clock::time_point kallsymsRead{};
};

Symbolizer::Symbolizer(const host::Host& host) : m(std::make_unique<Impl>(host)) { }
Symbolizer::~Symbolizer()
{
    if (!m->hasThreads) leaveIfProcessEnds(m);
}

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

    auto& process = m->processes.of(pid);
    const StackCopy stack{context.sp, context.stack, context.restFrom, context.holes};
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
    const auto calledFrom = [&](std::uint64_t address) { return codeAt(m->host, pid, address); };
    while (result.size() < limit) {
        const auto pc = state[Column::ReturnAddress] - (exact ? 0 : 1);
        const auto sp = state.sp;
        auto* mapping = m->processes.mapping(pid, process, pc);
        bool interrupted = false, guessed = false;
        if (!mapping && result.size() == 1) {
            // A call through a bad pointer: nothing was executed there, so the return address is on top of the stack.
            const auto top = kHasLink ? std::optional(codeAddress(state[Column::Link])) : stack.word(sp);
            if (!top || !m->processes.mapping(pid, process, *top - 1)) return ends(WalkEnd::NoMapping);
            stepFromEntry(stack, state);
        } else {
            const auto frame = state[Column::Rbp];
            const auto step = stepFrom(mapping, pc, stack, state, calledFrom, interrupted, guessed);
            if (step == Step::Outermost || (step == Step::Lost && guessed && frame == 0 && !exact)) return ends(WalkEnd::Outermost);
            if (step == Step::Switched) return ends(WalkEnd::Switched);
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
        if (!guessed && !interrupted && !m->processes.mapping(pid, process, caller - 1))
            return ends(state.knows(Column::Rbp) && state[Column::Rbp] == 0 ? WalkEnd::Outermost : WalkEnd::NoMapping);
        result.push_back(caller);
        exact = interrupted;
    }
    return unwound;
}

std::optional<Symbolizer::Place> Symbolizer::place(std::uint32_t pid, std::uint64_t address)
{
    const auto* found = m->processes.mapping(pid, m->processes.of(pid), address);
    if (!found || !found->module) return {};
    return Place{found->module, address - found->displacement};
}

std::vector<Mapping> Symbolizer::mapped(std::uint32_t pid, Which which) { return m->processes.mapped(pid, which); }

record::FrameList Symbolizer::name(std::uint32_t pid, std::span<const std::uint64_t> addresses, std::optional<record::Truncation> cut)
{
    return m->names.name(pid, addresses, cut);
}

record::FrameList Symbolizer::name(const HeldStack& stack, std::optional<record::Truncation> cut) { return m->names.name(stack, cut); }

std::optional<HeldStack> Symbolizer::hold(std::uint32_t pid, std::span<const std::uint64_t> addresses)
{
    return m->names.hold(pid, addresses);
}

bool Symbolizer::holdsMuch() const { return m->names.holdsMuch(); }

Frame Symbolizer::user(std::uint32_t pid, std::uint64_t address, Address kind) { return m->names.user(pid, address, kind); }

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

bool Symbolizer::kernelHidesNames() const { return m->kallsyms && !m->kallsyms->known(); }
std::optional<std::uint32_t> Symbolizer::javaWithoutNames() const { return m->names.javaWithoutNames(); }
std::optional<std::uint32_t> Symbolizer::javaWithoutCallers() const { return m->names.javaWithoutCallers(); }
void Symbolizer::leaveOutFunctions() { m->names.leaveOutFunctions(); }

void Symbolizer::askServers(std::shared_ptr<Debuginfod> servers)
{
    m->hasThreads = m->hasThreads || servers != nullptr;
    m->names.expectNames(servers != nullptr);
    m->modules.askServers(std::move(servers));
}

void Symbolizer::forgetRules() { m->modules.forgetRules(); }
void Symbolizer::forgetSymbols() { m->modules.forgetSymbols(); }
void Symbolizer::lookIn(std::string folders) { m->modules.lookIn(std::move(folders)); }
void Symbolizer::tellLines(std::shared_ptr<SourceLines> lines)
{
    m->hasThreads = true;
    m->modules.tellLines(std::move(lines));
}
void Symbolizer::attend(std::uint32_t pid) { m->processes.attend(pid); }
void Symbolizer::meet(std::uint32_t pid) { m->processes.of(pid); }
void Symbolizer::forked(std::uint32_t parent, std::uint32_t child) { m->processes.forked(parent, child); }
void Symbolizer::execed(std::uint32_t pid) { m->processes.execed(pid); }
void Symbolizer::exited(std::uint32_t pid) { m->processes.exited(pid); }
void Symbolizer::prepare(MapEvent& event, std::uint64_t when) { m->processes.prepare(event, when); }
void Symbolizer::follow(const MapEvent& event) { m->processes.follow(event); }
std::size_t Symbolizer::living() const { return m->processes.living(); }
} // namespace dscope::symbols
