#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/stack_counts.h"
#include "engine/text/words.h"
#include <optional>
namespace dscope::importers {
namespace {
using text::Guess;
using text::kDigits;
using text::kHexDigits;
using text::trimmed;

/// "TID 12:", "Thread 3 (Thread 0x7f12 (LWP 12) "worker"):": the stack of a thread follows.
bool isThread(std::string_view line)
{
    if (line.starts_with("TID ") && line.ends_with(':')) return text::isDigits(line.substr(4, line.size() - 5));
    return line.starts_with("Thread ") && line.ends_with("):") && line.find(" (") != std::string_view::npos;
}

/// What stands between stacks and says nothing about them.
bool isBetween(std::string_view line)
{
    return line.empty() || line.starts_with("PID ") || line.starts_with('[') || line.starts_with("Using host libthread_db")
        || line.starts_with("Reading symbols from");
}

/// "#1  0x00007fa6148b1e53 __nanosleep - /usr/lib/libc.so.6", "#1  0x00007fa6148b1e53 in __nanosleep () from /usr/lib/libc.so.6",
/// "#2  main (argc=1) at a.c:7": a frame, the innermost is #0. Source: eu-stack(1), options -m and -v; GDB's manual, "Backtraces".
struct BacktraceFrame {
    bool isInnermost = false;
    std::string name;
};

std::optional<BacktraceFrame> backtraceFrame(std::string_view line)
{
    if (!line.starts_with('#')) return {};
    const auto end = line.find_first_not_of(kDigits, 1);
    if (end == 1 || end == std::string_view::npos || !text::isBlank(line[end])) return {};
    BacktraceFrame frame{.isInnermost = line.substr(1, end - 1) == "0", .name = {}};
    auto rest = trimmed(line.substr(end));
    std::string_view address, module;
    if (rest.starts_with("0x")) {
        const auto behind = std::min(rest.find_first_not_of(kHexDigits, 2), rest.size());
        address = rest.substr(0, behind);
        rest = trimmed(rest.substr(behind));
        if (rest.starts_with("- 1")) rest = trimmed(rest.substr(3)); // of a caller: the call is before the address
    }

    if (rest.starts_with("in ")) {
        rest.remove_prefix(3);
        if (const auto from = rest.rfind(" from "); from != std::string_view::npos) module = rest.substr(from + 6);
        frame.name = text::withoutArguments(rest);
        if (frame.name == "??") frame.name.clear();
    } else if (address.empty()) {
        frame.name = rest == "<signal handler called>" ? rest : text::withoutArguments(rest);
    } else {
        const auto dash = rest.starts_with("- ") ? 0 : rest.find(" - ");
        if (dash != std::string_view::npos) module = rest.substr(dash + (dash ? 3 : 2));
        frame.name = text::withoutParameters(trimmed(rest.substr(0, dash)));
    }

    if (frame.name.empty() && !module.empty()) frame.name = '[' + std::string(module.substr(module.rfind('/') + 1)) + ']';
    if (frame.name.empty()) frame.name = address;
    if (frame.name.empty()) return {};
    return frame;
}

class BacktraceReader {
public:
    explicit BacktraceReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view whole, std::size_t number)
    {
        const auto line = trimmed(whole);
        if (const auto frame = backtraceFrame(line)) {
            m_hasBegun = true;
            if (frame->isInnermost) end();
            m_frames.push_back(m_stacks.numberOf({frame->name}));
        } else if (isThread(line) || isBetween(line)) {
            end();
        } else if (!m_hasBegun) { // gdb tells first where the process was found
            if (m_firstNumber == 0) m_firstNumber = number, m_firstLine = whole;
        } else if (m_frames.empty() || !text::isBlank(whole.front())) { // indented: lines of source, variables
            m_out.misunderstand(number, whole);
        }
    }

    /// The text has ended.
    void finish()
    {
        end();
        if (!m_hasBegun && m_firstNumber > 0) m_out.misunderstand(m_firstNumber, m_firstLine);
    }

    text::StackCounts& stacks() { return m_stacks; }

private:
    void end()
    {
        if (m_frames.empty()) return;
        for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame)
            m_stacks.frame(*frame);
        m_stacks.add(1);
        m_frames.clear();
    }

    text::Imported& m_out;
    text::StackCounts m_stacks;
    std::vector<std::uint32_t> m_frames; ///< of the thread that is read, the innermost first
    bool m_hasBegun = false;             ///< a frame was seen
    std::size_t m_firstNumber = 0;       ///< of the first line before it that says nothing
    std::string m_firstLine;
};

class Backtrace final : public text::Importer {
public:
    std::string_view name() const override { return "backtrace"; }
    std::string_view summary() const override
    {
        return "stacks of threads by eu-stack, pstack or gdb, each a sample; several in one text add up";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool afterThread = false;
        for (int i = 0; i < 2000 && lines.next(line); ++i) {
            if (afterThread) {
                const auto frame = backtraceFrame(line);
                if (frame && frame->isInnermost) return Guess::Yes;
            }
            afterThread = isThread(line);
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        BacktraceReader reader(out);
        text::readAll(lines, reader);
        reader.finish();
        if (reader.stacks().empty()) return out.nothing("there is no stack in it");
        out.add(reader.stacks().take("samples"));
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_backtrace() { return std::make_unique<Backtrace>(); }
} // namespace dscope::importers
