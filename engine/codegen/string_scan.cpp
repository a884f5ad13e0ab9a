#include "engine/codegen/string_scan.h"
#include "engine/codegen/text.h"
#include <bit>
namespace dscope::codegen {
namespace {
/// r0 = where the word begins in which a text ends, r2 = the word: word by word. `done`: it is full of text.
void findLastWord(Firing& f, const Text& text, Label done)
{
    auto& b = f.b;
    pointTo(f, text, R1);
    b.mov(R0, 0);
    b.block([&](Label part) {
        const auto word = [&](Label) {
            b.load(Width::B8, R2, R1, 0);
            b.mov(R3, R2);
            b.alu(AluOp::Rsh, R3, 56);
            b.branch(Cond::Eq, R3, 0, part);
            b.alu(AluOp::Add, R0, 8);
            b.alu(AluOp::Add, R1, 8);
        };
        b.loop(word, {R0, Cond::Lt, static_cast<std::int32_t>(text.capacity)});
        b.jump(done);
    });
}
/// The same of a long text, by halving: a byte that is not 0 has no end before it.
void halveToLastWord(Firing& f, const Text& text)
{
    auto& b = f.b;
    const Cell full(f); // in memory, so that the verifier does not follow each number
    full.set(0);
    for (auto step = std::bit_floor(text.capacity); step >= 8; step /= 2)
        b.block([&](Label beyond) {
            full.get(R0);
            b.branch(Cond::Gt, R0, static_cast<std::int32_t>(text.capacity - step), beyond);
            pointTo(f, text, R1, step - 1);
            b.alu(AluOp::Add, R1, R0);
            b.load(Width::B1, R2, R1, 0);
            b.branch(Cond::Eq, R2, 0, beyond);
            b.alu(AluOp::Add, R0, static_cast<std::int32_t>(step));
            full.set(R0);
        });
    full.get(R0, text.capacity - 8);
    pointTo(f, text, R1);
    b.alu(AluOp::Add, R1, R0);
    b.load(Width::B8, R2, R1, 0);
}
} // namespace

void lengthOf(Firing& f, const Text& text)
{
    auto& b = f.b;
    // Zero-padded: a word whose last byte is not 0 is full of text, and the first one that isn't is the last.
    b.block([&](Label done) {
        if (text.capacity > kLongText)
            halveToLastWord(f, text);
        else
            findLastWord(f, text, done);

        // How many bytes of the word: halving by shifts, so that no branch depends on each byte.
        for (const int bits : {32, 16, 8}) {
            b.mov(R3, R2);
            b.alu(AluOp::Rsh, R3, bits);
            b.when({R3, Cond::Ne, 0}, [&] {
                b.mov(R2, R3);
                b.alu(AluOp::Add, R0, bits / 8);
            });
        }
        b.when({R2, Cond::Ne, 0}, [&] { b.alu(AluOp::Add, R0, 1); });
    });

    // The verifier comes here with each length as a constant, and would go on with all of them: two texts' lengths in one expression
    // were too much for it. Of what it loads from memory it knows nothing, so it goes on once.
    const Cell length(f);
    length.set(R0);
    length.get(R0, text.capacity);
}
Text reachable(Firing& f, const Text& text)
{
    if (text.base != Text::Base::Entry) return text; // which only the program itself can reach
    const auto copy = scratchText(f.allocate(text.capacity), text.capacity);
    copyText(f, text, copy.offset, copy.capacity);
    return copy;
}
void eachByte(Firing& f, const Text& text, const std::function<void(Label done)>& body)
{
    auto& b = f.b;
    const auto from = reachable(f, text);
    f.rounds(from.capacity, [&](Label done) {
        b.branch(Cond::Ge, R0, static_cast<std::int32_t>(from.capacity), done);
        pointTo(f, from, R5);
        b.alu(AluOp::Add, R5, R0);
        b.load(Width::B1, R3, R5, 0);
        b.branch(Cond::Eq, R3, 0, done);
        body(done);
    });
}
Text blank(Firing& f, std::uint32_t capacity)
{
    const auto size = std::min(roundUp8(capacity), f.unit.stringSize());
    const auto at = f.allocate(size);
    zero(f, at, size);
    return scratchText(at, size);
}
Text slice(Firing& f, const Text& text, const Cell& start, const Cell& length)
{
    auto& b = f.b;
    const auto result = blank(f, text.capacity);
    length.get(R2);
    b.when({R2, Cond::Sgt, 0}, [&] {
        b.clamp(R2, static_cast<std::int32_t>(result.capacity - 1));
        pointTo(f, text, R3);
        start.get(R1, text.capacity - 1);
        b.alu(AluOp::Add, R3, R1);
        b.mov(R1, Builder::kScratch);
        b.add(R1, result.offset);
        b.call(Helper::ProbeReadKernel);
    });
    return result;
}
} // namespace dscope::codegen
