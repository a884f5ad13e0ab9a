#pragma once
#include "engine/object/abilities.h"
#include "engine/object/object.h"
#include "engine/object/walk.h"
#include "engine/sema/program.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
namespace dscope::codegen {
using namespace object; // what the compiler makes and the run time reads: both speak of Object, Code, Map and the raw records

/// What the machine sees of a D type.
struct Shape {
    enum class Kind : std::uint8_t { Integer, String, Bytes, Stack, Symbol } kind = Kind::Integer;
    std::uint64_t size = 8; ///< Integer: 1, 2, 4 or 8; Bytes: of the object
    bool isSigned = false;
};
Shape shapeOf(const types::Type* type);

/// Where a variable lives.
struct Home {
    enum class Kind : std::uint8_t {
        Global,     ///< at `offset` in the one value of `map`
        This,       ///< at `offset` in the clause-local part of scratch memory
        Self,       ///< at `offset` in the task's value of `map`
        Array,      ///< the value of `map` for the tuple
    } kind = Kind::Global;
    MapId map;
    std::uint32_t offset = 0;
    std::uint32_t size = 8; ///< bytes of storage, a multiple of 8
    /// Of an integer its own bytes where it is global or clause-local; elsewhere it is kept extended to 8.
    std::uint32_t width = 8;
    bool isSigned = false;
    std::uint32_t keySize = 0;
    bool perThread = false; ///< Array: the key begins with the thread
};
/// A recorded field, and the expression that fills it.
struct FieldPlan {
    const sema::Expr* expr = nullptr;
    Shape::Kind kind = Shape::Kind::Integer;
    bool user = false;                        ///< a user stack or a user symbol
    bool ownPid = false;                      ///< Symbol: the process comes before the address
    std::uint32_t rawOffset = 0, rawSize = 8; ///< multiples of 8
    std::uint32_t frames = 0;
    WalkEnd atLimit = WalkEnd::Asked; ///< how a user stack ends that has more
};
/// The fields of a payload or a key, laid out both as the ring carries them and as the schema says.
struct FieldsPlan {
    std::vector<FieldPlan> fields;
    Object::RawLayout layout;
    std::vector<record::Field> schema;
    std::uint32_t userStacks = 0;
    /// What the fields are of: a record, which tells its process, or the key of an aggregation, which several processes may share.
    enum class Of : std::uint8_t { Record, Key };
    /// `textSize`: bytes of a string, 0 for what the expression may give.
    void add(const class Unit& unit, const sema::Expr& expr, std::string name, Of of, std::uint32_t textSize = 0);
};
/// A run of statements of one clause that is recorded together: D's `if` splits a clause, as illumos does it.
struct SegmentPlan {
    ClauseId clause;
    bool silent = true;
    bool speculates = false; ///< speculate() comes before it, or in it
    /// commit() and discard(): their speculations are free once this is sent.
    std::vector<const sema::Statement*> frees;
    bool control = false; ///< clear, exit ...: has room in the ring when data has not
    FieldsPlan payload;
    /// For each statement, the index of its first field in `payload`.
    std::unordered_map<const sema::Statement*, std::size_t> firstField;
};
/// How an aggregation is stored: the layout of its key, and whether the kernel or the decoder keeps the values.
struct AggregationPlan {
    FieldsPlan key;
    std::uint32_t mapKeySize = 8, valueSize = 16;
    std::uint32_t rowSize = 16; ///< what a value counts against option aggsize: the updates and every word
    bool sampled = false;       ///< has user stacks, of which some or all arrive as RawSamples
    bool inUserSpace = false;   ///< all do
};

/// What the programs of one Object share: maps, homes of variables, literals, layouts.
class Unit {
public:
    /// How programs have scratch memory, if nothing forces those of clauses to share it.
    enum class Memory : std::uint8_t { Own, Shared };
    explicit Unit(const sema::Program& program, const object::Abilities& has = object::Abilities::all(), Memory memory = Memory::Own);
    const sema::Program& program;
    const object::Abilities has; ///< what the kernel gives programs
    bool can(object::Ability ability) const { return has.has(ability); }
    /// Throws Lacks where the kernel does not give it; `at`: what asks for it.
    void need(object::Ability ability, Span at) const;
    /// What is made otherwise than the program says, because the kernel is too old.
    struct Remark {
        Span at;
        std::string what;
    };
    std::vector<Remark> remarks;
    Object object;

    MapId add(Map map);
    Map& map(MapId id) { return object.maps.at(id.value); }
    /// The place of a text in the literals' map: zero-padded to literalSize(text).
    std::uint32_t literal(std::string_view text);
    static std::uint32_t literalSize(std::string_view text) { return static_cast<std::uint32_t>((text.size() + 8) & ~std::size_t{7}); }
    MapId literals() const { return m_literals; }
    /// The place of a new word in the literals' map, which setWord() sets.
    std::uint32_t word();
    void setWord(std::uint32_t at, std::uint64_t value);
    /// Option nspec: how many speculations there may be at a time.
    std::uint32_t speculationCount() const { return m_speculationCount; }
    /// Array of one value: a word for each speculation, odd while it is in use; it grows by 1 whenever that changes.
    MapId speculations();
    /// Of vtimestamp: since when each CPU has run its thread and how often it changed threads, and what each thread has spent before.
    struct VirtualTime {
        MapId since, spent;
    };
    const VirtualTime& virtualTime();
    bool usesVirtualTime() const { return m_usesVirtualTime; } ///< then each firing has to say how long it took
    /// Task storage: a word, the error of the last system call that returned in the thread; 0 where it succeeded or none
    /// returned since tracing began.
    MapId lastErrors();
    bool usesLastErrors() const { return m_lastErrors.has_value(); }
    /// What walks need; made when it is first asked for.
    const Object::Walks& walks();
    /// BEGIN or END measures a stack, which is our own.
    void walksOurOwn();
    bool canWalk() const; ///< whether the kernel can walk user stacks at all; asks for its types
    bool mayWalk() const; ///< rather than copy those that are recorded
    bool walksStacks() const { return object.walks.has_value(); }
    /// Array of one value: sema::Program::cpus.
    MapId cpus();
    /// A value of zeros of at least `size` bytes.
    MapId zeros(std::uint32_t size);

    std::uint32_t stringLimit() const { return m_strsize; } ///< option strsize and the NUL: bytes of a string
    std::uint32_t stringSize() const { return (m_strsize + 7) & ~7u; }
    /// Bytes that the text of a string expression may take, zero-padded: a multiple of 8.
    std::uint32_t capacity(const sema::Expr& expr) const;
    /// Bytes of storage of a variable of this type.
    std::uint32_t storage(const types::Type* type) const;

    const Home& home(VariableId id) const { return m_homes.at(id.value); }
    std::uint32_t thisSize() const { return m_thisSize; }
    /// Of them, the first bytes: the program's own clause-local variables, without those of providers.
    std::uint32_t programsThisSize() const { return m_programsThisSize; }
    /// Bytes that alloca(), copyin() and the like give out in one firing: option scratchsize, or where that is not set what the
    /// program may ask for, up to sema::Program::scratchByDefault.
    std::uint32_t arenaSize() const { return m_arenaSize; }
    /// Bytes that they lie in: a NUL ends each, for which the option need not leave room.
    std::uint32_t arenaRoom() const { return m_arenaSize + kArenaGuard + 16 * 8; }
    /// The first bytes of it are given to no one and are 0.
    static constexpr std::uint32_t kArenaGuard = 8;
    /// Frames of which the last walk of a thread is kept: a power of two, and as many as any stack of the program has at most.
    std::uint32_t keptFrames() const { return m_keptFrames; }
    bool usesArena() const { return m_usesArena; } ///< calls them at all
    /// Whether the program may have addresses of scratch memory, and read there what it was not given.
    bool exposesScratch() const { return m_exposesScratch; }
    /// Whether one array has the scratch memory of all clauses: then it is known which addresses are there, whichever program or CPU
    /// they came from, and there may be more of it than of a per-CPU array's.
    bool sharesScratch() const { return m_exposesScratch || sharesAllScratch(); }
    /// The same of programs that are no clauses', which have room for long strings then, too.
    bool sharesAllScratch() const { return m_memory == Memory::Shared; }
    /// That array: an element is what one CPU has of it. Uprobes have several a CPU, Map::maxEntries of them.
    MapId sharedScratch();
    /// Where the literals' map has the bytes of a CPU's elements.
    std::uint32_t sharedSizeAt();
    /// Throws TooLarge where variables need more than the kernel gives them.
    void requireRoom() const;
    /// Once all programs are made.
    void settleShared();
    /// Whether a later clause of the firing reads this pointer into the arena; keepsPointers(): any.
    bool isKept(VariableId id) const { return m_kept.contains(id.value); }
    bool keepsPointers() const { return !m_kept.empty(); }
    MapId selves() const { return m_self; }
    const AggregationPlan& aggregation(AggregationId id) const { return m_aggregations.at(id.value); }
    const std::vector<SegmentPlan>& segments(const sema::Clause& clause) const { return m_segments.at(clause.id.value); }
    /// Whether a clause may speculate, and what the largest of its records takes of a speculation's room.
    bool speculates(const sema::Clause& clause) const;
    std::uint32_t speculatedSize(const sema::Clause& clause) const;
    const SegmentPlan& segment(const sema::Statement* statement) const { return *m_segmentOf.at(statement); }
    /// dtrace:::ERROR, when the program enables it.
    const sema::EnabledProbe* errorProbe() const;

    /// Byte offset of a member of a kernel struct ("task_struct", "se.sum_exec_runtime"); -1 when this kernel has none. Throws
    /// NoKernelTypes where the kernel tells nothing of its structs.
    std::int64_t kernelOffset(std::string_view structName, std::string_view path) const;
    /// The same for what can be done without: -1 also where the kernel tells nothing.
    std::int64_t offsetIfKnown(std::string_view structName, std::string_view path) const;

private:
    static std::uint32_t arenaSizeOf(const sema::Program& program);
    void placeVariables();
    void planAggregations();
    void makeAggregationMaps(const sema::Aggregation& aggregation, const AggregationPlan& plan);
    void makeAside(AggregationId id);
    void makeFront(const sema::Aggregation& aggregation, const AggregationPlan& plan);
    void planClauses();
    void planStatements(
        const sema::Clause& clause, const std::vector<sema::Statement>& statements, std::vector<SegmentPlan>& out, bool& named);
    std::uint32_t m_strsize = 257, m_thisSize = 0, m_programsThisSize = 0, m_selfSize = 0, m_arenaSize = 256, m_speculationCount = 1;
    MapId m_literals, m_globals, m_self, m_zeros;
    std::uint32_t m_keptFrames = 0;
    bool m_hasZeros = false, m_usesArena = false, m_exposesScratch = false, m_usesVirtualTime = false;
    Memory m_memory;
    std::optional<MapId> m_sharedScratch;
    std::optional<std::uint32_t> m_sharedSizeAt;
    mutable std::optional<bool> m_canWalk; ///< once it was asked
    std::optional<MapId> m_speculations, m_cpus, m_lastErrors;
    std::optional<VirtualTime> m_virtualTime;
    std::map<std::string, std::uint32_t, std::less<>> m_literalAt;
    std::vector<Home> m_homes;
    std::set<std::uint32_t> m_kept; ///< by VariableId
    std::vector<AggregationPlan> m_aggregations;
    std::vector<std::vector<SegmentPlan>> m_segments; ///< by ClauseId of sema's clauses
    std::unordered_map<const sema::Statement*, const SegmentPlan*> m_segmentOf;
};
} // namespace dscope::codegen
