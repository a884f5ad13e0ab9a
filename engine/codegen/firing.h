#pragma once
#include "engine/codegen/builder.h"
#include "engine/codegen/unit.h"
#include <bitset>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
namespace dscope::codegen {
/// Where the text of a string expression is: zero-padded to `capacity` (a multiple of 8), the last byte always NUL.
/// A string that is not there (NULL) has no text: zeros.
struct Text {
    enum class Base : std::uint8_t { Scratch, Value, Entry } base = Base::Scratch; ///< r7; a map's value; the dispatch entry
    MapId map;
    std::uint32_t offset = 0;
    std::uint32_t capacity = 8;
    enum class Null : std::uint8_t { Never, Always, WhenEmpty, WhenSet } null = Null::Never;
    std::uint32_t nullAt = 0; ///< WhenSet: a word of scratch memory that is 1 then, else 0
};

/// The code of one program while it is generated: registers and scratch memory, what has been computed already, where
/// faults go. Expressions, statements and subroutines are free functions over it, by construct, in files of their own.
class Firing {
public:
    Firing(Unit& unit, ProgramType type, std::uint32_t recordSize);
    Unit& unit;
    Builder b;
    const ProgramType type;

    /// The probe whose clauses are compiled now, one of those that share this code.
    const sema::EnabledProbe* probe = nullptr;
    /// Its hook that this code serves.
    const sema::EnabledProbe::Hook* hook = nullptr;
    std::span<const sema::ExprPtr> arguments; ///< argN over Context, as the hook has them that fired
    /// Loads the number of the probe that fired; and, when many share the code, the place of its names.
    void loadProbe(Reg dst);
    std::optional<Builder::Temp> probeSlot, entrySlot; ///< engaged when the dispatch table gives them
    /// Loads probe::Hook::value of the hook that fired; of programs with one hook, that hook's.
    void loadHookValue(Reg dst);
    static constexpr std::int64_t kEntryValue = 8; ///< where a dispatch entry has it
    std::uint32_t entryText[4] = {0, 0, 0, 0};     ///< offset of prov, mod, func, name in a dispatch entry
    std::uint32_t entryCapacity[4] = {0, 0, 0, 0};

    // -- scratch memory: one value of a per-CPU array of this program's own, so that programs never share it ----------
    static constexpr std::uint32_t kRecord = 0; ///< the record that is built
    std::uint32_t faultAt() const { return m_faultAt; }
    std::uint32_t thisAt() const { return m_thisAt; }
    /// What alloca() gives out: arenaSize() bytes here, of which the word at arenaUsedAt() says how many are taken.
    std::uint32_t arenaAt() const { return m_arenaAt; }
    std::uint32_t arenaUsedAt() const { return m_arenaUsedAt; }
    /// A word: how many of these bytes outlive the clause, because a pointer to them is read in a later one.
    std::uint32_t arenaKeptAt() const { return m_arenaKeptAt; }
    /// What strtok() remembers: where it stopped, and the text.
    std::uint32_t tokensAt() const { return m_tokensAt; }
    /// A word for a moment.
    std::uint32_t wordAt() const { return m_wordAt; }
    /// A word: the speculation that what a clause records goes to, as RawHeader::speculation has it; 0: none.
    std::uint32_t speculatesAt() const { return m_tokensAt - 8; }
    /// Makes scratch memory at least this large.
    void reach(std::uint32_t end);
    std::uint32_t recordRoom() const { return m_faultAt; }
    /// Scratch bytes until the enclosing Frame ends.
    std::uint32_t allocate(std::uint32_t size);
    class Frame {
    public:
        explicit Frame(Firing& f) : m_f(f), m_top(f.m_top) { }
        ~Frame() { m_f.m_top = m_top; }
        Frame(const Frame&) = delete;

    private:
        Firing& m_f;
        std::uint32_t m_top;
    };

    // -- values computed once a firing --------------------------------------------------------------------------------
    enum Once : std::size_t { kTimestamp, kPidTgid, kExecname, kArgument }; ///< kArgument + n for argN
    static constexpr std::size_t kArguments = 32;
    /// True when the code before this point has always computed it.
    bool has(std::size_t what) const { return m_has[what]; }
    void nowHas(std::size_t what) { m_has.set(what); }
    void noLonger(std::size_t what) { m_has.reset(what); }
    std::uint32_t onceAt(std::size_t what) const
    {
        return what == kExecname ? m_onceAt + 8 * (kArgument + kArguments) : m_onceAt + static_cast<std::uint32_t>(8 * what);
    }
    /// Lives while code is emitted that may be skipped: values that it computes are not known afterwards.
    class Maybe {
    public:
        explicit Maybe(Firing& f) : m_f(f), m_has(f.m_has) { }
        ~Maybe() { m_f.m_has = m_has; }
        Maybe(const Maybe&) = delete;

    private:
        Firing& m_f;
        std::bitset<kArgument + kArguments> m_has;
    };

    // -- faults ---------------------------------------------------------------------------------------------------
    /// Code for "this cannot go on": ends the clause and records a fault. The caller branches to the label, having put
    /// the address (or 0) in r1.
    Label fault(record::FaultKind kind);
    void beginClause(ClauseId clause);
    void beginStatement() { ++m_action; }
    /// Binds the places that fault() promised; they go on at `next`, after what `afterFault` makes.
    void endClause(Label next, const std::function<void()>& afterFault);
    /// Lives while the code of dtrace:::ERROR is emitted, which runs at the place of the fault and uses the fault's record.
    class Error {
    public:
        explicit Error(Firing& f)
            : m_f(f), m_probe(std::exchange(f.probe, f.unit.errorProbe())), m_arguments(std::exchange(f.arguments, f.probe->args)),
              m_clause(f.m_clause), m_has(f.m_has)
        {
            f.m_inError = true;
            for (std::size_t n = 0; n < kArguments; ++n)
                f.m_has.reset(kArgument + n); // they are another probe's
        }
        ~Error()
        {
            m_f.m_inError = false;
            m_f.probe = m_probe;
            m_f.arguments = m_arguments;
            m_f.m_has = m_has;
            m_f.m_clause = m_clause;
        }
        Error(const Error&) = delete;

    private:
        Firing& m_f;
        const sema::EnabledProbe* m_probe;
        std::span<const sema::ExprPtr> m_arguments;
        ClauseId m_clause;
        std::bitset<kArgument + kArguments> m_has;
    };
    bool inError() const { return m_inError; }
    /// dst = argN of the ERROR probe.
    void loadErrorArgument(Reg dst, std::int64_t n);
    /// The same for code outside clauses, whose faults go to `to` and are not recorded.
    void forgetFaults(Label to);
    ClauseId clause() const { return m_clause; }

    // -- subprograms: emitted once behind the program, called with r1.. as they say -----------------------------------
    Label subprogram(const std::string& name, void (*emit)(Firing&));
    /// Makes a subprogram of `body` and calls it at most `times` times. It has kScratch, and of all else only what is in scratch
    /// memory; r0 = the number of the round. A round ends at the end of body(); a jump to `done` ends the loop.
    /// The verifier looks at one round, however many there are: a bounded loop would cost it each, and its limit of
    /// pending branches (8192) would be that of the loops in one program. Uses r0..r5.
    void rounds(std::uint32_t times, const std::function<void(Label done)>& body);
    /// The same for what fires: `body` may use the context and have faults.
    void firings(std::uint32_t times, const std::function<void(Label done)>& body);
    /// Emits the subprograms asked for; afterwards the code is complete.
    void finish();

    // -- parts: a long program is several, each of which calls the next in its place (a tail call); parts.cpp -----------
    // The verifier's work grows faster than a program, it follows at most 8192 branches at a time, and a program names at
    // most 64 maps. From part to part only scratch memory lasts, and what enter() makes anew.
    struct Parting {
        std::size_t limit = 0;       ///< instructions; 0: the program stays one
        std::function<void()> enter; ///< the beginning of a part: context, scratch memory, what the dispatch table says
        std::function<void()> leave; ///< its end: comes here when it does not go on
    };
    void part(Parting parting) { m_parting = std::move(parting); }
    /// Whether the code that comes now, of about `weight` instructions, should go into another part.
    bool isFull(std::size_t weight = 0);
    /// Goes on in another part.
    void nextPart();
    /// The same within a clause that ends at `end`, and with a fault does `afterFault`: gives its new end.
    Label nextPart(Label end, const std::function<void()>& afterFault);
    /// Where a firing leaves the part that is made now.
    Label away{};
    /// Begins another part, which only the dispatch table leads to.
    void otherPart();
    bool wasContinued() const { return m_depth > 0; } ///< the part that is made now goes on with another
    /// Number of the part that is made now.
    std::uint32_t partNumber() const { return static_cast<std::uint32_t>(m_parts.size()); }
    MapId partsMap();
    /// Code of the parts before the one that is made now.
    const std::vector<std::vector<bpf::Insn>>& parts() const { return m_parts; }
    std::uint32_t scratchSize() const { return m_most; }
    /// Programs that are interrupted by themselves, on behalf of other threads: so many pieces of scratch memory a CPU.
    void share(std::uint32_t pieces) { unit.map(m_scratch).maxEntries = pieces; }
    MapId scratch() const { return m_scratch; }

    void countDrop(record::Drop::Kind kind);

private:
    struct Fault {
        Label label;
        record::FaultKind kind;
        std::uint32_t action;
        std::size_t site; ///< the instruction that finds it
    };
    struct Site {
        std::size_t store, site; ///< the instruction that notes where the fault is, and the one that is there
        bool inLoop = false;     ///< they count from the first of m_loops
    };
    MapId m_scratch;
    std::uint32_t m_faultAt, m_onceAt, m_arenaKeptAt, m_arenaUsedAt, m_arenaAt, m_tokensAt, m_wordAt, m_thisAt, m_top, m_most;
    std::bitset<kArgument + kArguments> m_has;
    std::vector<Fault> m_faults;
    std::vector<Site> m_sites;
    ClauseId m_clause;
    std::uint32_t m_action = 0;
    bool m_inError = false;
    struct Subprogram {
        std::string name;
        Label label;
        void (*emit)(Firing&);
    };
    std::vector<Subprogram> m_subprograms;
    std::vector<bpf::Insn> m_loops; ///< subprograms of rounds()

    void callPart(std::uint32_t number);
    void cut();
    void settleFaults(const std::function<void()>& afterFault);
    Parting m_parting;
    std::vector<std::vector<bpf::Insn>> m_parts;
    std::optional<MapId> m_partsMap;
    std::uint32_t m_depth = 0;           ///< of tail calls to here, the dispatch table's apart
    std::set<std::uint32_t> m_mapsNamed; ///< by this part, as far as its code was looked at
    std::size_t m_lookedAt = 0, m_loopsLookedAt = 0;
};

// -- expressions: integers.cpp, builtins.cpp, memory.cpp, variables.cpp, strings.cpp ------------------------------------
/// r0 = the value, extended from its type to 64 bits. Uses r0..r5. An array or struct gives its address.
void integer(Firing& f, const sema::Expr& e);
/// The same, cut to the bits of the type: for values that are stored, recorded or part of a key.
void stored(Firing& f, const sema::Expr& e);
/// Goes to `no` when the expression is 0. Uses r0..r5.
void branchUnless(Firing& f, const sema::Expr& e, Label no);
/// True for what loadCheap() can put into any register without touching others.
bool isCheap(const Firing& f, const sema::Expr& e);
void loadCheap(Firing& f, const sema::Expr& e, Reg into);
void builtin(Firing& f, const sema::Expr& e);
void argument(Firing& f, const sema::Expr& e);
void timestamp(Firing& f);   ///< r0 = when the probe fired; uses r0..r5
void virtualTime(Firing& f); ///< r0 = vtimestamp: virtual_time.cpp; uses r8, r9 too
void lastError(Firing& f);   ///< r0 = errno: last_error.cpp; uses r0..r5

/// r0 = base address of an lvalue, whose object is `offset` bytes on, in user memory when `user`.
struct Place {
    std::int64_t offset = 0;
    bool user = false;
    bool isCounted = false; ///< `offset` includes a p + 3, not only offsets of members
};
Place place(Firing& f, const sema::Expr& lvalue);
Width widthOf(std::uint64_t size); ///< 1, 2, 4; 8 for any other
/// r0 = address of an lvalue.
void addressOf(Firing& f, const sema::Expr& lvalue);
/// r0 = the integer that a Dereference or Member names.
void loadMemory(Firing& f, const sema::Expr& e);
/// Copies the struct, array or union `e` to scratch.
void copyObject(Firing& f, const sema::Expr& e, std::uint32_t to, std::uint32_t size);

void loadVariable(Firing& f, const sema::Expr& e);       ///< Variable or Element of integer type
void storeVariable(Firing& f, const sema::Expr& target); ///< r0 into it; r0 stays
void step(Firing& f, const sema::Expr& e);
Text variableText(Firing& f, const sema::Expr& e);
void storeText(Firing& f, const sema::Expr& target, const Text& value);
/// r0 = address of the storage of a struct or array variable, or of zeros where there is none: a number, with which one may compute.
void variableAddress(Firing& f, const sema::Expr& e);
void storeObject(Firing& f, const sema::Expr& target, const sema::Expr& value);
/// r0 = the storage of a variable, which may be written to; goes to `lost` when there is no room for it. False when that
/// can't happen.
bool writableStorage(Firing& f, const sema::Expr& variable, Label lost);

// -- writing to memory: stores.cpp ------------------------------------------------------------------------------------
/// r0 = where the `size` bytes of the Member or Dereference `target` may be written: inside a variable, or what alloca()
/// gave out; anything else faults. Goes to `lost` when there is no room for the variable; false when that can't happen.
bool writable(Firing& f, const sema::Expr& target, std::uint32_t size, Label lost);
void storeMemory(Firing& f, const sema::Expr& target); ///< r0 into it; r0 stays
/// Copies `size` bytes from scratch memory into it.
void storeMemory(Firing& f, const sema::Expr& target, std::uint32_t from, std::uint32_t size);
/// r0, a pointer of the verifier's, becomes a number.
void asNumber(Firing& f, Reg pointer);

/// The text of a string, which may be NULL.
Text maybeText(Firing& f, const sema::Expr& e);
/// The same where text is needed: NULL is an invalid address.
Text text(Firing& f, const sema::Expr& e);
/// The string ends where option strsize ends it.
Text cut(Firing& f, const Text& scratch);
void isNull(Firing& f, const Text& text, Reg dst); ///< dst = 1 when it is NULL, else 0; uses dst alone
/// The jump that leaves when a comparison is false.
Cond opposite(ast::Op op, bool isSignedCompare);
void pointTo(Firing& f, const Text& text, Reg dst, std::uint32_t more = 0);
void loadWord(Firing& f, const Text& text, std::uint32_t at, Reg dst); ///< dst = 8 bytes; uses dst alone
void zero(Firing& f, std::uint32_t at, std::uint32_t size);
/// Copies to scratch[to, to + size), cut and zero-padded.
void copyText(Firing& f, const Text& from, std::uint32_t to, std::uint32_t size);
/// The NUL-terminated text at address r0, at most `limit` bytes with its NUL, into a new scratch Text.
Text readText(Firing& f, bool user, std::uint32_t limit);
void branchUnlessText(Firing& f, ast::Op op, const Text& a, const Text& b, Label no);
Text probeText(Firing& f, sema::Builtin which);

// -- records and statements: records.cpp, aggregations.cpp, clauses.cpp ---------------------------------------------------
void storeField(Firing& f, const FieldPlan& field, std::uint32_t base);
void fillHeader(Firing& f, std::uint32_t at, std::uint32_t kind, std::uint32_t clause);
/// Sends scratch[at, at + size); what does not fit is counted as lost. `control`: may use the last of the ring.
void send(Firing& f, std::uint32_t at, std::uint32_t size, bool control, record::Drop::Kind drop);
void aggregate(Firing& f, const sema::Statement& s);
void act(Firing& f, const sema::Statement& s, const SegmentPlan& segment);
void clause(Firing& f, const sema::Clause& clause);
void clauses(Firing& f, const sema::EnabledProbe& probe); ///< all of the probe's, in order

// -- speculations.cpp ---------------------------------------------------------------------------------------------------
/// r0 = the number of a free speculation, which is in use from now on; 0 if there is none.
void newSpeculation(Firing& f);
/// What the clause records from here on goes to the speculation whose number is in the field `at`. The clause ends where
/// that is not in use, or has no room for `size` bytes.
void speculate(Firing& f, std::uint32_t at, std::uint32_t size, Label end);
/// Adds to the number in the field of a commit() or discard() which use of that speculation it ends. Faults when there can
/// be no such speculation.
void endSpeculation(Firing& f, std::uint32_t at);
/// It may be used again.
void freeSpeculation(Firing& f, std::uint32_t at);
} // namespace dscope::codegen
