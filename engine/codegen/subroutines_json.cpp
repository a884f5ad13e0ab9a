#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
#include "engine/codegen/text.h"
/// JSON as text.
namespace dscope::codegen {
namespace {
using Arguments = Subroutine::Arguments;

/// What is read next. Blanks are left out before those up to Value; those from Skip on read the path, all others the JSON.
enum State : std::int32_t {
    Rest,   ///< the outermost object or array
    Object, ///< a member's name
    Colon,
    Comma,
    Value,
    Identifier, ///< true, false, null
    Number,     ///< before its fraction
    Fraction,
    Exponent,
    Collect,  ///< an object or array that is not gone into
    Unicode4, ///< \u: so many digits are to come
    Unicode3,
    Unicode2,
    Unicode1,
    String,
    Escape,
    Skip,  ///< what is left of an element of the path
    Index, ///< an element that is a number, before its sign
    Digits,
};
enum Role : std::int32_t { OfValue, OfName, OfCollected }; ///< of a string

/// Goes through JSON and path at the same time. All that it gives is a part of the JSON as it stands, so that only the
/// places where that begins and ends are kept; and as what is not gone into is counted and not remembered, nesting may be
/// of any depth.
struct Reading {
    Reading(Firing& firing, const Text& whole, const Text& list, const Cell& elementsBehind)
        : f(firing), json(whole), path(list), state(f), at(f), start(f), length(f), isNull(f), element(f), more(elementsBehind), match(f),
          found(f), inArray(f), index(f), position(f), role(f), word(f), braces(f), brackets(f)
    {
        for (const auto* cell :
            {&at, &start, &length, &element, &match, &found, &inArray, &index, &position, &role, &word, &braces, &brackets})
            cell->set(0);
        state.set(Rest);
        isNull.set(1);
    }
    Firing& f;
    const Text json;
    const Text path; ///< its elements, a NUL behind each
    const Cell state;
    const Cell at;                    ///< in the JSON
    const Cell start, length, isNull; ///< of the value that is read; of what is found
    const Cell element;               ///< in the path: the element that is looked for
    const Cell more;                  ///< elements behind it
    const Cell match;                 ///< in the path, while a name is as the element is; -1 when it is not
    const Cell found;                 ///< the value that is read, or comes, is that of the element
    const Cell inArray;
    const Cell index, position; ///< of the element; of the value in its array
    const Cell role;
    const Cell word; ///< letters of an identifier
    const Cell braces, brackets;

    void round(Label done) const
    {
        auto& b = f.b;
        const auto next = b.label(), ofPath = b.label(), reread = b.label(), nested = b.label(), finish = b.label();
        state.get(R4);
        b.branch(Cond::Ge, R4, Skip, ofPath);

        // r1 = where, r3 = the byte there.
        at.get(R1, json.capacity - 1);
        pointTo(f, json, R5);
        b.alu(AluOp::Add, R5, R1);
        b.load(Width::B1, R3, R5, 0);
        b.branch(Cond::Eq, R3, 0, done);
        b.mov(R2, R1);
        b.alu(AluOp::Add, R2, 1);
        at.set(R2);
        scalar(next, reread, finish, done);
        b.bind(reread);
        const auto inside = b.label(), collect = b.label();
        b.branch(Cond::Gt, R4, Value, inside);
        structure(next, collect, done);
        b.bind(inside);
        b.branch(Cond::Gt, R4, Collect, nested);
        b.bind(collect);
        collected(next, finish, done);
        b.bind(nested);
        string(next, finish, done);
        b.bind(ofPath);
        pathStep(next);

        // r1 = where the value ends that is found.
        b.bind(finish);
        more.get(R2);
        b.branch(Cond::Ne, R2, 0, done); // the path goes on, and there is nothing to go into
        start.get(R2);
        b.alu(AluOp::Sub, R1, R2);
        length.set(R1);
        isNull.set(0);
        b.jump(done);
        b.bind(next);
    }

private:
    void go(State to, Label next) const
    {
        state.set(to);
        f.b.jump(next);
    }
    void among(Reg reg, std::initializer_list<char> wanted, Label to) const
    {
        for (const auto c : wanted)
            f.b.branch(Cond::Eq, reg, c, to);
    }
    /// Goes to `to` unless r3 is from `first` to `last`.
    void unless(char first, char last, Label to) const
    {
        f.b.branch(Cond::Lt, R3, first, to);
        f.b.branch(Cond::Gt, R3, last, to);
    }
    void add(const Cell& cell, std::int32_t value, Reg through) const
    {
        cell.get(through);
        f.b.alu(AluOp::Add, through, value);
        cell.set(through);
    }
    /// Identifiers and numbers, which end before a byte that is then read as what comes behind them.
    void scalar(Label next, Label reread, Label finish, Label done) const
    {
        auto& b = f.b;
        b.block([&](Label ended) {
            b.when({R4, Cond::Eq, Identifier}, [&] {
                word.get(R2);
                b.when(Condition::all({{R3, Cond::Ge, 'a'}, {R3, Cond::Le, 'z'}}), [&] {
                    b.alu(AluOp::Lsh, R2, 8);
                    b.alu(AluOp::Or, R2, R3);
                    word.set(R2);
                    b.jump(next);
                });
                b.branch(Cond::Eq, R2, 0x74727565, ended); // "true"
                b.branch(Cond::Eq, R2, 0x6e756c6c, ended); // "null"
                b.mov(R5, std::int64_t{0x66616c7365});     // "false"
                b.branch(Cond::Eq, R2, R5, ended);
                b.jump(done);
            });
            number(next, reread, ended, done);
        });

        found.get(R2);
        b.branch(Cond::Ne, R2, 0, finish);
        state.set(Comma);
        b.mov(R4, Comma);
    }
    /// The parts of a number follow each other; it may end in each.
    void number(Label next, Label reread, Label ended, Label done) const
    {
        auto& b = f.b;
        b.block([&](Label toExponent) {
            b.block([&](Label toFraction) {
                b.block([&](Label inExponent) {
                    b.block([&](Label inFraction) {
                        b.block([&](Label inNumber) {
                            b.branch(Cond::Eq, R4, Number, inNumber);
                            b.branch(Cond::Eq, R4, Fraction, inFraction);
                            b.branch(Cond::Eq, R4, Exponent, inExponent);
                            b.jump(reread);
                        });
                        b.branch(Cond::Eq, R3, '.', toFraction);
                        among(R3, {'x', 'X'}, done);
                    });
                    among(R3, {'e', 'E'}, toExponent);
                    among(R3, {'+', '-'}, done);
                });
                among(R3, {'+', '-'}, next);
                unless('0', '9', ended);
                b.jump(next);
            });
            go(Fraction, next);
        });
        go(Exponent, next);
    }
    /// What stands between values, and how they begin.
    void structure(Label next, Label collect, Label done) const
    {
        auto& b = f.b;
        const auto toObject = b.label();
        const auto outermost = [&] {
            b.when({R3, Cond::Ne, '{'}, [&] {
                b.branch(Cond::Ne, R3, '[', done);
                inArray.set(1);
                go(Index, next);
            });
            b.bind(toObject);
            go(Object, next);
        };
        const auto object = [&] {
            b.branch(Cond::Ne, R3, '"', done); // "}" among them: there is no such member
            element.get(R2);
            match.set(R2);
            role.set(OfName);
            go(String, next);
        };
        const auto colon = [&] {
            b.branch(Cond::Ne, R3, ':', done);
            go(Value, next);
        };
        const auto comma = [&] {
            b.branch(Cond::Ne, R3, ',', done);
            inArray.get(R2);
            b.branch(Cond::Eq, R2, 0, toObject);
            add(position, 1, R2);
            index.get(R5);
            b.when({R2, Cond::Eq, R5}, [&] { found.set(1); });
            go(Value, next);
        };
        among(R3, {' ', '\t', '\n', '\r', '\f'}, next);
        b.switchOn(R4, {{Object, object}, {Colon, colon}, {Comma, comma}, {Value, [&] { value(next, collect, done); }}}, outermost);
    }
    void value(Label next, Label collect, Label done) const
    {
        auto& b = f.b;
        start.set(R1);
        b.block([&](Label open) {
            b.block([&](Label text) {
                b.branch(Cond::Eq, R3, '"', text);
                among(R3, {'{', '['}, open);
                b.block([&](Label notDigit) {
                    b.when({R3, Cond::Ne, '-'}, [&] { unless('0', '9', notDigit); });
                    go(Number, next);
                });
                unless('a', 'z', done);
                word.set(R3);
                go(Identifier, next);
            });
            add(start, 1, R2);
            role.set(OfValue);
            go(String, next);
        });

        b.block([&](Label toCollect) {
            found.get(R2);
            b.branch(Cond::Eq, R2, 0, toCollect);
            more.get(R2);
            b.branch(Cond::Eq, R2, 0, toCollect);
            b.alu(AluOp::Sub, R2, 1);
            more.set(R2);
            found.set(0);
            inArray.set(1);
            b.when({R3, Cond::Ne, '['}, [&] { inArray.set(0); });
            go(Skip, next);
        });
        state.set(Collect);
        b.jump(collect);
    }
    void collected(Label next, Label finish, Label done) const
    {
        auto& b = f.b;
        const auto text = [&] {
            role.set(OfCollected);
            go(String, next);
        };

        const auto opens = [&](const Cell& count) {
            add(count, 1, R2);
            b.jump(next);
        };

        b.switchOn(R3,
            {{'"', text}, {'{', [&] { opens(braces); }}, {'[', [&] { opens(brackets); }}, {'}', [&] { add(braces, -1, R2); }},
                {']', [&] { add(brackets, -1, R2); }}},
            [&] { b.jump(next); });
        b.branch(Cond::Slt, R2, 0, done);
        braces.get(R2);
        b.branch(Cond::Ne, R2, 0, next);
        brackets.get(R2);
        b.branch(Cond::Ne, R2, 0, next);
        b.alu(AluOp::Add, R1, 1);
        found.get(R2);
        b.branch(Cond::Ne, R2, 0, finish);
        go(Comma, next);
    }
    void string(Label next, Label finish, Label done) const
    {
        auto& b = f.b;
        const auto escaped = [&] {
            state.set(String);
            b.when({R3, Cond::Eq, 'u'}, [&] { state.set(Unicode4); });
        };

        const auto unicode = [&](Label keep) {
            b.alu(AluOp::Add, R4, 1);
            state.set(R4);
            b.block([&](Label notDigit) {
                unless('0', '9', notDigit);
                b.jump(keep);
            });
            b.mov(R2, R3);
            b.alu(AluOp::Or, R2, 0x20);
            b.branch(Cond::Lt, R2, 'a', done);
            b.branch(Cond::Gt, R2, 'f', done);
        };

        b.block([&](Label quote) {
            b.block([&](Label keep) {
                const auto plain = [&] {
                    b.branch(Cond::Eq, R3, '"', quote);
                    b.when({R3, Cond::Eq, '\\'}, [&] { state.set(Escape); });
                };
                b.switchOn(R4, {{Escape, escaped}, {String, plain}}, [&] { unicode(keep); });
            });
            // A name is compared while it is read. No byte equals the last of the path, a NUL, which -1 leads to.
            match.get(R1, path.capacity - 1);
            byteOfPath();
            b.when({R2, Cond::Eq, R3}, [&] {
                b.alu(AluOp::Add, R1, 1);
                match.set(R1);
                b.jump(next);
            });
            match.set(-1);
            b.jump(next);
        });
        endOfString(next, finish);
    }
    void endOfString(Label next, Label finish) const
    {
        auto& b = f.b;
        const auto ofName = [&] {
            match.get(R1);
            b.when({R1, Cond::Le, static_cast<std::int32_t>(path.capacity - 1)}, [&] {
                byteOfPath();
                b.when({R2, Cond::Eq, 0}, [&] { found.set(1); });
            });
            go(Colon, next);
        };
        const auto ofValue = [&] {
            found.get(R2);
            b.branch(Cond::Ne, R2, 0, finish);
            go(Comma, next);
        };
        role.get(R2);
        b.switchOn(R2, {{OfValue, ofValue}, {OfCollected, [&] { go(Collect, next); }}}, ofName);
    }
    /// r2 = the byte of the path at r1.
    void byteOfPath() const
    {
        auto& b = f.b;
        pointTo(f, path, R5);
        b.alu(AluOp::Add, R5, R1);
        b.load(Width::B1, R2, R5, 0);
    }
    /// As strtoll() reads the number of an element: one that is none is 0.
    void pathStep(Label next) const
    {
        auto& b = f.b;
        element.get(R1, path.capacity - 1);
        byteOfPath();
        b.block([&](Label ended) {
            b.block([&](Label advance) {
                const auto skip = [&] {
                    b.branch(Cond::Ne, R2, 0, advance);
                    inArray.get(R4);
                    state.set(Index);
                    position.set(0);
                    index.set(0);
                    b.when({R4, Cond::Eq, 0}, [&] { state.set(Object); });
                };

                const auto sign = [&] {
                    among(R2, {' ', '\t'}, advance);
                    state.set(Digits);
                    b.branch(Cond::Eq, R2, '+', advance);
                    b.branch(Cond::Ne, R2, '-', next);
                    position.set(INT32_MIN); // so that none is reached
                };

                const auto digit = [&] {
                    b.branch(Cond::Lt, R2, '0', ended);
                    b.branch(Cond::Gt, R2, '9', ended);
                    index.get(R3);
                    b.alu(AluOp::Mul, R3, 10);
                    b.alu(AluOp::Add, R3, R2);
                    b.alu(AluOp::Sub, R3, '0');
                    index.set(R3);
                };
                b.switchOn(R4, {{Index, sign}, {Digits, digit}}, skip);
            });
            b.alu(AluOp::Add, R1, 1);
            element.set(R1);
            b.jump(next);
        });
        index.get(R2);
        b.when({R2, Cond::Eq, 0}, [&] { found.set(1); });
        go(Value, next);
    }
};

/// A path as what it is made of, a NUL between two: "a[2].b" and "a.2.b" are the same; `more`: how many come behind the
/// first. Source: DIF_SUBR_JSON.
Text elements(Firing& f, const Text& path, const Cell& more)
{
    auto& b = f.b;
    const auto list = blank(f, path.capacity);
    const Cell length(f);
    length.set(0);
    more.set(0);
    eachByte(f, path, [&](Label) {
        b.block([&](Label next) {
            b.branch(Cond::Eq, R3, ']', next);
            b.block([&](Label keep) {
                b.when({R3, Cond::Ne, '.'}, [&] {
                    b.branch(Cond::Ne, R3, '[', keep);
                    b.branch(Cond::Eq, R0, 0, next);
                });
                more.get(R2);
                b.alu(AluOp::Add, R2, 1);
                more.set(R2);
                b.mov(R3, 0);
            });
            length.get(R1, list.capacity - 2);
            b.mov(R2, Builder::kScratch);
            b.alu(AluOp::Add, R2, R1);
            b.store(Width::B1, R2, list.offset, R3);
            b.alu(AluOp::Add, R1, 1);
            length.set(R1);
        });
    });
    return list;
}
/// Source: uts/common/dtrace/dtrace.c, dtrace_json(): a string is given without its quotes, its escapes as they stand.
Text json(Firing& f, const Arguments& args)
{
    const auto whole = reachable(f, text(f, *args[0]));
    const auto path = text(f, *args[1]);
    const Cell more(f);
    const auto list = elements(f, path, more);
    const Reading reading(f, whole, list, more);
    // Each round reads a byte of the one or of the other, but for two where an element that is a number ends.
    f.rounds(whole.capacity + 3 * list.capacity + 3, [&](Label done) { reading.round(done); });
    auto result = slice(f, whole, reading.start, reading.length);
    result.null = Text::Null::WhenSet;
    result.nullAt = reading.isNull.at();
    return result;
}
} // namespace

template <> Subroutine emitter<"json">() { return {.text = json, .capacity = firstCapacity}; }
} // namespace dscope::codegen
