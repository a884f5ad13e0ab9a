#pragma once
#include "engine/options/options.h"
#include "engine/probe/registry.h"
#include "engine/record/record.h"
#include "engine/syntax/ast.h"
#include "engine/types/type_table.h"
#include <map>
#include <memory>
#include <string>
#include <vector>
/// A D program with every name resolved, every expression typed, constants folded, translators and inlines expanded:
/// what is left is what the machine has to do.
namespace dscope::sema {
using types::Type;

/// Variables the engine provides. Where D lets a library define one as an inline (curpsinfo), it is not here.
enum class Builtin : std::uint8_t {
    Pid,
    Tid,
    Ppid,
    Uid,
    Gid,
    Execname,
    Timestamp,
    Vtimestamp,
    Walltimestamp,
    Cpu,
    Curthread,
    Errno,
    ProbeProv,
    ProbeMod,
    ProbeFunc,
    ProbeName,
    ProbeId,
    EnabledProbeId,
    Caller,
    Ucaller,
    StackDepth,
    UstackDepth,
    Ipl,
    Execargs, ///< argv of the current process, joined by blanks: a string
    Curcpu,
    Uregs, ///< Expr::integer: which register
};
/// How an address is named: by the symbol and the offset at it, by the function, or by the module alone; as a number, but where %a or %A
/// prints it by symbol and offset.
struct SymbolName {
    enum class By : std::uint8_t { Address, Function, Module, Number } by = By::Function;
    bool ofProcess = false; ///< an address of the traced process, not of the kernel
    bool operator==(const SymbolName&) const = default;
};
/// Numbers of args[n] that is not the word of argN (probe::Arg::elsewhere): behind all n that a probe has.
constexpr std::size_t kElsewhere = 64;
/// What an expression does. For each kind: which parts of Expr it uses.
enum class ExprKind : std::uint8_t {
    Integer,       ///< integer
    String,        ///< text; a string that is not there (NULL) when `integer` is 1
    Builtin,       ///< builtin
    ProbeArgument, ///< integer: n of argN / args[n] before translation, or kElsewhere + n where that is not one word;
                   ///< EnabledProbe::args says by that number how to get it
    Context,       ///< integer: n of raw[n]; only within EnabledProbe::args and ::hooks
    Variable,      ///< variable: a scalar (or struct, or string)
    Element,       ///< variable: associative array; kids: the tuple
    Unary,         ///< Neg Not BitNot of kids[0], already promoted to `type`
    Binary,        ///< arithmetic, comparison, logic; comparisons of strings have String kids
    Conditional,
    Assign,      ///< kids[0] (Variable, Element) = kids[1], already converted to its type; compound ones are spelled out
    Step,        ///< op PreInc.. on kids[0]
    Cast,        ///< kids[0] to `type`: truncates or extends integers; reinterprets pointers; to symbol(): the name of the
                 ///< address kids[0], as `symbol` says
    Dereference, ///< the object at address kids[0]; an lvalue of `type`; of user memory when `user`; kids[1]: no more bytes
    Member,      ///< bits [bitOffset, bitOffset + bitWidth) of the struct lvalue kids[0]
    AddressOf,   ///< of the Dereference or Member kids[0]
    StringFrom,  ///< stringof(kids[0]): the NUL-terminated text at a kernel address or of a char array lvalue; `user`: user memory
    Call,        ///< subroutine: index into language::kSubroutines; kids: arguments
    Stack,
    UserStack, ///< integer: how many frames
    Comma,     ///< kids[0], kids[1]
    Index,     ///< kids[0], which has to be one of `integer` elements of an array; else a fault
};
struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;
/// A typed expression. It is immutable and shared: equal parts of a program may be the same object.
struct Expr {
    ExprKind kind = ExprKind::Integer;
    Span at;
    const Type* type = nullptr; ///< integer kinds after promotion; string() for strings; stack() for stacks
    ast::Op op = ast::Op::Add;
    bool user = false;
    bool byDefault = false;      ///< UserStack: as many frames as an option says, not the program
    std::uint32_t nameBytes = 0; ///< UserStack: the bytes for names that the program asks for; only its dt_stack_t tells them
    std::int64_t integer = 0;
    std::string text;
    Builtin builtin = Builtin::Pid;
    VariableId variable;
    std::size_t subroutine = 0;
    SymbolName symbol;                         ///< Cast to symbol()
    std::uint32_t bitOffset = 0, bitWidth = 0; ///< Member: bitWidth 0 when not a bit-field; bitOffset always set
    std::vector<ExprPtr> kids;
};
/// A variable of the program or of a library, in declaration order.
struct Variable {
    VariableId id;
    ast::Scope scope = ast::Scope::Global;
    std::string name;
    const Type* type = nullptr;
    std::vector<const Type*> tuple; ///< of an associative array, else empty
    bool holdsScratch = false;      ///< a pointer into what alloca() or copyin() gave
    bool leadsIntoScratch = false;  ///< nothing else was assigned to it: a pointer that stood in such memory leads elsewhere
    bool isArray() const { return !tuple.empty(); }
};
/// An aggregation, with the types of its keys and its value.
struct Aggregation {
    AggregationId id;
    record::Aggregator function = record::Aggregator::Count;
    std::string name;
    std::vector<const Type*> keys;
    std::vector<std::string> keyNames; ///< as written, of the first statement that names it
    std::array<std::int64_t, 4> parameters{};
    std::string value; ///< the aggregated expression as written
    const Type* valueType = nullptr;
};
/// One statement of a clause.
struct Statement {
    enum class Kind : std::uint8_t { Expression, Aggregate, Action, If } kind = Kind::Expression;
    Span at;
    ExprPtr expr;                ///< Expression; If: the condition
    AggregationId aggregation;   ///< Aggregate
    std::vector<ExprPtr> keys;   ///< Aggregate
    std::vector<ExprPtr> values; ///< Aggregate: the value (absent for count) and, for quantizes, the weight (optional)
    record::ActionKind action = record::ActionKind::Trace;
    std::string format;                ///< Printf, Printa, System, ...: D's format, checked against `args`
    std::vector<ExprPtr> args;         ///< of the action, in order; recorded as its fields
    std::vector<std::string> argNames; ///< of `args`, as written in D; the names of the recorded fields
    std::vector<AggregationId> aggregations;
    record::Layout layout;    ///< Print: of the object
    bool givesResult = false; ///< return(): args[0] is what the probed function gives; recorded as Stop
    std::vector<Statement> then, otherwise;
};
/// What curcpu points to: cpuinfo_t of the base library.
struct Cpu {
    std::int32_t id = 0, set = 0, chip = 0, latencyGroup = 0;
};
/// A clause: what runs when one of its probes fires.
struct Clause {
    ClauseId id;
    Span at;
    std::string probes; ///< as written
    ExprPtr predicate;  ///< null: always
    std::vector<Statement> body;
    bool defaultAction = false; ///< no statement at all: the firing itself is recorded
    bool namesTarget = false;   ///< $target
    bool readsProcess = false;  ///< names something about a process, in its predicate or in its body (clause_processes.h)
    bool yieldsData = false;    ///< records, aggregates, acts, or sets what other threads may read (clause_processes.h)
    record::Clause::Processes processes = record::Clause::Processes::NotTold; ///< see clause_processes.h
};
/// A probe that clauses enable, in order of its number; each has at least one clause.
struct EnabledProbe {
    ProbeId id;
    probe::Name name;
    struct Hook {
        probe::Place at;
        int selectorWord = -1;
        int selectorOffset = -1; ///< as probe::Hook; hooks with equal place, word and offset share a program
        std::uint64_t selector = 0;
        ExprPtr when;              ///< over Context; null: always
        std::vector<ExprPtr> args; ///< instead of EnabledProbe::args where not empty
        ExprPtr again;             ///< null: once (probe::Hook::again)
        std::uint64_t value = 0;   ///< Context with integer probe::kHookValue
    };
    std::vector<Hook> hooks;

    /// When the session itself fires it, if it does.
    std::optional<probe::Manual::When> manual() const
    {
        const auto* at = hooks.empty() ? nullptr : std::get_if<probe::Manual>(&hooks.front().at);
        return at ? std::optional(at->when) : std::nullopt;
    }
    std::vector<ExprPtr> args;          ///< argN over Context; only those the clauses use, others null
    std::vector<std::uint32_t> clauses; ///< indices into Program::clauses, in D's order
    bool takesResult = false;           ///< as probe::Description
};
/// Which numbers arg1 and arg2 of the ERROR probe are: those that the message of a fault names.
enum class FaultNumbers : std::uint8_t { EnabledProbeAndAction, ProbeAndClause };
/// The whole program, as analyse() hands it to codegen::generate().
struct Program {
    std::shared_ptr<types::TypeTable> types; ///< owns every Type named here
    std::vector<Variable> variables;
    std::vector<Aggregation> aggregations;
    std::vector<Clause> clauses;
    std::vector<EnabledProbe> probes;
    /// Fire nothing: `when` is run for what it assigns, after the probes of the same place (probe::Description::watches).
    std::vector<EnabledProbe::Hook> watches;
    options::Options options;                             ///< the command line's, with #pragma D option on top where it was not set there
    std::string matched;                                  ///< "description 'syscall:::entry' matched 340 probes"
    std::vector<probe::Pattern> described;                ///< what the clauses are about, as written; in order
    std::vector<Cpu> cpus;                                ///< by number; empty unless curcpu is used
    std::optional<host::Host::PidNamespace> pidNamespace; ///< the namespace that `pid`, `tid` and `ppid` are numbers of
    /// A range of the kernel's code that calls those who listen to a tracepoint, half open.
    struct CallsListeners {
        std::string tracepoint;
        std::uint64_t start, end;
    };
    /// Of tracepoints at which the kernel's stack is asked for: such a frame is no frame of what fired. Not where the kernel hides
    /// addresses.
    std::vector<CallsListeners> callsListeners;
    bool tellsOfProcesses = false;
    bool mayGrow = false;     ///< a description may mean probes that come while the program runs
    bool destructive = false; ///< uses a destructive action: needs -w
    /// The first probe of a clause with return() whose function cannot be given a result, as "rawfbt:vmlinux:abort:entry"; empty: none.
    std::string refusesResult;
    record::Dialect dialect = record::Dialect::Dtrace;
    std::uint32_t scratchByDefault = 0; ///< bytes that alloca() and copyin() may have in a firing; 0: as option scratchsize says
    FaultNumbers faultNumbers = FaultNumbers::EnabledProbeAndAction;
};
} // namespace dscope::sema
