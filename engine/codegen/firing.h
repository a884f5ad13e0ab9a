#pragma once
#include "engine/codegen/scratch.h"
#include <bitset>
#include <functional>
#include <optional>
#include <set>
#include <span>
namespace dscope::codegen {
/// The code of one program while it is generated: its scratch memory, what has been computed already, where faults go, its parts.
/// Expressions, statements and subroutines are free functions over it, by construct, in files of their own.
class Firing : public Scratch {
public:
    Firing(Unit& unit, ProgramType type, std::uint32_t recordSize, Of of = Of::Engine);
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
    std::optional<Builder::Temp> compatSlot;           ///< engaged in programs of one system call: 1 when a 32-bit program makes it, else 0
    /// Loads probe::Hook::value of the hook that fired; of programs with one hook, that hook's.
    void loadHookValue(Reg dst);
    static constexpr std::int64_t kEntryValue = 8; ///< where a dispatch entry has it
    std::uint32_t entryText[4] = {0, 0, 0, 0};     ///< offset of prov, mod, func, name in a dispatch entry
    std::uint32_t entryCapacity[4] = {0, 0, 0, 0};

    /// Three words of scratch memory, where the program uses vtimestamp (virtual_time.cpp).
    std::optional<std::uint32_t> virtualTimeAt;

    // -- values computed once a firing (Scratch::Once) ------------------------------------------------------------------
    /// True when the code before this point has always computed it.
    bool has(std::size_t what) const { return b.facts[what]; }
    void nowHas(std::size_t what) { b.facts.set(what); }
    void noLonger(std::size_t what) { b.facts.reset(what); }
    /// r0 = the current task_struct, which the verifier lets programs read. Uses r0..r5.
    void loadTask();
    /// What becomes of a thread's variables that are not there yet.
    enum class Missing : std::uint8_t { Stays, IsMade };
    /// r0 = the variables of the current task, or null: there are none, or there is no memory for them. Uses r0..r5.
    void loadSelf(Missing missing);
    /// Lives while code is emitted that may be skipped: values that it computes are not known afterwards.
    class Maybe {
    public:
        explicit Maybe(Firing& f) : m_f(f), m_facts(f.b.facts) { }
        ~Maybe() { m_f.b.facts = m_facts; }
        Maybe(const Maybe&) = delete;

    private:
        Firing& m_f;
        std::bitset<Builder::kFacts> m_facts;
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
              m_clause(f.m_clause), m_facts(f.b.facts)
        {
            f.m_inError = true;
            for (std::size_t n = 0; n < kArguments; ++n)
                f.b.facts.reset(kArgument + n); // they are another probe's
        }

        ~Error()
        {
            m_f.m_inError = false;
            m_f.probe = m_probe;
            m_f.arguments = m_arguments;
            m_f.b.facts = m_facts;
            m_f.m_clause = m_clause;
        }

        Error(const Error&) = delete;

    private:
        Firing& m_f;
        const sema::EnabledProbe* m_probe;
        std::span<const sema::ExprPtr> m_arguments;
        ClauseId m_clause;
        std::bitset<Builder::kFacts> m_facts;
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
    void rounds(std::uint32_t times, const Builder::LeavableBody& body);
    /// The same for what fires: `body` may use the context and have faults.
    void firings(std::uint32_t times, const Builder::LeavableBody& body);
    /// Whether the verifier walks each round of loops, and does so again for each round of firings() that we are in.
    bool isCostlyLoop() const { return m_isRepeated && !unit.can(object::Ability::Loop); }
    /// Frames of the kernel's stack between the program's own and that of the code which comes now: the body of firings() is called
    /// by bpf_loop(), or by the program where there is none.
    std::int32_t framesBelow() const { return !m_isRepeated ? 0 : unit.can(object::Ability::Loop) ? 2 : 1; }
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
    std::vector<std::vector<bpf::Insn>>& parts() { return m_parts; }

    /// Where the literals' map says how large scratch memory is: the program's, or what a CPU has of the shared map.
    std::uint32_t sizeAt();
    void countDrop(record::Drop::Kind kind);
    /// One more in an element of Object::drops. Uses r0..r5.
    void count(std::uint32_t element);
    /// r0 = where this CPU has an element of Object::drops, or null. Uses r1..r5.
    void lookupCounter(std::uint32_t element);
    /// Counts one where the body goes to `lost`.
    void countLost(record::Drop::Kind kind, const Builder::LeavableBody& body);

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
    std::optional<Builder::Temp> m_task, m_self;
    std::vector<Fault> m_faults;
    std::vector<Site> m_sites;
    std::optional<std::uint32_t> m_sizeAt;
    ClauseId m_clause;
    std::uint32_t m_action = 0;
    bool m_inError = false;
    struct Subprogram {
        std::string name;
        Label label;
        void (*emit)(Firing&);
    };
    std::vector<Subprogram> m_subprograms;
    bool m_isRepeated = false;      ///< in the body of firings()
    std::vector<bpf::Insn> m_loops; ///< subprograms of rounds()

    Label callback(const std::function<void()>& begin, const Builder::LeavableBody& body);
    void callLoop(std::uint32_t times, Label round, const Builder::Temp& here);
    void callEach(std::uint32_t times, Label round, const Builder::Temp& here);
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
} // namespace dscope::codegen
