#include "engine/text/function_names.h"
#include "engine/text/importer.h"
#include "engine/text/script_frames.h"
#include "engine/text/tables.h"
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

/// "leaf (app/a.py:12)", "leaf (app/a.py)", "read (libc.so.6)": a frame of Python, or of C where it was asked for.
struct PySpyFrame {
    std::string_view name, file;
    std::uint32_t line = 0;
    bool isPython = false; ///< the file says so
};

std::optional<PySpyFrame> pySpyFrame(std::string_view text)
{
    // A native frame may have parentheses in its name, and a path may have them as well.
    const auto open = text::lastBrackets(text);
    if (open == text.npos || open == 0) return {};
    PySpyFrame frame{.name = text.substr(0, open), .file = text.substr(open + 2, text.size() - open - 3)};
    const auto colon = frame.file.rfind(':');
    if (colon != frame.file.npos && text::isDigits(frame.file.substr(colon + 1))) {
        frame.line = text::sourceLine(frame.file.substr(colon + 1));
        frame.file = frame.file.substr(0, colon);
    }
    if (frame.file.empty()) return {};
    frame.isPython = frame.file.ends_with(".py") || (frame.file.starts_with('<') && frame.file.ends_with('>'));
    return frame;
}

/// A frame of py-spy as one of ours: what is in a library is not in a script.
text::StackCounts::Frame typedFrame(const PySpyFrame& frame)
{
    auto typed = text::scriptFrame(frame.name, frame.file, frame.line);
    if (!frame.isPython && frame.line == 0) { // the file is the library
        typed.file = {};
        typed.name = text::withoutParameters(typed.name);
    }
    return typed;
}

/// "Thread 1234 (active+gil): "MainThread"", "Thread 0x7F12 (idle)": of py-spy dump.
struct PySpyThread {
    std::string_view id, state, name;
};

std::optional<PySpyThread> pySpyThread(std::string_view line)
{
    if (!line.starts_with("Thread ")) return {};
    const auto open = line.find(" ("), close = line.find(')');
    if (open == line.npos || close == line.npos || close < open) return {};
    PySpyThread thread{.id = line.substr(7, open - 7), .state = line.substr(open + 2, close - open - 2), .name = {}};
    if (thread.state != "active" && thread.state != "idle" && thread.state != "active+gil" && thread.state != "gil") return {};
    const auto rest = line.substr(close + 1);
    if (rest.starts_with(": \"") && rest.size() > 4 && rest.ends_with('"'))
        thread.name = rest.substr(3, rest.size() - 4);
    else if (!rest.empty() && rest != ": \"\"")
        return {};
    return thread;
}

/// "a (a.py:1);b (b.py:2) 12", what py-spy record -f raw writes: the stack and the count; an empty stack: it is no such line.
std::pair<std::string_view, std::int64_t> pySpyLine(std::string_view line)
{
    const auto blank = line.rfind(' ');
    if (blank == line.npos || blank == 0) return {};
    const auto count = text::isDigits(line.substr(blank + 1)) ? text::integer(line.substr(blank + 1)) : std::nullopt;
    if (!count || *count <= 0) return {};
    return {line.substr(0, blank), *count};
}

/// Takes the next frame off `stack`. That of a process may have separators in its command: process 12:"sh -c 'a; b'".
std::string_view takePySpyFrame(std::string_view& stack)
{
    auto end = stack.find(';');
    if (stack.starts_with("process ") && stack.find(":\"") < end) {
        const auto close = stack.find("\";");
        if (close != stack.npos) end = close + 1;
    }
    const auto frame = stack.substr(0, end);
    stack.remove_prefix(end == stack.npos ? stack.size() : end + 1);
    return frame;
}

/// Text of py-spy: of "record -f raw" and of "dump". Source: github.com/benfred/py-spy, src/flamegraph.rs and src/dump.rs
class PySpyReader {
public:
    explicit PySpyReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (const auto thread = pySpyThread(line)) return begin(*thread);
        if (m_isDump) return dumped(line, number);
        const auto [stack, count] = pySpyLine(line);
        if (!stack.empty()) return recorded(stack, count);
        if (line.starts_with("Process ") || line.starts_with("Python v")) return dumped(line, number);
        if (!trimmed(line).empty()) m_out.misunderstand(number, line);
    }

    void finish() { end(); }
    bool empty() const { return m_stacks.empty(); }

    void put()
    {
        m_out.add(m_stacks.take(m_isDump && !m_isRepeated ? "threads" : "samples"));
        text::Tables tables;
        tables.name("states");
        tables.keyNames({"state"});
        for (const auto& [state, count] : m_states)
            tables.number({state}, count);
        tables.put(m_out);
        if (m_tooDeep > 0)
            m_out.warn("frames beyond " + std::to_string(kDeepest) + " of a stack are left out: " + std::to_string(m_tooDeep));
    }

private:
    void recorded(std::string_view stack, std::int64_t count)
    {
        std::size_t depth = 0;
        while (!stack.empty()) {
            const auto word = takePySpyFrame(stack);
            if (depth++ >= kDeepest) {
                ++m_tooDeep;
                continue;
            }
            const auto frame = pySpyFrame(word);
            const bool isRoot = word.starts_with("process ") || word.starts_with("thread (");
            m_stacks.frame(frame && !isRoot ? m_stacks.numberOf(typedFrame(*frame)) : m_stacks.numberOf({word}));
        }
        m_stacks.add(count);
    }

    void begin(const PySpyThread& thread)
    {
        end();
        m_isOpen = m_isDump = true;
        m_name = thread.name;
        ++m_states[std::string(thread.state)];
        if (m_known.size() < kMostThreads && !m_known.emplace(m_process + ' ' + std::string(thread.id)).second) m_isRepeated = true;
    }

    void dumped(std::string_view line, std::size_t number)
    {
        constexpr std::string_view kFrame = "    ", kProcess = "Process ";
        m_isDump = true;
        if (m_isOpen && line.starts_with(kFrame) && !text::isBlank(line.substr(0, kFrame.size() + 1).back())) {
            const auto frame = pySpyFrame(line.substr(kFrame.size()));
            if (!frame) return m_out.misunderstand(number, line);
            if (m_frames.size() < kDeepest)
                m_frames.push_back(m_stacks.numberOf(typedFrame(*frame)));
            else
                ++m_tooDeep;
        } else if (line.starts_with(kProcess)) {
            end();
            m_process = line.substr(kProcess.size(), line.find(':') - kProcess.size());
        } else if (!isKnown(line)) {
            m_out.misunderstand(number, line);
        }
    }

    /// Arguments and variables, set to the right below their frame; the command; a rule between processes.
    static bool isKnown(std::string_view line)
    {
        return trimmed(line).empty() || line.starts_with("        ") || line.starts_with("Python v") || line.starts_with("Parent Process ")
            || line.find_first_not_of('-') == line.npos;
    }

    void end()
    {
        if (std::exchange(m_isOpen, false) && !m_frames.empty()) {
            if (!m_name.empty()) m_stacks.frame(m_name);
            for (auto frame = m_frames.rbegin(); frame != m_frames.rend(); ++frame)
                m_stacks.frame(*frame);
            m_stacks.add(1);
        }
        m_frames.clear();
    }

    static constexpr std::size_t kDeepest = 65'536, kMostThreads = 100'000;
    text::Imported& m_out;
    text::StackCounts m_stacks;
    std::map<std::string, std::int64_t> m_states; ///< threads by their state
    std::set<std::string> m_known;                ///< threads that a dump has shown
    bool m_isDump = false, m_isRepeated = false, m_isOpen = false;
    std::string m_process, m_name;       ///< of the thread that is read
    std::vector<std::uint32_t> m_frames; ///< of it, the innermost first
    std::size_t m_tooDeep = 0;
};

class PySpy final : public text::Importer {
public:
    std::string_view name() const override { return "py-spy"; }
    std::string_view summary() const override { return "stacks of Python by py-spy: its dump, and what record -f raw writes"; }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool afterThread = false;
        std::size_t frames = 0, python = 0, bad = 0;
        for (int i = 0; i < 200 && lines.next(line); ++i) {
            if (afterThread && line.starts_with("    ") && pySpyFrame(line.substr(4))) return Guess::Yes;
            afterThread = pySpyThread(line).has_value();
            auto [stack, count] = pySpyLine(line);
            if (stack.empty()) {
                bad += !line.empty();
                continue;
            }
            while (!stack.empty()) {
                const auto frame = pySpyFrame(takePySpyFrame(stack));
                ++frames;
                python += frame && frame->isPython;
            }
        }
        return python > 0 && python * 2 > frames && bad == 0 ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        PySpyReader reader(out);
        text::readAll(lines, reader);
        reader.finish();
        if (reader.empty()) return out.nothing("there is no stack in it");
        reader.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_py_spy() { return std::make_unique<PySpy>(); }
} // namespace dscope::importers
