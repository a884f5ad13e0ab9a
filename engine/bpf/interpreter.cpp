#include "engine/bpf/interpreter.h"
#include "engine/bpf/alu.h"
#include "engine/bpf/opcode.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
namespace dscope::bpf {
namespace {
using namespace opcode;
constexpr unsigned kFramePointer = 10;
// What a new stack frame holds: programs must not rely on zeros.
constexpr std::byte kUnset{0xa5};

std::uint64_t extended(std::int32_t imm) { return static_cast<std::uint64_t>(std::int64_t{imm}); }
} // namespace

/// One run from an entry to its exit. Members give what went wrong, or nothing.
class Interpreter::Thread {
public:
    Thread(Interpreter& machine, std::size_t entry, std::uint64_t r1, std::uint64_t r2) : m_machine(machine), m_pc(entry)
    {
        set(1, r1);
        set(2, r2);
        set(kFramePointer, machine.stackTop());
    }

    Result<std::uint64_t> run()
    {
        while (!m_done) {
            if (!m_machine.m_budget) return error("instruction budget spent");
            --m_machine.m_budget;
            if (m_pc >= m_machine.m_code.size()) return error("ran off the end of the program");
            const Slot& s = m_machine.m_code[m_pc];
            if (auto wrong = step(s)) return std::move(*wrong);
            ++m_pc;
        }
        return m_reg[0];
    }

private:
    using Wrong = std::optional<Error>;
    struct Return {
        std::size_t pc;
        std::array<std::uint64_t, 4> saved; ///< r6..r9
        std::uint16_t written;
    };

    Error error(std::string what, int code = 0) const
    {
        return Error{code, "instruction " + std::to_string(m_pc) + ": " + std::move(what)};
    }
    bool holds(unsigned n) const { return m_written >> n & 1; }

    void set(unsigned n, std::uint64_t value)
    {
        m_reg[n] = value;
        m_written = static_cast<std::uint16_t>(m_written | 1u << n);
    }

    void unset(unsigned first, unsigned last)
    {
        for (auto n = first; n <= last; ++n)
            m_written = static_cast<std::uint16_t>(m_written & ~(1u << n));
    }
    void go(std::int64_t distance) { m_pc += static_cast<std::size_t>(distance); }

    /// Why register `n` cannot be read.
    Wrong unreadable(unsigned n) const
    {
        if (n > kFramePointer) return error("no register " + std::to_string(n));
        if (!holds(n)) return error("reads r" + std::to_string(n) + ", which holds nothing");
        return {};
    }

    Wrong unwritable(unsigned n) const
    {
        if (n >= kFramePointer) return error("register " + std::to_string(n) + " cannot be written");
        return {};
    }

    std::byte* at(std::uint64_t base, std::int16_t offset, unsigned size, Access access) const
    {
        const auto address = base + extended(offset);
        return m_machine.reaches(address, size, access) ? reinterpret_cast<std::byte*>(address) : nullptr;
    }

    const std::byte* typed(std::uint64_t base, std::int16_t offset, unsigned size) const
    {
        const auto bytes = m_machine.m_typed ? m_machine.m_typed(base + extended(offset)) : ByteView{};
        return bytes.size() >= size ? bytes.data() : nullptr;
    }
    Error outside(Access access) const
    {
        return error(access == Access::Write ? "write outside of memory" : "read outside of memory", EFAULT);
    }

    Wrong step(const Slot& s)
    {
        switch (classOf(s.opcode)) {
        case kLd: return loadImmediate(s);
        case kLdx: return load(s);
        case kSt:
        case kStx: return modeOf(s.opcode) == opcode::kAtomic && classOf(s.opcode) == kStx ? atomic(s) : store(s);
        case kAlu:
        case kAlu64: return compute(s);
        default: return jump(s);
        }
    }

    /// The second operand of arithmetic and conditions.
    Wrong operand(const Slot& s, std::uint64_t& value) const
    {
        if (!(s.opcode & kX)) {
            value = extended(s.imm);
            return {};
        }
        if (auto wrong = unreadable(s.src)) return wrong;
        value = m_reg[s.src];
        return {};
    }

    Wrong compute(const Slot& s)
    {
        const auto operation = operationOf(s.opcode);
        const bool wide = classOf(s.opcode) == kAlu64;
        if (auto wrong = unwritable(s.dst)) return wrong;
        if (operation != kMov)
            if (auto wrong = unreadable(s.dst)) return wrong;
        std::optional<std::uint64_t> result;
        if (operation == kEnd) {
            result = byteOrder(m_reg[s.dst], s.imm, wide || (s.opcode & kToBe) ? ByteOrder::Swapped : ByteOrder::Kept);
        } else {
            std::uint64_t b = 0;
            if (auto wrong = operand(s, b)) return wrong;
            result = arithmetic(operation, m_reg[s.dst], b, wide ? Bits::All : Bits::Low32, s.offset);
        }
        if (!result) return error("unknown arithmetic");
        set(s.dst, *result);
        return {};
    }

    Wrong loadImmediate(const Slot& s)
    {
        if (s.opcode != kLoadImm64 || m_pc + 1 >= m_machine.m_code.size()) return error("unknown load");
        if (auto wrong = unwritable(s.dst)) return wrong;
        const auto next = static_cast<std::uint32_t>(m_machine.m_code[m_pc + 1].imm);
        if (s.src == kPseudoFunc)
            set(s.dst, m_pc + 1 + extended(s.imm));
        else if (s.src == 0)
            set(s.dst, static_cast<std::uint32_t>(s.imm) | std::uint64_t{next} << 32);
        else
            return error("a map that was not patched");
        ++m_pc;
        return {};
    }

    Wrong load(const Slot& s)
    {
        const auto mode = modeOf(s.opcode);
        if (mode != kMem && mode != kMemsx) return error("unknown load");
        if (auto wrong = unreadable(s.src)) return wrong;
        if (auto wrong = unwritable(s.dst)) return wrong;
        const auto size = bytesOf(s.opcode);
        const auto* p = at(m_reg[s.src], s.offset, size, Access::Read);
        if (!p) p = typed(m_reg[s.src], s.offset, size);
        if (!p) return outside(Access::Read);
        std::uint64_t value = 0;
        std::memcpy(&value, p, size);
        set(s.dst, mode == kMemsx ? signExtended(value, size) : value);
        return {};
    }

    Wrong store(const Slot& s)
    {
        if (modeOf(s.opcode) != kMem) return error("unknown store");
        if (auto wrong = unreadable(s.dst)) return wrong;
        const bool fromRegister = classOf(s.opcode) == kStx;
        if (fromRegister)
            if (auto wrong = unreadable(s.src)) return wrong;
        const auto size = bytesOf(s.opcode);
        auto* p = at(m_reg[s.dst], s.offset, size, Access::Write);
        if (!p) return outside(Access::Write);
        const std::uint64_t value = fromRegister ? m_reg[s.src] : extended(s.imm);
        std::memcpy(p, &value, size);
        return {};
    }

    Wrong atomic(const Slot& s)
    {
        const auto operation = s.imm & ~kFetch;
        const bool exchanges = operation == kCmpxchg;
        for (const unsigned n : {unsigned{s.dst}, unsigned{s.src}, exchanges ? 0u : unsigned{s.dst}})
            if (auto wrong = unreadable(n)) return wrong;
        const auto size = bytesOf(s.opcode);
        if (size < 4) return error("unknown atomic operation");
        auto* p = at(m_reg[s.dst], s.offset, size, Access::Write);
        if (!p) return outside(Access::Write);
        std::uint64_t old = 0;
        std::memcpy(&old, p, size);
        const auto next = atomicResult(operation, old, lowBytes(m_reg[s.src], size), lowBytes(m_reg[0], size));
        if (!next) return error("unknown atomic operation");
        std::memcpy(p, &*next, size);
        if (!(s.imm & kFetch)) return {};
        const unsigned result = exchanges ? 0u : s.src;
        if (auto wrong = unwritable(result)) return wrong;
        set(result, old);
        return {};
    }

    Wrong jump(const Slot& s)
    {
        switch (s.opcode) {
        case kGoto: go(s.offset); return {};
        case kGotoLong: go(s.imm); return {};
        case kReturn: return leave();
        case kCallHelper: return s.src == kPseudoCall ? enter(s) : callHelper(s.imm);
        case kCallRegister:
            if (auto wrong = unreadable(s.dst)) return wrong;
            return callHelper(static_cast<std::int32_t>(m_reg[s.dst]));
        default: break;
        }
        std::uint64_t b = 0;
        if (auto wrong = unreadable(s.dst)) return wrong;
        if (auto wrong = operand(s, b)) return wrong;
        const auto taken = bpf::holds(operationOf(s.opcode), m_reg[s.dst], b, classOf(s.opcode) == kJmp ? Bits::All : Bits::Low32);
        if (!taken) return error("unknown jump");
        if (*taken) go(s.offset);
        return {};
    }

    Wrong enter(const Slot& s)
    {
        if (!m_machine.enterFrame()) return error("more than eight frames");
        Return back{m_pc, {}, m_written};
        std::copy_n(&m_reg[6], back.saved.size(), back.saved.begin());
        m_calls.push_back(back);
        set(kFramePointer, m_machine.stackTop());
        unset(0, 0);
        unset(6, 9);
        go(s.imm);
        return {};
    }

    Wrong leave()
    {
        if (auto wrong = unreadable(0)) return wrong;
        if (m_calls.empty()) {
            m_done = true;
            return {};
        }
        const Return back = m_calls.back();
        m_calls.pop_back();
        m_machine.leaveFrame();
        std::copy(back.saved.begin(), back.saved.end(), &m_reg[6]);
        m_written = static_cast<std::uint16_t>(back.written | 1u);
        unset(1, 5);
        m_reg[kFramePointer] = m_machine.stackTop();
        m_pc = back.pc;
        return {};
    }

    Wrong callHelper(std::int32_t number)
    {
        if (!m_machine.m_helper) return error("no helper functions");
        auto result = m_machine.m_helper(number, std::span<std::uint64_t, 5>(&m_reg[1], 5));
        if (!result) return error("helper " + std::to_string(number) + ": " + result.error().message, result.error().code);
        if (!m_machine.m_next.empty()) return goOn();
        unset(1, 5);
        set(0, *result);
        return {};
    }

    Wrong goOn()
    {
        if (!m_calls.empty()) return error("tail call from a subprogram");
        m_machine.m_code = std::exchange(m_machine.m_next, {});
        m_pc = static_cast<std::size_t>(-1);
        unset(0, 0);
        unset(2, 9);
        m_machine.leaveFrame();
        m_machine.enterFrame(); // with fresh bytes: what the other program left there is not readable
        return {};
    }

    Interpreter& m_machine;
    std::array<std::uint64_t, 11> m_reg{};
    std::uint16_t m_written = 0; ///< a bit for each register that holds something
    std::size_t m_pc;
    bool m_done = false;
    std::vector<Return> m_calls;
};

Interpreter::Interpreter() : m_stack(kFrameSize * kMaxFrames) { }

std::uint64_t Interpreter::stackTop() const
{
    return reinterpret_cast<std::uint64_t>(m_stack.data()) + kFrameSize * (kMaxFrames + 1 - m_frames);
}

bool Interpreter::enterFrame()
{
    if (m_frames == kMaxFrames) return false;
    ++m_frames;
    std::fill_n(m_stack.begin() + static_cast<std::ptrdiff_t>(kFrameSize * (kMaxFrames - m_frames)), kFrameSize, kUnset);
    return true;
}

bool Interpreter::reaches(std::uint64_t address, std::size_t size, Access access) const
{
    const auto end = reinterpret_cast<std::uint64_t>(m_stack.data()) + m_stack.size(), begin = end - kFrameSize * m_frames;
    if (address >= begin && address <= end) return size <= end - address;
    return m_memory.reaches(address, size, access);
}

Result<std::uint64_t> Interpreter::callBack(std::size_t entry, std::uint64_t r1, std::uint64_t r2)
{
    if (!enterFrame()) return Error{0, "more than eight frames"};
    const auto depth = m_frames;
    auto result = Thread(*this, entry, r1, r2).run();
    m_frames = depth - 1;
    return result;
}

Result<std::uint64_t> Interpreter::run(std::span<const Slot> code, std::uint64_t r1, std::uint64_t r2, std::uint64_t budget)
{
    m_code = code;
    m_budget = budget;
    m_frames = 0;
    m_next = {};
    m_tailCalls = 0;
    return callBack(0, r1, r2);
}
} // namespace dscope::bpf
