#pragma once
#include "engine/codegen/builder.h"
#include "engine/codegen/unit.h"
namespace dscope::codegen {
/// Scratch memory of a program, which others never share: one value of a per-CPU array, or a part of each CPU's value in one array of
/// all programs (Unit::sharesScratch()). What is where in it, and what is taken for a while; as large as it has to be, it is known
/// when the code is complete.
class Scratch {
public:
    /// Whose code runs in it: only clauses can have pointers to it, and are given memory of it.
    enum class Of : std::uint8_t { Clauses, Engine };
    /// `b`: says for which D text something is too large. `recordSize`: of the largest record that is built.
    Scratch(Unit& unit, Builder& b, std::uint32_t recordSize, Of of);
    Scratch(const Scratch&) = delete;

    static constexpr std::uint32_t kRecord = 0; ///< the record that is built
    std::uint32_t recordRoom() const { return m_faultAt; }
    std::uint32_t faultAt() const { return m_faultAt; }
    std::uint32_t thisAt() const { return m_thisAt; }
    /// What alloca() gives out: arenaRoom() bytes here, of which the word at arenaUsedAt() says how many are taken.
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

    /// What is computed once a firing. kArgument + n: argN. kTask: the current task, kSelf: its variables; pointers of the verifier's,
    /// which are not here but on the stack.
    static constexpr std::size_t kArguments = 32;
    enum Once : std::size_t { kTimestamp, kPidTgid, kExecname, kArgument, kTask = kArgument + kArguments, kSelf };
    static_assert(kSelf < Builder::kFacts);

    std::uint32_t onceAt(std::size_t what) const
    {
        DSCOPE_ASSERT(what < kTask);
        return what == kExecname ? m_onceAt + 8 * (kArgument + kArguments) : m_onceAt + static_cast<std::uint32_t>(8 * what);
    }

    /// Bytes until the enclosing Frame ends.
    std::uint32_t allocate(std::uint32_t size);
    class Frame {
    public:
        explicit Frame(Scratch& scratch) : m_scratch(scratch), m_top(scratch.m_top) { }
        ~Frame() { m_scratch.m_top = m_top; }
        Frame(const Frame&) = delete;

    private:
        Scratch& m_scratch;
        std::uint32_t m_top;
    };
    /// Makes it at least this large.
    void reach(std::uint32_t end);
    std::uint32_t scratchSize() const { return m_most; }
    /// Programs that are interrupted by themselves, on behalf of other threads: so many pieces of it a CPU.
    void share(std::uint32_t pieces);
    /// r0 = piece `piece` of it, or null. Uses r0..r5.
    void lookupScratch(std::uint32_t piece = 0);
    /// Makes the map as large as what was taken.
    void settleScratch();
    bool isShared() const { return m_isShared; } ///< the map has the memory of all clauses, on all CPUs
    MapId scratch() const { return m_map; }

private:
    Unit& m_unit;
    Builder& m_b;
    bool m_isShared;
    bool m_isUsed = false;
    MapId m_map;
    std::uint32_t m_begin = 0; ///< of a shared map's value
    std::uint32_t m_faultAt, m_onceAt, m_arenaKeptAt, m_arenaUsedAt, m_arenaAt, m_tokensAt, m_wordAt, m_thisAt, m_top, m_most;
};
} // namespace dscope::codegen
