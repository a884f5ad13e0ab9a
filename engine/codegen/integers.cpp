#include "engine/codegen/expressions.h"
#include "engine/codegen/memory.h"
#include "engine/codegen/stacks.h"
#include "engine/codegen/stores.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
#include "engine/codegen/variables.h"
#include "engine/host/processor.h"
#include "engine/object/raw.h"
#include "engine/types/stack_value.h"
/// Arithmetic, logic and comparison. BPF computes in 64 bits and divides unsigned; D wants its types' widths and signs.
namespace dscope::codegen {
using ast::Op;
using sema::Expr;
using sema::ExprKind;
namespace {
bool isText(const Expr& e) { return shapeOf(e.type).kind == Shape::Kind::String; }
/// text() finds this without asking integer() for an address.
bool isStoredText(const Expr& e)
{
    switch (e.kind) {
    case ExprKind::Variable:
    case ExprKind::Element:
    case ExprKind::String:
    case ExprKind::StringFrom:
    case ExprKind::Conditional:
    case ExprKind::Builtin:
    case ExprKind::Dereference:
    case ExprKind::Member:
    case ExprKind::Call: return true;
    default: return false;
    }
}
bool isSigned(const Expr& e)
{
    const auto shape = shapeOf(e.type);
    return shape.kind == Shape::Kind::Integer && shape.isSigned;
}
bool isComparison(Op op) { return op == Op::Eq || op == Op::Ne || op == Op::Lt || op == Op::Le || op == Op::Gt || op == Op::Ge; }
bool isTruth(const Expr& e)
{
    if (e.kind == ExprKind::Unary) return e.op == Op::Not;
    return e.kind == ExprKind::Binary && (isComparison(e.op) || e.op == Op::And || e.op == Op::Or || e.op == Op::LogXor);
}
/// A constant as its type has it.
std::int64_t constantOf(const Expr& e)
{
    const auto shape = shapeOf(e.type);
    if (shape.kind != Shape::Kind::Integer || shape.size >= 8) return e.integer;
    const auto unused = static_cast<int>(64 - 8 * shape.size);
    const auto high = static_cast<std::uint64_t>(e.integer) << unused;
    return shape.isSigned ? static_cast<std::int64_t>(high) >> unused : static_cast<std::int64_t>(high >> unused);
}

/// r0 = lhs, r1 = rhs.
void operands(Firing& f, const Expr& lhs, const Expr& rhs)
{
    integer(f, lhs);
    if (isCheap(f, rhs)) return loadCheap(f, rhs, R1);
    const auto left = f.b.saved(R0);
    integer(f, rhs);
    f.b.mov(R1, R0);
    f.b.load(R0, left);
}
/// r0 = r0 / r1 or r0 % r1, faulting for 0.
void divide(Firing& f, bool isSignedOp, bool modulo)
{
    auto& b = f.b;
    b.branch(Cond::Eq, R1, 0, f.fault(record::FaultKind::DivideByZero)); // r1 is 0: no address
    if (!isSignedOp) return b.alu(modulo ? AluOp::Mod : AluOp::Div, R0, R1);
    // C's signs: a quotient is negative when the operands' signs differ, a remainder when the dividend is.
    b.mov(R2, R0);
    if (!modulo) b.alu(AluOp::Xor, R2, R1);
    for (const auto reg : {R0, R1})
        b.when({reg, Cond::Slt, 0}, [&] { b.negate(reg); });
    b.alu(modulo ? AluOp::Mod : AluOp::Div, R0, R1);
    b.when({R2, Cond::Slt, 0}, [&] { b.negate(R0); });
}
void arithmetic(Firing& f, const Expr& e)
{
    auto& b = f.b;
    const auto& lhs = *e.kids[0];
    const auto& rhs = *e.kids[1];
    const auto shape = shapeOf(e.type);
    const bool wide = shape.kind != Shape::Kind::Integer || shape.size >= 8;
    auto simple = [&](AluOp op) {
        if (rhs.kind == ExprKind::Integer && fits32(constantOf(rhs))) {
            integer(f, lhs);
            b.alu(op, R0, static_cast<std::int32_t>(constantOf(rhs)));
        } else {
            operands(f, lhs, rhs);
            b.alu(op, R0, R1);
        }
    };

    auto shift = [&](AluOp op) {
        if (rhs.kind == ExprKind::Integer) {
            integer(f, lhs);
            b.alu(op, R0, static_cast<std::int32_t>(rhs.integer & 63));
        } else {
            operands(f, lhs, rhs);
            b.alu(op, R0, R1);
        }
    };

    switch (e.op) {
    case Op::Add: simple(AluOp::Add); break;
    case Op::Sub: simple(AluOp::Sub); break;
    case Op::Mul: simple(AluOp::Mul); break;
    case Op::BitAnd: simple(AluOp::And); break;
    case Op::BitOr: simple(AluOp::Or); break;
    case Op::BitXor: simple(AluOp::Xor); break;
    case Op::Shl: shift(AluOp::Lsh); break;
    case Op::Shr: shift(isSigned(lhs) ? AluOp::Arsh : AluOp::Rsh); break;
    case Op::Div:
    case Op::Mod:
        if (rhs.kind == ExprKind::Integer && constantOf(rhs) > 0 && fits32(constantOf(rhs)) && !isSigned(e)) {
            simple(e.op == Op::Div ? AluOp::Div : AluOp::Mod);
            break;
        }
        operands(f, lhs, rhs);
        divide(f, isSigned(e), e.op == Op::Mod);
        break;
    default: DSCOPE_BUG("not an arithmetic operator");
    }
    // Signed overflow is C's to leave open: D keeps all 64 bits until the value is stored or cast.
    if (!wide && !shape.isSigned) b.normalize(R0, shape.size, Sign::Unsigned);
}
/// r0 = 1 when the expression is true, else 0.
void truth(Firing& f, const Expr& e)
{
    either(
        f, e, [&] { f.b.mov(R0, 1); }, [&] { f.b.mov(R0, 0); });
}
void conditional(Firing& f, const Expr& e)
{
    either(
        f, *e.kids[0], [&] { integer(f, *e.kids[1]); }, [&] { integer(f, *e.kids[2]); });
}
/// May the value have more bits than its type?
bool mayExceed(const Expr& e)
{
    switch (e.kind) {
    case ExprKind::Unary: return e.op != Op::Not;
    case ExprKind::Binary: return !isTruth(e);
    case ExprKind::Conditional: return mayExceed(*e.kids[1]) || mayExceed(*e.kids[2]);
    case ExprKind::Comma: return mayExceed(*e.kids[1]);
    default: return false;
    }
}
/// r0 = the address of a string, as a number: 0 for NULL. The text stays where it is until the enclosing Frame ends.
void addressOfText(Firing& f, const Expr& e)
{
    auto& b = f.b;
    const auto t = maybeText(f, e);
    pointTo(f, t, R0);
    asNumber(f, R0);
    if (t.null == Text::Null::Never) return;
    isNull(f, t, R1);
    b.when({R1, Cond::Ne, 0}, [&] { b.mov(R0, 0); });
}
/// r0 = the address of a string's byte, as a number: `pointer` is a sum, whose first term is the string.
void addressInText(Firing& f, const Expr& string, const Expr& pointer)
{
    auto& b = f.b;
    const auto t = maybeText(f, string); // stays until the enclosing Frame ends
    offsetInString(f, pointer, t.capacity);
    const auto inside = b.saved(R0);
    pointTo(f, t, R0);
    asNumber(f, R0);
    b.load(R1, inside);
    b.alu(AluOp::Add, R0, R1);
    if (t.null == Text::Null::Never) return;
    isNull(f, t, R1);
    b.when({R1, Cond::Ne, 0}, [&] { b.load(R0, inside); });
}
void cast(Firing& f, const Expr& e)
{
    if (isText(*e.kids[0]))
        addressOfText(f, *e.kids[0]); // a string as a number is its address
    else
        integer(f, *e.kids[0]);
    const auto to = shapeOf(e.type), was = shapeOf(e.kids[0]->type);
    if (to.kind != Shape::Kind::Integer || to.size >= 8) return;
    if (was.kind == Shape::Kind::Integer && was.size == to.size && was.isSigned == to.isSigned && !mayExceed(*e.kids[0])) return;
    f.b.normalize(R0, to.size, types::signOf(to.isSigned));
}
void unary(Firing& f, const Expr& e)
{
    const auto shape = shapeOf(e.type);
    integer(f, *e.kids[0]);
    switch (e.op) {
    case Op::Neg: f.b.negate(R0); break;
    case Op::BitNot: f.b.alu(AluOp::Xor, R0, -1); break;
    case Op::Plus: break;
    default: DSCOPE_BUG("not a unary operator");
    }
    if (shape.kind == Shape::Kind::Integer && !shape.isSigned) f.b.normalize(R0, shape.size, Sign::Unsigned);
}
} // namespace

void stored(Firing& f, const Expr& e)
{
    integer(f, e);
    const auto shape = shapeOf(e.type);
    if (shape.kind == Shape::Kind::Integer && mayExceed(e)) f.b.normalize(R0, shape.size, types::signOf(shape.isSigned));
}

Cond opposite(Op op, Sign sign)
{
    const bool isSigned = sign == Sign::Signed;
    switch (op) {
    case Op::Eq: return Cond::Ne;
    case Op::Ne: return Cond::Eq;
    case Op::Lt: return isSigned ? Cond::Sge : Cond::Ge;
    case Op::Le: return isSigned ? Cond::Sgt : Cond::Gt;
    case Op::Gt: return isSigned ? Cond::Sle : Cond::Le;
    default: return isSigned ? Cond::Slt : Cond::Lt;
    }
}
namespace {
/// raw[n] of a KernelFunction.
void loadFunctionWord(Firing& f, const probe::KernelFunction& function, std::int64_t n, Reg into)
{
    if (f.type == ProgramType::FunctionEntry || f.type == ProgramType::FunctionReturn) {
        // The arguments in order, then the value; to the verifier they are typed pointers, with which one can't compute.
        const auto word = function.atReturn ? std::int64_t{function.parameters} : n;
        f.b.load(Width::B8, into, Builder::kContext, 8 * word);
        return asNumber(f, into);
    }
    // The arguments that come in registers, then the stack pointer.
    const auto& cpu = host::kProcessor;
    const std::int64_t count = cpu.registers;
    DSCOPE_ASSERT(n <= count);
    const int at = function.atReturn ? cpu.value : n == count ? cpu.stack : cpu.functionArguments[static_cast<std::size_t>(n)];
    f.b.load(Width::B8, into, Builder::kContext, at);
}
} // namespace

bool isCheap(const Firing& f, const Expr& e)
{
    switch (e.kind) {
    case ExprKind::Integer:
    case ExprKind::Context: return true;
    case ExprKind::ProbeArgument:
        return e.integer < static_cast<std::int64_t>(Firing::kArguments) && f.has(Firing::kArgument + static_cast<std::size_t>(e.integer))
            && shapeOf(e.type).kind == Shape::Kind::Integer;
    case ExprKind::Variable: return f.unit.home(e.variable).kind != Home::Kind::Self && shapeOf(e.type).kind == Shape::Kind::Integer;
    case ExprKind::Builtin: return e.builtin == sema::Builtin::Timestamp && f.has(Firing::kTimestamp);
    default: return false;
    }
}
void loadCheap(Firing& f, const Expr& e, Reg into)
{
    switch (e.kind) {
    case ExprKind::Integer: return f.b.mov(into, constantOf(e));
    case ExprKind::Context:
        if (f.inError()) return f.loadErrorArgument(into, e.integer);
        if (const auto* function = f.hook ? std::get_if<probe::KernelFunction>(&f.hook->at) : nullptr)
            return loadFunctionWord(f, *function, e.integer, into);
        if (f.type == ProgramType::Tracepoint) {
            f.b.mov(into, Builder::kContext);
            return asNumber(f, into);
        }
        if (e.integer == probe::kHookValue) return f.loadHookValue(into);
        return f.b.load(Width::B8, into, Builder::kContext, 8 * e.integer);
    case ExprKind::ProbeArgument: {
        const auto shape = shapeOf(e.type);
        f.b.load(Width::B8, into, Builder::kScratch, f.onceAt(Firing::kArgument + static_cast<std::size_t>(e.integer)));
        return f.b.normalize(into, shape.size, types::signOf(shape.isSigned));
    }
    case ExprKind::Builtin: return f.b.load(Width::B8, into, Builder::kScratch, f.onceAt(Firing::kTimestamp));
    case ExprKind::Variable: {
        const auto& home = f.unit.home(e.variable);
        if (home.kind == Home::Kind::This)
            f.b.load(widthOf(home.width), into, Builder::kScratch, f.thisAt() + home.offset);
        else {
            f.b.loadMapValue(into, home.map, home.offset);
            f.b.load(widthOf(home.width), into, into, 0);
        }
        if (home.isSigned) f.b.normalize(into, home.width, Sign::Signed);
        return;
    }
    default: DSCOPE_BUG("not a cheap expression");
    }
}

void argument(Firing& f, const Expr& e)
{
    const auto n = static_cast<std::size_t>(e.integer);
    DSCOPE_ASSERT(f.probe);
    if (n >= f.arguments.size() || !f.arguments[n]) return f.b.mov(R0, 0);
    const bool keeps = n < Firing::kArguments;
    if (keeps && f.has(Firing::kArgument + n)) {
        f.b.load(Width::B8, R0, Builder::kScratch, f.onceAt(Firing::kArgument + n));
    } else {
        integer(f, *f.arguments[n]);
        if (keeps) {
            f.b.store(Width::B8, Builder::kScratch, f.onceAt(Firing::kArgument + n), R0);
            f.nowHas(Firing::kArgument + n);
        }
    }
    // argN is the whole word, args[n] the same seen as its type.
    const auto shape = shapeOf(e.type);
    if (shape.kind == Shape::Kind::Integer) f.b.normalize(R0, shape.size, types::signOf(shape.isSigned));
}

void integer(Firing& f, const Expr& e)
{
    if (isCheap(f, e)) {
        loadCheap(f, e, R0);
        return;
    }

    if (isTruth(e)) return truth(f, e);
    if (isText(e) && isStoredText(e)) { return addressOfText(f, e); }
    switch (e.kind) {
    case ExprKind::Builtin: return builtin(f, e);
    case ExprKind::ProbeArgument: return argument(f, e);
    case ExprKind::Variable:
    case ExprKind::Element:
        if (shapeOf(e.type).kind == Shape::Kind::Bytes) return variableAddress(f, e);
        return loadVariable(f, e);
    case ExprKind::Unary: return unary(f, e);
    case ExprKind::Binary:
        if (const auto* string = stringBehind(e)) return addressInText(f, *string, e);
        return arithmetic(f, e);
    case ExprKind::Conditional: return conditional(f, e);
    case ExprKind::Assign:
        if (isText(*e.kids[0])) { return addressOfText(f, e); }
        if (shapeOf(e.kids[0]->type).kind == Shape::Kind::Bytes) return storeObject(f, *e.kids[0], *e.kids[1]);
        stored(f, *e.kids[1]);
        return storeVariable(f, *e.kids[0]);
    case ExprKind::Step: return step(f, e);
    case ExprKind::Cast: return cast(f, e);
    case ExprKind::Dereference:
    case ExprKind::Member:
        if (shapeOf(e.type).kind == Shape::Kind::Bytes) return addressOf(f, e);
        return loadMemory(f, e);
    case ExprKind::AddressOf: return addressOf(f, *e.kids[0]);
    case ExprKind::Call: {
        const auto& row = subroutineAt(e.subroutine);
        if (row.integer) return row.integer(f, e.kids);
        const auto t = text(f, e);
        return pointTo(f, t, R0);
    }
    case ExprKind::Index: {
        integer(f, *e.kids[0]);
        f.b.mov(R1, R0); // for the message
        f.b.mov(R2, e.integer);
        return f.b.branch(Cond::Ge, R0, R2, f.fault(record::FaultKind::BadIndex));
    }
    case ExprKind::Comma: {
        const Firing::Frame frame(f);
        if (isText(*e.kids[0]))
            text(f, *e.kids[0]);
        else
            integer(f, *e.kids[0]);
        return integer(f, *e.kids[1]);
    }
    case ExprKind::String:
    case ExprKind::StringFrom: {
        const auto t = text(f, e);
        return pointTo(f, t, R0);
    }
    case ExprKind::Stack:
    case ExprKind::UserStack: return types::isStackValue(e.type) ? stackValue(f, e) : f.b.mov(R0, 0);
    case ExprKind::Integer:
    case ExprKind::Context: return f.b.mov(R0, 0);
    }
}

void either(Firing& f, const Expr& e, const Builder::Body& body, const Builder::Body& otherwise)
{
    auto& b = f.b;
    b.block([&](Label done) {
        b.block([&](Label no) {
            branchUnless(f, e, no);
            body();
            b.jump(done);
        });
        otherwise();
    });
}
void branchUnless(Firing& f, const Expr& e, Label no)
{
    auto& b = f.b;
    if (e.kind == ExprKind::Unary && e.op == Op::Not) {
        return b.block([&](Label yes) {
            branchUnless(f, *e.kids[0], yes);
            b.jump(no);
        });
    }

    if (e.kind == ExprKind::Binary && e.op == Op::And) {
        branchUnless(f, *e.kids[0], no);
        return branchUnless(f, *e.kids[1], no);
    }

    if (e.kind == ExprKind::Binary && e.op == Op::Or) {
        return b.block([&](Label yes) {
            b.block([&](Label second) {
                branchUnless(f, *e.kids[0], second);
                b.jump(yes);
            });
            branchUnless(f, *e.kids[1], no);
        });
    }

    if (e.kind == ExprKind::Binary && e.op == Op::LogXor) {
        const Firing::Frame frame(f);
        truth(f, *e.kids[0]);
        const auto left = b.saved(R0);
        truth(f, *e.kids[1]);
        b.load(R1, left);
        return b.branch(Cond::Eq, R0, R1, no);
    }

    if (e.kind == ExprKind::Binary && isComparison(e.op)) {
        const Firing::Frame frame(f);
        const auto& lhs = *e.kids[0];
        const auto& rhs = *e.kids[1];
        if (isText(lhs) && isText(rhs)) {
            const auto a = maybeText(f, lhs);
            const auto c = maybeText(f, rhs);
            return branchUnlessText(f, e.op, a, c, no);
        }
        const bool asSigned = isSigned(lhs) && isSigned(rhs);
        if (rhs.kind == ExprKind::Integer && fits32(constantOf(rhs))) {
            integer(f, lhs);
            return b.branch(opposite(e.op, types::signOf(asSigned)), R0, static_cast<std::int32_t>(constantOf(rhs)), no);
        }
        operands(f, lhs, rhs);
        return b.branch(opposite(e.op, types::signOf(asSigned)), R0, R1, no);
    }

    if (isText(e)) {
        const Firing::Frame frame(f);
        isNull(f, maybeText(f, e), R0);
        return b.branch(Cond::Ne, R0, 0, no);
    }
    const Firing::Frame frame(f);
    integer(f, e);
    b.branch(Cond::Eq, R0, 0, no);
}
} // namespace dscope::codegen
