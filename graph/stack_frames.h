#pragma once
#include "graph/figure.h"
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
namespace dscope::graph {
/// A function as stacks name it.
struct StackFrame {
    std::string name;              ///< as folded text spells it: "module`function", perhaps with the mark of its kind ("read_[k]")
    Shade shade = Shade::Unknown;  ///< what kind of code it is
    std::uint32_t mark = 0;        ///< bytes of the mark at the end of `name`
    std::uint32_t module = 0;      ///< bytes of the module at the beginning of `name`; 0 when it is not known
    /// The name as a figure shows it: the colour says what kind of code it is.
    std::string_view shown() const { return std::string_view(name).substr(0, name.size() - mark); }
};
/// A frame of one stack. The same function may be another kind of code there: what the kernel calls is the kernel.
struct StackStep {
    std::uint32_t frame = 0; ///< its number in Frames
    Shade shade = Shade::Unknown;
};
/// Frames, each once, numbered from 0 in the order of their coming.
class Frames {
public:
    /// Names longer than the first are cut to the second: the number of their bytes and a hash stand for the rest, so that no
    /// two become one.
    static constexpr std::size_t kLongestName = std::size_t{16} << 10, kLongestWhole = std::size_t{4} << 10;

    /// The number of the frame of that name; a new one, of this kind, when there is none.
    std::uint32_t of(std::string_view name, Shade shade, std::size_t module = 0);
    /// The number of a frame as folded text spells it; what kind of code it is, its mark and its module say.
    std::uint32_t ofWord(std::string_view word);
    std::uint32_t of(const StackFrame& frame);
    const StackFrame& operator[](std::uint32_t frame) const { return m_all[frame]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_all.size()); }

private:
    std::uint32_t add(StackFrame frame);
    std::deque<StackFrame> m_all; ///< its elements stay where they are
    std::unordered_map<std::string_view, std::uint32_t> m_numbers;
};
/// The colour class of a frame of which only its spelling is known: its mark tells it, else its module.
Shade shadeOfWord(std::string_view word);
} // namespace dscope::graph
