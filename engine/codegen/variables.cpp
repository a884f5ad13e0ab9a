#include "engine/codegen/variables.h"
#include "engine/codegen/expressions.h"
#include "engine/codegen/memory.h"
#include "engine/codegen/stores.h"
#include "engine/codegen/text.h"
/// Scalars, thread-local and clause-local variables, associative arrays.
namespace dscope::codegen {
using sema::Expr;
using sema::ExprKind;
namespace {
/// Builds the tuple of an Element in new scratch memory; gives where.
std::uint32_t buildKey(Firing& f, const Expr& e, const Home& home)
{
    auto& b = f.b;
    if (home.keySize > object::kShortKey) f.unit.need(object::Ability::LongKeys, b.from());
    const auto key = f.allocate(home.keySize);
    const auto& variable = f.unit.program.variables.at(e.variable.value);
    const Firing::Frame frame(f);
    auto at = key;
    if (home.perThread) {
        // The kernel reuses thread numbers: the key also has the thread's start time.
        const auto started = f.unit.kernelOffset("task_struct", "start_time");
        f.loadTask();
        if (started >= 0)
            b.load(Width::B8, R0, R0, started);
        else
            b.mov(R0, 0);
        b.store(Width::B8, Builder::kScratch, at, R0);
        b.call(Helper::GetPidTgid);
        b.store(Width::B8, Builder::kScratch, at + 8, R0);
        at += 16;
    }

    for (std::size_t i = 0; i < e.kids.size(); ++i) {
        const auto* type = variable.tuple.at(i);
        const auto size = f.unit.storage(type);
        const auto shape = shapeOf(type);
        if (shape.kind == Shape::Kind::String)
            copyText(f, text(f, *e.kids[i]), at, size);
        else if (shape.kind == Shape::Kind::Bytes) {
            zero(f, at + (size - 8), 8);
            copyObject(f, *e.kids[i], at, static_cast<std::uint32_t>(shape.size));
        } else {
            stored(f, *e.kids[i]);
            b.store(Width::B8, Builder::kScratch, at, R0);
        }
        at += size;
    }
    return key;
}
void lookupElement(Firing& f, const Home& home, std::uint32_t key)
{
    auto& b = f.b;
    b.loadMap(R1, home.map);
    b.mov(R2, Builder::kScratch);
    b.add(R2, key);
    b.call(Helper::MapLookup);
}
/// r0 = address of the variable's storage, or null where there is none.
void storageOf(Firing& f, const Expr& e, const Home& home, Firing::Missing missing)
{
    auto& b = f.b;
    switch (home.kind) {
    case Home::Kind::Global: return b.loadMapValue(R0, home.map, home.offset);
    case Home::Kind::This: b.mov(R0, Builder::kScratch); return b.add(R0, f.thisAt() + home.offset);
    case Home::Kind::Self: {
        f.loadSelf(missing);
        if (home.offset == 0) return;
        return b.when({R0, Cond::Ne, 0}, [&] { b.add(R0, home.offset); });
    }
    case Home::Kind::Array: {
        const Firing::Frame frame(f);
        return lookupElement(f, home, buildKey(f, e, home));
    }
    }
}
void writeElement(Firing& f, const Home& home, std::uint32_t key, std::uint32_t value)
{
    auto& b = f.b;
    b.loadMap(R1, home.map);
    b.mov(R2, Builder::kScratch);
    b.add(R2, key);
    b.mov(R3, Builder::kScratch);
    b.add(R3, value);
    b.mov(R4, 0);
    b.call(Helper::MapUpdate);
    b.when({R0, Cond::Ne, 0}, [&] { f.countDrop(record::Drop::Kind::Dynamic); });
}
void deleteElement(Firing& f, const Home& home, std::uint32_t key)
{
    auto& b = f.b;
    b.loadMap(R1, home.map);
    b.mov(R2, Builder::kScratch);
    b.add(R2, key);
    b.call(Helper::MapDelete);
}
/// r0 into the element; 0 takes it away.
void storeElement(Firing& f, const Expr& target, const Home& home)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto value = f.allocate(8);
    b.store(Width::B8, Builder::kScratch, value, R0);
    const auto key = buildKey(f, target, home);
    b.load(Width::B8, R0, Builder::kScratch, value);
    b.block([&](Label done) {
        b.when({R0, Cond::Ne, 0}, [&] {
            lookupElement(f, home, key);
            b.when({R0, Cond::Ne, 0}, [&] {
                b.load(Width::B8, R1, Builder::kScratch, value);
                b.store(Width::B8, R0, 0, R1);
                b.jump(done);
            });
            writeElement(f, home, key, value);
            b.jump(done);
        });
        deleteElement(f, home, key);
    });
    b.load(Width::B8, R0, Builder::kScratch, value);
}
/// What alloca() and copyin() have given out so far stays until the firing ends. Uses r1.
void keepArena(Firing& f)
{
    f.b.load(Width::B8, R1, Builder::kScratch, f.arenaUsedAt());
    f.b.store(Width::B8, Builder::kScratch, f.arenaKeptAt(), R1);
}
} // namespace

void variableAddress(Firing& f, const Expr& e)
{
    auto& b = f.b;
    const auto& home = f.unit.home(e.variable);
    storageOf(f, e, home, Firing::Missing::Stays);
    if (home.kind == Home::Kind::Self || home.kind == Home::Kind::Array) {
        // What was never assigned reads as zeros.
        b.when({R0, Cond::Eq, 0}, [&] { b.loadMapValue(R0, f.unit.zeros(home.size), 0); });
    }
    asNumber(f, R0);
}

bool writableStorage(Firing& f, const Expr& e, Label lost)
{
    auto& b = f.b;
    const auto& home = f.unit.home(e.variable);
    if (home.kind != Home::Kind::Array) {
        storageOf(f, e, home, Firing::Missing::IsMade);
        if (home.kind == Home::Kind::Self) b.branch(Cond::Eq, R0, 0, lost);
        return home.kind == Home::Kind::Self;
    }
    const Firing::Frame frame(f);
    const auto key = buildKey(f, e, home);
    lookupElement(f, home, key);
    b.when({R0, Cond::Eq, 0}, [&] {
        const auto value = f.allocate(home.size);
        zero(f, value, home.size);
        writeElement(f, home, key, value);
        lookupElement(f, home, key);
        b.branch(Cond::Eq, R0, 0, lost);
    });
    return true;
}

void loadVariable(Firing& f, const Expr& e)
{
    auto& b = f.b;
    const auto& home = f.unit.home(e.variable);
    storageOf(f, e, home, Firing::Missing::Stays);
    if (home.kind == Home::Kind::Global || home.kind == Home::Kind::This) {
        b.load(widthOf(home.width), R0, R0, 0);
        if (home.isSigned) b.normalize(R0, home.width, Sign::Signed);
        return;
    }
    b.when({R0, Cond::Ne, 0}, [&] { b.load(Width::B8, R0, R0, 0); });
}

void storeVariable(Firing& f, const Expr& target)
{
    auto& b = f.b;
    if (target.kind != ExprKind::Variable && target.kind != ExprKind::Element) return storeMemory(f, target);
    const auto& home = f.unit.home(target.variable);
    switch (home.kind) {
    case Home::Kind::Global: b.loadMapValue(R1, home.map, home.offset); return b.store(widthOf(home.width), R1, 0, R0);
    case Home::Kind::This:
        if (f.unit.isKept(target.variable)) keepArena(f);
        return b.store(widthOf(home.width), Builder::kScratch, f.thisAt() + home.offset, R0);
    case Home::Kind::Self: {
        const auto value = b.saved(R0);
        f.loadSelf(Firing::Missing::IsMade);
        b.either(
            {R0, Cond::Ne, 0},
            [&] {
                b.load(R1, value);
                b.store(Width::B8, R0, home.offset, R1);
            },
            [&] { f.countDrop(record::Drop::Kind::Dynamic); });
        return b.load(R0, value);
    }
    case Home::Kind::Array:
        if (f.unit.isKept(target.variable)) keepArena(f);
        return storeElement(f, target, home);
    }
}

void step(Firing& f, const Expr& e)
{
    auto& b = f.b;
    const auto& target = *e.kids[0];
    const auto shape = shapeOf(target.type);
    const auto* t = target.type ? types::resolved(target.type) : nullptr;
    std::int64_t by = 1;
    if (t && t->kind == types::Kind::Pointer && t->target)
        by = std::max<std::int64_t>(1, static_cast<std::int64_t>(types::resolved(t->target)->size));
    if (e.op == ast::Op::PreDec || e.op == ast::Op::PostDec) by = -by;
    const bool post = e.op == ast::Op::PostInc || e.op == ast::Op::PostDec;
    integer(f, target);
    const auto old = b.saved(R0);
    b.add(R0, by);
    if (shape.kind == Shape::Kind::Integer) b.normalize(R0, shape.size, types::signOf(shape.isSigned));
    storeVariable(f, target);
    if (post) b.load(R0, old);
}

Text variableText(Firing& f, const Expr& e)
{
    auto& b = f.b;
    const auto& home = f.unit.home(e.variable);
    const auto size = f.unit.stringSize();
    const auto nullAt = f.allocate(8);

    // A word behind the text says whether the string is NULL. Global and clause-local variables: 1 if it is NULL. All others: 1 if
    // it is not.
    if (home.kind == Home::Kind::Global || home.kind == Home::Kind::This) {
        storageOf(f, e, home, Firing::Missing::Stays);
        b.load(Width::B8, R1, R0, size);
        b.store(Width::B8, Builder::kScratch, nullAt, R1);
        if (home.kind == Home::Kind::Global) return {Text::Base::Value, home.map, home.offset, size, Text::Null::WhenSet, nullAt};
        return {Text::Base::Scratch, {}, f.thisAt() + home.offset, size, Text::Null::WhenSet, nullAt};
    }

    const auto to = f.allocate(size);
    storageOf(f, e, home, Firing::Missing::Stays);
    b.mov(R1, 1);
    b.when({R0, Cond::Ne, 0}, [&] {
        b.load(Width::B8, R1, R0, size);
        b.alu(AluOp::Xor, R1, 1);
    });

    b.store(Width::B8, Builder::kScratch, nullAt, R1);
    // Where there is no value the address is 0, whose read fails and leaves zeros: the empty string.
    b.mov(R3, R0);
    b.mov(R1, Builder::kScratch);
    b.add(R1, to);
    b.mov(R2, size);
    b.call(Helper::ProbeReadKernel);
    return {Text::Base::Scratch, {}, to, size, Text::Null::WhenSet, nullAt};
}

void storeText(Firing& f, const Expr& target, const Text& value)
{
    auto& b = f.b;
    const auto size = f.unit.stringSize();
    if (target.kind != ExprKind::Variable && target.kind != ExprKind::Element) {
        const Firing::Frame frame(f);
        const auto from = f.allocate(size);
        copyText(f, value, from, size);
        // A member has the bytes that its type says, the NUL among them; a variable keeps its NUL behind those.
        const auto room = std::min(f.unit.stringLimit(), static_cast<std::uint32_t>(types::resolved(target.type)->size));
        b.store(Width::B1, Builder::kScratch, from + room - 1, 0);
        return storeMemory(f, target, from, room);
    }

    const auto& home = f.unit.home(target.variable);
    const Firing::Frame frame(f);
    if (home.kind == Home::Kind::This) {
        const auto at = f.thisAt() + home.offset;
        isNull(f, value, R0);
        b.store(Width::B8, Builder::kScratch, at + size, R0);
        return copyText(f, value, at, size);
    }

    // Through scratch memory, so that one copy serves every kind of storage.
    const auto from = f.allocate(size + 8);
    copyText(f, value, from, size);
    isNull(f, value, R0);
    if (home.kind != Home::Kind::Global) b.alu(AluOp::Xor, R0, 1);
    b.store(Width::B8, Builder::kScratch, from + size, R0);
    if (home.kind == Home::Kind::Array) {
        const auto key = buildKey(f, target, home);
        b.load(Width::B8, R0, Builder::kScratch, from + size);
        return b.either(
            {R0, Cond::Ne, 0}, [&] { writeElement(f, home, key, from); }, [&] { deleteElement(f, home, key); });
    }

    const auto copy = [&] {
        b.mov(R1, R0);
        b.mov(R2, size + 8);
        b.mov(R3, Builder::kScratch);
        b.add(R3, from);
        b.call(Helper::ProbeReadKernel);
    };
    storageOf(f, target, home, Firing::Missing::IsMade);
    if (home.kind != Home::Kind::Self) return copy();
    b.either({R0, Cond::Ne, 0}, copy, [&] { f.countDrop(record::Drop::Kind::Dynamic); });
}

void storeObject(Firing& f, const Expr& target, const Expr& value)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const auto size = static_cast<std::uint32_t>(shapeOf(target.type).size);
    const bool isVariable = target.kind == ExprKind::Variable || target.kind == ExprKind::Element;
    // 0 takes what a dynamic variable holds away.
    const bool erases = value.kind == ExprKind::Integer;
    if (erases && isVariable && f.unit.home(target.variable).kind == Home::Kind::Array) {
        const auto& home = f.unit.home(target.variable);
        deleteElement(f, home, buildKey(f, target, home));
        return b.mov(R0, 0);
    }
    const auto from = f.allocate(size);
    if (erases)
        zero(f, from, roundUp8(size));
    else
        copyObject(f, value, from, size);
    storeMemory(f, target, from, size);
}
} // namespace dscope::codegen
