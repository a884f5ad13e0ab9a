#pragma once
#include "engine/base/result.h"
#include "engine/bpf/insn.h"
#include "engine/codegen/condition.h"
#include "engine/object/abilities.h"
#include "engine/record/record.h"
#include "engine/types/type.h"
#include <bitset>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>
namespace dscope::codegen {
using bpf::AluOp;
using bpf::AtomicOp;
using bpf::Cond;
using bpf::Imm;
using bpf::Label;
using bpf::Operand;
using bpf::Reg;
using bpf::Width;
using types::Sign;
using enum bpf::Reg;

constexpr std::int32_t kCreate = 1; ///< BPF_LOCAL_STORAGE_GET_F_CREATE, of Helper::TaskStorageGet

/// Whether an instruction can hold it.
bool fits32(std::int64_t value);

/// Kernel helpers by number. Source: include/uapi/linux/bpf.h, ___BPF_FUNC_MAPPER.
enum class Helper : std::int32_t {
    MapLookup = 1,
    MapUpdate = 2,
    MapDelete = 3,
    KtimeGetNs = 5,
    GetPrandom = 7,
    GetCpu = 8,
    TailCall = 12,
    GetPidTgid = 14,
    GetUidGid = 15,
    GetComm = 16,
    GetTask = 35,
    ProbeWriteUser = 36,
    OverrideReturn = 58,
    GetStack = 67,
    SendSignal = 109,
    ProbeReadUser = 112,
    ProbeReadKernel = 113,
    ProbeReadUserStr = 114,
    ProbeReadKernelStr = 115,
    GetNsPidTgid = 120,
    RingOutput = 130,
    RingQuery = 134,
    TaskStorageGet = 156,
    TaskStorageDelete = 157,
    GetTaskBtf = 158,
    GetFuncIp = 173,
    GetAttachCookie = 174,
    TaskPtRegs = 175,
    FindVma = 180,
    Loop = 181,
};
constexpr std::uint32_t roundUp8(std::uint64_t n) { return static_cast<std::uint32_t>((n + 7) & ~std::uint64_t{7}); }

/// Thrown when a program asks for more than the kernel gives any program. generate() catches it and reports an error at `at`.
struct TooLarge {
    Span at;
    std::string what;
    std::string_view tag = "D_UNKNOWN";
    bool mayShare = false;   ///< there is room where all programs share scratch memory
    std::string wayOut = {}; ///< what the user can do, if that is known
};
/// Thrown when a program asks for what the kernel is too old for. generate() catches it and reports an error at `at`.
struct Lacks {
    Span at;
    object::Ability ability;
};
/// Thrown when a program needs to know where the kernel's structures have something, and the kernel does not tell. generate() catches
/// it and reports an error at `at`.
struct NoKernelTypes {
    Span at = {}; ///< once it is known what was being made
};
/// Macro assembler over bpf::Insn. Generated code keeps the context in r6 and the program's scratch memory in r7;
/// expressions leave their value in r0 and may use r0..r5; what must outlive an expression goes to a Temp (stack) or
/// to scratch memory.
class Builder {
public:
    static constexpr Reg kContext = R6, kScratch = R7;

    /// The D text that the instructions to come are for.
    void from(Span at) { m_from = at; }
    Span from() const { return m_from; }

    void mov(Reg dst, Reg src);
    void mov(Reg dst, std::int64_t value);
    void alu(AluOp op, Reg dst, Reg src) { put(bpf::Alu{op, dst, src}); }
    void alu(AluOp op, Reg dst, std::int32_t value) { put(bpf::Alu{op, dst, Imm{value}}); }
    void negate(Reg dst) { put(bpf::Alu{AluOp::Neg, dst, Imm{0}}); }
    void swap(Reg dst, int bits) { put(bpf::SwapTo{true, bits, dst}); }
    void load(Width width, Reg dst, Reg base, std::int64_t offset);
    void store(Width width, Reg base, std::int64_t offset, Reg src);
    void store(Width width, Reg base, std::int64_t offset, std::int32_t value);
    /// *(u64*)(base + offset) += src
    void atomicAdd(Reg base, std::int64_t offset, Reg src);
    /// The same; src then holds the old value.
    void atomicFetchAdd(Reg base, std::int64_t offset, Reg src);
    /// src and *(u64*)(base + offset) change places.
    void exchange(Reg base, std::int64_t offset, Reg src);
    /// Atomic: if *(u64*)(base + offset) == r0, it becomes src. r0 = its old value.
    void compareExchange(Reg base, std::int64_t offset, Reg src);
    void loadMap(Reg dst, MapId map) { put(bpf::LoadMap{dst, map}); }
    void loadMapValue(Reg dst, MapId map, std::uint32_t offset) { put(bpf::LoadMapValue{dst, map, offset}); }

    Label label() { return {m_labels++}; }
    void bind(Label label) { put(bpf::Bind{label}); }
    void jump(Label to) { put(bpf::Jump{to}); }
    void branch(Cond cond, Reg lhs, Reg rhs, Label to) { put(bpf::Branch{cond, lhs, rhs, to}); }
    void branch(Cond cond, Reg lhs, std::int32_t rhs, Label to) { put(bpf::Branch{cond, lhs, Imm{rhs}, to}); }
    void call(Helper helper) { put(bpf::CallHelper{static_cast<std::int32_t>(helper)}); }
    void call(Label subprogram) { put(bpf::CallLocal{subprogram}); }
    void loadFunction(Reg dst, Label subprogram) { put(bpf::LoadFunction{dst, subprogram}); }
    void exit() { put(bpf::Exit{}); }

    // -- structured flow: builder_flow.cpp ------------------------------------------------------------------------------
    // Bodies may leave it by a branch to a label outside; what follows them is not jumped to from where they ended so.
    using Body = std::function<void()>;
    /// Where code ends early that a body was given: a branch there goes on behind it.
    using LeavableBody = std::function<void(Label out)>;
    /// Goes to `to` where the condition holds.
    void branch(const Condition& condition, Label to) { branchUnless(!condition, to); }
    void when(const Condition& condition, const Body& body);
    void either(const Condition& condition, const Body& body, const Body& otherwise);
    /// Runs once.
    void block(const LeavableBody& body);
    /// Runs, and again as long as the condition holds. The verifier walks each round.
    void loop(const LeavableBody& body, const Condition& again);
    /// body() once for each index value kept in `counter`, which body must leave alone.
    void repeat(Reg counter, std::int32_t times, const LeavableBody& body);
    struct Case {
        std::int32_t value;
        Body body;
    };
    /// Runs the body of the case whose value `reg` has, and only that; `otherwise` (which may be empty) for all other values.
    void switchOn(Reg reg, std::initializer_list<Case> cases, const Body& otherwise);

    /// Facts that hold at this point of the program. The emitter chooses their numbers; Firing notes which values are computed.
    /// Structured flow drops the facts that a branch added, since the branch may have been skipped.
    static constexpr std::size_t kFacts = 64;
    std::bitset<kFacts> facts;

    // -- the stack ------------------------------------------------------------------------------------------------------
    /// `words` 8-byte words of stack, given back when it goes out of scope. The program has 64 words. It belongs to the code of
    /// one function: a subprogram (see Frame) has a stack of its own. Nothing is read from it that was not stored.
    class Temp {
    public:
        Temp(Temp&& other) noexcept
            : m_owner(std::exchange(other.m_owner, nullptr)), m_first(other.m_first), m_words(other.m_words), m_frame(other.m_frame),
              m_isWritten(other.m_isWritten)
        {
        }
        Temp& operator=(Temp&&) = delete;
        ~Temp()
        {
            if (m_owner) m_owner->release(m_first, m_words);
        }

    private:
        friend class Builder;
        Temp(Builder* owner, int first, int words, unsigned frame) : m_owner(owner), m_first(first), m_words(words), m_frame(frame) { }
        Builder* m_owner;
        int m_first, m_words;
        unsigned m_frame;
        mutable bool m_isWritten = false;
    };
    Temp temp(int words = 1);
    Temp saved(Reg reg);
    void load(Reg dst, const Temp& from, int word = 0, Width width = Width::B8);
    void store(const Temp& to, Reg src, int word = 0, Width width = Width::B8);
    void store(const Temp& to, std::int32_t value, int word = 0, Width width = Width::B8);
    /// Whoever gets the address may write there.
    void addressOf(Reg dst, const Temp& temp);
    /// Lives while the code of a subprogram is emitted: Temps of the code around it are out of its reach.
    class Frame {
    public:
        explicit Frame(Builder& b) : m_b(b), m_outer(std::exchange(b.m_frame, ++b.m_frames)) { }
        ~Frame() { m_b.m_frame = m_outer; }
        Frame(const Frame&) = delete;

    private:
        Builder& m_b;
        unsigned m_outer;
    };

    // -- idioms ------------------------------------------------------------------------------------------------------
    /// r0 = address of the value of `map` for the u32 key `index`, or null. Uses r0..r5.
    void lookupIndex(MapId map, std::uint32_t index);
    /// r0 = `size` bytes, 8 at most, at the kernel address base + offset; 0 where they cannot be read. Uses r0..r5.
    void readKernel(Reg base, std::int64_t offset, std::int32_t size);
    /// reg = reg + value for any value.
    void add(Reg reg, std::int64_t value);
    /// Limits an unsigned value: the verifier knows reg <= most afterwards.
    void clamp(Reg reg, std::int32_t most);
    /// Truncates r to `size` bytes and extends it again.
    void normalize(Reg reg, std::uint64_t size, Sign sign);

    std::vector<bpf::Insn>& code() { return m_code; }
    std::size_t size() const { return m_code.size(); }

private:
    void put(bpf::Op op) { m_code.push_back({op, m_from}); }
    void release(int first, int words);
    std::int64_t offsetOf(const Temp& temp, int word) const;
    void branchUnless(const Condition& condition, Label to);
    bool isReached() const;
    static std::int16_t offset16(std::int64_t offset);
    /// Lets `access` emit one at an offset that instructions have room for: `base` is moved meanwhile where it is farther away.
    void reach(Reg base, std::int64_t offset, const std::function<void(std::int64_t)>& access);
    std::vector<bpf::Insn> m_code;
    std::vector<bool> m_stack = std::vector<bool>(64, false);
    std::uint32_t m_labels = 0;
    unsigned m_frame = 0, m_frames = 0;
    Span m_from;
};
} // namespace dscope::codegen
