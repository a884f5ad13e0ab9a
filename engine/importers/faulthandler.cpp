#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/script_frames.h"
#include "engine/text/words.h"
#include <optional>
#include <set>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

constexpr std::string_view kMostRecentFirst = " (most recent call first):";

/// The first line of a thread's stack: "Thread 0x00007f21 (most recent call first):", since Python 3.14 with its name, "[worker] (most",
/// or "Stack (most recent call first):" where the one thread is not named.
bool isPythonThread(std::string_view line)
{
    if (!line.ends_with(kMostRecentFirst)) return false;
    return line.starts_with("Thread 0x") || line.starts_with("Current thread 0x") || line.starts_with("Stack (");
}

/// "  File "/app/a.py", line 2 in leaf"
struct PythonFrame {
    std::string_view name, file;
    std::uint32_t line = 0;
};

std::optional<PythonFrame> pythonFrame(std::string_view line)
{
    constexpr std::string_view kFile = "  File \"", kLine = "\", line ", kIn = " in ";
    if (!line.starts_with(kFile)) return {};
    const auto end = line.rfind(kLine);
    if (end == line.npos || end < kFile.size()) return {};
    const auto number = line.substr(end + kLine.size());
    const auto in = number.find(kIn);
    if (in == number.npos || in + kIn.size() == number.size()) return {};
    return PythonFrame{
        number.substr(in + kIn.size()), line.substr(kFile.size(), end - kFile.size()), text::sourceLine(number.substr(0, in))};
}

constexpr std::string_view kNativeThread = "Current thread's C stack trace (most recent call first):";

/// "  Binary file "/lib/libc.so.6", at pause+0x10 [0x7f21]", also without "at", "at +0x3c050", and '<unknown>' as the file.
/// Source: CPython 3.14, Python/traceback.c, _Py_backtrace_symbols_fd()
struct NativeFrame {
    std::string_view name, module; ///< either may be empty
};

std::optional<NativeFrame> nativeFrame(std::string_view line)
{
    constexpr std::string_view kFile = "  Binary file ", kAt = "\", at ", kAddress = " [0x";
    const auto address = line.rfind(kAddress);
    if (!line.starts_with(kFile) || address == line.npos || !line.ends_with(']') || address <= kFile.size()) return {};
    auto rest = line.substr(kFile.size(), address - kFile.size());
    if (rest == "'<unknown>'") return NativeFrame{};
    NativeFrame out;
    if (const auto at = rest.find(kAt); at != rest.npos) {
        out.name = text::withoutParameters(text::withoutOffset(rest.substr(at + kAt.size())));
        if (out.name.starts_with("+0x") || out.name.starts_with("-0x")) out.name = {};
        rest = rest.substr(0, at + 1);
    }
    if (rest.size() < 2 || !rest.starts_with('"') || !rest.ends_with('"')) return {};
    rest = rest.substr(1, rest.size() - 2);
    out.module = rest.substr(rest.rfind('/') + 1);
    return out;
}

/// The stacks of C that a text has, as dump_c_stack() writes them.
class NativeStacks {
public:
    void begin()
    {
        end();
        m_isOpen = true;
    }

    /// False: the line is no part of a stack.
    bool take(std::string_view line)
    {
        if (!m_isOpen) return false;
        if (line == "  <truncated rest of calls>") return m_isCut = true;
        if (line == "  <system returned no stack trace>") return true;
        const auto frame = nativeFrame(line);
        if (!frame) return false;
        const auto unnamed = '[' + (frame->module.empty() ? "unknown" : std::string(frame->module)) + ']';
        if (m_frames.size() < kMost)
            m_frames.push_back(frame->name.empty() ? m_stacks.numberOf({.name = unnamed})
                                                   : m_stacks.numberOf({.name = frame->name, .module = frame->module}));
        return true;
    }

    void end()
    {
        if (m_isOpen && !m_frames.empty()) {
            if (m_isCut) m_stacks.frame("[truncated]");
            for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame)
                m_stacks.frame(*frame);
            m_stacks.add(1);
            ++m_count;
        }
        m_isOpen = m_isCut = false;
        m_frames.clear();
    }

    std::size_t count() const { return m_count; }
    text::TakenStacks taken() { return m_stacks.take("C stacks"); }

private:
    static constexpr std::size_t kMost = 65'536;
    text::StackCounts m_stacks;
    std::vector<std::uint32_t> m_frames; ///< the innermost first
    std::size_t m_count = 0;
    bool m_isOpen = false, m_isCut = false;
};

/// What Python's faulthandler writes: stacks of threads when it crashes, when a time is over, or when a signal or a call asks for it.
/// Source: CPython, Python/traceback.c, _Py_DumpTracebackThreads()
class FaulthandlerReader {
public:
    explicit FaulthandlerReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (m_native.take(line)) return;
        m_native.end();
        if (isPythonThread(line)) return begin(line);
        if (const auto frame = pythonFrame(line); frame && m_isOpen) return add(*frame);
        if (line == kNativeThread) {
            end();
            m_native.begin();
        } else if (m_isOpen && line == "  ...") {
            m_isCut = true;
        } else if (!line.starts_with("  ") || !m_isOpen) {
            end();
            if (!isKnown(trimmed(line))) m_out.misunderstand(number, line);
        } else if (line != "  <no Python frame>" && line != "  Garbage-collecting" && line != "  <freed interpreter>") {
            m_out.misunderstand(number, line);
        }
    }

    /// Stacks of C are of threads that have a stack of Python, too, where both are there: added up, these would count twice.
    void finish()
    {
        end();
        m_native.end();
        if (!m_stacks.empty() && m_native.count() > 0)
            m_out.warn(text::counted(m_native.count(), "stack of C is", "stacks of C are")
                + " not among those of Python, which are shown: choose with --event \"C stacks\"");
        if (!m_stacks.empty()) m_out.add(m_stacks.take(m_isRepeated ? "samples" : "threads"));
        if (m_native.count() > 0) m_out.add(m_native.taken());
    }

private:
    void begin(std::string_view line)
    {
        end();
        m_isOpen = true;
        const auto whose = line.substr(0, line.size() - kMostRecentFirst.size());
        const auto from = whose.find("0x");
        if (from != whose.npos && m_known.size() < kMostThreads)
            m_isRepeated |= !m_known.emplace(whose.substr(from, whose.find(' ', from) - from)).second;
        else
            m_isRepeated |= from == whose.npos && std::exchange(m_hasUnnamed, true);
        const auto open = whose.find(" [");
        m_name = open != whose.npos && whose.ends_with(']') ? whose.substr(open + 2, whose.size() - open - 3) : std::string_view();
    }

    void add(const PythonFrame& frame)
    {
        m_isWhole = frame.name == "<module>" || frame.name == "_bootstrap";
        if (m_frames.size() < kDeepest)
            m_frames.push_back(m_stacks.numberOf(text::scriptFrame(frame.name, frame.file, frame.line)));
        else
            m_isCut = true;
    }

    void end()
    {
        if (m_isOpen && !m_frames.empty()) {
            if (!m_name.empty()) m_stacks.frame(m_name);
            // Python 3.13 cuts stacks at 100 frames as others do, and does not say so.
            if (m_isCut || (m_frames.size() == kFramesOfPython && !m_isWhole)) m_stacks.frame("[truncated]");
            for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame)
                m_stacks.frame(*frame);
            m_stacks.add(1);
        }
        m_isOpen = m_isCut = false;
        m_frames.clear();
    }

    /// Lines around the stacks.
    static bool isKnown(std::string_view line)
    {
        for (const std::string_view each : {"Fatal Python error: ", "Timeout (", "Python runtime state: ", "Extension modules: ",
                 "Segmentation fault", "Aborted", "Windows fatal exception: ", "Current thread ", "Stack dump without "})
            if (line.starts_with(each)) return true;
        return line.empty() || line == "...";
    }

    static constexpr std::size_t kDeepest = 65'536, kMostThreads = 100'000;
    static constexpr std::size_t kFramesOfPython = 100; ///< Source: CPython, Python/traceback.c, MAX_FRAME_DEPTH
    text::Imported& m_out;
    text::StackCounts m_stacks;
    std::set<std::string> m_known;
    bool m_isRepeated = false, m_hasUnnamed = false; ///< a thread was shown twice; "Stack (" was seen
    bool m_isOpen = false, m_isCut = false;
    bool m_isWhole = false; ///< the last frame is the outermost of any thread
    NativeStacks m_native;
    std::string m_name;                  ///< of the thread that is read; empty: none is told
    std::vector<std::uint32_t> m_frames; ///< of it, the innermost first
};

class Faulthandler final : public text::Importer {
public:
    std::string_view name() const override { return "faulthandler"; }
    std::string_view summary() const override
    {
        return "stacks of threads by Python's faulthandler; several of a thread in one text add up as samples";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool afterThread = false;
        for (int i = 0; i < 20'000 && lines.next(line); ++i) {
            if (afterThread && (pythonFrame(line) || nativeFrame(line) || line == "  <no Python frame>")) return Guess::Yes;
            afterThread = isPythonThread(line) || line == kNativeThread;
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        FaulthandlerReader reader(out);
        text::readAll(lines, reader);
        reader.finish();
        if (out.records.empty()) return out.nothing("there is no stack of a thread in it");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_faulthandler() { return std::make_unique<Faulthandler>(); }
} // namespace dscope::importers
