#pragma once
#include "engine/codegen/text.h"
#include <functional>
/// What string subroutines are made of. Loops over a text keep their variables in scratch memory (cells), not in registers
/// or on the stack: that is what a round of Firing::rounds() can reach.
namespace dscope::codegen {
/// An 8-byte variable in scratch memory.
class Cell {
public:
    explicit Cell(Firing& f) : m_b(f.b), m_at(f.allocate(8)) { }
    Cell(Firing& f, std::uint32_t at) : m_b(f.b), m_at(at) { }
    void set(Reg reg) const { m_b.store(Width::B8, Builder::kScratch, m_at, reg); }
    void set(std::int32_t value) const { m_b.store(Width::B8, Builder::kScratch, m_at, value); }
    void get(Reg reg) const { m_b.load(Width::B8, reg, Builder::kScratch, m_at); }

    /// The same, known to be at most `most`: a value that is more becomes `most`.
    void get(Reg reg, std::uint32_t most) const
    {
        get(reg);
        m_b.clamp(reg, static_cast<std::int32_t>(most));
    }
    std::uint32_t at() const { return m_at; } ///< its place in scratch memory

    void addressOf(Reg reg) const
    {
        m_b.mov(reg, Builder::kScratch);
        m_b.add(reg, m_at);
    }

private:
    Builder& m_b;
    std::uint32_t m_at;
};
/// r0 = length of the text in bytes. Uses r0..r3.
void lengthOf(Firing& f, const Text& text);
/// The text, or a copy of it, where a round of Firing::rounds() can read it.
Text reachable(Firing& f, const Text& text);
/// For each byte of the text: r0 = its index, r3 = the byte, r5 = where it is. Ends at the NUL, or when `body` jumps to `done`. The body
/// may use r1, r2, r3, r4; it can't reach registers or the stack of the code around it.
void eachByte(Firing& f, const Text& text, const std::function<void(Label done)>& body);
/// A new text: `length` bytes of `text` from `start` on; nothing when `length` is not positive.
Text slice(Firing& f, const Text& text, const Cell& start, const Cell& length);
/// A new text of at most `capacity` bytes that may be written: zeros.
Text blank(Firing& f, std::uint32_t capacity);
inline Text scratchText(std::uint32_t at, std::uint32_t capacity) { return {Text::Base::Scratch, {}, at, capacity}; }
} // namespace dscope::codegen
