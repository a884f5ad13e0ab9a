#include "engine/codegen/own_memory.h"
#include "engine/codegen/any_expression.h"
#include "engine/codegen/stores.h"
#include "engine/language/subroutines.h"
#include "engine/object/raw.h"
#include <algorithm>
namespace dscope::codegen {
using sema::Expr;
using sema::ExprKind;
using sema::ExprPtr;
namespace {
bool isString(const Expr& e) { return shapeOf(e.type).kind == Shape::Kind::String; }
bool isPointer(const Expr& e) { return e.type && types::resolved(e.type)->kind == types::Kind::Pointer; }
bool gives(const Expr& call) { return language::kSubroutines[call.subroutine].sizeArgument != language::kNoArgument; }

/// Of a value that is one of two.
Lead either(const Unit& unit, const Expr& a, const Expr& c)
{
    const auto isNull = [](const Expr& e) { return e.kind == ExprKind::Integer && e.integer == 0; };
    if (isNull(a)) return leadOf(unit, c);
    if (isNull(c)) return leadOf(unit, a);
    const auto lead = leadOf(unit, a);
    return lead == leadOf(unit, c) ? lead : Lead::Anywhere;
}
/// Whether a sum is the place of an array's element: the index was checked when the program was compiled, or is when it runs.
bool isElement(const Expr& sum)
{
    if (sum.op != ast::Op::Add || sum.kids[0]->kind != ExprKind::AddressOf) return false;
    const auto* array = types::resolved(sum.kids[0]->kids[0]->type);
    if (array->kind != types::Kind::Array || array->count <= 1) return false;
    const auto& offset = *sum.kids[1];
    if (offset.kind == ExprKind::Integer) return offset.integer >= 0 && static_cast<std::uint64_t>(offset.integer) < array->size;
    return offset.kind == ExprKind::Index || (offset.kind == ExprKind::Binary && offset.kids[0]->kind == ExprKind::Index);
}
/// Of a sum: one of its terms is the pointer. An index that leaves a text was cut to it, one that leaves a variable was not.
Lead ofSum(const Unit& unit, const Expr& e)
{
    if (isElement(e)) return leadOf(unit, *e.kids[0]);
    for (const auto& kid : e.kids)
        if (leadOf(unit, *kid) == Lead::Given) return Lead::Given;
    return stringBehind(e) ? Lead::Bounded : Lead::Anywhere;
}

/// Whether the value of an expression may be an address of ours.
bool isOwnAddress(const Expr& e)
{
    switch (e.kind) {
    case ExprKind::Call: return gives(e);
    case ExprKind::AddressOf: return true;
    case ExprKind::Cast:
    case ExprKind::Binary: return !isString(e) && std::any_of(e.kids.begin(), e.kids.end(), [](const auto& kid) { return isString(*kid); });
    default: return false;
    }
}
} // namespace

bool exposesOwnMemory(const sema::Program& program) { return anyOf(program, isOwnAddress); }

Lead leadOf(const Unit& unit, const Expr& pointer)
{
    if (isString(pointer)) return Lead::Bounded;
    switch (pointer.kind) {
    case ExprKind::Call: return gives(pointer) ? Lead::Given : Lead::Anywhere;
    case ExprKind::Cast: return leadOf(unit, *pointer.kids[0]);
    case ExprKind::Assign:
    case ExprKind::Comma: return leadOf(unit, *pointer.kids[1]);
    case ExprKind::AddressOf: return leadOfPlace(unit, *pointer.kids[0]);
    case ExprKind::Conditional: return either(unit, *pointer.kids[1], *pointer.kids[2]);
    case ExprKind::Binary: return ofSum(unit, pointer);
    case ExprKind::Variable:
    case ExprKind::Element:
        if (unit.program.variables.at(pointer.variable.value).leadsIntoScratch) return Lead::Given;
        return isPointer(pointer) || shapeOf(pointer.type).kind == Shape::Kind::Integer ? Lead::Anywhere : Lead::Bounded;
    case ExprKind::Member:
    case ExprKind::Dereference: return isPointer(pointer) ? Lead::Anywhere : leadOfPlace(unit, pointer);
    case ExprKind::Stack:
    case ExprKind::UserStack: return Lead::Bounded;
    default: return Lead::Anywhere;
    }
}

Lead leadOfPlace(const Unit& unit, const Expr& lvalue)
{
    switch (lvalue.kind) {
    case ExprKind::Dereference: return leadOf(unit, *lvalue.kids[0]);
    case ExprKind::Member: return leadOfPlace(unit, *lvalue.kids[0]);
    case ExprKind::Variable:
    case ExprKind::Element: return Lead::Bounded;
    default: return leadOf(unit, lvalue);
    }
}

namespace {
/// r3 = how far the address r0 is into the arena, as a number. Uses r2.
void offsetInArena(Firing& f)
{
    auto& b = f.b;
    b.mov(R2, Builder::kScratch);
    b.add(R2, f.arenaAt());
    asNumber(f, R2);
    b.mov(R3, R0);
    asNumber(f, R3); // a string's address may be a pointer of the verifier's still
    b.alu(AluOp::Sub, R3, R2);
}
/// Goes to `bad` unless the `size` bytes at offset r3 of the arena were given. Uses r2, r3.
void branchUnlessGiven(Firing& f, std::uint32_t size, Label bad)
{
    auto& b = f.b;
    if (size) b.branch(Cond::Lt, R3, static_cast<std::int32_t>(Unit::kArenaGuard), bad);
    b.branch(Cond::Gt, R3, static_cast<std::int32_t>(f.unit.arenaRoom()), bad);
    b.alu(AluOp::Add, R3, static_cast<std::int32_t>(size));
    b.load(Width::B8, R2, Builder::kScratch, f.arenaUsedAt());
    if (size) return b.branch(Cond::Gt, R3, R2, bad);
    b.alu(AluOp::Add, R2, static_cast<std::int32_t>(Unit::kArenaGuard)); // NULs are behind all that was given
    b.branch(Cond::Ge, R3, R2, bad);
}
/// r0 = where scratch memory begins, r2 = how large it is: of all programs and CPUs where they share it, else the firing's own.
void wholeScratch(Firing& f, Label bad)
{
    auto& b = f.b;
    if (!f.isShared()) {
        b.mov(R0, Builder::kScratch);
        b.loadMapValue(R2, f.unit.literals(), f.sizeAt());
        return b.load(Width::B8, R2, R2, 0);
    }
    b.lookupIndex(f.scratch(), 0);
    b.mov(R1, 0); // which faults have the address in; older verifiers do not see that the element is always there
    b.branch(Cond::Eq, R0, 0, bad);
    b.loadMapValue(R3, f.unit.object.control, offsetof(Control, cpus));
    b.load(Width::B4, R3, R3, 0);
    b.loadMapValue(R2, f.unit.literals(), f.sizeAt());
    b.load(Width::B8, R2, R2, 0);
    b.alu(AluOp::Mul, R2, R3);
}
/// Goes to `bad` if `address` is in scratch memory, but for the firing's clause-local variables and what it was given. Uses r0..r5.
void branchIfStale(Firing& f, const Builder::Temp& address, std::uint32_t size, Label bad)
{
    auto& b = f.b;
    wholeScratch(f, bad);
    asNumber(f, R0);
    b.load(R1, address);
    asNumber(f, R1); // a string's address may be a pointer of the verifier's still
    b.mov(R3, R1);
    b.alu(AluOp::Sub, R3, R0);
    b.block([&](Label fine) {
        b.branch(Cond::Ge, R3, R2, fine);
        b.mov(R2, Builder::kScratch);
        b.add(R2, f.thisAt());
        asNumber(f, R2);
        b.mov(R3, R1);
        b.alu(AluOp::Sub, R3, R2);
        const auto variables = f.unit.thisSize(), least = std::max(size, 1U);
        if (variables >= least) b.branch(Cond::Le, R3, static_cast<std::int32_t>(variables - least), fine);
        if (!f.unit.usesArena()) return b.jump(bad);
        b.alu(AluOp::Sub, R3, static_cast<std::int32_t>(f.arenaAt() - f.thisAt()));
        branchUnlessGiven(f, size, bad);
    });
}
} // namespace

void stayInGiven(Firing& f, Lead lead, std::uint32_t size)
{
    if (lead == Lead::Bounded || !f.unit.exposesScratch()) return;
    auto& b = f.b;
    const auto bad = f.fault(record::FaultKind::BadAddress);
    const auto address = b.saved(R0);
    if (lead == Lead::Given) {
        offsetInArena(f);
        b.load(R1, address);
        branchUnlessGiven(f, size, bad);
    } else
        branchIfStale(f, address, size, bad);
    b.load(R0, address);
}

void endWithGiven(Firing& f)
{
    if (!f.unit.usesArena()) return;
    auto& b = f.b;
    const auto size = b.saved(R2);
    offsetInArena(f);
    b.load(R2, size);
    b.when({R3, Cond::Le, static_cast<std::int32_t>(f.unit.arenaRoom())}, [&] {
        b.load(Width::B8, R4, Builder::kScratch, f.arenaUsedAt());
        b.alu(AluOp::Sub, R4, R3);
        b.when({R4, Cond::Slt, 0}, [&] { b.mov(R4, 0); });
        b.when({R2, Cond::Gt, R4}, [&] { b.mov(R2, R4); });
    });
}
} // namespace dscope::codegen
