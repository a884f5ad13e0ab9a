#include "engine/codegen/string_scan.h"
#include "engine/codegen/subroutine.h"
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
        const auto notIdentifier = b.label(), ended = b.label(), number = b.label(), fraction = b.label(), exponent = b.label(),
                   toFraction = b.label(), toExponent = b.label();
        b.branch(Cond::Ne, R4, Identifier, notIdentifier);
        const auto complete = b.label();
        word.get(R2);
        unless('a', 'z', complete);
        b.alu(AluOp::Lsh, R2, 8);
        b.alu(AluOp::Or, R2, R3);
        word.set(R2);
        b.jump(next);
        b.bind(complete);
        b.branch(Cond::Eq, R2, 0x74727565, ended); // "true"
        b.branch(Cond::Eq, R2, 0x6e756c6c, ended); // "null"
        b.mov(R5, std::int64_t{0x66616c7365});     // "false"
        b.branch(Cond::Eq, R2, R5, ended);
        b.jump(done);
        b.bind(notIdentifier);
        b.branch(Cond::Eq, R4, Number, number);
        b.branch(Cond::Eq, R4, Fraction, fraction);
        b.branch(Cond::Eq, R4, Exponent, exponent);
        b.jump(reread);
        b.bind(number);
        b.branch(Cond::Eq, R3, '.', toFraction);
        among(R3, {'x', 'X'}, done);
        b.bind(fraction);
        among(R3, {'e', 'E'}, toExponent);
        among(R3, {'+', '-'}, done);
        b.bind(exponent);
        among(R3, {'+', '-'}, next);
        unless('0', '9', ended);
        b.jump(next);
        b.bind(toFraction);
        go(Fraction, next);
        b.bind(toExponent);
        go(Exponent, next);
        b.bind(ended);
        found.get(R2);
        b.branch(Cond::Ne, R2, 0, finish);
        state.set(Comma);
        b.mov(R4, Comma);
    }
    /// What stands between values, and how they begin.
    void structure(Label next, Label collect, Label done) const
    {
        auto& b = f.b;
        const auto object = b.label(), colon = b.label(), comma = b.label(), value = b.label(), ofObject = b.label(), ofArray = b.label();
        among(R3, {' ', '\t', '\n', '\r', '\f'}, next);
        b.branch(Cond::Eq, R4, Object, object);
        b.branch(Cond::Eq, R4, Colon, colon);
        b.branch(Cond::Eq, R4, Comma, comma);
        b.branch(Cond::Eq, R4, Value, value);
        b.branch(Cond::Eq, R3, '{', ofObject);
        b.branch(Cond::Ne, R3, '[', done);
        inArray.set(1);
        go(Index, next);
        b.bind(ofObject);
        go(Object, next);

        b.bind(object);
        b.branch(Cond::Ne, R3, '"', done); // "}" among them: there is no such member
        element.get(R2);
        match.set(R2);
        role.set(OfName);
        go(String, next);

        b.bind(colon);
        b.branch(Cond::Ne, R3, ':', done);
        go(Value, next);

        b.bind(comma);
        b.branch(Cond::Ne, R3, ',', done);
        inArray.get(R2);
        b.branch(Cond::Eq, R2, 0, ofObject);
        add(position, 1, R2);
        index.get(R5);
        b.branch(Cond::Ne, R2, R5, ofArray);
        found.set(1);
        b.bind(ofArray);
        go(Value, next);

        const auto text = b.label(), open = b.label(), toCollect = b.label(), array = b.label(), number = b.label(), notDigit = b.label();
        b.bind(value);
        start.set(R1);
        b.branch(Cond::Eq, R3, '"', text);
        among(R3, {'{', '['}, open);
        b.branch(Cond::Eq, R3, '-', number);
        unless('0', '9', notDigit);
        b.bind(number);
        go(Number, next);
        b.bind(notDigit);
        unless('a', 'z', done);
        word.set(R3);
        go(Identifier, next);
        b.bind(text);
        add(start, 1, R2);
        role.set(OfValue);
        go(String, next);
        b.bind(open);
        found.get(R2);
        b.branch(Cond::Eq, R2, 0, toCollect);
        more.get(R2);
        b.branch(Cond::Eq, R2, 0, toCollect);
        b.alu(AluOp::Sub, R2, 1);
        more.set(R2);
        found.set(0);
        inArray.set(1);
        b.branch(Cond::Eq, R3, '[', array);
        inArray.set(0);
        b.bind(array);
        go(Skip, next);
        b.bind(toCollect);
        state.set(Collect);
        b.jump(collect);
    }
    void collected(Label next, Label finish, Label done) const
    {
        auto& b = f.b;
        const auto text = b.label(), openBrace = b.label(), openBracket = b.label(), brace = b.label(), bracket = b.label(),
                   closed = b.label();
        b.branch(Cond::Eq, R3, '"', text);
        b.branch(Cond::Eq, R3, '{', openBrace);
        b.branch(Cond::Eq, R3, '[', openBracket);
        b.branch(Cond::Eq, R3, '}', brace);
        b.branch(Cond::Eq, R3, ']', bracket);
        b.jump(next);
        b.bind(text);
        role.set(OfCollected);
        go(String, next);
        b.bind(openBrace);
        add(braces, 1, R2);
        b.jump(next);
        b.bind(openBracket);
        add(brackets, 1, R2);
        b.jump(next);
        b.bind(brace);
        add(braces, -1, R2);
        b.jump(closed);
        b.bind(bracket);
        add(brackets, -1, R2);
        b.bind(closed);
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
        const auto escaped = b.label(), unicode = b.label(), keep = b.label(), quote = b.label(), backslash = b.label(),
                   differs = b.label();
        b.branch(Cond::Eq, R4, Escape, escaped);
        b.branch(Cond::Ne, R4, String, unicode);
        b.branch(Cond::Eq, R3, '"', quote);
        b.branch(Cond::Eq, R3, '\\', backslash);
        b.jump(keep);
        b.bind(backslash);
        state.set(Escape);
        b.jump(keep);
        b.bind(escaped);
        state.set(String);
        b.branch(Cond::Ne, R3, 'u', keep);
        state.set(Unicode4);
        b.jump(keep);
        b.bind(unicode);
        b.alu(AluOp::Add, R4, 1);
        state.set(R4);
        const auto notDigit = b.label();
        unless('0', '9', notDigit);
        b.jump(keep);
        b.bind(notDigit);
        b.mov(R2, R3);
        b.alu(AluOp::Or, R2, 0x20);
        b.branch(Cond::Lt, R2, 'a', done);
        b.branch(Cond::Gt, R2, 'f', done);
        // A name is compared while it is read. No byte equals the last of the path, a NUL, which -1 leads to.
        b.bind(keep);
        match.get(R1, path.capacity - 1);
        byteOfPath();
        b.branch(Cond::Ne, R2, R3, differs);
        b.alu(AluOp::Add, R1, 1);
        match.set(R1);
        b.jump(next);
        b.bind(differs);
        match.set(-1);
        b.jump(next);

        const auto value = b.label(), collect = b.label(), other = b.label();
        b.bind(quote);
        role.get(R2);
        b.branch(Cond::Eq, R2, OfValue, value);
        b.branch(Cond::Eq, R2, OfCollected, collect);
        match.get(R1);
        b.branch(Cond::Gt, R1, static_cast<std::int32_t>(path.capacity - 1), other);
        byteOfPath();
        b.branch(Cond::Ne, R2, 0, other);
        found.set(1);
        b.bind(other);
        go(Colon, next);
        b.bind(collect);
        go(Collect, next);
        b.bind(value);
        found.get(R2);
        b.branch(Cond::Ne, R2, 0, finish);
        go(Comma, next);
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
        const auto indexed = b.label(), digits = b.label(), advance = b.label(), ended = b.label(), other = b.label();
        element.get(R1, path.capacity - 1);
        byteOfPath();
        b.branch(Cond::Eq, R4, Index, indexed);
        b.branch(Cond::Eq, R4, Digits, digits);
        b.branch(Cond::Ne, R2, 0, advance);
        inArray.get(R4);
        state.set(Index);
        position.set(0);
        index.set(0);
        b.branch(Cond::Ne, R4, 0, advance);
        state.set(Object);
        b.jump(advance);

        b.bind(indexed);
        among(R2, {' ', '\t'}, advance);
        state.set(Digits);
        b.branch(Cond::Eq, R2, '+', advance);
        b.branch(Cond::Ne, R2, '-', next);
        position.set(INT32_MIN); // so that none is reached
        b.jump(advance);

        b.bind(digits);
        b.branch(Cond::Lt, R2, '0', ended);
        b.branch(Cond::Gt, R2, '9', ended);
        index.get(R3);
        b.alu(AluOp::Mul, R3, 10);
        b.alu(AluOp::Add, R3, R2);
        b.alu(AluOp::Sub, R3, '0');
        index.set(R3);
        b.bind(advance);
        b.alu(AluOp::Add, R1, 1);
        element.set(R1);
        b.jump(next);
        b.bind(ended);
        index.get(R2);
        b.branch(Cond::Ne, R2, 0, other);
        found.set(1);
        b.bind(other);
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
        const auto ends = b.label(), keep = b.label(), next = b.label();
        b.branch(Cond::Eq, R3, ']', next);
        b.branch(Cond::Eq, R3, '.', ends);
        b.branch(Cond::Ne, R3, '[', keep);
        b.branch(Cond::Eq, R0, 0, next);
        b.bind(ends);
        more.get(R2);
        b.alu(AluOp::Add, R2, 1);
        more.set(R2);
        b.mov(R3, 0);
        b.bind(keep);
        length.get(R1, list.capacity - 2);
        b.mov(R2, Builder::kScratch);
        b.alu(AluOp::Add, R2, R1);
        b.store(Width::B1, R2, list.offset, R3);
        b.alu(AluOp::Add, R1, 1);
        length.set(R1);
        b.bind(next);
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
