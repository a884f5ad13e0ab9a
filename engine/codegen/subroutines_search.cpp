#include "engine/codegen/expressions.h"
#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
/// Looking for something in a string, and parts of paths.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;

/// The part of `from` that begins at `start`, which may be empty; NULL when `start` is -1.
Text tail(Firing& f, const Text& from, const Cell& start)
{
    auto& b = f.b;
    const Cell length(f), isNull(f);
    lengthOf(f, from);
    start.get(R1);
    isNull.set(0);
    b.when({R1, Cond::Slt, 0}, [&] {
        isNull.set(1);
        b.mov(R0, R1);
    });
    b.alu(AluOp::Sub, R0, R1);
    length.set(R0);
    auto result = slice(f, from, start, length);
    result.null = Text::Null::WhenSet;
    result.nullAt = isNull.at();
    return result;
}
template <bool last> Text strchr(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const auto from = text(f, *args[0]);
    const Cell wanted(f), found(f);
    integer(f, *args[1]);
    b.normalize(R0, 1, Sign::Unsigned);
    wanted.set(R0);
    found.set(-1);
    eachByte(f, from, [&](Label done) {
        wanted.get(R1);
        b.when({R1, Cond::Eq, R3}, [&] {
            found.set(R0);
            if (!last) b.jump(done);
        });
    });
    // The NUL at the end is found too, as by C's function.
    wanted.get(R1);
    b.when({R1, Cond::Eq, 0}, [&] {
        lengthOf(f, from);
        found.set(R0);
    });
    return tail(f, from, found);
}

/// Finds `needle` in `from` (Knuth, Morris and Pratt: no step goes back, so that the rounds are bounded by twice the
/// length). `at`: the first place not before `least`, or with `last` the last one not after it; -1 when there is none.
enum class Which : std::uint8_t { First, Last };
void find(Firing& f, const Text& wholeText, const Text& wanted, const Cell& least, const Cell& at, Which which)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell i(f), k(f);
    const auto from = reachable(f, wholeText), needle = reachable(f, wanted);
    const auto table = f.allocate(8 * needle.capacity); // u64 each: how far the needle repeats itself there
    const auto byteAt = [&](const Text& t, Reg index, Reg dst) {
        pointTo(f, t, dst);
        b.alu(AluOp::Add, dst, index);
        b.load(Width::B1, dst, dst, 0);
    };

    const auto entry = [&](Reg index, Reg dst) {
        b.mov(dst, index);
        b.alu(AluOp::Lsh, dst, 3);
        b.alu(AluOp::Add, dst, Builder::kScratch);
    };

    const auto rounds = [&](std::uint32_t n, const std::function<void(Label next, Label done)>& body) {
        f.rounds(n, [&](Label done) { b.block([&](Label next) { body(next, done); }); });
    };
    const auto back = [&] { // k = table[k - 1]
        k.get(R1);
        b.alu(AluOp::Sub, R1, 1);
        b.clamp(R1, static_cast<std::int32_t>(needle.capacity - 1));
        entry(R1, R2);
        b.load(Width::B8, R1, R2, table);
        k.set(R1);
    };

    const auto most = needle.capacity - 1;
    b.store(Width::B8, Builder::kScratch, table, 0);
    i.set(1);
    k.set(0);
    rounds(2 * needle.capacity, [&](Label next, Label done) {
        i.get(R1, most);
        byteAt(needle, R1, R3);
        b.branch(Cond::Eq, R3, 0, done);
        k.get(R2, most);
        byteAt(needle, R2, R4);
        b.when({R3, Cond::Ne, R4}, [&] {
            b.when({R2, Cond::Ne, 0}, [&] {
                back();
                b.jump(next);
            });
            entry(R1, R4);
            b.store(Width::B8, R4, table, 0);
            b.alu(AluOp::Add, R1, 1);
            i.set(R1);
            b.jump(next);
        });

        b.alu(AluOp::Add, R2, 1);
        k.set(R2);
        entry(R1, R4);
        b.store(Width::B8, R4, table, R2);
        b.alu(AluOp::Add, R1, 1);
        i.set(R1);
    });

    i.set(0);
    k.set(0);
    at.set(-1);
    rounds(2 * from.capacity + 1, [&](Label next, Label done) {
        k.get(R2, most);
        byteAt(needle, R2, R4);
        b.when({R4, Cond::Eq, 0}, [&] {
            // All of the needle: it began at i - k.
            i.get(R1);
            b.alu(AluOp::Sub, R1, R2);
            least.get(R3);
            if (which == Which::Last) {
                b.branch(Cond::Sgt, R1, R3, done);
                at.set(R1);
            } else {
                b.when({R1, Cond::Sge, R3}, [&] {
                    at.set(R1);
                    b.jump(done);
                });
            }
            b.when({R2, Cond::Ne, 0}, [&] {
                back();
                b.jump(next);
            });
            i.get(R1, from.capacity - 1);
            byteAt(from, R1, R3);
            b.branch(Cond::Eq, R3, 0, done);
            b.alu(AluOp::Add, R1, 1);
            i.set(R1);
            b.jump(next);
        });

        i.get(R1, from.capacity - 1);
        byteAt(from, R1, R3);
        b.branch(Cond::Eq, R3, 0, done);
        b.block([&](Label start) {
            b.when({R3, Cond::Ne, R4}, [&] {
                b.branch(Cond::Eq, R2, 0, start);
                back();
                b.jump(next);
            });
            b.alu(AluOp::Add, R2, 1);
            k.set(R2);
        });
        b.alu(AluOp::Add, R1, 1);
        i.set(R1);
    });
}
/// index, rindex. Source: DIF_SUBR_INDEX: a start before the text counts as 0 for index and finds nothing for rindex.
template <Which which> void index(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Firing::Frame frame(f);
    const Cell least(f), at(f);
    const auto from = text(f, *args[0]);
    const auto needle = text(f, *args[1]);
    if (args.size() > 2)
        integer(f, *args[2]);
    else
        b.mov(R0, which == Which::Last ? static_cast<std::int64_t>(from.capacity) : 0);
    least.set(R0);
    find(f, from, needle, least, at, which);
    at.get(R0);
}
Text strstr(Firing& f, const Arguments& args)
{
    const Cell least(f), at(f);
    const auto from = text(f, *args[0]);
    const auto needle = text(f, *args[1]);
    least.set(0);
    find(f, from, needle, least, at, Which::First);
    return tail(f, from, at);
}

/// The last component of a path: [start, end); and where what is before it ends.
void components(Firing& f, const Text& path, const Cell& start, const Cell& end, const Cell& before)
{
    auto& b = f.b;
    const Cell slash(f); // the byte before was one
    start.set(0);
    end.set(0);
    before.set(-1);
    slash.set(1);
    eachByte(f, path, [&](Label) {
        const auto letter = [&] {
            slash.get(R1);
            b.when({R1, Cond::Ne, 0}, [&] {
                start.set(R0);
                // What came before ends behind its last component; at the root that is 0.
                b.when({R0, Cond::Ne, 0}, [&] {
                    end.get(R1);
                    before.set(R1);
                });
                slash.set(0);
            });
            b.mov(R1, R0);
            b.alu(AluOp::Add, R1, 1);
            end.set(R1);
        };
        b.either({R3, Cond::Ne, '/'}, letter, [&] { slash.set(1); });
    });
}
Text basename(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Cell start(f), end(f), before(f);
    const auto path = text(f, *args[0]);
    components(f, path, start, end, before);
    end.get(R1);
    start.get(R2);
    b.alu(AluOp::Sub, R1, R2);
    end.set(R1);
    const auto result = slice(f, path, start, end);
    // Slashes alone are "/", nothing at all is ".".
    end.get(R1);
    b.when({R1, Cond::Eq, 0}, [&] {
        loadWord(f, path, 0, R1);
        b.store(Width::B1, Builder::kScratch, result.offset, '/');
        b.when({R1, Cond::Eq, 0}, [&] { b.store(Width::B1, Builder::kScratch, result.offset, '.'); });
    });
    return result;
}
Text dirname(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const Cell start(f), end(f), before(f);
    const auto path = text(f, *args[0]);
    components(f, path, start, end, before);
    start.set(0);
    const auto result = slice(f, path, start, before);
    before.get(R1);
    b.when({R1, Cond::Sle, 0}, [&] {
        b.block([&](Label named) {
            b.block([&](Label dot) {
                b.when({R1, Cond::Ne, 0}, [&] {
                    // No component before the last: "." unless the path is slashes alone.
                    loadWord(f, path, 0, R2);
                    b.normalize(R2, 1, Sign::Unsigned);
                    b.branch(Cond::Ne, R2, '/', dot);
                });
                b.store(Width::B1, Builder::kScratch, result.offset, '/');
                b.jump(named);
            });
            b.store(Width::B1, Builder::kScratch, result.offset, '.');
        });
    });
    return result;
}

/// NULL as D writes it: what strtok() goes on with.
bool isNullText(const sema::Expr& e)
{
    if (e.kind == sema::ExprKind::Cast || e.kind == sema::ExprKind::StringFrom) return isNullText(*e.kids[0]);
    return e.kind == sema::ExprKind::Integer && e.integer == 0;
}
/// Source: DIF_SUBR_STRTOK: what is left is remembered until the probe has fired, the separator first, which may be none
/// the next time.
Text strtok(Firing& f, const Arguments& args)
{
    auto& b = f.b;
    const auto size = f.unit.stringSize();
    const Cell position(f, f.tokensAt());
    const auto whole = scratchText(f.tokensAt() + 8, size);
    const Cell start(f), length(f);
    if (!isNullText(*args[0])) {
        const Firing::Frame frame(f);
        copyText(f, text(f, *args[0]), whole.offset, size);
        position.set(0);
    }

    constexpr std::uint32_t kBytes = 256;
    const auto separators = f.allocate(kBytes); // 1 for each byte that separates
    zero(f, separators, kBytes);
    eachByte(f, text(f, *args[1]), [&](Label) {
        b.mov(R1, Builder::kScratch);
        b.alu(AluOp::Add, R1, R3);
        b.store(Width::B1, R1, separators, 1);
    });

    start.set(0);
    length.set(0);
    f.rounds(size, [&](Label done) {
        position.get(R1);
        b.branch(Cond::Ge, R1, static_cast<std::int32_t>(size), done);
        b.mov(R2, Builder::kScratch);
        b.alu(AluOp::Add, R2, R1);
        b.load(Width::B1, R3, R2, whole.offset);
        b.branch(Cond::Eq, R3, 0, done);
        b.alu(AluOp::Add, R3, Builder::kScratch);
        b.load(Width::B1, R3, R3, separators);
        length.get(R2);
        const auto letter = [&] {
            b.when({R2, Cond::Eq, 0}, [&] { start.set(R1); });
            b.alu(AluOp::Add, R2, 1);
            length.set(R2);
        };
        b.either({R3, Cond::Eq, 0}, letter, [&] { b.branch(Cond::Ne, R2, 0, done); });
        b.alu(AluOp::Add, R1, 1);
        position.set(R1);
    });
    auto result = slice(f, whole, start, length);
    result.null = Text::Null::WhenEmpty; // no part is empty
    return result;
}
} // namespace

template <> Subroutine emitter<"index">() { return {.integer = index<Which::First>}; }
template <> Subroutine emitter<"rindex">() { return {.integer = index<Which::Last>}; }
template <> Subroutine emitter<"strstr">() { return {.text = strstr, .capacity = firstCapacity}; }
template <> Subroutine emitter<"strchr">() { return {.text = strchr<false>, .capacity = firstCapacity}; }
template <> Subroutine emitter<"strrchr">() { return {.text = strchr<true>, .capacity = firstCapacity}; }
template <> Subroutine emitter<"strtok">() { return {.text = strtok}; }
template <> Subroutine emitter<"basename">() { return {.text = basename, .capacity = firstCapacity}; }
template <> Subroutine emitter<"dirname">() { return {.text = dirname, .capacity = firstCapacity}; }
} // namespace dscope::codegen
