#pragma once
#include "engine/text/importer.h"
#include "engine/base/interned.h"
#include "engine/text/stack_counts.h"
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
namespace dscope::text::strace {
/// The stacks that strace -k and -kk print below calls, as stacks whose last frame is the call: how many calls each has and, with -T, how
/// long they took. Source: strace's src/unwind.c, print_call_cb(), versions 4.9 to 7.2.
class Stacks {
public:
    /// " > /lib/libc.so.6(close+0x14) [0xee3f4]"
    static bool isLine(std::string_view line) { return line.starts_with(" > "); }
    /// What follows is the stack of this call, which has returned.
    void begin(std::string_view call, std::optional<std::int64_t> took);
    /// What follows is the stack of a signal, or of nothing that was told.
    void beginOther();
    void line(std::string_view line);
    void end();
    Result<> check() const;
    /// Nothing where the log has no stacks.
    void put(Imported& out);

private:
    enum class Of : std::uint8_t { Nothing, Call, Other };
    struct Frame {
        std::uint32_t inCounts, inTimes;
        bool isEnd;   ///< no frame: why the rest is not known
        bool isFirst; ///< of a thread
    };
    std::uint32_t frameOf(std::string_view line);
    void count();
    void add(StackCounts& to, std::uint32_t Frame::*number, bool isCut, std::int64_t value);
    StackCounts m_counts, m_times;
    Interned m_lines;
    std::vector<Frame> m_frames;        ///< by number of the line
    std::vector<std::uint32_t> m_stack; ///< of the call that is read: numbers of lines, the innermost first
    struct Bare {
        std::int64_t calls = 0, took = 0;
    };
    std::map<std::string, Bare, std::less<>> m_bare; ///< calls that have no stack
    std::string m_call;
    std::optional<std::int64_t> m_took;
    Of m_of = Of::Nothing;
    std::size_t m_others = 0, m_cut = 0;
    bool m_any = false, m_timed = false;
};
} // namespace dscope::text::strace
