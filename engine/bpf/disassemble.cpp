#include "engine/bpf/encode.h"
#include "engine/bpf/mnemonics.h"
#include "engine/bpf/opcode.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
namespace dscope::bpf {
namespace {
using namespace opcode;

std::string hex(std::uint64_t value)
{
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}
std::string reg(unsigned n) { return "%r" + std::to_string(n); }
std::string distance(std::int64_t n) { return (n < 0 ? "" : "+") + std::to_string(n); }
std::string word(std::string_view w, bool narrow = false) { return std::string(w) + (narrow ? "32" : ""); }
std::string memory(unsigned base, std::int16_t offset) { return "[" + reg(base) + (offset ? distance(offset) : std::string()) + "]"; }
/// The parts of a slot that is no instruction.
std::string raw(const Slot& s)
{
    return ".slot " + hex(s.opcode) + ", " + std::to_string(s.dst) + ", " + std::to_string(s.src) + ", " + std::to_string(s.offset) + ", "
        + std::to_string(s.imm);
}
std::string operand(const Slot& s) { return s.opcode & kX ? reg(s.src) : std::to_string(s.imm); }
/// Fields that an instruction does not use must be 0, or its text would not bring them back.
bool operandIsPlain(const Slot& s) { return s.opcode & kX ? s.imm == 0 && s.src <= 10 : s.src == 0; }

std::string byteOrder(const Slot& s)
{
    if (s.src || s.offset || (s.imm != 16 && s.imm != 32 && s.imm != 64)) return raw(s);
    const bool swaps = classOf(s.opcode) == kAlu64;
    if (swaps && (s.opcode & kX)) return raw(s);
    return word(swaps ? "bswap" : s.opcode & kToBe ? "be" : "le") + std::to_string(s.imm) + " " + reg(s.dst);
}
std::string arithmetic(const Slot& s)
{
    const unsigned operation = operationOf(s.opcode);
    const bool narrow = classOf(s.opcode) == kAlu;
    if (operation == kEnd) return byteOrder(s);
    std::string name(mnemonics::kArithmetic[operation >> 4]);
    if (operation == kNeg) return s.src || s.offset || s.imm || (s.opcode & kX) ? raw(s) : word(name, narrow) + " " + reg(s.dst);
    if (name.empty() || !operandIsPlain(s)) return raw(s);
    if (operation == kMov && s.offset) { // sign-extending
        if (!(s.opcode & kX) || (s.offset != 8 && s.offset != 16 && (s.offset != 32 || narrow))) return raw(s);
        return "movsx" + std::to_string(s.offset) + (narrow ? "32 " : "64 ") + reg(s.dst) + ", " + reg(s.src);
    }
    if (s.offset) { // signed division
        if (s.offset != 1 || (operation != kDiv && operation != kMod)) return raw(s);
        name.insert(0, "s");
    }
    return word(name, narrow) + " " + reg(s.dst) + ", " + operand(s);
}
std::string jump(const Slot& s)
{
    if (s.opcode == kReturn) return s.dst || s.src || s.offset || s.imm ? raw(s) : "exit";
    if (s.opcode == kGoto) return s.dst || s.src || s.imm ? raw(s) : "ja " + distance(s.offset);
    if (s.opcode == kGotoLong) return s.dst || s.src || s.offset ? raw(s) : "ja32 " + distance(s.imm);
    if (s.opcode == kCallHelper && !s.dst && !s.offset) {
        if (s.src == 0) return "call " + std::to_string(s.imm);
        if (s.src == kPseudoCall) return "call local " + distance(s.imm);
    }
    if (s.opcode == kCallRegister) return s.src || s.offset || s.imm || s.dst > 10 ? raw(s) : "call " + reg(s.dst);
    const auto name = mnemonics::kJumps[operationOf(s.opcode) >> 4];
    if (name.empty() || !operandIsPlain(s)) return raw(s);
    return word(name, classOf(s.opcode) == kJmp32) + " " + reg(s.dst) + ", " + operand(s) + ", " + distance(s.offset);
}
std::string atomic(const Slot& s)
{
    const bool narrow = sizeOf(s.opcode) == kW;
    const auto operation = static_cast<unsigned>(s.imm) & 0xf0;
    const auto name = mnemonics::kAtomics[operation >> 4];
    const bool fetch = s.imm & kFetch,
               exchanges = operation == static_cast<unsigned>(kXchg) || operation == static_cast<unsigned>(kCmpxchg);
    const bool known = !name.empty() && (s.imm & ~0xf1) == 0 && (narrow || sizeOf(s.opcode) == kDw) && (fetch || !exchanges);
    if (!known || s.src > 10) return raw(s);
    return std::string("lock ") + (fetch && !exchanges ? "fetch " : "") + word(name, narrow) + " " + memory(s.dst, s.offset) + ", "
        + reg(s.src);
}
std::string loadOrStore(const Slot& s)
{
    const auto mode = modeOf(s.opcode);
    const auto size = word(mnemonics::kSizes[sizeOf(s.opcode) >> 3]);
    switch (classOf(s.opcode)) {
    case kLdx:
        if (s.imm || s.src > 10 || (mode != kMem && mode != kMemsx) || (mode == kMemsx && sizeOf(s.opcode) == kDw)) return raw(s);
        return (mode == kMemsx ? "ldxs" : "ldx") + size + " " + reg(s.dst) + ", " + memory(s.src, s.offset);
    case kSt:
        if (s.src || mode != kMem) return raw(s);
        return "st" + size + " " + memory(s.dst, s.offset) + ", " + std::to_string(s.imm);
    default:
        if (mode == opcode::kAtomic) return atomic(s);
        if (s.imm || s.src > 10 || mode != kMem) return raw(s);
        return "stx" + size + " " + memory(s.dst, s.offset) + ", " + reg(s.src);
    }
}
/// ld_imm64: two slots.
std::string loadImmediate(const Slot& low, const Slot& high, const MapUse* use)
{
    const auto to = "lddw " + reg(low.dst) + ", ";
    const auto imm = static_cast<std::uint32_t>(low.imm), next = static_cast<std::uint32_t>(high.imm);
    const auto map = std::to_string(use ? use->map.value : imm);
    switch (low.src) {
    case 0: return to + hex(imm | std::uint64_t{next} << 32);
    case kPseudoMapFd: return to + "map " + map;
    case kPseudoMapValue: return to + "value " + map + "+" + std::to_string(use ? use->offset : next);
    default: return to + "function " + distance(low.imm);
    }
}
bool loadsImmediate(std::span<const Slot> s)
{
    if (s.size() < 2 || s[0].opcode != kLoadImm64 || s[0].offset || s[0].dst > 10) return false;
    if (s[1].opcode || s[1].dst || s[1].src || s[1].offset) return false;
    if (s[0].src == kPseudoMapFd || s[0].src == kPseudoFunc) return s[1].imm == 0;
    return s[0].src == 0 || s[0].src == kPseudoMapValue;
}
} // namespace

std::string disassemble(std::span<const Slot> slots, std::span<const MapUse> maps)
{
    std::string out;
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const Slot& s = slots[i];
        if (loadsImmediate(slots.subspan(i))) {
            const auto use = std::find_if(maps.begin(), maps.end(), [&](const MapUse& u) { return u.slot == i; });
            out += loadImmediate(s, slots[i + 1], use == maps.end() ? nullptr : &*use);
            ++i;
        } else if (s.dst > 10 || classOf(s.opcode) == kLd) {
            out += raw(s);
        } else {
            switch (classOf(s.opcode)) {
            case kAlu:
            case kAlu64: out += arithmetic(s); break;
            case kJmp:
            case kJmp32: out += jump(s); break;
            default: out += loadOrStore(s); break;
            }
        }
        out += '\n';
    }
    return out;
}

std::string listing(std::span<const Slot> slots, std::span<const MapUse> maps)
{
    std::istringstream texts(disassemble(slots, maps));
    std::string out, text;
    for (std::size_t i = 0; i < slots.size() && std::getline(texts, text);) {
        // A wide immediate is one line of text and two slots.
        const std::size_t width = loadsImmediate(slots.subspan(i)) ? 2 : 1;
        for (std::size_t n = 0; n < width; ++n, ++i) {
            const Slot& s = slots[i];
            std::array<char, 64> head{};
            std::snprintf(head.data(), head.size(), "%04zu %05zu: %02x %1x %1x %04x %08x", i, i, unsigned(s.opcode), unsigned(s.dst),
                unsigned(s.src), unsigned(static_cast<std::uint16_t>(s.offset)), static_cast<std::uint32_t>(s.imm));
            out += head.data();
            if (n == 0) out += "    " + text;
            out += '\n';
        }
    }
    return out;
}
} // namespace dscope::bpf
