#include "engine/codegen/stacks.h"
#include "engine/codegen/process_numbers.h"
#include "engine/codegen/stack_rest.h"
#include "engine/codegen/text.h"
#include "engine/codegen/walk.h"
#include "engine/host/processor.h"
#include "engine/object/raw.h"
#include "engine/object/walk.h"
#include "engine/types/stack_value.h"
#include <algorithm>
#include <bit>
namespace dscope::codegen {
namespace {
constexpr std::uint32_t kPage = 4096, kMostBytes = 16384, kBudget = 22528;
/// Bytes of ring when option bufsize is not set: a copied stack takes some kilobytes, and 100,000 a second may come; where the
/// kernel walks them, copies come until it has the tables.
constexpr std::uint32_t kRing = 32U << 20U, kRingOfWalks = 8U << 20U;
struct SavedRegister {
    std::size_t to;
    int from; ///< in struct pt_regs
};
using host::kProcessor;
constexpr SavedRegister kRegisters[] = {
    {offsetof(RawUserStack, ip), kProcessor.instruction},
    {offsetof(RawUserStack, sp), kProcessor.stack},
    {offsetof(RawUserStack, bp), kProcessor.frame},
    {offsetof(RawUserStack, bx), kProcessor.kept[0]},
    {offsetof(RawUserStack, r12), kProcessor.kept[1]},
    {offsetof(RawUserStack, r13), kProcessor.kept[2]},
    {offsetof(RawUserStack, r14), kProcessor.kept[3]},
    {offsetof(RawUserStack, r15), kProcessor.kept[4]},
};
static_assert(types::StackValue::kDepthAt == offsetof(RawStackValue, depth)
    && types::StackValue::kIsUserAt == offsetof(RawStackValue, isUser) && types::StackValue::kPidAt == offsetof(RawStackValue, pid)
    && types::StackValue::kNameBytesAt == offsetof(RawStackValue, nameBytes) && types::StackValue::kAddressesAt == sizeof(RawStackValue));
} // namespace

void kernelFrames(Firing& f, std::uint32_t frames, const std::function<void()>& place)
{
    auto& b = f.b;
    const auto get = [&](std::int32_t without, std::uint32_t most) {
        place();
        b.mov(R1, Builder::kContext);
        b.mov(R3, 8 * most);
        b.mov(R4, without);
        b.call(Helper::GetStack);
    };

    const auto* tracepoint = f.hook ? std::get_if<probe::RawTracepoint>(&f.hook->at) : nullptr;
    const auto usual = framesOfOurs(f.type) + f.framesBelow();
    const auto& all = f.unit.program.callsListeners;
    if (!tracepoint || std::none_of(all.begin(), all.end(), [&](const auto& code) { return code.tracepoint == tracepoint->name; }))
        return get(usual, frames);

    // The function that calls the program may have been left by a tail call (Debian's 6.1), and where others listen, which may change
    // at any time, another one is between it and the tracepoint. So the outermost of ours is looked at before.
    const auto done = b.label();
    const auto leaveUnlessOurs = [&](Label to) {
        const auto isOurs = b.label();
        for (const auto& code : all) {
            if (code.tracepoint != tracepoint->name) continue;
            const auto next = b.label();
            place();
            b.load(Width::B8, R1, R2, 0);
            b.mov(R2, static_cast<std::int64_t>(code.start));
            b.branch(Cond::Lt, R1, R2, next);
            b.mov(R2, static_cast<std::int64_t>(code.end));
            b.branch(Cond::Lt, R1, R2, isOurs);
            b.bind(next);
        }
        b.jump(to);
        b.bind(isOurs);
    };
    const auto none = b.label();
    get(usual - 1, 1);
    leaveUnlessOurs(none);
    get(usual, frames);
    leaveUnlessOurs(done);
    get(usual + 1, frames);
    b.jump(done);
    b.bind(none);
    get(usual - 1, frames);
    b.bind(done);
}

void kernelStack(Firing& f, std::uint32_t at, std::uint32_t frames)
{
    auto& b = f.b;
    zero(f, at, 8 * frames);
    // BEGIN and END are not places in the kernel: the stack there is that of the system call which ran them, and is left empty.
    if (f.hook && std::holds_alternative<probe::Manual>(f.hook->at)) return;
    kernelFrames(f, frames, [&] {
        b.mov(R2, Builder::kScratch);
        b.add(R2, at);
    });
}

void stackValue(Firing& f, const sema::Expr& e)
{
    using types::StackValue;
    auto& b = f.b;
    const auto room = types::framesOfStackValue(e.type);
    const auto frames = static_cast<std::uint32_t>(std::clamp<std::int64_t>(e.integer, 1, room));
    const auto at = f.allocate(StackValue::kAddressesAt + 8 * room);
    const bool isUser = e.kind == sema::ExprKind::UserStack;
    zero(f, at, StackValue::kAddressesAt + 8 * room); // equal stacks are equal keys
    if (isUser) {
        const auto bad = f.fault(record::FaultKind::BadStack);
        if (!f.unit.canWalk()) {
            b.mov(R1, 0);
            b.branch(Cond::Eq, R1, 0, bad);
            return b.mov(R0, 0);
        }
        if (f.hook && std::holds_alternative<probe::Manual>(f.hook->at)) f.unit.walksOurOwn();
        const auto result = b.temp(2);
        readUserStack(f, at + StackValue::kAddressesAt, frames, result);
        b.load(R1, result, 1);
        b.branch(Cond::Ge, R0, static_cast<std::int32_t>(WalkEnd::Busy), bad);
        b.load(R0, result, 0);
        b.store(Width::B4, Builder::kScratch, at + StackValue::kDepthAt, R0);
        b.store(Width::B4, Builder::kScratch, at + StackValue::kIsUserAt, 1);
        currentNumbers(f);
        b.alu(AluOp::Rsh, R0, 32);
        b.store(Width::B4, Builder::kScratch, at + StackValue::kPidAt, R0);
        if (e.nameBytes != 0) b.store(Width::B4, Builder::kScratch, at + StackValue::kNameBytesAt, static_cast<std::int32_t>(e.nameBytes));
    } else if (!f.hook || !std::holds_alternative<probe::Manual>(f.hook->at)) {
        kernelStack(f, at + StackValue::kAddressesAt, std::min<std::uint32_t>(frames, 127));
        b.when({R0, Cond::Slt, 0}, [&] { b.mov(R0, 0); });
        b.alu(AluOp::Rsh, R0, 3);
        b.store(Width::B4, Builder::kScratch, at + StackValue::kDepthAt, R0);
    }
    b.mov(R0, Builder::kScratch);
    b.add(R0, at);
}

bool isUserStack(const FieldPlan& field) { return field.kind == Shape::Kind::Stack && field.user; }

std::uint32_t userStackRoom(std::uint32_t payload, std::uint32_t count)
{
    if (count == 0) return 0;
    const auto room = payload < kBudget ? (kBudget - payload) / count : 0;
    return std::clamp(room / kPage * kPage, kPage, kMostBytes);
}

namespace {
/// A clause that ends the run whenever it is taken: its stacks come once.
bool alwaysExits(const sema::Clause& clause)
{
    return std::any_of(clause.body.begin(), clause.body.end(),
        [](const sema::Statement& s) { return s.kind == sema::Statement::Kind::Action && s.action == record::ActionKind::Exit; });
}
/// Bytes of ring that the user stacks of the clause which is compiled now need: as much as may come within a second, where that is
/// known: on a busy machine we get to read it no sooner, or are reading a large program's symbols. All of a ring is resident from the
/// beginning.
std::uint32_t ringFor(const Firing& f, std::uint32_t most)
{
    const auto* place = f.hook ? &f.hook->at : nullptr;
    const auto ring = f.unit.mayWalk() ? kRingOfWalks : kRing;
    if (place && std::holds_alternative<probe::Manual>(*place)) return 0; // once
    const auto& clauses = f.unit.program.clauses;
    if (f.clause().value < clauses.size() && alwaysExits(clauses[f.clause().value])) return 0;
    const auto* event = place ? std::get_if<probe::PerfEvent>(place) : nullptr;
    constexpr std::uint32_t kSoftware = 1; // PERF_TYPE_SOFTWARE, whose clock has periods of ns
    if (!event || event->type != kSoftware || event->config != 0 || event->frequency || event->period == 0) return ring;
    constexpr std::uint64_t kSecond = 1'000'000'000;
    const auto cpus = event->everyCpu ? std::max<std::uint64_t>(f.unit.program.cpus.size(), 1) : 1;
    const auto bytes = (kSecond / event->period + 1) * cpus * (sizeof(RawUserStack) + most);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::bit_ceil(bytes), ring));
}

/// Appends a RawUserStack and its bytes to the record in scratch whose length so far is in `length` (a Temp word), and
/// adds to that; at most `most` bytes of stack. `walked`: the field whose stack it is, of which the key will do; else `why` tells of
/// the walk that failed, if there was one.
void appendUserStack(
    Firing& f, const Builder::Temp& length, std::uint32_t least, std::uint32_t most, const FieldPlan* walked, const Builder::Temp* why)
{
    auto& b = f.b;
    constexpr auto kHead = static_cast<std::uint32_t>(sizeof(RawUserStack));
    f.unit.object.userStackBytes = std::max(f.unit.object.userStackBytes, most);
    if (!f.unit.program.options.isSet("bufsize")) {
        auto& ring = f.unit.map(f.unit.object.ring).maxEntries;
        ring = std::max(ring, ringFor(f, most));
    }

    const auto mm = f.unit.kernelOffset("task_struct", "mm"), startStack = f.unit.kernelOffset("mm_struct", "start_stack");
    const auto task = b.temp(), copied = b.temp(), wanted = b.temp();
    const auto done = b.label(), more = b.label(), user = b.label(), none = b.label(), fits = b.label(), isWalked = b.label();
    std::optional<Builder::Temp> key;
    if (walked) {
        key.emplace(b.temp(2));
        walkUserStack(f, *walked, *key);
        b.mov(R9, R0);
    } else if (why)
        b.load(R9, *why, 0);
    else
        b.mov(R9, 0);

    // r8: the RawUserStack. The verifier wants to see that it lies within scratch memory.
    b.load(R8, length);
    b.branch(Cond::Le, R8, static_cast<std::int32_t>(f.recordRoom() - kHead - most), fits);
    b.mov(R8, least);
    b.bind(fits);
    b.alu(AluOp::Add, R8, Builder::kScratch);
    for (std::uint32_t i = 0; i < kHead; i += 8)
        b.store(Width::B8, R8, i, 0);
    b.mov(R0, 0);
    b.store(copied, R0);
    if (walked) b.branch(Cond::Lt, R9, static_cast<std::int32_t>(WalkEnd::Busy), isWalked);
    b.alu(AluOp::Lsh, R9, static_cast<std::int32_t>(kCopiedShift));
    b.store(Width::B4, R8, offsetof(RawUserStack, flags), R9);
    if (walked || why) {
        walked ? b.load(R1, *key, 0) : b.load(R1, *why, 1);
        b.store(Width::B8, R8, offsetof(RawUserStack, stopped), R1);
    }

    b.call(Helper::GetTaskBtf);
    b.store(task, R0);
    b.load(Width::B8, R9, R0, mm);
    b.branch(Cond::Ne, R9, 0, user);
    b.bind(none);
    b.store(Width::B4, R8, offsetof(RawUserStack, flags), static_cast<std::int32_t>(kKernelThread));
    b.jump(done);
    if (walked) {
        b.bind(isWalked);
        b.store(Width::B4, R8, offsetof(RawUserStack, flags), static_cast<std::int32_t>(kWalked));
        b.load(R1, *key, 0);
        b.store(Width::B8, R8, offsetof(RawUserStack, ip), R1);
        b.load(R1, *key, 1);
        b.store(Width::B8, R8, offsetof(RawUserStack, sp), R1);
        b.jump(done);
    }

    b.bind(user);
    b.load(Width::B8, R9, R9, startStack);
    b.load(R1, task);
    b.call(Helper::TaskPtRegs);
    for (const auto& reg : kRegisters) {
        b.load(Width::B8, R1, R0, reg.from);
        b.store(Width::B8, R8, static_cast<std::int64_t>(reg.to), R1);
    }

    // Workers that the kernel has within a process (io_uring's, vhost's) never were in user space.
    // Source: arch/x86/kernel/process.c, copy_thread()
    b.load(Width::B8, R1, R8, offsetof(RawUserStack, sp));
    b.load(Width::B8, R2, R8, offsetof(RawUserStack, ip));
    b.alu(AluOp::Or, R2, R1);
    b.branch(Cond::Eq, R2, 0, none);

    // How much there is: the main thread's stack ends where it began.
    const auto bounded = b.label();
    b.mov(R2, most);
    b.alu(AluOp::Sub, R9, R1);
    b.branch(Cond::Gt, R9, R2, bounded);
    b.mov(R2, R9);
    b.bind(bounded);
    b.store(wanted, R2);

    // The rest of the first page, then page by page: what lies beyond the stack's mapping fails, and ends it.
    for (std::uint32_t page = 0; page < most / kPage; ++page) {
        const auto short1 = b.label(), short2 = b.label();
        b.load(R3, copied);
        if (page > 0) b.clamp(R3, static_cast<std::int32_t>(page * kPage));
        b.load(R2, wanted);
        b.branch(Cond::Le, R2, R3, done);
        b.alu(AluOp::Sub, R2, R3);
        b.mov(R1, R8);
        b.add(R1, kHead);
        b.alu(AluOp::Add, R1, R3);
        b.load(Width::B8, R4, R8, offsetof(RawUserStack, sp));
        b.alu(AluOp::Add, R3, R4);
        if (page == 0) {
            b.mov(R4, R3);
            b.alu(AluOp::And, R4, kPage - 1);
            b.mov(R5, kPage);
            b.alu(AluOp::Sub, R5, R4);
            b.branch(Cond::Le, R2, R5, short1);
            b.mov(R2, R5);
            b.bind(short1);
        }
        b.branch(Cond::Le, R2, static_cast<std::int32_t>(kPage), short2);
        b.mov(R2, kPage);
        b.bind(short2);
        const auto n = b.saved(R2);
        b.call(Helper::ProbeReadUser);
        b.branch(Cond::Ne, R0, 0, more);
        b.load(R1, copied);
        b.load(R2, n);
        b.alu(AluOp::Add, R1, R2);
        b.store(copied, R1);
    }

    // There may be more, which is sent ahead. r9: bytes to where the main thread's stack began.
    b.bind(more);
    if (walked || why) {
        b.load(Width::B4, R1, R8, offsetof(RawUserStack, flags));
        b.alu(AluOp::Rsh, R1, static_cast<std::int32_t>(kCopiedShift));
        b.branch(Cond::Lt, R1, static_cast<std::int32_t>(WalkEnd::NoSpace), done);
        b.branch(Cond::Gt, R1, static_cast<std::int32_t>(WalkEnd::NoRule), done);
        b.load(R3, copied);
        b.load(Width::B8, R1, R8, offsetof(RawUserStack, sp));
        b.alu(AluOp::Add, R1, R3);
        b.mov(R2, R1);
        b.alu(AluOp::And, R2, kPage - 1);
        b.branch(Cond::Ne, R2, 0, done); // not even the first page can be read
        b.mov(R2, R9);
        b.alu(AluOp::Sub, R2, R3);
        b.call(f.subprogram("stack_rest", emitStackRest));
        b.store(Width::B8, R8, offsetof(RawUserStack, rest), R0);
    }

    b.bind(done);
    b.load(R1, copied);
    b.store(Width::B4, R8, offsetof(RawUserStack, length), R1);
    b.load(R2, length);
    b.alu(AluOp::Add, R2, R1);
    b.alu(AluOp::Add, R2, static_cast<std::int32_t>(kHead));
    b.store(length, R2);
}
} // namespace

namespace {
/// How user stacks get into a record.
enum class How : std::uint8_t { Walked, Copied };
void sendStacks(
    Firing& f, std::uint32_t size, const FieldsPlan& fields, How how, const Builder::Temp* why, Share share, record::Drop::Kind drop)
{
    auto& b = f.b;
    const auto most = userStackRoom(size, fields.userStacks);
    const auto length = b.temp();
    b.mov(R0, size);
    b.store(length, R0);
    for (const auto& field : fields.fields)
        if (isUserStack(field)) appendUserStack(f, length, size, most, how == How::Walked ? &field : nullptr, why);
    sendSized(
        f, Firing::kRecord,
        [&] {
            b.load(R3, length);
            b.clamp(R3, static_cast<std::int32_t>(f.recordRoom()));
        },
        share, drop);
}
} // namespace

void sendWithUserStacks(Firing& f, std::uint32_t size, const FieldsPlan& fields, Share share, record::Drop::Kind drop)
{
    sendStacks(f, size, fields, f.unit.mayWalk() ? How::Walked : How::Copied, nullptr, share, drop);
}
void sendWithCopies(Firing& f, std::uint32_t size, const FieldsPlan& fields, record::Drop::Kind drop, const Builder::Temp* why)
{
    sendStacks(f, size, fields, How::Copied, why, Share::Data, drop);
}
void keyUserStacks(Firing& f, const FieldsPlan& fields, std::uint32_t key, Label copy, const Builder::Temp& why)
{
    auto& b = f.b;
    const auto walked = b.temp(2);
    for (const auto& field : fields.fields) {
        if (!isUserStack(field)) continue;
        walkUserStack(f, field, walked);
        b.store(why, R0, 0);
        b.load(R1, walked, 0);
        b.store(why, R1, 1);
        b.branch(Cond::Ge, R0, static_cast<std::int32_t>(WalkEnd::Busy), copy);
        for (int word = 0; word < 2; ++word) {
            b.load(R1, walked, word);
            b.store(Width::B8, Builder::kScratch, key + field.rawOffset + 8U * static_cast<std::uint32_t>(word), R1);
        }
    }
}
} // namespace dscope::codegen
