#include "engine/codegen/memory.h"
#include "engine/codegen/expressions.h"
#include "engine/codegen/own_memory.h"
#include "engine/codegen/stores.h"
#include "engine/codegen/text.h"
#include "engine/codegen/variables.h"
/// Objects in the kernel's and the processes' memory: offsets are added up while compiling, one read fetches the value.
namespace dscope::codegen {
using sema::Expr;
using sema::ExprKind;
namespace {
/// Faults if r0, the result of a read, is not 0; r1 is the address that was read. For a member of a null pointer the fault
/// reports the pointer itself, 0, as DTrace for Linux does.
void faultUnlessRead(Firing& f, const Place& place)
{
    auto& b = f.b;
    const auto offset = place.isCounted ? 0 : place.offset;
    const auto bad = f.fault(record::FaultKind::BadAddress);
    if (offset <= 0 || offset > INT32_MAX) return b.branch(Cond::Ne, R0, 0, bad);
    b.when({R0, Cond::Ne, 0}, [&] {
        b.branch(Cond::Ne, R1, static_cast<std::int32_t>(offset), bad);
        b.mov(R1, 0);
        b.jump(bad);
    });
}
/// Reads `size` bytes at r0 + place.offset into the 8-byte `into`; r1 holds the address when it faults.
void read(Firing& f, const Place& place, Lead lead, const Builder::Temp& into, std::uint32_t size)
{
    auto& b = f.b;
    b.add(R0, place.offset);
    const auto address = b.saved(R0);
    if (!place.user) stayInGiven(f, lead, size);
    if (size < 8) b.store(into, 0);
    b.addressOf(R1, into);
    b.mov(R2, size);
    b.load(R3, address);
    b.call(place.user ? Helper::ProbeReadUser : Helper::ProbeReadKernel);
    b.load(R1, address);
    faultUnlessRead(f, place);
}
} // namespace

Width widthOf(std::uint64_t size) { return size == 1 ? Width::B1 : size == 2 ? Width::B2 : size == 4 ? Width::B4 : Width::B8; }

Place place(Firing& f, const Expr& e)
{
    switch (e.kind) {
    case ExprKind::Dereference: {
        const auto& pointer = *e.kids[0];
        // p + constant: the constant joins the offset, but not in a string, which ends somewhere.
        const bool isSum = pointer.kind == ExprKind::Binary && pointer.op == ast::Op::Add;
        if (isSum && !stringBehind(pointer) && pointer.kids[1]->kind == ExprKind::Integer) {
            integer(f, *pointer.kids[0]);
            return {pointer.kids[1]->integer, e.user, true};
        }
        if (pointer.kind == ExprKind::AddressOf) {
            auto inner = place(f, *pointer.kids[0]);
            inner.user = inner.user || e.user;
            return inner;
        }
        integer(f, pointer);
        return {0, e.user};
    }
    case ExprKind::Member: {
        auto outer = place(f, *e.kids[0]);
        outer.offset += e.bitOffset / 8;
        outer.user = outer.user || e.user;
        return outer;
    }
    case ExprKind::Variable:
    case ExprKind::Element: variableAddress(f, e); return {};
    default: integer(f, e); return {0, e.user};
    }
}
void addressOf(Firing& f, const Expr& lvalue)
{
    const auto at = place(f, lvalue);
    f.b.add(R0, at.offset);
}

namespace {
/// pointer + n or pointer - n.
bool isOfPointers(const Expr& e)
{
    const bool isSum = e.kind == ExprKind::Binary && (e.op == ast::Op::Add || e.op == ast::Op::Sub);
    return isSum && e.type && types::resolved(e.type)->kind == types::Kind::Pointer;
}
/// What a pointer is computed from: a sum's pointer, a cast's value.
const Expr* base(const Expr& pointer)
{
    const bool isCast = pointer.kind == ExprKind::Cast && shapeOf(pointer.type).kind == Shape::Kind::Integer;
    return isCast || isOfPointers(pointer) ? pointer.kids[0].get() : nullptr;
}
} // namespace

const Expr* stringBehind(const Expr& pointer)
{
    for (const auto* e = &pointer; e; e = base(*e))
        if (shapeOf(e->type).kind == Shape::Kind::String) return e;
    return nullptr;
}
void offsetInString(Firing& f, const Expr& pointer, std::uint32_t capacity)
{
    auto& b = f.b;
    const auto sum = b.temp();
    b.store(sum, 0);
    for (const auto* e = &pointer; e && shapeOf(e->type).kind != Shape::Kind::String; e = base(*e)) {
        if (!isOfPointers(*e)) continue;
        integer(f, *e->kids[1]);
        b.load(R1, sum);
        if (e->op == ast::Op::Sub) b.negate(R0);
        b.alu(AluOp::Add, R1, R0);
        b.store(sum, R1);
    }
    b.load(R0, sum);
    b.clamp(R0, static_cast<std::int32_t>(capacity - 1));
}

namespace {
/// A part of a string's bytes: of which string, by which pointer, and how far behind that.
struct InString {
    const Expr* string = nullptr;
    const Expr* pointer = nullptr;
    std::uint32_t more = 0;
};
InString inString(const Expr& lvalue)
{
    InString found;
    const auto* e = &lvalue;
    for (; e->kind == ExprKind::Member; e = e->kids[0].get())
        found.more += e->bitOffset / 8;
    if (e->kind != ExprKind::Dereference || e->user || lvalue.user) return {};
    found.pointer = e->kids[0].get();
    found.string = stringBehind(*found.pointer);
    return found;
}
/// `size` of these bytes to scratch[to], or as many as the word `length` says: behind the string there are NULs.
void copyString(Firing& f, const InString& from, std::uint32_t to, std::uint32_t size, const Builder::Temp* length)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto string = text(f, *from.string);
    const auto room = roundUp8(string.capacity + from.more + size);
    const auto whole = f.allocate(room);
    copyText(f, string, whole, room);
    offsetInString(f, *from.pointer, string.capacity);
    const auto offset = b.saved(R0);
    b.mov(R2, size);
    if (length) {
        b.load(R2, *length);
        b.clamp(R2, static_cast<std::int32_t>(size));
    }
    b.mov(R1, Builder::kScratch);
    b.add(R1, to);
    b.load(R4, offset);
    b.clamp(R4, static_cast<std::int32_t>(string.capacity - 1)); // which the verifier forgot
    b.mov(R3, Builder::kScratch);
    b.add(R3, whole + from.more);
    b.alu(AluOp::Add, R3, R4);
    b.call(Helper::ProbeReadKernel);
}
} // namespace

namespace {
/// r0 = the object `e` of `size` bytes, at most 8.
void readObject(Firing& f, const Expr& e, std::uint32_t size)
{
    auto& b = f.b;
    const auto from = inString(e);
    if (from.string && (size > 1 || from.more)) {
        const Firing::Frame frame(f);
        const auto at = f.allocate(8);
        b.store(Width::B8, Builder::kScratch, at, 0);
        copyString(f, from, at, size, nullptr);
        return b.load(widthOf(size), R0, Builder::kScratch, at);
    }
    const auto where = place(f, e);
    const auto into = b.temp();
    read(f, where, leadOfPlace(f.unit, e), into, size);
    b.load(R0, into, 0, widthOf(size));
}
} // namespace

void loadMemory(Firing& f, const Expr& e)
{
    auto& b = f.b;
    const auto shape = shapeOf(e.type);
    if (e.kind == ExprKind::Member && e.bitWidth) {
        const auto shift = e.bitOffset % 8;
        const auto bytes = (shift + e.bitWidth + 7) / 8;
        DSCOPE_ASSERT(bytes <= 8);
        readObject(f, e, static_cast<std::uint32_t>(bytes));
        b.alu(AluOp::Lsh, R0, static_cast<std::int32_t>(64 - shift - e.bitWidth));
        b.alu(shape.isSigned ? AluOp::Arsh : AluOp::Rsh, R0, static_cast<std::int32_t>(64 - e.bitWidth));
        return;
    }
    const auto size = static_cast<std::uint32_t>(shape.size);
    readObject(f, e, size);
    if (shape.isSigned) b.normalize(R0, size, Sign::Signed);
}

void copyObject(Firing& f, const Expr& e, std::uint32_t to, std::uint32_t size)
{
    auto& b = f.b;
    const bool isCut = e.kind == sema::ExprKind::Dereference && e.kids.size() > 1;
    const bool mayEnd = f.unit.exposesScratch() && !e.user;
    std::optional<Builder::Temp> length;
    if (isCut || mayEnd) zero(f, to, roundUp8(size));
    if (isCut) {
        integer(f, *e.kids[1]);
        length.emplace(b.saved(R0));
    }
    if (const auto from = inString(e); from.string) return copyString(f, from, to, size, length ? &*length : nullptr);

    const auto where = place(f, e);
    b.add(R0, where.offset);
    const auto address = b.saved(R0);
    const bool isKernels = !where.user;
    if (isKernels) stayInGiven(f, leadOfPlace(f.unit, e), 0);
    b.mov(R2, size);
    if (length) b.load(R2, *length);
    if (mayEnd && isKernels) {
        b.load(R0, address);
        endWithGiven(f);
    }
    if (length || mayEnd) b.clamp(R2, static_cast<std::int32_t>(size));
    b.mov(R1, Builder::kScratch);
    b.add(R1, to);
    b.load(R3, address);
    b.call(where.user ? Helper::ProbeReadUser : Helper::ProbeReadKernel);
    b.load(R1, address);
    faultUnlessRead(f, where);
}
} // namespace dscope::codegen
