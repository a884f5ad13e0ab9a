#include "engine/bpf/encode.h"
#include "engine/bpf/islands.h"
#include "engine/bpf/opcode.h"
#include <limits>
namespace dscope::bpf {
namespace {
using namespace opcode;

std::uint8_t number(Reg reg) { return static_cast<std::uint8_t>(reg); }
std::uint8_t sizeBits(Width width) { return static_cast<std::uint8_t>(static_cast<unsigned>(width) << 3); }
template <typename Enum> std::uint8_t operationBits(Enum op) { return static_cast<std::uint8_t>(static_cast<unsigned>(op) << 4); }
bool fitsInt32(std::uint64_t value)
{
    const auto v = static_cast<std::int64_t>(value);
    return v >= std::numeric_limits<std::int32_t>::min() && v <= std::numeric_limits<std::int32_t>::max();
}
Slot slot(unsigned code, Reg dst, Reg src = Reg::R0, std::int16_t offset = 0, std::int32_t imm = 0)
{
    Slot s{};
    s.opcode = static_cast<std::uint8_t>(code);
    s.dst = number(dst) & 15;
    s.src = number(src) & 15;
    s.offset = offset;
    s.imm = imm;
    return s;
}
/// The same with the second operand where `operand` has it.
Slot slot(unsigned code, Reg dst, const Operand& operand, std::int16_t offset)
{
    if (const auto* reg = std::get_if<Reg>(&operand)) return slot(code | kX, dst, *reg, offset);
    return slot(code | kK, dst, Reg::R0, offset, std::get<Imm>(operand).value);
}

/// Writes the slots of one instruction after the other, at places the layout has fixed.
class Emitter {
public:
    Emitter(const Layout& layout, Encoded& out) : m_layout(layout), m_out(out) { }
    void at(std::size_t index) { m_index = index; }

    void operator()(const Alu& i)
    {
        const unsigned code = operationBits(i.op) | (i.wide ? kAlu64 : kAlu);
        if (i.op == AluOp::Neg)
            put(slot(code, i.dst));
        else
            put(slot(code, i.dst, i.src, 0));
    }

    void operator()(const SwapTo& i) { put(slot(unsigned{kAlu} | kEnd | (i.big ? kToBe : kToLe), i.dst, Reg::R0, 0, i.bits)); }
    void operator()(const Load& i) { put(slot(unsigned{kLdx} | kMem | sizeBits(i.width), i.dst, i.base, i.offset)); }

    void operator()(const Store& i)
    {
        if (const auto* reg = std::get_if<Reg>(&i.src))
            put(slot(unsigned{kStx} | kMem | sizeBits(i.width), i.base, *reg, i.offset));
        else
            put(slot(unsigned{kSt} | kMem | sizeBits(i.width), i.base, Reg::R0, i.offset, std::get<Imm>(i.src).value));
    }

    void operator()(const Atomic& i)
    {
        const bool exchanges = i.op == AtomicOp::Xchg || i.op == AtomicOp::CmpXchg;
        const auto operation = static_cast<std::int32_t>(i.op) | (i.fetch || exchanges ? kFetch : 0);
        put(slot(unsigned{kStx} | opcode::kAtomic | sizeBits(i.width), i.base, i.src, i.offset, operation));
    }

    void operator()(const LoadImm& i)
    {
        if (fitsInt32(i.value))
            put(slot(unsigned{kAlu64} | kMov | kK, i.dst, Reg::R0, 0, static_cast<std::int32_t>(i.value)));
        else
            loadImm64(i.dst, 0, static_cast<std::int32_t>(i.value), static_cast<std::int32_t>(i.value >> 32));
    }

    void operator()(const LoadMap& i)
    {
        m_out.maps.push_back({.slot = m_out.slots.size(), .map = i.map, .value = false, .offset = 0});
        loadImm64(i.dst, kPseudoMapFd, static_cast<std::int32_t>(i.map.value), 0);
    }

    void operator()(const LoadMapValue& i)
    {
        m_out.maps.push_back({.slot = m_out.slots.size(), .map = i.map, .value = true, .offset = i.offset});
        loadImm64(i.dst, kPseudoMapValue, static_cast<std::int32_t>(i.map.value), static_cast<std::int32_t>(i.offset));
    }
    void operator()(const Branch& i) { put(slot(operationBits(i.cond) | unsigned{i.wide ? kJmp : kJmp32}, i.lhs, i.rhs, jumpDistance())); }
    void operator()(const Jump&) { put(slot(kGoto, Reg::R0, Reg::R0, jumpDistance())); }
    void operator()(const Bind&) { }
    void operator()(const CallHelper& i) { put(slot(opcode::kCallHelper, Reg::R0, Reg::R0, 0, i.helper)); }
    void operator()(const CallLocal& i) { put(slot(opcode::kCallHelper, Reg::R0, Reg{kPseudoCall}, 0, farDistance(i.to))); }
    void operator()(const LoadFunction& i) { loadImm64(i.dst, kPseudoFunc, farDistance(i.to), 0); }
    void operator()(const Exit&) { put(slot(kReturn, Reg::R0)); }

    void island(const Island& island)
    {
        if (island.fallsThrough) put(slot(kGoto, Reg::R0, Reg::R0, static_cast<std::int16_t>(island.hops.size())));
        for (const auto& [label, hop] : island.hops)
            put(slot(kGoto, Reg::R0, Reg::R0, shortDistance(m_layout.hopTarget(island, label))));
    }

private:
    void put(const Slot& s) { m_out.slots.push_back(s); }

    void loadImm64(Reg dst, std::uint8_t pseudo, std::int32_t low, std::int32_t high)
    {
        put(slot(kLoadImm64, dst, Reg{pseudo}, 0, low));
        put(slot(0, Reg::R0, Reg::R0, 0, high));
    }
    std::int16_t jumpDistance() const { return shortDistance(m_layout.jumpTarget(m_index)); }

    std::int16_t shortDistance(std::size_t to) const
    {
        const auto distance = static_cast<std::int64_t>(to) - static_cast<std::int64_t>(m_out.slots.size()) - 1;
        DSCOPE_ASSERT(distance >= std::numeric_limits<std::int16_t>::min() && distance <= std::numeric_limits<std::int16_t>::max());
        return static_cast<std::int16_t>(distance);
    }

    std::int32_t farDistance(Label to) const
    {
        return static_cast<std::int32_t>(
            static_cast<std::int64_t>(m_layout.position(to)) - static_cast<std::int64_t>(m_out.slots.size()) - 1);
    }
    const Layout& m_layout;
    Encoded& m_out;
    std::size_t m_index = 0;
};

/// Slots an instruction takes, islands apart.
struct SlotCount {
    template <typename T> std::size_t operator()(const T&) const { return 1; }
    std::size_t operator()(const LoadImm& i) const { return fitsInt32(i.value) ? 1 : 2; }
    std::size_t operator()(const LoadMap&) const { return 2; }
    std::size_t operator()(const LoadMapValue&) const { return 2; }
    std::size_t operator()(const LoadFunction&) const { return 2; }
    std::size_t operator()(const Bind&) const { return 0; }
};
bool same(const Span& a, const Span& b) { return a.file == b.file && a.begin == b.begin && a.end == b.end; }
} // namespace

Encoded encode(const std::vector<Insn>& code)
{
    std::vector<std::size_t> sizes;
    sizes.reserve(code.size());
    for (const auto& insn : code)
        sizes.push_back(std::visit(SlotCount{}, insn.op));
    const Layout layout(code, sizes);

    Encoded out;
    Emitter emitter(layout, out);
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (const auto* island = layout.islandBefore(i)) emitter.island(*island);
        if (sizes[i] && (out.lines.empty() || !same(out.lines.back().second, code[i].from)))
            out.lines.emplace_back(out.slots.size(), code[i].from);
        emitter.at(i);
        std::visit(emitter, code[i].op);
    }
    return out;
}
} // namespace dscope::bpf
