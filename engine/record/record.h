#pragma once
#include "engine/base/bytes.h"
#include "engine/base/choice.h"
#include "engine/base/result.h"
#include "engine/base/strong_id.h"
#include "engine/record/frame_list.h"
#include "engine/record/stack_table.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>
/// What a D program yields, as values: the one stream that serves the live session, a recording, the pipe from the
/// helper and imported text. Definitions come before their first use.
namespace dscope::record {
using Nanoseconds = std::chrono::nanoseconds; ///< CLOCK_MONOTONIC of the traced machine

// -- definitions ---------------------------------------------------------------------------------------------------
/// How the bytes of a value are to be read.
enum class FieldKind : std::uint8_t {
    Int,
    Uint,      ///< 1, 2, 4 or 8 bytes
    String,    ///< NUL-terminated within `size` bytes
    Bytes,     ///< a struct, an array or memory (tracemem)
    Stack,     ///< 4 bytes: StackId of kernel frames
    UserStack, ///< 4 bytes: StackId of user frames
    Symbol,    ///< 4 bytes: StackId of a stack of one frame (func, sym, %a, usym, ...)
};
/// A value within a payload or a key.
struct Field {
    FieldKind kind = FieldKind::Int;
    std::uint32_t offset = 0, size = 0; ///< bytes
    std::string name;                   ///< the D expression, as written ("execname", "arg0", "self->ts")
    std::string type;                   ///< its type as C spells it ("int64_t", "char", "string")
    /// Of an integer whose type has fewer bytes than it is kept in: those of the type. Of a symbol that is an address but where %a or %A
    /// prints it: 8. Else 0.
    std::uint8_t shownSize = 0;
    bool operator==(const Field&) const = default;
};
/// What an action of a clause does. For each: what Action::fields, format and aggregations hold.
enum class ActionKind : std::uint8_t {
    Trace,    ///< fields[0]; trace(x), and what dtrace prints of itself
    Tracemem, ///< fields: bytes; how many of them, when present; a packet's length and link type (pcap)
    Printf,   ///< format, fields
    Printa,   ///< format ("" when none), aggregations
    Stack,
    UserStack,   ///< fields[0]
    Symbol,      ///< fields[0]; sym(), func(), mod(), usym(), ... as an action
    Exit,        ///< fields[0]: status
    Clear,       ///< aggregations[0]
    Trunc,       ///< aggregations[0]; fields[0], when present: how many (negative: the smallest). aggregations[1], when present, has one
                 ///< key more, and loses the rows whose other keys leave the first
    Normalize,   ///< aggregations[0]; fields[0]: the divisor
    Denormalize, ///< aggregations[0]
    System,
    Freopen,
    Ftruncate, ///< format, fields
    Setopt,    ///< fields[0]: name, fields[1]: value
    Raise,
    Stop,
    Chill, ///< done in the kernel; recorded for completeness, prints nothing
    Commit,
    Discard,
    Speculate, ///< done already: what was speculated stands before the Fired that commits it
    Print,     ///< fields[0]: an address, fields[1]: the object there; layout: what the object consists of
};
/// A part of an object that print() shows: the object itself, a member or an array's element.
struct LayoutPart {
    enum class Kind : std::uint8_t {
        Struct,  ///< or a union; the deeper parts behind it are its members
        Array,   ///< of `count` elements; the part behind it is the first of them
        Signed, Unsigned, Char, Pointer, Enum,
        Other,
    } kind = Kind::Other;
    std::uint32_t depth = 0;               ///< 0: the whole object; a part belongs to the last part before it with a smaller depth
    std::uint64_t bitOffset = 0, bits = 0; ///< the place in the object, and the size
    std::uint64_t count = 0;               ///< of an array's elements
    std::string name;                      ///< of a member; else empty
    std::string type;                      ///< as C spells it
    struct Enumerator {
        std::string name;
        std::int64_t value = 0;
        bool operator==(const Enumerator&) const = default;
    };
    std::vector<Enumerator> enumerators; ///< of an enum
    bool operator==(const LayoutPart&) const = default;
};
/// What an object consists of: the object itself first, then its parts in order, each behind the part it belongs to.
using Layout = std::vector<LayoutPart>;
constexpr std::size_t kMostLayoutParts = 4096;
/// One data-recording action of a clause, as a printer needs to know it.
struct Action {
    ActionKind kind = ActionKind::Trace;
    std::string format;
    std::vector<Field> fields; ///< within the payload of Fired
    std::vector<AggregationId> aggregations;
    Layout layout = {}; ///< Print alone
    bool operator==(const Action&) const = default;
};
/// What one firing of a clause records. A clause without data-recording actions records its firing all the same
/// (dtrace's default action) unless `silent`.
struct Clause {
    std::vector<Action> actions;
    std::uint32_t payloadSize = 0;
    bool silent = false; ///< only aggregates, assigns, speculates ...: nothing is sent
    std::string probes;  ///< as written: "syscall::read:entry"
    /// For which processes it does something, as far as its predicate and its probes say.
    enum class Processes : std::uint8_t {
        NotTold, ///< unknown, or no process fires it: BEGIN, END, tick
        All,     ///< for all of the machine
        Some,    ///< only for those that the predicate or the probe chooses
        Target,  ///< only for that of -c or -p, or for it and its children
    } processes = Processes::NotTold;
    std::vector<AggregationId> fills; ///< aggregations that a firing may add a value to; empty if unknown
    bool operator==(const Clause&) const = default;
};
/// An aggregating function of D. Ranges: none of D's, but a histogram of imported text, whose buckets are those of Aggregation::bounds.
enum class Aggregator : std::uint8_t { Count, Sum, Min, Max, Avg, Stddev, Quantize, Lquantize, Llquantize, Ranges };
/// An aggregation of the program: its function, and how the keys of its rows are laid out.
struct Aggregation {
    std::string name; ///< "bytes" of @bytes, "" of @
    Aggregator function = Aggregator::Count;
    std::vector<Field> keys; ///< within AggregationRow::key
    std::uint32_t keySize = 0;
    std::array<std::int64_t, 4> parameters{}; ///< lquantize: base, limit, step; llquantize: factor, low, high, steps
    std::string value;                        ///< the aggregated expression as written ("arg0", "timestamp - self->ts")
    std::string valueType;                    ///< its type as C spells it
    std::vector<std::int64_t> bounds{};       ///< of Ranges alone: the low ends of all buckets but the first, ascending
    bool operator==(const Aggregation&) const = default;
};
/// Whose text is printed: dtrace's, or that of DTrace for Linux, which its tests expect. That has no CPU and ID columns and
/// words errors in its own way.
enum class Dialect : std::uint8_t { Dtrace, DtraceForLinux };
/// What a machine's kernel said of its clocks at one time: how CLOCK_MONOTONIC and UTC go together there, and how sure that is.
struct ClockReading {
    /// Whether something keeps the machine's wall clock by a better one, as NTP does. Source: adjtimex(2), STA_UNSYNC.
    enum class Kept : std::uint8_t { NotTold, No, Yes };
    std::int64_t monotonic = 0; ///< ns, CLOCK_MONOTONIC; 0: nothing was read
    std::int64_t wall = 0;      ///< ns since 1970, CLOCK_REALTIME at that time
    std::int64_t width = 0;     ///< ns between the two readings of CLOCK_MONOTONIC that `wall` was read between
    Kept kept = Kept::NotTold;
    std::int64_t maxError = 0; ///< ns: who keeps the clock says that it is no farther from UTC than that
    bool isKnown() const { return monotonic != 0; }
    std::int64_t offset() const { return wall - monotonic; } ///< ns to add to CLOCK_MONOTONIC for UTC
    bool operator==(const ClockReading&) const = default;
};
/// How well the times of several machines on one axis agree.
struct ClockAgreement {
    std::uint32_t hosts = 0;   ///< whose times are on it; 0: of one alone
    std::uint32_t unknown = 0; ///< of them, those whose clocks nobody has kept, or of which nothing is known
    std::int64_t within = 0;   ///< ns: one moment on two of the others is told as times no farther apart
    bool operator==(const ClockAgreement&) const = default;
};
/// Everything about a run that a reader needs before its first record.
struct Program {
    std::string source;                 ///< D text as given; several -n and -s joined by a newline
    std::string name;                   ///< script path, or empty for -n
    std::string matched;                ///< "description 'BEGIN' matched 1 probe"
    std::vector<std::string> arguments; ///< $1 ...
    std::vector<Clause> clauses;
    std::vector<Aggregation> aggregations;
    std::map<std::string, std::string> options; ///< D options that were set, by name
    std::string host, kernel, version;          ///< host name, uname -r, dscope's version
    std::string command;                        ///< of -c, or empty
    std::int32_t target = 0;                    ///< $target, 0 when there is none
    std::int64_t wallClockOffset = 0;           ///< ns to add to CLOCK_MONOTONIC for UTC
    std::int64_t started = 0;                   ///< ns, CLOCK_MONOTONIC
    std::int32_t utcOffset = 0;                 ///< seconds east of UTC on the traced machine, for %Y where `zone` is empty
    std::string zone;              ///< the traced machine's time zone with its rules, as POSIX writes it in TZ; empty: not known
    bool tellsOfProcesses = false; ///< ProcessEvents are part of the stream
    bool placesUnnamed = true;     ///< Frame::offset of a frame without a function is the function's place in its module
    bool isImported = false;       ///< another tool's text: there was no D program, and `source` says whose text it is
    bool timesAreLines = false;    ///< imported text that tells no times: Fired::when is the number of a line
    Dialect dialect = Dialect::Dtrace;
    ClockReading clock{};   ///< when the run began
    std::uint32_t cpus = 0; ///< that the traced machine may have, numbered from 0; 0: not known
    /// Of imported text: its lines, and how many of them were not understood.
    std::uint64_t lines = 0, linesNotUnderstood = 0;
    bool operator==(const Program&) const = default;
};
/// A probe and its number. Comes before the first record that names it.
struct ProbeDef {
    ProbeId id;
    std::string provider, module, function, name;
    bool operator==(const ProbeDef&) const = default;
};
/// A stack and its number. Comes before the first record that names it.
struct StackDef {
    StackId id;
    FrameList frames; ///< innermost first; empty: nothing to come names it (decode::Decoder::forgetStacks)
    bool operator==(const StackDef&) const = default;
};

// -- events --------------------------------------------------------------------------------------------------------
/// Imported tracks that are no thread have numbers from here on, as process and as thread: none of Linux has such a one.
inline constexpr std::uint32_t kFirstNoThread = 0x8000'0000;

/// A clause fired and recorded something. The payload is laid out as Program::clauses[clause] says.
struct Fired {
    ClauseId clause;
    ProbeId probe;
    std::uint32_t cpu = 0, pid = 0, tid = 0;
    Nanoseconds when{};
    Bytes payload;
    bool operator==(const Fired&) const = default;
};
/// data, by function: count {n}; sum {s}; min {v}; max {v}; avg {n, s}; stddev {n, s, low, high of the sum of squares};
/// the quantizes {bucket, count, bucket, count, ...}, bucket indices ascending (engine/record/buckets.h), counts of 0 left out.
struct AggregationRow {
    Bytes key;
    std::vector<std::int64_t> data;
    bool operator==(const AggregationRow&) const = default;
};
/// All rows of one aggregation at one time: replaces what was known of it. Sent before each Fired that prints, clears or
/// truncates it, at each aggrate while a front end looks on, and at the end.
struct AggregationRows {
    AggregationId aggregation;
    Nanoseconds when{};
    std::vector<AggregationRow> rows;
    bool operator==(const AggregationRows&) const = default;
};
/// What the values of stacks are: a count of their noun, nanoseconds, bytes, or a sum whose unit is not known.
enum class StackUnit : std::uint8_t { Count, Time, Bytes, Unknown };
/// The noun of times that processors worked, rather than of any other: pprof's name for them.
inline constexpr std::string_view kCpuTime = "cpu";
/// Stacks that another tool counted: sums that do not change any more. Several records of one stream add up. Copies share what is large.
struct CountedStacks {
    /// What the stack that ends in a node of the table counts. A node may have several.
    struct Stack {
        std::uint32_t node = 0; ///< not the root
        std::int64_t value = 0; ///< more than 0
        bool operator==(const Stack&) const = default;
    };
    std::shared_ptr<const StackTable> table;          ///< null where there are no stacks
    std::shared_ptr<const std::vector<Stack>> stacks; ///< null where there are none; the values of a stream sum up to at most INT64_MAX
    std::string noun;                                 ///< what is counted, plural: "samples", "calls", "cycles"; of a sum, of what: "arg2"
    StackUnit unit = StackUnit::Count;
    std::int8_t exponent = 0; ///< a value of v stands for v * 10^exponent of the unit; from kLeastExponent to kMostExponent
    static constexpr int kLeastExponent = -30, kMostExponent = 18;
    std::span<const Stack> all() const { return stacks ? std::span<const Stack>(*stacks) : std::span<const Stack>(); }
    bool empty() const { return all().empty(); }
    bool measuresAs(const CountedStacks& o) const { return noun == o.noun && unit == o.unit && exponent == o.exponent; }
    bool operator==(const CountedStacks& o) const;
};
/// When and of whom the samples were that a stream's counted stacks are the sums of, where the tool that took them tells. Its stacks may
/// come before or after it.
struct StackParts {
    /// So much of the value of one stack.
    struct Line {
        std::uint32_t stack = 0; ///< its place, from 0, among those of all CountedStacks of the stream in their order
        std::int64_t value = 0;  ///< more than 0
        bool operator==(const Line&) const = default;
    };
    /// What came in during a stretch of time under certain keys.
    struct Part {
        Nanoseconds from{}, to{};
        std::vector<Bytes> keys; ///< one for each of `by`, as AggregationRow::key
        std::int64_t amount = 0; ///< in `noun`; more than 0
        std::vector<Line> lines; ///< empty where `hasLines` is not set
        bool operator==(const Part&) const = default;
    };
    std::vector<Aggregation> by; ///< what tells parts apart, each a count: its rows are the sums of their amounts
    std::string noun;            ///< of the amounts, plural: "samples"
    bool hasLines = true;        ///< which stacks a part is of is known
    bool isWhole = true;         ///< else parts were left out, and with them their share of the stacks
    std::vector<Part> parts;     ///< ascending by `to`, those of one stretch together
    bool operator==(const StackParts&) const = default;
};
/// Sent whatever the script prints, when a program enables a proc probe: the process tree is right by construction.
struct ProcessEvent {
    enum class Kind : std::uint8_t {
        Existing,       ///< was there before tracing began (the target, or the parent of a new process)
        Fork,           ///< `pid` was created by thread `tid` of process `parent`
        Exec,           ///< `pid` now runs `path` with `args`
        ExecFailed,     ///< tried to; `status` is the errno
        Exit,           ///< the whole process ended; `status` as wait(2) gives it
    } kind = Kind::Fork;
    Nanoseconds when{};
    std::uint32_t pid = 0, tid = 0, parent = 0, uid = 0;
    bool vfork = false;   ///< the parent waits (CLONE_VFORK: vfork, posix_spawn)
    bool argsCut = false; ///< `args` was longer than what is kept
    std::int32_t status = 0;
    std::uint64_t cpuTime = 0;     ///< ns of user and system time, at Exit
    std::string execname;          ///< the kernel's comm
    std::string path;              ///< Exec, ExecFailed: the file named by exec
    std::string cwd;               ///< Exec: the directory it ran in
    std::vector<std::string> args; ///< Exec: argv; Fork: the parent's
    bool operator==(const ProcessEvent&) const = default;
};
/// Records or values of one kind that were lost, since the last Drop of that kind.
struct Drop {
    enum class Kind : std::uint8_t { Principal, Aggregation, Dynamic, Speculation, SpeculationBusy, SpeculationUnavailable, Stack, Process, Error, Firing } kind = Kind::Principal; ///< Firing: the kernel ran no program for it, mostly since that program was under way there
    std::uint32_t cpu = 0;
    std::uint64_t count = 0;
    bool operator==(const Drop&) const = default;
};
/// What went wrong in a program at run time.
enum class FaultKind : std::uint8_t {
    Unknown,
    BadAddress,
    BadAlignment,
    IllegalOperation,
    DivideByZero,
    NoScratch,
    KernelPrivilege,
    UserPrivilege,
    TupleOverflow,
    BadStack,
    BadSize,
    BadIndex
};
/// A clause met a fault and ended early; ERROR fired. What dtrace prints as "error on enabled probe ID".
struct Fault {
    ClauseId clause;
    ProbeId probe;
    std::uint32_t cpu = 0, action = 0; ///< action: 1 for the first of the clause
    std::uint32_t enabled = 0;         ///< enabled probe id, as dtrace numbers them
    FaultKind kind = FaultKind::Unknown;
    std::uint64_t address = 0;
    std::uint32_t offset = 0; ///< of the BPF instruction that found it, 0 when not known (arg3 of ERROR)
    bool operator==(const Fault&) const = default;
};
/// A -c or -p process has ended.
struct TargetExited {
    std::int32_t pid = 0;
    std::int32_t status = 0; ///< as wait(2) gives it; 0 for -p
    bool operator==(const TargetExited&) const = default;
};
/// What is wrong with the D program, or could not be done though tracing goes on. Those of the compiler are the only records
/// that may come before Program; a stream without a Program holds nothing else.
struct Diagnostic {
    enum class Severity : std::uint8_t { Debug, Warning, Error } severity = Severity::Error;
    std::string tag;                    ///< of the compiler: dtrace's stable name of the situation ("D_PROTO_LEN"); else empty
    std::string file;                   ///< the script or included file it is about; empty: text of the command line, or none
    std::uint32_t line = 0, column = 0; ///< from 1, column in bytes; 0: of no place
    std::string message;                ///< one sentence, without the place
    std::string text;                   ///< as dtrace prints it, without "dtrace: "; several lines
    std::vector<Choice> choices{};      ///< the members that the type has, where one is wrong: for editors
    bool operator==(const Diagnostic&) const = default;
};
/// The stream's end; the rows of every aggregation were sent before it.
struct Exit {
    std::int32_t status = 0;
    bool interrupted = false; ///< by SIGINT or SIGTERM: dtrace prints a newline first
    Nanoseconds when{};
    ClockReading clock{};       ///< when the run ended
    ClockAgreement agreement{}; ///< of merged runs
    bool operator==(const Exit&) const = default;
};
using Record = std::variant<Program, ProbeDef, StackDef, Fired, AggregationRows, ProcessEvent, Drop, Fault, TargetExited, Exit,
    CountedStacks, Diagnostic, StackParts>;

/// Anything that can be replayed: live session, recording, pipe from the helper, imported text, test vector.
class Source {
public:
    virtual ~Source() = default;
    using Deliver = std::function<void(const Record&)>;
    /// Hand over what is there, waiting at most `timeout` for the first record. False: the stream has ended (Exit was delivered).
    virtual Result<bool> poll(std::chrono::milliseconds timeout, const Deliver& deliver) = 0;
};
/// Anything that consumes: text printer, recorder, store.
class Sink {
public:
    virtual ~Sink() = default;
    virtual void take(const Record& record) = 0;
};
} // namespace dscope::record
