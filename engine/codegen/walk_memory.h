#pragma once
#include "engine/codegen/firing.h"
#include "engine/host/processor.h"
#include "engine/object/raw.h"
#include "engine/object/walk.h"
/// The memory of a walk, and what the files that emit walks share.
namespace dscope::codegen {
/// Walks of a CPU that may be under way at a time: a timer's probe interrupts another, and a task in a uprobe is preempted.
constexpr std::uint32_t kWalksOfCpu = 3;
constexpr std::uint32_t kWindow = 2048, kWindowBits = 11; ///< bytes of stack that are read at once; never across a page
constexpr std::uint32_t kCached = 1024;
constexpr std::uint32_t kFound = 8; ///< mappings that are kept; a power of two
/// Calls leave the return address in a register: of the frame that was interrupted it is known, of others not.
constexpr bool kHasLink = host::kProcessor.link >= 0;

/// What a walk has more that goes by the thread's last one (walk_again.cpp).
struct AgainState {
    enum Mode : std::uint32_t { Step, Verify, Retake };
    std::uint64_t mode;
    std::int64_t candidate;  ///< kept frame that may be the one that the walk is at, -1: none
    std::uint64_t joined;    ///< 1: the kept frames up to `from` are the rest of this stack as far as is known
    std::uint64_t from;      ///< the kept frame at which this walk met the last one
    std::uint64_t reached;   ///< the last of those from there outwards that are verified
    std::uint64_t atEnd;     ///< 1: all are; the walk looks once more whether it ends there
    std::uint64_t slot, how; ///< how the walk came to its frame, as in KeptFrame
    std::uint64_t power;     ///< of what the next frame's share of the key is multiplied with
};
/// The memory of a walk. What the loop changes lies here, not on the stack of BPF: the verifier then looks at one round.
struct Walk {
    std::uint64_t busy;
    std::uint64_t ip, sp, bp;
    std::uint64_t link, linkAt; ///< kHasLink, where `less` is 0: that register, and where it was read, 0: it is the thread's own
    std::uint64_t less;         ///< 1: ip is a return address, the call is before it
    std::uint64_t guessed;      ///< the frame pointer alone led here; kHasLink: then sp is but a bound
    std::uint64_t key[2];       ///< hash of the frames so far
    AgainState again;
    std::uint64_t switches, switched;  ///< how often a walk went to another stack by the thread's own data, and by which rule last
    std::uint64_t limit, atLimit, end; ///< atLimit: what `end` is to be there
    std::uint64_t generation;
    std::uint64_t grown;   ///< not 0: more is mapped than the space tells
    std::uint64_t unknown; ///< NoSpace, Changed: why the process's space can't be used, 0: it can
    std::uint64_t moment;  ///< a generation of what was found by asking the kernel: until the process maps or becomes anything else
    std::uint64_t noCode;  ///< 1: the kernel says that there is no code where NoMapping was found
    std::uint64_t whyNot;  ///< emitAsk()
    std::uint64_t block;   ///< number of the block of stack in `window`
    std::uint64_t fault;   ///< the stack could not be read
    std::uint64_t word;
    std::uint64_t rule, place; ///< of the address that was looked up last: its rule, and table and offset
    std::uint64_t registers[7];
    /// What the kernel has mapped at an address.
    struct Asked {
        std::uint64_t start, end, flags, file, operations;
        WalkFileKey key;
    } asked;
    /// And what was made of it, for the next addresses.
    struct Found {
        std::uint64_t moment;
        WalkMapping mapping;
    } found[kFound];
    std::uint64_t nextFound;
    std::uint64_t window[kWindow / 8];
    RawStack record;
    std::uint64_t frames[kMostFrames];
    /// What was found for an address in a generation.
    struct Cached {
        std::uint64_t pc, generation, rule, place;
    } cache[kCached];
};
static_assert(offsetof(Walk, frames) == offsetof(Walk, record) + sizeof(RawStack));
static_assert(offsetof(Walk, frames) < 32000, "of an instruction's offset");
constexpr std::int64_t at(std::size_t offset) { return static_cast<std::int64_t>(offset); }
#define OF_WALK(member) at(offsetof(Walk, member))

/// Emits: r6 = memory for a walk, which is ours until it is given back; goes to `busy` when there is none. Uses r0..r5, r9.
void takeMemory(Firing& f, const Builder::Temp& index, Label busy);
/// The walk at r6 is over.
void giveBack(Builder& b);
/// Subprogram: r0 = the word of the stack at address r2; the walk is at r1. Sets `fault` where it can't be read.
void emitWord(Firing& f);
/// Subprogram: the rule at address r3, for the walk at r1 in the space at r2: r0 = 0 and `rule`, `place` are set, or the WalkEnd.
void emitFindRule(Firing& f);
/// Whether the kernel can be asked what is mapped at an address.
bool canAsk(const Unit& unit);
/// Callback of bpf_find_vma: writes the end of the mapping to where its last argument points. Only where canAsk().
void emitMappingEnd(Firing& f);
/// Subprogram: what the kernel has mapped at address r2, for the walk at r1: r0 = its WalkMapping, which holds until the walk's `moment` is
/// over; or null, and `whyNot` is a WalkEnd.
void emitAsk(Firing& f);
/// One round of a walk, called by bpf_loop: takes the frame that it is at, and goes on to the caller. r2: where the walk and the
/// space are. r0 = 1 at the end.
void emitRound(Firing& f);
/// The same as a subprogram, of a walk whose frames are kept (walk_again.h).
void emitStep(Firing& f);
/// The key of a stack is, twice, the sum of a hash of each frame multiplied with a power of kKeyPower, the outermost one with the 0th:
/// against chance, not against malice.
///
/// Source of the constant: G. Steele and S. Vigna, Computationally easy, spectrally good multipliers (2021)
constexpr std::uint64_t kKeyPower = 0xd1342543de82ef95U;
/// Emits: dst = one half's hash of `of`. Uses `scratch`.
void hashForKey(Builder& b, Reg dst, Reg of, int half, Reg scratch);
/// Emits: the key of the walk at `walk` is that of its frames and `with`, which comes after them. Uses r1, r2, r3.
void mixKey(Builder& b, Reg walk, Reg with);
enum class Way : std::uint8_t { Plain, Again }; ///< whether the thread's last walk is gone by
Way wayOf(const Unit& unit);
/// Emits: r6 = a walk of the current thread's user stack, which is ours until giveBack(); r8 = a WalkEnd. `limit`: frames at most, and how
/// it ends where there are more. Goes to `busy` where there is no memory for it.
void takeWalk(Firing& f, const Builder::Temp& numbers, const Builder::Temp& limit, Way how, Label busy);
/// Emits: dst = the address that the walk at r6 did not get beyond. Uses r2.
void stoppedAt(Builder& b, Reg dst);
/// Emits: takes the signature out of the saved address in `address`. Uses r1.
void stripSignature(Builder& b, Reg address);
} // namespace dscope::codegen
