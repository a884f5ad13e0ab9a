#include "engine/text/importer.h"
#include "engine/text/stack_counts.h"
#include "engine/text/stack_times.h"
#include "engine/text/tables.h"
#include "engine/text/words.h"
#include <chrono>
#include <limits>
#include <map>
#include <optional>
#include <set>
namespace dscope::importers {
namespace {
using text::Guess;
using text::trimmed;

constexpr std::size_t kDeepestJavaStack = 65'536; ///< frames
constexpr std::size_t kMostJavaThreads = 100'000; ///< rows of the table of threads, and of that of locks

/// "2026-11-28 11:54:55" and "2026-11-28T11:58:20.228846195Z" as ns since 1970 of a clock that shows this; 0: it is no time.
std::int64_t dumpTime(std::string_view text)
{
    const auto number = [&](std::size_t from, std::size_t size) {
        const auto digits = text.substr(from, size);
        return text::isDigits(digits) ? text::integer(digits).value_or(-1) : -1;
    };
    constexpr std::size_t kSeconds = 19;
    if (text.size() < kSeconds || text[4] != '-' || text[7] != '-' || text[13] != ':' || text[16] != ':') return 0;
    if (text[10] != ' ' && text[10] != 'T') return 0;
    const auto year = number(0, 4), month = number(5, 2), day = number(8, 2), hour = number(11, 2), minute = number(14, 2),
               second = number(17, 2);
    const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(year)), std::chrono::month(static_cast<unsigned>(month)),
        std::chrono::day(static_cast<unsigned>(day))};
    if (year <= 1970 || year > 2200 || !date.ok() || hour < 0 || minute < 0 || second < 0) return 0;
    std::int64_t fraction = 0, unit = 100'000'000;
    for (std::size_t i = kSeconds + 1; i < text.size() && text[kSeconds] == '.' && unit > 0 && text[i] >= '0' && text[i] <= '9'; ++i) {
        fraction += (text[i] - '0') * unit;
        unit /= 10;
    }
    const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
    return (((days * 24 + hour) * 60 + minute) * 60 + second) * 1'000'000'000 + fraction;
}

/// A thread's first line: "main" #1 [5] prio=5 os_prio=0 tid=0x7f53 nid=0x5aa7 in Object.wait()  [0x00007f53b1f1e000]
/// or, of Thread.dump_to_file, #3 "main" virtual WAITING 2026-11-28T11:58:20Z
struct JavaThread {
    std::string_view name;
    std::string_view state; ///< empty: a line that follows tells it
    std::string_view id;    ///< whatever tells threads of one name apart
    std::int64_t when = 0;  ///< ns; 0: not told
};

std::optional<JavaThread> javaThread(std::string_view line)
{
    JavaThread thread;
    if (line.starts_with('"')) {
        // A name may have quotes: what follows it has none.
        const auto end = line.rfind('"');
        if (end == 0) return {};
        const auto rest = line.substr(end + 1);
        const auto tid = rest.find(" tid="), prio = rest.find("prio=");
        if (tid == rest.npos && prio == rest.npos) return {};
        thread.name = line.substr(1, end - 1);
        if (tid != rest.npos) thread.id = rest.substr(tid + 5, rest.find(' ', tid + 5) - tid - 5);
        return thread;
    }

    const auto quote = line.find(" \"");
    if (!line.starts_with('#') || quote == line.npos || !text::isDigits(line.substr(1, quote - 1))) return {};
    const auto end = line.rfind('"');
    if (end < quote + 2) return {};
    thread.name = line.substr(quote + 2, end - quote - 2);
    thread.id = line.substr(1, quote - 1);
    auto rest = trimmed(line.substr(end + 1));
    if (rest.starts_with("virtual")) rest = trimmed(rest.substr(7));
    const auto blank = rest.find(' ');
    thread.state = rest.substr(0, blank);
    if (blank != rest.npos) thread.when = dumpTime(rest.substr(blank + 1));
    return thread;
}

/// "java.lang.Object.wait(java.base@17.0.15/Object.java:12)", "java.base/java.lang.Thread.run(Thread.java:840)".
struct JavaFrame {
    std::string_view method, file;
    std::uint32_t line = 0;
};

JavaFrame javaFrame(std::string_view text)
{
    JavaFrame frame;
    const auto open = text.rfind('(');
    frame.method = trimmed(text.substr(0, open));
    // "app//com.example.Main.run", "java.base@17/java.lang.Thread.run": a class loader or a module. A hidden class has a number there.
    if (const auto slash = frame.method.rfind('/'); slash != frame.method.npos && !frame.method.substr(slash + 1).starts_with("0x"))
        frame.method = frame.method.substr(slash + 1);
    if (open == text.npos || !text.ends_with(')')) return frame;
    auto place = text.substr(open + 1, text.size() - open - 2);
    place = place.substr(place.rfind('/') + 1);
    const auto colon = place.rfind(':');
    if (colon == place.npos || !text::isDigits(place.substr(colon + 1))) {
        if (place != "Native Method" && place != "Unknown Source") frame.file = place;
        return frame;
    }
    frame.file = place.substr(0, colon);
    const auto line = text::integer(place.substr(colon + 1)).value_or(0);
    if (line > 0 && line <= std::numeric_limits<std::int32_t>::max()) frame.line = static_cast<std::uint32_t>(line);
    return frame;
}

/// What a thread waits for: "- waiting to lock <0x6f> (a java.lang.Object)", "- parking to wait for  <0x6f> (a ...)". Not what it holds.
bool isWait(std::string_view line)
{
    return line.starts_with("- waiting ") || line.starts_with("- parking to wait ") || line.starts_with("- blocked on ");
}

/// Thread dumps of a Java virtual machine, one or more, among whatever the program printed.
/// Source: jstack(1), jcmd(1), Thread.print and Thread.dump_to_file; hotspot, JavaThread::print_on()
class JstackReader {
public:
    explicit JstackReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view raw, std::size_t number)
    {
        const auto line = trimmed(raw);
        if (line.empty()) {
            m_hasBlank = true;
            return;
        }
        if (const auto thread = javaThread(raw)) return begin(*thread);
        // Frames of a thread whose first line is not understood are not those of the thread before it.
        const bool isOfOther = m_hasBlank && !m_frames.empty() && line.starts_with("at ");
        if (isOfOther || ((raw.front() == '"' || raw.front() == '#') && !m_isBehind)) end();
        if (line.starts_with("at ")) return frame(line.substr(3), number, raw);
        if (constexpr std::string_view kState = "java.lang.Thread.State: "; line.starts_with(kState)) {
            m_state = line.substr(kState.size());
        } else if (line.starts_with("Mounted virtual thread ")) {
            beginMounted(line);
        } else if (line.starts_with("- ")) {
            lock(line, number, raw);
        } else if (const auto when = dumpTime(raw); when > 0) {
            end();
            m_isBehind = false;
            m_when = when;
        } else if (line.starts_with("Full thread dump ")) {
            end();
            m_inDump = true;
            m_isBehind = false;
        } else if (isBehind(line)) {
            end();
            m_inDump = false;
            m_isBehind = true;
        } else if (m_isBehind ? !isSetRight(raw) : !m_inDump || !isKnown(line)) {
            m_out.misunderstand(number, raw);
        }
    }

    void finish() { end(); }
    bool empty() const { return m_stacks.empty(); }

    void put()
    {
        const std::string noun = m_isRepeated ? "samples" : "threads";
        auto numbered = m_stacks.takeNumbered(noun, record::StackUnit::Count);
        m_out.add(std::move(numbered.stacks));
        m_times.put(m_out, noun, numbered.lines, "thread");
        text::Tables tables;
        put(tables, "states", {"state"}, m_states);
        put(tables, "waits", {"lock"}, m_waits);
        tables.put(m_out);
        if (m_withoutStack > 0)
            m_out.warn(text::counted(m_withoutStack, "thread has", "threads have")
                + " no stack of Java, as those that collect garbage have none: left out");
        if (m_left > 0)
            m_out.warn(std::to_string(m_left) + " frames are left out, of stacks deeper than " + std::to_string(kDeepestJavaStack));
        if (m_waitsLeft > 0) m_out.warn("the waits for locks beyond the first " + std::to_string(kMostJavaThreads) + " are left out");
    }

private:
    using Counts = std::map<std::string, std::int64_t>;

    void begin(const JavaThread& thread)
    {
        end();
        m_isOpen = true;
        m_hasBlank = false;
        m_name = thread.name.empty() ? "thread #" + std::string(thread.id) : std::string(thread.name);
        m_state = thread.state;
        // One thread twice: there are several dumps.
        std::string identity(thread.name);
        identity += '"';
        identity += thread.id;
        if (m_known.size() < kMostJavaThreads && !m_known.insert(std::move(identity)).second) m_isRepeated = true;
        if (thread.when > 0) m_when = thread.when;
    }

    /// The stack above is that of the thread that carries this one.
    void beginMounted(std::string_view line)
    {
        const auto id = line.substr(line.rfind(' ') + 1);
        begin({.name = "virtual thread", .state = "", .id = id, .when = 0});
        m_name = "virtual thread " + std::string(id);
    }

    void frame(std::string_view text, std::size_t number, std::string_view raw)
    {
        if (!m_isOpen) return m_isBehind ? void() : m_out.misunderstand(number, raw); // an exception that the program printed
        if (m_frames.size() == kDeepestJavaStack) {
            ++m_left;
            m_isCut = true;
            return;
        }
        const auto frame = javaFrame(text);
        if (frame.method.empty()) return m_out.misunderstand(number, raw);
        m_frames.push_back(
            m_stacks.numberOf({.name = frame.method, .kind = record::Frame::Kind::Jit, .file = frame.file, .line = frame.line}));
    }

    void lock(std::string_view line, std::size_t number, std::string_view raw)
    {
        if (!m_isOpen) return m_isBehind ? void() : m_out.misunderstand(number, raw);
        if (!isWait(line)) return; // locks that it holds
        const auto open = line.find('<');
        if (open == line.npos) return;
        std::string what(trimmed(line.substr(open)));
        if (m_waits.size() < kMostJavaThreads || m_waits.contains(what))
            ++m_waits[std::move(what)];
        else
            ++m_waitsLeft;
    }

    /// Lines of a dump that say nothing about a thread.
    static bool isKnown(std::string_view line)
    {
        for (const std::string_view each :
            {"Threads class SMR info", "_java_thread_list=", "_to_delete_list=", "0x", "}", "Locked ownable synchronizers",
                "Carrying virtual thread", "No compile task", "Compiling:", "Not mounted", "JDK version: "})
            if (line.starts_with(each)) return true;
        return false;
    }

    /// What follows the threads: the heap, deadlocks with the stacks of threads that were there before.
    static bool isBehind(std::string_view line)
    {
        for (const std::string_view each : {"JNI global ref", "Heap", "Found ", "Java stack information", "====="})
            if (line.starts_with(each)) return true;
        return false;
    }

    static bool isSetRight(std::string_view line) { return line.starts_with(' ') || line.starts_with('\t') || line.starts_with('"'); }

    void end()
    {
        if (!m_isOpen) return;
        m_isOpen = false;
        if (!m_state.empty() && m_states.size() < kMostJavaThreads) ++m_states[m_state];
        if (m_frames.empty()) {
            ++m_withoutStack;
            return;
        }
        m_stacks.frame(m_name);
        if (m_isCut) m_stacks.frame("[truncated]");
        for (auto f = m_frames.rbegin(); f != m_frames.rend(); ++f)
            m_stacks.frame(*f);
        const auto stack = m_stacks.add(1);
        if (m_when <= 0) m_times.addUntimed();
        if (m_when > 0) m_times.add(m_when, {m_name, {}, {}, {}}, stack, 1, 1);
        m_frames.clear();
        m_isCut = false;
    }

    static void put(text::Tables& tables, std::string name, std::vector<std::string> keys, const Counts& counts)
    {
        tables.name(std::move(name));
        tables.keyNames(std::move(keys));
        for (const auto& [key, count] : counts)
            tables.number({key}, count);
    }

    text::Imported& m_out;
    text::StackCounts m_stacks;
    text::StackTimes m_times;
    Counts m_states, m_waits;
    std::set<std::string> m_known; ///< threads that a dump has shown
    bool m_hasBlank = false;       ///< an empty line was behind the first line of the thread
    bool m_isRepeated = false, m_inDump = false, m_isBehind = false, m_isOpen = false, m_isCut = false;
    std::int64_t m_when = 0;             ///< of the dump that is read: ns; 0: not told
    std::string m_name, m_state;         ///< of the thread that is read
    std::vector<std::uint32_t> m_frames; ///< of it, the innermost first
    std::size_t m_withoutStack = 0, m_left = 0, m_waitsLeft = 0;
};

class Jstack final : public text::Importer {
public:
    std::string_view name() const override { return "jstack"; }
    std::string_view summary() const override
    {
        return "thread dumps of Java (jstack, jcmd Thread.print, kill -QUIT); several in one text add up as samples";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        bool afterThread = false;
        for (int i = 0; i < 20'000 && lines.next(line); ++i) {
            if (line.starts_with("Full thread dump ")) return Guess::Yes;
            const auto words = trimmed(line);
            if (afterThread && (words.starts_with("java.lang.Thread.State: ") || words.starts_with("at "))) return Guess::Yes;
            afterThread = javaThread(line).has_value();
        }
        return Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        JstackReader reader(out);
        text::readAll(lines, reader);
        reader.finish();
        if (reader.empty()) return out.nothing("there is no stack of a thread in it");
        reader.put();
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_jstack() { return std::make_unique<Jstack>(); }
} // namespace dscope::importers
