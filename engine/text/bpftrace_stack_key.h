#pragma once
#include "engine/text/known_lines.h"
#include "engine/text/printed_stacks.h"
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text {
/// A key of bpftrace that has stacks and maybe other keys, each frame in a line of its own.
class BpftraceStackKey {
public:
    using Stack = PrintedStacks::Stack;
    BpftraceStackKey(Lines& lines, StackCounts& counts) : m_counts(counts), m_known(lines) { }

    /// Whether a text with lines is such a key, and no text of the program: that begins with no line end, comma or blank.
    static bool isStack(std::string_view key);
    /// bpftrace 0.18 to 0.26 escape the line ends of a stack twice, so that reading the JSON leaves a backslash and a letter.
    static std::string withLineEnds(std::string_view key);

    void begin();
    /// All of a key. `separator` stands between keys that are no stacks.
    void read(std::string_view key, std::string_view separator);
    /// Takes a line that was a frame before, and those behind it that follow it as they did. False: it was none.
    bool takeKnown(std::string_view line);
    void frame(std::string_view line);
    /// Keys among the lines of stacks: ", bash", "bash,".
    void others(std::string_view line, std::string_view separator);
    /// What follows is of another key.
    void end() { m_known.stop(); }

    bool hasFrames() const { return !m_stacks.back().lines.empty(); }
    std::vector<Stack>& stacks() { return m_stacks; }
    const std::vector<std::string>& keys() const { return m_keys; }

private:
    void frame(std::uint32_t number);
    struct Seen {
        std::size_t first, count; ///< of m_frames, outermost first
        StackSide side, outermost;
    };
    StackCounts& m_counts;
    KnownLines m_known;                  ///< that are frames: nearly all lines, and few different ones
    std::vector<Seen> m_seen;            ///< by number of m_known
    std::vector<std::uint32_t> m_frames; ///< of all of them
    std::vector<Stack> m_stacks{1};
    std::vector<std::string> m_keys;
};
} // namespace dscope::text
