#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
/// Paths as text.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;

/// What is known while a path is gone through, letter by letter. The result grows as long as its components are good; one
/// that is none, or that takes back the one before, makes it shorter again.
struct Cleaning {
    Cleaning(Firing& firing, std::uint32_t capacity)
        : f(firing), letter(f), length(f), begin(f), depth(f), root(f), most(capacity - 1), begins(f.allocate(8 * capacity)),
          result(scratchText(f.allocate(capacity), capacity))
    {
        zero(f, result.offset, capacity);
    }
    Firing& f;
    const Cell letter;
    const Cell length, begin; ///< of the result; of its last component
    const Cell depth;         ///< components in it that may be taken back
    const Cell root;          ///< 1 for a path from the root
    const std::uint32_t most;
    const std::uint32_t begins; ///< u64 each: where the component of that depth begins
    const Text result;

    /// dst = where the byte r1, at most `most`, of the result is.
    void point(Reg dst) const
    {
        f.b.mov(dst, Builder::kScratch);
        f.b.add(dst, result.offset);
        f.b.alu(AluOp::Add, dst, R1);
    }

    void append() const
    {
        auto& b = f.b;
        length.get(R1, most - 1);
        point(R2);
        letter.get(R3);
        b.store(Width::B1, R2, 0, R3);
        b.alu(AluOp::Add, R1, 1);
        length.set(R1);
    }

    /// r1 = scratch memory plus 8 times the depth.
    void level() const
    {
        auto& b = f.b;
        depth.get(R1, most);
        b.alu(AluOp::Lsh, R1, 3);
        b.alu(AluOp::Add, R1, Builder::kScratch);
    }

    /// Notes where the component begins: a ".." behind it takes it back.
    void deeper() const
    {
        auto& b = f.b;
        level();
        begin.get(R2);
        b.store(Width::B8, R1, begins, R2);
        depth.get(R1);
        b.alu(AluOp::Add, R1, 1);
        depth.set(R1);
    }

    /// A component is complete.
    void component() const
    {
        auto& b = f.b;
        length.get(R3);
        begin.get(R5);
        b.alu(AluOp::Sub, R3, R5); // its length
        b.block([&](Label done) {
            b.branch(Cond::Eq, R3, 0, done);
            b.block([&](Label drop) {
                b.block([&](Label push) {
                    b.block([&](Label up) {
                        b.block([&](Label keep) {
                            b.branch(Cond::Gt, R3, 2, keep);
                            begin.get(R1, most - 1);
                            point(R2);
                            b.load(Width::B1, R4, R2, 0);
                            b.branch(Cond::Ne, R4, '.', keep);
                            b.branch(Cond::Eq, R3, 1, drop);
                            b.load(Width::B1, R4, R2, 1);
                            b.branch(Cond::Eq, R4, '.', up);
                        });
                        deeper();
                        b.jump(push);
                    });

                    depth.get(R1);
                    b.when({R1, Cond::Ne, 0}, [&] {
                        b.alu(AluOp::Sub, R1, 1);
                        depth.set(R1);
                        level();
                        b.load(Width::B8, R2, R1, begins);
                        begin.set(R2);
                        b.jump(drop);
                    });
                    // Nothing to take back: the root has nothing above it, another path begins with "..".
                    root.get(R1);
                    b.branch(Cond::Ne, R1, 0, drop);
                });

                letter.set('/');
                append();
                length.get(R1);
                begin.set(R1);
                b.jump(done);
            });
            begin.get(R1);
            length.set(R1);
        });
    }
};
Text cleanpath(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const auto from = reachable(f, text(f, *args[0]));
    const Cleaning to(f, from.capacity + 8);
    const Cell start(f), length(f);
    for (const auto* cell : {&to.length, &to.begin, &to.depth, &to.root, &start})
        cell->set(0);
    loadWord(f, from, 0, R1);
    b.normalize(R1, 1, Sign::Unsigned);
    b.when({R1, Cond::Eq, '/'}, [&] {
        to.root.set(1);
        to.letter.set('/');
        to.append();
        to.begin.set(1);
    });

    eachByte(f, from, [&](Label) {
        to.letter.set(R3);
        b.either(
            {R3, Cond::Eq, '/'}, [&] { to.component(); }, [&] { to.append(); });
    });

    to.component();
    // No slash at the end, but for the root; nothing left of a path is "."; nothing at all is nothing.
    to.length.get(R1);
    to.root.get(R2);
    b.block([&](Label ready) {
        b.when({R1, Cond::Le, R2}, [&] {
            b.branch(Cond::Ne, R2, 0, ready);
            loadWord(f, from, 0, R3);
            b.branch(Cond::Eq, R3, 0, ready);
            b.store(Width::B1, Builder::kScratch, to.result.offset, '.');
            b.mov(R1, 1);
            b.jump(ready);
        });
        b.alu(AluOp::Sub, R1, 1);
    });
    length.set(R1);
    return slice(f, to.result, start, length);
}
std::uint32_t cleanCapacity(const Unit& unit, const Arguments& args) { return unit.capacity(*args[0]) + 8; }
} // namespace

template <> Subroutine emitter<"cleanpath">() { return {.text = cleanpath, .capacity = cleanCapacity}; }
} // namespace dscope::codegen
