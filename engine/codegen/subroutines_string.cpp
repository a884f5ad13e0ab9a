#include "engine/codegen/expressions.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
/// Strings: lengths, parts, joining, letters, numbers as text.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;

void strlenOf(Firing& f, const Arguments& args) { lengthOf(f, text(f, *args[0])); }

std::uint32_t joinedCapacity(const Unit& unit, const Arguments& args) { return unit.capacity(*args[0]) + unit.capacity(*args[1]); }
Text strjoin(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const auto first = text(f, *args[0]);
    const auto second = text(f, *args[1]);
    const auto room = first.capacity + second.capacity;
    const auto at = f.allocate(room);
    zero(f, at, room);
    copyText(f, first, at, first.capacity);
    lengthOf(f, first);
    b.clamp(R0, static_cast<std::int32_t>(first.capacity));
    pointTo(f, second, R3);
    b.mov(R1, Builder::kScratch);
    b.add(R1, at);
    b.alu(AluOp::Add, R1, R0);
    b.mov(R2, second.capacity);
    b.call(Helper::ProbeReadKernel);
    return cut(f, scratchText(at, room));
}

std::uint32_t longerCapacity(const Unit& unit, const Arguments& args) { return std::min(unit.capacity(*args[0]) + 8, unit.stringSize()); }
/// What `s[i] = c` makes of s. Behind the end of the text there is nothing to be changed.
Text withLetter(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Cell index(f), letter(f);
    integer(f, *args[1]);
    index.set(R0);
    integer(f, *args[2]);
    b.normalize(R0, 1, Sign::Unsigned);
    letter.set(R0);
    const auto from = text(f, *args[0]);
    const auto result = blank(f, longerCapacity(f.unit, args));
    index.get(R1);
    b.branch(Cond::Gt, R1, static_cast<std::int32_t>(f.unit.stringLimit() - 2), f.fault(record::FaultKind::BadIndex));
    b.mov(R2, R1);
    letter.get(R1);
    b.when({R1, Cond::Ne, 0}, [&] { b.mov(R2, from.capacity); }); // a NUL cuts it off
    b.clamp(R2, static_cast<std::int32_t>(std::min(from.capacity, result.capacity)));
    pointTo(f, from, R3);
    b.mov(R1, Builder::kScratch);
    b.add(R1, result.offset);
    b.call(Helper::ProbeReadKernel);
    lengthOf(f, result);
    index.get(R2);
    b.when({R2, Cond::Le, R0}, [&] {
        b.clamp(R2, static_cast<std::int32_t>(result.capacity - 2));
        letter.get(R1);
        b.alu(AluOp::Add, R2, Builder::kScratch);
        b.store(Width::B1, R2, result.offset, R1);
    });
    return result;
}

/// Source: uts/common/dtrace/dtrace.c, DIF_SUBR_SUBSTR: negative starts count from the end, and negative lengths leave off
/// that many characters there.
Text substr(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const auto from = text(f, *args[0]);
    const Cell start(f), length(f), total(f);
    integer(f, *args[1]);
    start.set(R0);
    if (args.size() > 2)
        integer(f, *args[2]);
    else
        b.mov(R0, INT32_MAX); // all that there is
    length.set(R0);
    lengthOf(f, from);
    total.set(R0);
    start.get(R1);
    length.get(R2);
    b.block([&](Label ready) {
        b.block([&](Label none) {
            b.when({R1, Cond::Slt, 0}, [&] {
                b.alu(AluOp::Add, R1, R0);
                b.when({R1, Cond::Slt, 0}, [&] {
                    b.alu(AluOp::Add, R2, R1);
                    b.branch(Cond::Sle, R2, 0, none);
                    b.mov(R1, 0);
                });
            });
            b.branch(Cond::Sge, R1, R0, none);
            b.when({R2, Cond::Slt, 0}, [&] {
                b.alu(AluOp::Add, R2, R0);
                b.alu(AluOp::Sub, R2, R1);
            });
            // No further than the text goes.
            b.alu(AluOp::Sub, R0, R1);
            b.branch(Cond::Sle, R2, R0, ready);
            b.mov(R2, R0);
            b.jump(ready);
        });
        b.mov(R1, 0);
        b.mov(R2, 0);
    });
    start.set(R1);
    length.set(R2);
    return slice(f, from, start, length);
}

template <char first, char last> Text letters(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const auto from = text(f, *args[0]);
    const auto at = f.allocate(from.capacity);
    copyText(f, from, at, from.capacity);
    const auto result = scratchText(at, from.capacity);
    eachByte(f, result, [&](Label) {
        b.when(Condition::all({{R3, Cond::Ge, first}, {R3, Cond::Le, last}}), [&] {
            b.alu(AluOp::Xor, R3, 0x20);
            b.store(Width::B1, R5, 0, R3);
        });
    });
    return result;
}

/// r0 = the base that the second argument names, 10 without one.
/// Source: DIF_SUBR_LLTOSTR, DIF_SUBR_STRTOLL: none but 2 to 36 is legal.
void baseOf(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    if (args.size() < 2) return b.mov(R0, 10);
    integer(f, *args[1]);
    const auto bad = f.fault(record::FaultKind::IllegalOperation);
    b.mov(R1, 0);
    b.branch(Cond::Lt, R0, 2, bad);
    b.branch(Cond::Gt, R0, 36, bad);
}

/// Source: DIF_SUBR_LLTOSTR: in base 10 signed, in 16 with 0x, in 8 with 0 in front.
Text lltostr(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    constexpr std::uint32_t kRoom = 72;
    const Cell value(f), base(f), start(f), length(f), negative(f);
    const auto at = f.allocate(kRoom);
    zero(f, at, kRoom);
    integer(f, *args[0]);
    value.set(R0);
    baseOf(f, args);
    base.set(R0);
    negative.set(0);
    b.when({R0, Cond::Eq, 10}, [&] {
        value.get(R1);
        b.when({R1, Cond::Slt, 0}, [&] {
            b.negate(R1);
            value.set(R1);
            negative.set(1);
        });
    });

    // From the end backwards; the last byte stays NUL.
    start.set(static_cast<std::int32_t>(kRoom - 8));
    f.rounds(64, [&](Label done) {
        value.get(R1);
        base.get(R2);
        b.mov(R3, R1);
        b.alu(AluOp::Mod, R3, R2);
        b.alu(AluOp::Div, R1, R2);
        value.set(R1);
        b.when({R3, Cond::Ge, 10}, [&] { b.alu(AluOp::Add, R3, 'a' - '0' - 10); });
        b.alu(AluOp::Add, R3, '0');
        start.get(R5);
        b.alu(AluOp::Sub, R5, 1);
        start.set(R5);
        b.branch(Cond::Gt, R5, kRoom - 9, done);
        b.alu(AluOp::Add, R5, Builder::kScratch);
        b.store(Width::B1, R5, at, R3);
        b.branch(Cond::Eq, R1, 0, done);
    });

    // What stands in front of the digits.
    const auto prefix = [&](char c) {
        start.get(R1);
        b.alu(AluOp::Sub, R1, 1);
        start.set(R1);
        b.clamp(R1, kRoom - 9);
        b.mov(R2, Builder::kScratch);
        b.add(R2, at);
        b.alu(AluOp::Add, R2, R1);
        b.store(Width::B1, R2, 0, c);
    };

    negative.get(R1);
    b.when({R1, Cond::Ne, 0}, [&] { prefix('-'); });
    base.get(R1);
    b.block([&](Label ready) {
        b.when({R1, Cond::Ne, 8}, [&] {
            b.branch(Cond::Ne, R1, 16, ready);
            prefix('x');
        });
        prefix('0');
    });

    start.get(R1);
    b.mov(R2, kRoom - 8);
    b.alu(AluOp::Sub, R2, R1);
    length.set(R2);
    return cut(f, slice(f, scratchText(at, kRoom), start, length));
}
std::uint32_t numberCapacity(const Unit&, const Arguments&) { return 72; }

/// Source: DIF_SUBR_STRTOLL: blanks, a sign, 0x or 0 for base 0 and 16, digits up to the first that is none.
void strtoll(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell value(f), base(f), state(f); // state: 0 before the sign, 1 in the digits, bit 8: negative
    const auto from = text(f, *args[0]);
    baseOf(f, args);
    base.set(R0);
    value.set(0);
    state.set(0);
    eachByte(f, from, [&](Label done) {
        b.block([&](Label next) {
            state.get(R4);
            b.block([&](Label digit) {
                b.mov(R1, R4);
                b.alu(AluOp::And, R1, 1);
                b.branch(Cond::Ne, R1, 0, digit);
                b.branch(Cond::Eq, R3, ' ', next);
                b.branch(Cond::Eq, R3, '\t', next);
                b.when({R3, Cond::Ne, '+'}, [&] {
                    b.branch(Cond::Ne, R3, '-', digit);
                    b.alu(AluOp::Or, R4, 256);
                });
                b.alu(AluOp::Or, R4, 1);
                state.set(R4);
                b.jump(next);
            });

            b.alu(AluOp::Or, R4, 1);
            state.set(R4);
            const auto number = [&] {
                b.branch(Cond::Lt, R3, '0', done);
                b.alu(AluOp::Sub, R3, '0');
            };

            const auto letter = [&] {
                b.alu(AluOp::Or, R3, 0x20);
                base.get(R2);
                // 0x10: the x of a base 16 number that began with 0.
                b.when(Condition::all({{R3, Cond::Eq, 'x'}, {R2, Cond::Eq, 16}}), [&] {
                    value.get(R1);
                    b.branch(Cond::Eq, R1, 0, next);
                });
                b.branch(Cond::Lt, R3, 'a', done);
                b.alu(AluOp::Sub, R3, 'a' - 10);
            };

            b.either({R3, Cond::Le, '9'}, number, letter);
            base.get(R2);
            b.branch(Cond::Ge, R3, R2, done);
            value.get(R1);
            b.alu(AluOp::Mul, R1, R2);
            b.alu(AluOp::Add, R1, R3);
            value.set(R1);
        });
    });

    state.get(R1);
    value.get(R0);
    b.alu(AluOp::And, R1, 256);
    b.when({R1, Cond::Ne, 0}, [&] { b.negate(R0); });
}
} // namespace

template <> Subroutine emitter<"strlen">() { return {.integer = strlenOf}; }
template <> Subroutine emitter<"strjoin">() { return {.text = strjoin, .capacity = joinedCapacity}; }
template <> Subroutine emitter<"substr">() { return {.text = substr, .capacity = firstCapacity}; }
template <> Subroutine emitter<"__with_letter">() { return {.text = withLetter, .capacity = longerCapacity}; }
template <> Subroutine emitter<"toupper">() { return {.text = letters<'a', 'z'>, .capacity = firstCapacity}; }
template <> Subroutine emitter<"tolower">() { return {.text = letters<'A', 'Z'>, .capacity = firstCapacity}; }
template <> Subroutine emitter<"lltostr">() { return {.text = lltostr, .capacity = numberCapacity}; }
template <> Subroutine emitter<"strtoll">() { return {.integer = strtoll}; }
} // namespace dscope::codegen
