#include "engine/codegen/builder.h"
#include <limits>
namespace dscope::codegen {
bool fits32(std::int64_t value)
{
    return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
}

namespace {
constexpr std::int64_t kLeastOffset = std::numeric_limits<std::int16_t>::min(), kMostOffset = std::numeric_limits<std::int16_t>::max();
} // namespace

std::int16_t Builder::offset16(std::int64_t offset)
{
    DSCOPE_ASSERT(offset >= kLeastOffset && offset <= kMostOffset);
    return static_cast<std::int16_t>(offset);
}
void Builder::reach(Reg base, std::int64_t offset, const std::function<void(std::int64_t)>& access)
{
    if (offset >= kLeastOffset && offset <= kMostOffset) return access(offset);
    DSCOPE_ASSERT(base != R10);
    alu(AluOp::Add, base, static_cast<std::int32_t>(offset)); // no other register is known to be free
    access(0);
    alu(AluOp::Sub, base, static_cast<std::int32_t>(offset));
}
void Builder::mov(Reg dst, Reg src)
{
    if (dst != src) put(bpf::Alu{AluOp::Mov, dst, src});
}
void Builder::mov(Reg dst, std::int64_t value)
{
    if (fits32(value))
        put(bpf::Alu{AluOp::Mov, dst, Imm{static_cast<std::int32_t>(value)}});
    else
        put(bpf::LoadImm{dst, static_cast<std::uint64_t>(value)});
}
void Builder::load(Width width, Reg dst, Reg base, std::int64_t offset)
{
    if (offset <= kMostOffset || dst == Builder::kScratch) return put(bpf::Load{width, dst, base, offset16(offset)});
    mov(dst, base);
    alu(AluOp::Add, dst, static_cast<std::int32_t>(offset));
    put(bpf::Load{width, dst, dst, 0});
}
void Builder::store(Width width, Reg base, std::int64_t offset, Reg src)
{
    reach(base, offset, [&](std::int64_t at) { put(bpf::Store{width, base, offset16(at), src}); });
}
void Builder::store(Width width, Reg base, std::int64_t offset, std::int32_t value)
{
    reach(base, offset, [&](std::int64_t at) { put(bpf::Store{width, base, offset16(at), Imm{value}}); });
}
void Builder::atomicAdd(Reg base, std::int64_t offset, Reg src)
{
    reach(base, offset, [&](std::int64_t at) {
        put(bpf::Atomic{.op = AtomicOp::Add, .fetch = false, .width = Width::B8, .base = base, .offset = offset16(at), .src = src});
    });
}
void Builder::atomicFetchAdd(Reg base, std::int64_t offset, Reg src)
{
    reach(base, offset, [&](std::int64_t at) {
        put(bpf::Atomic{.op = AtomicOp::Add, .fetch = true, .width = Width::B8, .base = base, .offset = offset16(at), .src = src});
    });
}
void Builder::exchange(Reg base, std::int64_t offset, Reg src)
{
    reach(base, offset, [&](std::int64_t at) {
        put(bpf::Atomic{.op = AtomicOp::Xchg, .fetch = true, .width = Width::B8, .base = base, .offset = offset16(at), .src = src});
    });
}
void Builder::compareExchange(Reg base, std::int64_t offset, Reg src)
{
    reach(base, offset, [&](std::int64_t at) {
        put(bpf::Atomic{.op = AtomicOp::CmpXchg, .fetch = true, .width = Width::B8, .base = base, .offset = offset16(at), .src = src});
    });
}

Builder::Temp Builder::temp(int words)
{
    // First fit keeps the frame small, which nested calls need: the frames of a call chain share 512 bytes.
    for (int first = 0; first + words <= static_cast<int>(m_stack.size()); ++first) {
        int n = 0;
        while (n < words && !m_stack[static_cast<std::size_t>(first + n)])
            ++n;
        if (n < words) continue;
        for (int i = 0; i < words; ++i)
            m_stack[static_cast<std::size_t>(first + i)] = true;
        return Temp(this, first, words, m_frame);
    }
    throw TooLarge{m_from, "the expression keeps more values at a time than the 512 bytes of stack that the kernel gives", "D_CG_NREG"};
}
Builder::Temp Builder::saved(Reg reg)
{
    auto t = temp();
    store(t, reg);
    return t;
}
void Builder::release(int first, int words)
{
    for (int i = 0; i < words; ++i)
        m_stack[static_cast<std::size_t>(first + i)] = false;
}
std::int64_t Builder::offsetOf(const Temp& temp, int word) const
{
    DSCOPE_ASSERT(temp.m_owner == this && temp.m_frame == m_frame && word >= 0 && word < temp.m_words);
    return std::int64_t{8} * (word - temp.m_first - temp.m_words);
}
void Builder::load(Reg dst, const Temp& from, int word, Width width)
{
    DSCOPE_ASSERT(from.m_isWritten);
    load(width, dst, R10, offsetOf(from, word));
}
void Builder::store(const Temp& to, Reg src, int word, Width width)
{
    store(width, R10, offsetOf(to, word), src);
    to.m_isWritten = true;
}
void Builder::store(const Temp& to, std::int32_t value, int word, Width width)
{
    store(width, R10, offsetOf(to, word), value);
    to.m_isWritten = true;
}
void Builder::addressOf(Reg dst, const Temp& temp)
{
    mov(dst, R10);
    alu(AluOp::Add, dst, static_cast<std::int32_t>(offsetOf(temp, 0)));
    temp.m_isWritten = true;
}

void Builder::lookupIndex(MapId map, std::uint32_t index)
{
    const auto key = temp();
    store(key, static_cast<std::int32_t>(index), 0, Width::B4);
    loadMap(R1, map);
    addressOf(R2, key);
    call(Helper::MapLookup);
}
void Builder::readKernel(Reg base, std::int64_t offset, std::int32_t size)
{
    const auto into = temp();
    mov(R3, base);
    add(R3, offset);
    store(into, 0);
    addressOf(R1, into);
    mov(R2, size);
    call(Helper::ProbeReadKernel);
    load(R0, into);
}
void Builder::add(Reg reg, std::int64_t value)
{
    if (value == 0) return;
    if (fits32(value)) return alu(AluOp::Add, reg, static_cast<std::int32_t>(value));
    const Reg other = reg == R5 ? R4 : R5;
    mov(other, value);
    alu(AluOp::Add, reg, other);
}
void Builder::clamp(Reg reg, std::int32_t most)
{
    when({reg, Cond::Gt, most}, [&] { mov(reg, most); });
}
void Builder::normalize(Reg reg, std::uint64_t size, Sign sign)
{
    const bool isSigned = sign == Sign::Signed;
    if (size == 0 || size >= 8) return;
    if (!isSigned && size == 4) return put(bpf::Alu{.op = AluOp::Mov, .dst = reg, .src = reg, .wide = false});
    const auto bits = static_cast<std::int32_t>(64 - 8 * size);
    if (!isSigned) return alu(AluOp::And, reg, size == 1 ? 0xff : 0xffff);
    alu(AluOp::Lsh, reg, bits);
    alu(AluOp::Arsh, reg, bits);
}
} // namespace dscope::codegen
