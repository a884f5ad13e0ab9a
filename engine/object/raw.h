#pragma once
#include <cstdint>
/// What the generated programs and their reader agree on, byte for byte.
namespace dscope::object {
/// Where a run is: before BEGIN, tracing, after exit() while the ring is emptied, over.
enum class State : std::uint32_t { Inactive, Active, Draining, Stopped, Paused };
/// Element 0 of Object::control. Programs other than BEGIN and END do nothing unless state is Active; those that follow processes,
/// and watches, go on while it is Paused.
struct Control {
    std::uint32_t state;      ///< State; exit() sets Draining in the kernel
    std::uint32_t target;     ///< pid of -c or -p, or 0
    std::uint64_t wallOffset; ///< ns to add to bpf_ktime_get_ns() for UTC
    std::uint32_t loads[3];   ///< load averages of 1, 5 and 15 minutes, in 65536ths
    std::uint32_t aside;      ///< AggregationId + 1: of which programs use Object::Aside, as keys are taken out of its maps; 0: none
    std::uint32_t cpus;       ///< elements that a map with Map::forEachCpu has for each of its own
    std::uint32_t reserved;
};
/// Of a slot in Object::Front: whoever finds it Free takes it, and writes its key before it is Ready; then it keeps that key.
enum class SlotState : std::uint64_t { Free, Taken, Ready };
/// What a record in the ring tells.
enum class RawKind : std::uint8_t { Fired = 1, Fault, Process, Sample, Stack, Unwalked, StackRest };
/// Every record in the ring starts with this.
struct RawHeader {
    RawKind kind;
    /// Fired: which use of which speculation it goes into, as a commit() or discard() field names it; all 0: none.
    std::uint8_t speculation[3];
    std::uint32_t clause; ///< Sample: the AggregationId
    std::uint32_t probe;  ///< ProbeId
    std::uint32_t cpu;
    std::uint64_t when; ///< bpf_ktime_get_ns
    std::uint32_t pid, tid;
};
static_assert(sizeof(RawHeader) == 32);
// Fired: RawHeader, payload (RawLayout::rawSize bytes), then for each UserStack field in order a RawUserStack with its bytes.
// In the payload a UserStack field is 8 bytes whose value does not matter.
// The field of commit() and discard() is an int, and in the 4 bytes after it the speculation as above; 0: none is in use.
// Sample: RawHeader, i64 value, i64 weight, key (keyLayouts[].rawSize bytes), RawUserStack and bytes.
/// A dt_stack_t that a program records: as many frames as its type has room for come behind it.
struct RawStackValue {
    std::uint32_t depth, isUser, pid, nameBytes;
};
/// The user registers that unwinding starts from, and then a copy of the stack.
struct RawUserStack {
    std::uint64_t ip, sp, bp;
    std::uint64_t bx, r12, r13, r14, r15; ///< callee-saved ones, for CFI that names them
    std::uint32_t length;                 ///< bytes of stack that follow, from sp upwards
    std::uint32_t flags;                  ///< kKernelThread, kWalked; why it was copied, a WalkEnd, above kCopiedShift
    std::uint64_t stopped;                ///< of one that is copied: the address that its walk did not get beyond, 0 if none
    std::uint64_t rest;                   ///< the number of the RawStackRest that came before and continues the bytes, 0: none does
    std::uint64_t restFrom, holes;        ///< of that, as soon as its bytes are behind these; 0 in the ring
};
static_assert(sizeof(RawUserStack) == 104);
constexpr std::uint32_t kKernelThread = 1; ///< no user stack
constexpr std::uint32_t kWalked = 2;       ///< ip and sp are the key of a stack that a RawStack came for before
constexpr unsigned kCopiedShift = 8;
/// A stack that the kernel walked: once for each key, before the first record that has it. Its frames follow, `count` addresses
/// from the innermost out. Equal keys are equal frames of equal files, whichever process they are in.
struct RawStack {
    RawHeader header;
    std::uint64_t key[2];
    std::uint32_t count;
    std::uint32_t end; ///< WalkEnd
};
static_assert(sizeof(RawStack) == 56);
/// More bytes of a stack than the record that carries it has room for. It is sent by the same thread, before that record. `length` bytes
/// follow, from address `from` upwards.
struct RawStackRest {
    RawHeader header;     ///< kind and tid alone
    std::uint64_t number; ///< of those of one thread that are under way no two have the same
    std::uint64_t from;   ///< a page's first
    std::uint64_t length;
    std::uint64_t holes; ///< bit n: the nth page could not be read, and is zeros here
};
static_assert(sizeof(RawStackRest) == 64);
constexpr std::uint32_t kMostStackRest = 240 << 10, kStackPage = 4096; ///< bytes of stack in one, and in a page of it
static_assert(kMostStackRest / kStackPage <= 64, "a bit for each page");
/// A value was to be had of the stack of process header.pid, whose tables were not there. Of the header there are kind, when, pid, tid.
struct RawUnwalked {
    RawHeader header;
    std::uint32_t end; ///< WalkEnd, one that asks for tables
    std::uint32_t reserved;
    std::uint64_t stopped; ///< the address that the walk did not get beyond
};
/// A clause ended early, because of a fault.
struct RawFault {
    RawHeader header;
    std::uint32_t kind; ///< record::FaultKind
    std::uint32_t action;
    std::uint64_t address;
};
/// What programs send in place of a RawFault. A reader may ignore what follows `fault`.
struct RawFaultAt {
    RawFault fault;
    std::uint32_t slot; ///< of the instruction that found it, in the program as loaded
    std::uint32_t reserved;
};
/// Process: this, then args (argsLength bytes, NUL-separated), path, cwd.
struct RawProcess {
    RawHeader header;    ///< pid, tid: of the current task
    std::uint32_t event; ///< record::ProcessEvent::Kind
    std::uint32_t child; ///< Fork: the new process
    std::uint32_t parent;
    std::uint32_t uid;
    std::uint32_t flags; ///< 1 vfork, 2 args cut
    std::int32_t status;
    std::uint64_t cpuTime;
    char execname[16];
    std::uint32_t argsLength, pathLength, cwdLength, reserved; ///< cwd: names from the innermost out, NUL-separated
};
/// A speculation's 24 bits: its number, from 1 on, and above that how often that one was used before, as far as it fits.
constexpr std::uint32_t kSpeculationBits = 12, kMostSpeculations = (1U << kSpeculationBits) - 1;
/// What a firing with that much payload takes of option specsize.
constexpr std::uint32_t speculatedBytes(std::uint32_t payload) { return 8 + payload; }
constexpr std::uint32_t kProcessArgs = 4096, kProcessPath = 512, kProcessCwd = 1024;
} // namespace dscope::object
