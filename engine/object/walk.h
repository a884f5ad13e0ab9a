#pragma once
#include <cstdint>
/// Walking user stacks in the kernel: what the session fills in and the walker reads, byte for byte. The tables are made from
/// .eh_frame and .debug_frame (symbols::WalkTable).
///
/// Code is cut into pages of 1 KiB. A page has a run of rows, which say from which byte of it on which rule holds; the first
/// holds at its first byte. A rule is a word: its kind, what makes the CFA, and where rbp was saved. Stacks that need
/// another register are copied instead. Large libraries have a million rows and some thousand rules, so a row in the kernel is half a word
/// (WalkRow). On aarch64 rsp and rbp are sp and x29, and a rule says where x30, the link register, was saved: there is the return address.
namespace dscope::object {
/// How a rule finds the caller's frame.
enum class WalkKind : std::uint8_t {
    Unknown,      ///< not told by such a row: the stack has to be copied
    Rsp,          ///< CFA = rsp + cfa; the return address lies below it, rbp at CFA + saved; saved 0: rbp is not changed
                  ///< aarch64: the return address lies at CFA + link, link 0: it is in x30
    Rbp,          ///< the same with CFA = rbp + cfa
    RbpPointsTo,  ///< the CFA lies at rbp + cfa, rbp at rbp + saved: a function that aligns its stack
    Plt,          ///< CFA = rsp + cfa, and 8 more from byte `saved` of 16 on
    Signal,       ///< rsp is at the ucontext of a signal; what it interrupted comes next
    FramePointer, ///< nothing is known: rbp leads to the caller, if anything does
    End,          ///< the outermost frame
    Cut,          ///< the thread has changed its stack here: the caller is on another one, and is not known
    Switch,       ///< memory tells where the caller is, most often on another stack: SwitchWay
};
/// Above the rule there is room for an offset in a page, as symbols::WalkTable has it.
constexpr unsigned kRowShift = 54, kCfaShift = 4, kSavedShift = 29, kWalkOffsetBits = 25;
constexpr std::uint64_t walkRule(WalkKind kind, std::int32_t cfa = 0, std::int32_t saved = 0)
{
    constexpr std::uint64_t mask = (1U << kWalkOffsetBits) - 1;
    return static_cast<std::uint64_t>(kind) | (static_cast<std::uint64_t>(cfa) & mask) << kCfaShift
        | (static_cast<std::uint64_t>(saved) & mask) << kSavedShift;
}
/// The same for aarch64: offsets are in words of 8 bytes, three of them; the CFA is up to 1 MiB away, saved registers 256 KiB.
struct WalkField {
    unsigned shift, bits;
};
constexpr WalkField kLinkCfa{4, 18}, kLinkFrame{22, 16}, kLinkLink{38, 16};
static_assert(kLinkLink.shift + kLinkLink.bits == kRowShift);
constexpr unsigned kLinkWordBits = 3;
constexpr bool fits(WalkField field, std::int64_t offset)
{
    const auto most = std::int64_t{1} << (field.bits - 1 + kLinkWordBits);
    return offset >= -most && offset < most && offset % (1 << kLinkWordBits) == 0;
}
/// Offsets that fit.
constexpr std::uint64_t walkLinkRule(WalkKind kind, std::int32_t cfa, std::int32_t frame = 0, std::int32_t link = 0)
{
    const auto put = [](WalkField field, std::int32_t offset) {
        return (static_cast<std::uint64_t>(offset >> kLinkWordBits) & ((std::uint64_t{1} << field.bits) - 1)) << field.shift;
    };
    return static_cast<std::uint64_t>(kind) | put(kLinkCfa, cfa) | put(kLinkFrame, frame) | put(kLinkLink, link);
}
/// How the CFA is found where a function has changed to another stack, in words of 8 bytes: a chain of reads that begins at the stack
/// pointer, or where the thread's own data is (fs). [[rsp + at[0]] + at[1]] - [rsp + depth] + cfa is one of two reads. The return address
/// lies below the CFA.
struct SwitchWay {
    static constexpr unsigned kMostReads = 4;
    bool ofThread = false;
    unsigned reads = 0;              ///< 1 to kMostReads
    std::int8_t at[kMostReads] = {}; ///< what is added before each
    std::uint8_t depth = 0;          ///< 0: nothing is subtracted
    unsigned cfa = 1;                ///< at most 15
    unsigned saved = 0;              ///< how far below the CFA rbp was saved, at most 7; 0: it is not changed
    bool operator==(const SwitchWay&) const = default;
};
constexpr unsigned kSwitchAt = kCfaShift, kSwitchDepth = kSwitchAt + 8 * SwitchWay::kMostReads, kSwitchCfa = kSwitchDepth + 8,
                   kSwitchSaved = kSwitchCfa + 4, kSwitchReads = kSwitchSaved + 3, kSwitchThread = kSwitchReads + 2;
static_assert(kSwitchThread + 1 == kRowShift);
constexpr std::uint64_t walkSwitchRule(const SwitchWay& way)
{
    auto rule = static_cast<std::uint64_t>(WalkKind::Switch) | std::uint64_t{way.depth} << kSwitchDepth
        | std::uint64_t{way.cfa} << kSwitchCfa | std::uint64_t{way.saved} << kSwitchSaved | std::uint64_t{way.reads - 1} << kSwitchReads
        | std::uint64_t{way.ofThread} << kSwitchThread;
    for (unsigned i = 0; i < SwitchWay::kMostReads; ++i)
        rule |= std::uint64_t{static_cast<std::uint8_t>(way.at[i])} << (kSwitchAt + 8 * i);
    return rule;
}
constexpr unsigned kWalkPageBits = 10;
/// The byte's offset in its page above kRuleBits, below it the number of the rule in an array of all rules, of at most kWalkRules. Number 0
/// is no rule (WalkKind::Unknown).
using WalkRow = std::uint32_t;
constexpr unsigned kRuleBits = 32 - kWalkPageBits;
constexpr std::uint32_t kWalkRules = 1U << 16U;
constexpr WalkRow walkRow(std::uint32_t offset, std::uint32_t rule) { return offset << kRuleBits | rule; }
constexpr std::uint32_t ruleOf(WalkRow row) { return row & ((1U << kRuleBits) - 1); }
/// Rows and pages of all files lie in two arrays, of at most kWalkRows and kWalkPages. A page's word: its number of rows above
/// kFirstRowBits, below it the first, which no boundary of kChunk bytes divides from the last; 0: its rows are not there yet.
constexpr unsigned kFirstRowBits = 24;
constexpr std::uint32_t kMostRowsOfPage = 255, kWalkChunk = 4096, kRowsOfChunk = kWalkChunk / sizeof(WalkRow),
                        kPagesOfChunk = kWalkChunk / 4;
constexpr std::uint32_t kWalkRows = 1U << kFirstRowBits, kWalkPages = 1U << 20U;

/// An executable range of an address space.
struct WalkMapping {
    std::uint64_t start, end; ///< addresses, half open
    std::uint64_t base;       ///< the address of the table's first page
    std::uint32_t firstPage;  ///< of the file's table
    std::uint32_t pages;
    std::uint32_t table; ///< its number, which no other table ever had
    enum Kind : std::uint32_t {
        Unloaded, ///< its table is not there yet: stacks through it are copied
        Table,
        Unwritten, ///< code without tables: by frame pointers
    } kind;
};
/// What a process has mapped. In a Hash by process number.
struct WalkSpace {
    static constexpr std::uint32_t kMost = 192;
    std::uint64_t generation; ///< one for each set of mappings: what is cached of an address holds within it
    /// Of this process's place in the array of epochs when it was looked at. Another low half now: it has changed; another high half:
    /// more is mapped than is known here.
    std::uint64_t epoch;
    std::uint64_t count;
    WalkMapping mappings[kMost]; ///< by address
};
/// A range of code of a file, as any process may map it: by it the kernel finds the table of a process that nobody has looked at yet, one
/// that has just become another program above all. The time of its last change tells it from a file that had its inode before.
struct WalkFileKey {
    std::uint64_t device; ///< as the kernel numbers them
    std::uint64_t inode;
    std::uint64_t changed, changedNs; ///< st_ctim
    std::uint64_t offset;             ///< in the file, of where the range begins
};
/// What there is for it, in a Hash by WalkFileKey: a WalkMapping but for where it is; `base` counts from where the range begins.
struct WalkFile {
    std::uint64_t base;
    std::uint32_t firstPage, pages, table, kind;
};
constexpr std::uint32_t kWalkFiles = 8192;
/// The process number of a WalkSpace without mappings: of processes that nobody has looked at.
constexpr std::int64_t kNobodysSpace = -1;
constexpr std::uint64_t kWalkGrown = std::uint64_t{1} << 32U; ///< what an epoch grows by where something is mapped
constexpr std::uint32_t kWalkEpochs = 4096;                   ///< by the low bits of the process number

/// Why a walk ended.
enum class WalkEnd : std::uint32_t {
    Outermost, ///< at the end of the stack
    Asked,     ///< as many frames as the program asks for
    Limit,     ///< as many as option ustackframes lets be, and there are more
    NoCaller,  ///< the frame pointer of code without tables leads nowhere
    Partial,   ///< given to programs for one of those below, of which there is no room for a copy
    Differs,   ///< with -x ustackwalk=checked: going by the last walk did not come to the same
    Switched,  ///< the thread has changed its stack there, and nothing tells where the caller is
    // A stack that is recorded is copied where it ended so:
    Busy = 8,  ///< the memory of walks is in use
    NoSpace,   ///< nothing is known of the process
    Changed,   ///< its mappings are changing
    NoMapping, ///< of the address nothing is known
    NoTable,   ///< the file's table is not there yet
    NoPage,    ///< that part of it is not
    NoRule,    ///< the table has no rule, or one that a walk can't follow
    BadMemory, ///< the stack can't be read there
    NotSent,   ///< a new stack found no room in the ring
};
constexpr bool isWalked(WalkEnd end) { return end < WalkEnd::Busy; }
constexpr std::uint32_t kMostFrames = 4096;
constexpr std::uint32_t kWalkKey = 16; ///< bytes
} // namespace dscope::object
