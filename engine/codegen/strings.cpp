#include "engine/codegen/expressions.h"
#include "engine/codegen/memory.h"
#include "engine/codegen/own_memory.h"
#include "engine/codegen/stores.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
#include "engine/codegen/variables.h"
#include <algorithm>
/// Strings by value: zero-padded texts in scratch memory or where they are kept, compared and copied word by word.
namespace dscope::codegen {
using sema::Builtin;
using sema::Expr;
using sema::ExprKind;
namespace {
constexpr std::uint32_t kUnrolled = 64; // bytes; longer copies go through a helper

/// The kernel pads the name with zeros since 5.17, and then its two words are a string of D's: two loads, where a helper takes
/// as long as all else that counting needs. Source: fs/exec.c, __set_task_comm()
Text execname(Firing& f)
{
    auto& b = f.b;
    constexpr std::uint32_t kSize = 16; // TASK_COMM_LEN
    const auto at = f.onceAt(Firing::kExecname);
    if (f.has(Firing::kExecname)) return scratchText(at, kSize);
    if (const auto comm = f.unit.offsetIfKnown("task_struct", "comm"); comm >= 0) {
        f.loadTask();
        for (std::uint32_t i = 0; i < kSize; i += 8) {
            b.load(Width::B8, R1, R0, comm + i);
            b.store(Width::B8, Builder::kScratch, at + i, R1);
        }
    } else {
        zero(f, at, kSize);
        b.mov(R1, Builder::kScratch);
        b.add(R1, at);
        b.mov(R2, kSize);
        b.call(Helper::GetComm);
    }
    f.nowHas(Firing::kExecname);
    return scratchText(at, kSize);
}
/// argv of the current process joined by blanks, as far as a string goes.
Text execargs(Firing& f)
{
    auto& b = f.b;
    const auto size = f.unit.stringSize(), limit = f.unit.stringLimit();
    const auto at = f.allocate(size);
    zero(f, at, size);
    const auto mm = f.unit.kernelOffset("task_struct", "mm"), start = f.unit.kernelOffset("mm_struct", "arg_start"),
               end = f.unit.kernelOffset("mm_struct", "arg_end");
    if (mm < 0 || start < 0 || end < 0) return scratchText(at, size);
    b.block([&](Label done) {
        f.loadTask();
        b.load(Width::B8, R1, R0, mm);
        b.branch(Cond::Eq, R1, 0, done);
        b.load(Width::B8, R3, R1, start);
        b.load(Width::B8, R2, R1, end);
        b.alu(AluOp::Sub, R2, R3);
        b.clamp(R2, static_cast<std::int32_t>(limit - 1));
        const auto length = b.saved(R2);
        const Cell letters(f);
        letters.set(R2);
        b.mov(R1, Builder::kScratch);
        b.add(R1, at);
        b.call(Helper::ProbeReadUser);
        b.branch(Cond::Ne, R0, 0, done);

        // The NULs between the arguments become blanks; the last one stays.
        if (size > kLongText)
            return f.rounds(limit - 2, [&](Label last) {
                letters.get(R4);
                b.mov(R2, R0);
                b.alu(AluOp::Add, R2, 1);
                b.branch(Cond::Ge, R2, R4, last);
                b.clamp(R0, static_cast<std::int32_t>(limit - 2));
                b.mov(R1, Builder::kScratch);
                b.add(R1, at);
                b.alu(AluOp::Add, R1, R0);
                b.load(Width::B1, R3, R1, 0);
                b.when({R3, Cond::Eq, 0}, [&] { b.store(Width::B1, R1, 0, ' '); });
            });
        b.load(R4, length);
        b.branch(Cond::Eq, R4, 0, done);
        b.alu(AluOp::Sub, R4, 1);
        b.mov(R1, Builder::kScratch);
        b.add(R1, at);
        b.mov(R2, 0);
        const auto letter = [&](Label last) {
            b.branch(Cond::Ge, R2, R4, last);
            b.load(Width::B1, R3, R1, 0);
            b.when({R3, Cond::Eq, 0}, [&] { b.store(Width::B1, R1, 0, ' '); });
            b.alu(AluOp::Add, R1, 1);
            b.alu(AluOp::Add, R2, 1);
        };
        b.loop(letter, {R2, Cond::Lt, static_cast<std::int32_t>(limit - 1)});
    });
    return scratchText(at, size);
}
} // namespace

void pointTo(Firing& f, const Text& t, Reg dst, std::uint32_t more)
{
    switch (t.base) {
    case Text::Base::Scratch: f.b.mov(dst, Builder::kScratch); return f.b.add(dst, t.offset + more);
    case Text::Base::Value: return f.b.loadMapValue(dst, t.map, t.offset + more);
    case Text::Base::Entry: f.b.load(dst, *f.entrySlot); return f.b.add(dst, t.offset + more);
    }
}
void loadWord(Firing& f, const Text& t, std::uint32_t at, Reg dst)
{
    if (t.base == Text::Base::Scratch) return f.b.load(Width::B8, dst, Builder::kScratch, t.offset + at);
    pointTo(f, t, dst, at);
    f.b.load(Width::B8, dst, dst, 0);
}
void zero(Firing& f, std::uint32_t at, std::uint32_t size)
{
    auto& b = f.b;
    if (size <= 2 * kUnrolled) {
        for (std::uint32_t i = 0; i < size; i += 8)
            b.store(Width::B8, Builder::kScratch, at + i, 0);
        return;
    }
    // A read that fails leaves zeros. Source: kernel/trace/bpf_trace.c, bpf_probe_read_kernel_common().
    b.mov(R1, Builder::kScratch);
    b.add(R1, at);
    b.mov(R2, size);
    b.mov(R3, 0);
    b.call(Helper::ProbeReadKernel);
}
void copyText(Firing& f, const Text& from, std::uint32_t to, std::uint32_t size)
{
    auto& b = f.b;
    const auto common = std::min(from.capacity, size);
    if (from.base == Text::Base::Scratch && from.offset == to) {
    } else if (common <= kUnrolled) {
        Reg base = Builder::kScratch;
        std::uint32_t offset = from.offset;
        if (from.base != Text::Base::Scratch) {
            pointTo(f, from, R1);
            base = R1;
            offset = 0;
        }
        for (std::uint32_t i = 0; i < common; i += 8) {
            b.load(Width::B8, R0, base, offset + i);
            b.store(Width::B8, Builder::kScratch, to + i, R0);
        }
    } else {
        pointTo(f, from, R3);
        b.mov(R1, Builder::kScratch);
        b.add(R1, to);
        b.mov(R2, common);
        b.call(Helper::ProbeReadKernel);
    }
    if (from.capacity > size) b.store(Width::B1, Builder::kScratch, to + size - 1, 0);
    if (size > common) zero(f, to + common, size - common);
}

Text readText(Firing& f, Memory memory, std::uint32_t limit, Lead lead)
{
    auto& b = f.b;
    limit = std::min(limit, f.unit.stringLimit());
    const auto size = roundUp8(limit);
    const auto at = f.allocate(size);
    const auto address = b.saved(R0);
    if (memory == Memory::Kernel) stayInGiven(f, lead, 0);
    zero(f, at, size);
    b.mov(R1, Builder::kScratch);
    b.add(R1, at);
    b.mov(R2, limit);
    b.load(R3, address);
    b.call(memory == Memory::Process ? Helper::ProbeReadUserStr : Helper::ProbeReadKernelStr);

    // An address that has lost where it belongs to, such as arg0 of a probe in a program, is a process's where it is not the kernel's.
    if (memory == Memory::Kernel)
        b.when({R0, Cond::Slt, 0}, [&] {
            b.mov(R1, Builder::kScratch);
            b.add(R1, at);
            b.mov(R2, limit);
            b.load(R3, address);
            b.call(Helper::ProbeReadUserStr);
        });
    b.load(R1, address);
    b.branch(Cond::Slt, R0, 0, f.fault(record::FaultKind::BadAddress));
    return scratchText(at, size);
}

Text probeText(Firing& f, Builtin which)
{
    const auto index = which == Builtin::ProbeProv ? 0u : which == Builtin::ProbeMod ? 1u : which == Builtin::ProbeFunc ? 2u : 3u;
    if (f.entrySlot && !f.inError()) return {Text::Base::Entry, {}, f.entryText[index], f.entryCapacity[index]};
    DSCOPE_ASSERT(f.probe);
    const auto& n = f.probe->name;
    const std::string& name = index == 0 ? n.provider : index == 1 ? n.module : index == 2 ? n.function : n.name;
    const auto size = std::min(Unit::literalSize(name), f.unit.stringSize());
    return {Text::Base::Value, f.unit.literals(), f.unit.literal(std::string_view(name).substr(0, f.unit.stringLimit() - 1)), size};
}

void isNull(Firing& f, const Text& t, Reg dst)
{
    auto& b = f.b;
    switch (t.null) {
    case Text::Null::Never: return b.mov(dst, 0);
    case Text::Null::Always: return b.mov(dst, 1);
    case Text::Null::WhenSet: return b.load(Width::B8, dst, Builder::kScratch, t.nullAt);
    case Text::Null::WhenEmpty: {
        loadWord(f, t, 0, dst);
        return b.either(
            {dst, Cond::Ne, 0}, [&] { b.mov(dst, 0); }, [&] { b.mov(dst, 1); });
    }
    }
}

Text text(Firing& f, const Expr& e)
{
    auto& b = f.b;
    auto t = maybeText(f, e);
    if (t.null == Text::Null::Never) return t;
    isNull(f, t, R0);
    b.mov(R1, 0);
    b.branch(Cond::Ne, R0, 0, f.fault(record::FaultKind::BadAddress));
    t.null = Text::Null::Never;
    return t;
}

Text cut(Firing& f, const Text& t)
{
    DSCOPE_ASSERT(t.base == Text::Base::Scratch);
    auto result = t;
    result.capacity = std::min(t.capacity, f.unit.stringSize());
    if (t.capacity >= f.unit.stringLimit())
        for (auto at = f.unit.stringLimit() - 1; at < result.capacity; ++at)
            f.b.store(Width::B1, Builder::kScratch, t.offset + at, 0);
    return result;
}
Text maybeText(Firing& f, const Expr& e)
{
    auto& b = f.b;
    switch (e.kind) {
    case ExprKind::String: {
        if (e.integer) return {Text::Base::Value, f.unit.literals(), f.unit.literal(""), 8, Text::Null::Always};
        const auto cut = std::string_view(e.text).substr(0, std::min<std::size_t>(e.text.find('\0'), f.unit.stringLimit() - 1));
        return {Text::Base::Value, f.unit.literals(), f.unit.literal(cut), Unit::literalSize(cut)};
    }
    case ExprKind::Builtin:
        if (e.builtin == Builtin::Execname) return execname(f);
        if (e.builtin == Builtin::Execargs) return execargs(f);
        return probeText(f, e.builtin);
    case ExprKind::ProbeArgument: {
        const auto n = static_cast<std::size_t>(e.integer);
        if (n < f.arguments.size() && f.arguments[n]) return maybeText(f, *f.arguments[n]);
        return {Text::Base::Value, f.unit.literals(), f.unit.literal(""), 8};
    }
    case ExprKind::Variable:
    case ExprKind::Element: return variableText(f, e);
    case ExprKind::Conditional: {
        const auto size = f.unit.capacity(e);
        const auto at = f.allocate(size), nullAt = f.allocate(8);
        bool mayBeNull = false;
        const auto choose = [&](const Expr& value) {
            const Firing::Frame frame(f);
            const auto t = maybeText(f, value);
            mayBeNull = mayBeNull || t.null != Text::Null::Never;
            copyText(f, t, at, size);
            isNull(f, t, R0);
            b.store(Width::B8, Builder::kScratch, nullAt, R0);
        };
        either(
            f, *e.kids[0], [&] { choose(*e.kids[1]); }, [&] { choose(*e.kids[2]); });
        auto chosen = scratchText(at, size);
        if (mayBeNull) {
            chosen.null = Text::Null::WhenSet;
            chosen.nullAt = nullAt;
        }
        return chosen;
    }
    case ExprKind::Assign: {
        const auto value = maybeText(f, *e.kids[1]);
        storeText(f, *e.kids[0], value);
        return value;
    }
    case ExprKind::Comma:
        if (shapeOf(e.kids[0]->type).kind == Shape::Kind::String)
            maybeText(f, *e.kids[0]);
        else
            integer(f, *e.kids[0]);
        return maybeText(f, *e.kids[1]);
    case ExprKind::Call: {
        const auto& row = subroutineAt(e.subroutine);
        DSCOPE_ASSERT(row.text);
        return row.text(f, e.kids);
    }
    case ExprKind::Cast:
    case ExprKind::StringFrom: {
        const auto& from = *e.kids[0];
        const auto shape = shapeOf(from.type);
        if (shape.kind == Shape::Kind::String) return maybeText(f, from);
        const auto* t = from.type ? types::resolved(from.type) : nullptr;
        auto limit = f.unit.stringLimit();
        if (t && t->kind == types::Kind::Array && t->count > 0) limit = std::min(limit, static_cast<std::uint32_t>(t->count + 1));
        integer(f, from);
        return readText(f, memoryOf(e.user || from.user), limit, leadOf(f.unit, from));
    }
    case ExprKind::Dereference:
    case ExprKind::Member: {
        const auto where = place(f, e);
        b.add(R0, where.offset);
        return readText(f, memoryOf(where.user || e.user), f.unit.stringLimit(), leadOfPlace(f.unit, e));
    }
    default: integer(f, e); return readText(f, memoryOf(e.user), f.unit.stringLimit(), leadOf(f.unit, e));
    }
}

namespace {
/// branchIfWordsDiffer() of long texts.
void branchIfLongDiffer(Firing& f, const Text& a, const Text& c, std::uint32_t common, Label differs)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell first(f), second(f);
    first.set(0);
    second.set(0);
    f.rounds(common / 8, [&](Label done) {
        b.clamp(R0, static_cast<std::int32_t>(common / 8 - 1));
        b.alu(AluOp::Lsh, R0, 3);
        for (const auto& [text, word] : {std::pair(&a, R1), std::pair(&c, R2)}) {
            pointTo(f, *text, R3);
            b.alu(AluOp::Add, R3, R0);
            b.load(Width::B8, word, R3, 0);
        }
        b.when({R1, Cond::Ne, R2}, [&] {
            first.set(R1);
            second.set(R2);
            b.jump(done);
        });
    });
    first.get(R1);
    second.get(R2);
    b.branch(Cond::Ne, R1, R2, differs);
}
/// Goes to `differs` at the first word in which they differ, which is in r1 and r2 then. Uses r0..r4.
void branchIfWordsDiffer(Firing& f, const Text& a, const Text& c, Label differs)
{
    auto& b = f.b;
    const auto common = std::min(a.capacity, c.capacity);
    if (common <= kUnrolled) {
        for (std::uint32_t i = 0; i < common; i += 8) {
            loadWord(f, a, i, R1);
            loadWord(f, c, i, R2);
            b.branch(Cond::Ne, R1, R2, differs);
        }
        return;
    }

    if (common > kLongText) return branchIfLongDiffer(f, reachable(f, a), reachable(f, c), common, differs);
    pointTo(f, a, R3);
    pointTo(f, c, R4);
    b.mov(R0, 0);
    const auto word = [&](Label) {
        b.load(Width::B8, R1, R3, 0);
        b.load(Width::B8, R2, R4, 0);
        b.branch(Cond::Ne, R1, R2, differs);
        b.alu(AluOp::Add, R3, 8);
        b.alu(AluOp::Add, R4, 8);
        b.alu(AluOp::Add, R0, 8);
    };
    b.loop(word, {R0, Cond::Lt, static_cast<std::int32_t>(common)});
}
} // namespace

void branchUnlessText(Firing& f, ast::Op op, const Text& a, const Text& c, Label no)
{
    auto& b = f.b;
    const bool whenEqual = op == ast::Op::Eq || op == ast::Op::Le || op == ast::Op::Ge;
    b.block([&](Label equal) {
        if (a.null != Text::Null::Never || c.null != Text::Null::Never) {
            // NULL comes before any text.
            isNull(f, a, R1);
            isNull(f, c, R2);
            b.mov(R3, R1);
            b.alu(AluOp::Or, R3, R2);
            b.when({R3, Cond::Ne, 0}, [&] {
                b.branch(opposite(op, Sign::Unsigned), R2, R1, no);
                b.jump(equal);
            });
        }
        // Both are NUL-terminated and zero-padded: once the shorter room's words are equal the texts are.
        b.block([&](Label differs) {
            branchIfWordsDiffer(f, a, c, differs);
            b.jump(whenEqual ? equal : no);
        });
        if (op == ast::Op::Eq) b.jump(no);
        if (op == ast::Op::Eq || op == ast::Op::Ne) return;
        b.swap(R1, 64);
        b.swap(R2, 64);
        b.branch(op == ast::Op::Lt || op == ast::Op::Le ? Cond::Gt : Cond::Lt, R1, R2, no);
    });
}
} // namespace dscope::codegen
