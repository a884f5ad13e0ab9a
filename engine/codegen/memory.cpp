#include "engine/codegen/memory.h"
#include "engine/codegen/expressions.h"
#include "engine/codegen/stores.h"
#include "engine/codegen/text.h"
#include "engine/codegen/variables.h"
/// Objects in the kernel's and the processes' memory: offsets are added up while compiling, one read fetches the value.
namespace dscope::codegen {
using sema::Expr;
using sema::ExprKind;
namespace {
/// Faults when the `size` bytes at r0 are where alloca() gives memory out, or just before, and it has not given out these.
void stayInArena(Firing& f, std::uint32_t size)
{
    if (!f.unit.usesArena()) return;
    auto& b = f.b;
    constexpr std::int32_t kBefore = 64;
    const auto bad = f.fault(record::FaultKind::BadAddress);
    b.mov(R2, Builder::kScratch);
    b.add(R2, f.arenaAt());
    asNumber(f, R2);
    b.mov(R1, R0);
    asNumber(f, R1); // a string's address may be a pointer of the verifier's still
    b.mov(R3, R1);
    b.alu(AluOp::Sub, R3, R2);
    b.mov(R2, R3);
    b.alu(AluOp::Add, R2, kBefore);
    b.when({R2, Cond::Lt, static_cast<std::int32_t>(kBefore + f.unit.arenaRoom())}, [&] {
        b.branch(Cond::Slt, R3, 0, bad);
        b.alu(AluOp::Add, R3, static_cast<std::int32_t>(size));
        b.load(Width::B8, R2, Builder::kScratch, f.arenaUsedAt());
        b.branch(Cond::Gt, R3, R2, bad);
    });
}
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
void read(Firing& f, const Place& place, const Builder::Temp& into, std::uint32_t size)
{
    auto& b = f.b;
    b.add(R0, place.offset);
    if (!place.user) stayInArena(f, size);
    const auto address = b.saved(R0);
    if (size < 8) b.store(into, 0);
    b.addressOf(R1, into);
    b.mov(R2, size);
    b.mov(R3, R0);
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
        // p + constant: the constant joins the offset.
        const bool isSum = pointer.kind == ExprKind::Binary && pointer.op == ast::Op::Add;
        const bool isOfString = isSum && shapeOf(pointer.kids[0]->type).kind == Shape::Kind::String; // which ends somewhere
        if (isSum && !isOfString && pointer.kids[1]->kind == ExprKind::Integer) {
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

void loadMemory(Firing& f, const Expr& e)
{
    auto& b = f.b;
    const auto shape = shapeOf(e.type);
    const auto where = place(f, e);
    const auto into = b.temp();
    if (e.kind == ExprKind::Member && e.bitWidth) {
        const auto shift = e.bitOffset % 8;
        const auto bytes = (shift + e.bitWidth + 7) / 8;
        DSCOPE_ASSERT(bytes <= 8);
        read(f, where, into, bytes);
        b.load(R0, into);
        b.alu(AluOp::Lsh, R0, static_cast<std::int32_t>(64 - shift - e.bitWidth));
        b.alu(shape.isSigned ? AluOp::Arsh : AluOp::Rsh, R0, static_cast<std::int32_t>(64 - e.bitWidth));
        return;
    }
    const auto size = static_cast<std::uint32_t>(shape.size);
    read(f, where, into, size);
    b.load(R0, into, 0, widthOf(size));
    if (shape.isSigned) b.normalize(R0, size, Sign::Signed);
}

const Expr* stringBehind(const Expr& pointer)
{
    const auto* e = &pointer;
    while (e->kind == ExprKind::Cast && shapeOf(e->type).kind == Shape::Kind::Integer)
        e = e->kids[0].get();
    return shapeOf(e->type).kind == Shape::Kind::String ? e : nullptr;
}

namespace {
/// The bytes of a string, and NULs behind them.
void copyString(Firing& f, const Expr& string, std::uint32_t to, std::uint32_t size, const Builder::Temp* length)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto from = text(f, string);
    const auto room = std::max(from.capacity, roundUp8(size));
    const auto whole = f.allocate(room);
    copyText(f, from, whole, room);
    b.mov(R1, Builder::kScratch);
    b.add(R1, to);
    b.mov(R2, size);
    if (length) {
        b.load(R2, *length);
        b.clamp(R2, static_cast<std::int32_t>(size));
    }
    b.mov(R3, Builder::kScratch);
    b.add(R3, whole);
    b.call(Helper::ProbeReadKernel);
}
/// r2, how many bytes at r0 are to be read, becomes less where they are of memory that alloca() or copyin() gave and reach beyond it.
void endWithArena(Firing& f)
{
    auto& b = f.b;
    b.mov(R4, Builder::kScratch);
    b.add(R4, f.arenaAt());
    asNumber(f, R4);
    b.mov(R3, R0);
    asNumber(f, R3);
    b.alu(AluOp::Sub, R3, R4);
    b.when({R3, Cond::Lt, static_cast<std::int32_t>(f.unit.arenaRoom())}, [&] {
        b.load(Width::B8, R4, Builder::kScratch, f.arenaUsedAt());
        b.alu(AluOp::Sub, R4, R3);
        b.when({R4, Cond::Slt, 0}, [&] { b.mov(R4, 0); });
        b.when({R2, Cond::Gt, R4}, [&] { b.mov(R2, R4); });
    });
}
} // namespace

void copyObject(Firing& f, const Expr& e, std::uint32_t to, std::uint32_t size)
{
    auto& b = f.b;
    const bool isCut = e.kind == sema::ExprKind::Dereference && e.kids.size() > 1;
    const bool mayEnd = f.unit.usesArena() && !e.user;
    std::optional<Builder::Temp> length;
    if (isCut || mayEnd) zero(f, to, roundUp8(size));
    if (isCut) {
        integer(f, *e.kids[1]);
        length.emplace(b.saved(R0));
    }
    if (e.kind == ExprKind::Dereference)
        if (const auto* string = stringBehind(*e.kids[0])) return copyString(f, *string, to, size, length ? &*length : nullptr);

    const auto where = place(f, e);
    b.add(R0, where.offset);
    const auto address = b.saved(R0);
    b.mov(R1, Builder::kScratch);
    b.add(R1, to);
    b.mov(R2, size);
    if (length) {
        b.load(R2, *length);
        b.clamp(R2, static_cast<std::int32_t>(size));
    }
    if (mayEnd && !where.user) {
        endWithArena(f);
        b.clamp(R2, static_cast<std::int32_t>(size));
        b.load(R0, address);
    }

    b.mov(R3, R0);
    b.call(where.user ? Helper::ProbeReadUser : Helper::ProbeReadKernel);
    b.load(R1, address);
    faultUnlessRead(f, where);
}
} // namespace dscope::codegen
