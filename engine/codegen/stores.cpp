#include "engine/codegen/stores.h"
#include "engine/codegen/memory.h"
#include "engine/codegen/variables.h"
/// Writing to memory: members and elements of variables, and what alloca() gave out. The kernel lets a program write only
/// where the verifier has seen the bounds, so a computed address is first turned into an offset from a known place.
namespace dscope::codegen {
using sema::Expr;
using sema::ExprKind;
namespace {
/// The variable that an lvalue is part of, or null if the program text does not say it: then the address is computed.
const Expr* rootOf(const Expr& lvalue);
const Expr* rootOfAddress(const Expr& pointer)
{
    switch (pointer.kind) {
    case ExprKind::AddressOf: return rootOf(*pointer.kids[0]);
    case ExprKind::Cast: return rootOfAddress(*pointer.kids[0]);
    case ExprKind::Binary: return pointer.op == ast::Op::Add || pointer.op == ast::Op::Sub ? rootOfAddress(*pointer.kids[0]) : nullptr;
    default: return nullptr;
    }
}
const Expr* rootOf(const Expr& lvalue)
{
    switch (lvalue.kind) {
    case ExprKind::Variable:
    case ExprKind::Element: return &lvalue;
    case ExprKind::Member: return rootOf(*lvalue.kids[0]);
    case ExprKind::Dereference: return rootOfAddress(*lvalue.kids[0]);
    default: return nullptr;
    }
}
/// Whether the lvalue's offset in the variable is known when compiling.
bool isFixed(const Expr& lvalue)
{
    const Expr* e = &lvalue;
    while (e->kind == ExprKind::Member)
        e = e->kids[0].get();
    return e->kind == ExprKind::Variable || e->kind == ExprKind::Element;
}
std::int64_t fixedOffset(const Expr& lvalue)
{
    std::int64_t offset = 0;
    for (const Expr* e = &lvalue; e->kind == ExprKind::Member; e = e->kids[0].get())
        offset += e->bitOffset / 8;
    return offset;
}
/// Binds `lost`, where code jumps if there was no room for a variable, and counts a drop there.
void countLost(Firing& f, Label lost)
{
    f.b.block([&](Label done) {
        f.b.jump(done);
        f.b.bind(lost);
        f.countDrop(record::Drop::Kind::Dynamic);
    });
}
} // namespace

void asNumber(Firing& f, Reg pointer)
{
    // The verifier takes a value that was stored in a map and loaded again for a number: it forgets that it was a pointer.
    const Firing::Frame frame(f);
    const auto at = f.allocate(8);
    f.b.store(Width::B8, Builder::kScratch, at, pointer);
    f.b.load(Width::B8, pointer, Builder::kScratch, at);
}

bool writable(Firing& f, const Expr& target, std::uint32_t size, Label lost)
{
    auto& b = f.b;
    const auto* root = rootOf(target);
    const auto room = root ? f.unit.home(root->variable).size : 0;
    if (root && isFixed(target)) {
        const bool mayLose = writableStorage(f, *root, lost);
        b.add(R0, fixedOffset(target));
        return mayLose;
    }

    const Firing::Frame frame(f);
    const auto address = f.allocate(8);
    if (root && room >= size) {
        writableStorage(f, *root, lost); // an element has to be there before its address can be asked for
        addressOf(f, target);
        b.store(Width::B8, Builder::kScratch, address, R0);
        const bool mayLose = writableStorage(f, *root, lost);
        b.mov(R3, R0);
        asNumber(f, R3);
        b.load(Width::B8, R1, Builder::kScratch, address);
        b.alu(AluOp::Sub, R1, R3);
        b.mov(R2, R1);
        b.alu(AluOp::Div, R1, static_cast<std::int32_t>(std::max(size, 1u))); // which element, for the message
        b.branch(Cond::Gt, R2, static_cast<std::int32_t>(room - size), f.fault(record::FaultKind::BadIndex));
        b.alu(AluOp::Add, R0, R2);
        return mayLose;
    }

    const auto where = place(f, target);
    b.add(R0, where.offset);
    b.store(Width::B8, Builder::kScratch, address, R0);
    b.mov(R3, Builder::kScratch);
    b.add(R3, f.arenaAt());
    asNumber(f, R3);
    b.load(Width::B8, R1, Builder::kScratch, address);
    b.mov(R2, R1);
    b.alu(AluOp::Sub, R2, R3);
    const auto bad = f.fault(record::FaultKind::BadAddress);
    b.load(Width::B8, R4, Builder::kScratch, f.arenaUsedAt());
    b.branch(Cond::Lt, R4, static_cast<std::int32_t>(size), bad);
    b.alu(AluOp::Sub, R4, static_cast<std::int32_t>(size));
    b.branch(Cond::Gt, R2, R4, bad);
    b.branch(Cond::Lt, R2, static_cast<std::int32_t>(Unit::kArenaGuard), bad);
    const auto most = f.unit.arenaRoom();
    b.branch(Cond::Gt, R2, static_cast<std::int32_t>(most), bad);
    f.reach(f.arenaAt() + most + size);
    b.mov(R0, Builder::kScratch);
    b.add(R0, f.arenaAt());
    b.alu(AluOp::Add, R0, R2);
    return false;
}

void storeMemory(Firing& f, const Expr& target)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto value = f.allocate(8);
    const Firing::Maybe maybe(f);
    const auto lost = b.label();
    bool mayLose = false;
    b.store(Width::B8, Builder::kScratch, value, R0);
    if (target.kind == ExprKind::Member && target.bitWidth) {
        const auto shift = target.bitOffset % 8;
        const auto bytes = (shift + target.bitWidth + 7) / 8;
        DSCOPE_ASSERT(bytes <= 8);
        mayLose = writable(f, target, bytes, lost);
        const auto where = b.saved(R0);
        const auto word = b.temp();
        b.store(word, 0);
        b.addressOf(R1, word);
        b.mov(R2, bytes);
        b.mov(R3, R0);
        b.call(Helper::ProbeReadKernel);
        const auto mask = (target.bitWidth == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << target.bitWidth) - 1) << shift;
        b.load(R0, word);
        b.mov(R1, static_cast<std::int64_t>(~mask));
        b.alu(AluOp::And, R0, R1);
        b.load(Width::B8, R1, Builder::kScratch, value);
        b.alu(AluOp::Lsh, R1, static_cast<std::int32_t>(shift));
        b.mov(R2, static_cast<std::int64_t>(mask));
        b.alu(AluOp::And, R1, R2);
        b.alu(AluOp::Or, R0, R1);
        b.store(word, R0);
        b.load(R1, where);
        b.mov(R2, bytes);
        b.addressOf(R3, word);
        b.call(Helper::ProbeReadKernel);
    } else {
        const auto size = static_cast<std::uint32_t>(shapeOf(target.type).size);
        mayLose = writable(f, target, size, lost);
        b.load(Width::B8, R1, Builder::kScratch, value);
        b.store(size == 1 ? Width::B1 : size == 2 ? Width::B2 : size == 4 ? Width::B4 : Width::B8, R0, 0, R1);
    }
    if (mayLose) countLost(f, lost);
    b.load(Width::B8, R0, Builder::kScratch, value);
}

void storeMemory(Firing& f, const Expr& target, std::uint32_t from, std::uint32_t size)
{
    auto& b = f.b;
    const Firing::Maybe maybe(f);
    const auto lost = b.label();
    const bool mayLose = writable(f, target, size, lost);
    b.mov(R1, R0);
    b.mov(R2, size);
    b.mov(R3, Builder::kScratch);
    b.add(R3, from);
    b.call(Helper::ProbeReadKernel);
    if (mayLose) countLost(f, lost);
    b.mov(R0, 0);
}
} // namespace dscope::codegen
