#pragma once
#include "engine/codegen/walk.h"
#include "engine/codegen/walk_memory.h"
/// The last walk of a thread, verified instead of repeated.
///
/// A walk depends on nothing but where it begins, the rules of the code, and the words of the stack that it reads. So where a new walk
/// comes to a state of the thread's last one (same address, same stack pointer, same rbp, within one generation of mappings) it is enough
/// that the words which the last one read from there on still are what they were: no rule has to be found or followed. Where calls leave
/// the return address in a register only frames that call are met: of those the register tells nothing any more. This pays on deep stacks,
/// so only threads whose last stack was deep have their frames kept, in one of a few places.
namespace dscope::codegen {
/// A frame of the last walk: what the walk knew when it was there.
struct KeptFrame {
    std::uint64_t ip, sp, bp;
    std::uint64_t slot; ///< where rbp was read on the way here, 0: it was not changed
    std::uint64_t how;  ///< flags; above kKeptFrom, for two of them, an address; kHasLink: for others where ip was read, 0: in the register
    std::uint64_t place;  ///< as it goes into the key
    std::uint64_t key[2]; ///< of the stack from here outwards
};
/// What is true of a frame of the last walk: bits of KeptFrame::how.
enum KeptFlag : std::uint32_t {
    kKeptPlain = 0,
    kKeptLess = 1,     ///< Walk::less
    kKeptGuessed = 2,  ///< Walk::guessed
    kKeptPointsTo = 4, ///< the stack pointer was read from the address
    kKeptSignal = 8,   ///< all three were, as a signal's handler has them there; kHasLink: and the link register
};
constexpr std::int32_t kKeptFrom = 4; ///< bit
constexpr std::uint32_t kKeptFrameBits = 6;
static_assert(sizeof(KeptFrame) == 1U << kKeptFrameBits);

/// The last walk of a thread.
struct KeptStack {
    std::uint64_t busy;
    std::uint64_t tid;        ///< 0: nobody's
    std::uint64_t generation; ///< of the mappings that it held in
    std::uint64_t count;      ///< 0: there is none to go by
    std::uint64_t claims;     ///< how often another thread has to ask for the place before it is given up
    std::uint64_t reserved[27];
    // Behind it there are twice Unit::keptFrames() frames, from the outermost in. A walk's new frames are written from the end downwards,
    // and so come to lie in this order, too.
};
static_assert(sizeof(KeptStack) >= 4 * sizeof(KeptFrame), "so that some frames before any one are memory of ours");
#define OF_KEPT(member) at(sizeof(KeptStack) + offsetof(KeptFrame, member))
#define OF_KEPT_STACK(member) at(offsetof(KeptStack, member))
/// How many threads have their last walk kept, chosen by the low bits of their numbers; a power of two. With small tables it is 2, since
/// memory is short.
std::uint32_t keptStacksOf(const Unit& unit);
constexpr std::int32_t kDeep = 24;    ///< frames from which on it pays, measured: 1.0 to 1.5 times at 15, 2 at 60, 3 at 500
constexpr std::int32_t kShallow = 12; ///< and below which a thread loses its place
constexpr std::int32_t kClaims = 64;

/// Emits: `number` = address of the frame with that number of the kept stack at `stack`, but for OF_KEPT(member).
void keptFrame(Firing& f, Reg number, Reg stack);
/// Emits: dst = the flags of how the walk at `walk` stands. Uses `scratch`.
void loadHow(Builder& b, Reg dst, Reg walk, Reg scratch);
/// Emits: r0 = the kept stack of the calling thread, whose number is the low half of `numbers`, ready for the walk at r6, which begins;
/// goes to `none` where it has none, r0 being its place then, or null. Uses r1..r5, r9.
void takeKept(Firing& f, const Builder::Temp& numbers, const Builder::Temp& index, Label none);
/// Emits the end of a walk (r6) whose kept frames are at r7 and whose number is r9. Its key and count become those of all its frames;
/// the frames are kept. `where`: as the rounds are given it. Uses r0..r5.
void settle(Firing& f, const Builder::Temp& where);
/// Emits: the thread whose stack the walk at r6 went through plainly may have the place at r7. r8: how it ended. Uses r1, r2.
void claimKept(Firing& f, const Builder::Temp& numbers);
/// One round of such a walk, called by bpf_loop. r2: where the walk, the space and the kept stack are. r0 = 1 at the end.
void emitAgain(Firing& f);
/// How many rounds there may be: each frame is taken, verified and, where that fails behind it, taken anew.
constexpr std::uint32_t kRoundsAgain = 4 * (kMostFrames + 1);
} // namespace dscope::codegen
