#pragma once
#include "engine/record/stack_table.h"
#include "graph/figure.h"
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>
namespace dscope::graph {
/// A function as stacks name it.
struct StackFrame {
    std::string name;             ///< as folded text spells it: "module`function", perhaps with the mark of its kind ("read_[k]")
    Shade shade = Shade::Unknown; ///< what kind of code it is
    std::uint32_t mark = 0;       ///< bytes of the mark at the end of `name`
    std::uint32_t module = 0;     ///< bytes of the module at the beginning of `name`; 0 when it is not known
    /// Whose code it is: of a file that a distribution installs (below /usr but for /usr/local, /bin, /lib, /sbin), or of another.
    enum class Origin : std::uint8_t { Unknown, Own, Installed } origin = Origin::Unknown;
    /// The name as a figure shows it: the colour says what kind of code it is.
    std::string_view shown() const { return std::string_view(name).substr(0, name.size() - mark); }
};
/// A line of source.
struct SourceLine {
    std::string file;       ///< with its folder, as far as it is known
    std::uint32_t line = 0; ///< from 1
    bool operator==(const SourceLine&) const = default;
    std::string shown() const; ///< "mix.c:31": without the folder
};
/// A frame of one stack. The same function may be another kind of code there: what the kernel calls is the kernel.
struct StackStep {
    std::uint32_t frame = 0; ///< its number in Frames
    Shade shade = Shade::Unknown;
    std::uint32_t line = 0;  ///< the number of its line in Frames; 0: not known
    std::uint32_t times = 1; ///< how often it calls itself and 1, where recursion is folded (graph/stack_rules.h)
};
/// Of any bytes, quickly; the same in every run.
inline std::uint64_t hashOfBytes(const char* p, std::size_t n)
{
    std::uint64_t h = n * 0x9E3779B97F4A7C15u, word;
    for (; n >= 8; p += 8, n -= 8) {
        std::memcpy(&word, p, 8);
        h = (h ^ word) * 0xD6E8FEB86659FD93u;
        h ^= h >> 29;
    }
    word = 0;
    std::memcpy(&word, p, n);
    h = (h ^ word) * 0xD6E8FEB86659FD93u;
    return h ^ (h >> 32);
}
/// Frames, each once, numbered from 0 in the order of their coming.
class Frames {
public:
    /// Names longer than the first are cut to the second: the number of their bytes and a hash stand for the rest, so that no
    /// two become one.
    static constexpr std::size_t kLongestName = std::size_t{16} << 10, kLongestWhole = std::size_t{4} << 10;

    /// The number of the frame of that name; a new one, of this kind, when there is none.
    std::uint32_t of(std::string_view name, Shade shade, std::size_t module = 0, StackFrame::Origin origin = StackFrame::Origin::Unknown);
    std::uint32_t of(const StackFrame& frame);
    const StackFrame& operator[](std::uint32_t frame) const { return m_all[frame]; }
    std::uint32_t size() const { return static_cast<std::uint32_t>(m_all.size()); }
    /// The number of a line, from 1; 0 when `line` is.
    std::uint32_t lineOf(std::string_view file, std::uint32_t line);
    const SourceLine& line(std::uint32_t number) const { return m_lines[number]; } ///< that of 0 is empty
    const std::deque<SourceLine>& lines() const { return m_lines; }

private:
    /// Where a name is in m_table, or the free place where it belongs.
    std::size_t placeOf(std::string_view name, std::uint64_t hash) const;
    std::uint32_t add(StackFrame frame, std::uint64_t hash);
    void grow();
    std::deque<StackFrame> m_all;          ///< its elements stay where they are
    std::vector<std::string_view> m_names; ///< theirs, side by side: each frame of each stack is looked up
    struct Slot {
        std::uint32_t hash = 0, next = 0; ///< the number and one; 0: free
    };
    std::vector<Slot> m_table = std::vector<Slot>(16); ///< at least half of it free
    std::deque<SourceLine> m_lines{SourceLine{}};      ///< their files stay where they are
    std::unordered_map<std::string_view, std::unordered_map<std::uint32_t, std::uint32_t>> m_lineNumbers; ///< by file and line
};
/// A frame that another tool told. Of a kind that it did not tell the module decides.
StackFrame stackFrame(const record::NamedFrame& frame);
} // namespace dscope::graph
