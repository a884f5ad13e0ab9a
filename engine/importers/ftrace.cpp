#include "engine/text/call_times.h"
#include "engine/text/function_names.h"
#include "engine/text/measures.h"
#include "engine/text/nested_calls.h"
#include "engine/text/words.h"
#include <algorithm>
#include <array>
namespace dscope::importers {
namespace {
using text::Guess;
using text::kDigits;
using text::trimmed;

/// "    bash-1977  [000] d..2. 17284.993652: sched_switch: prev_comm=...": one event.
struct TracedEvent {
    std::string_view task; ///< "bash-1977"
    std::string_view command;
    std::string_view text; ///< what stands behind the time
    std::int64_t tid = 0, cpu = 0, when = 0;
};
/// What happened, of the text behind the time: "sched_switch" of "sched_switch: prev_comm=...", and of system calls as the kernel itself
/// prints them, "sys_write(fd: 1, ...)" and "sys_write -> 0x2", the names of their events; else empty.
/// Source: kernel/trace/trace_syscalls.c, print_syscall_enter() and print_syscall_exit().
std::string eventIn(std::string_view text)
{
    constexpr std::string_view kCall = "sys_";
    const auto end = text.find_first_of(" :(");
    if (end == std::string_view::npos || end == 0) return {};
    if (text[end] == ':') return std::string(text.substr(0, end));
    if (!text.starts_with(kCall)) return {};
    const std::string call(text.substr(kCall.size(), end - kCall.size()));
    if (text[end] == '(') return "sys_enter_" + call;
    return text.substr(end).starts_with(" -> ") ? "sys_exit_" + call : std::string();
}
/// The parts of "bash-1977", or of "bash-1977 (   1977)", which option record-tgid adds the process to.
std::optional<TracedEvent> taskOf(std::string_view text)
{
    auto task = trimmed(text);
    if (task.ends_with(')') && task.find('(') != task.npos) task = trimmed(task.substr(0, task.rfind('(')));
    const auto dash = task.rfind('-');
    if (dash == std::string_view::npos || dash == 0 || !text::isDigits(task.substr(dash + 1))) return {};
    const auto tid = text::integer(task.substr(dash + 1));
    if (!tid) return {};
    return TracedEvent{.task = task, .command = task.substr(0, dash), .text = {}, .tid = *tid};
}
/// Source: Documentation/trace/ftrace.rst, "Output format"; trace-cmd-report(1), which leaves the flags out.
std::optional<TracedEvent> tracedEvent(std::string_view line)
{
    // A command may have brackets: the processor's stand behind the number of a task.
    for (auto cpu = line.find(" ["); cpu != line.npos; cpu = line.find(" [", cpu + 1)) {
        const auto cpuEnd = line.find(']', cpu);
        if (cpuEnd == line.npos) return {};
        const auto number
            = text::isDigits(line.substr(cpu + 2, cpuEnd - cpu - 2)) ? text::integer(line.substr(cpu + 2, cpuEnd - cpu - 2)) : std::nullopt;
        auto out = number ? taskOf(line.substr(0, cpu)) : std::nullopt;
        if (!out) continue;
        out->cpu = *number;
        // Flags, where there are any, the time, the event.
        auto rest = trimmed(line.substr(cpuEnd + 1));
        for (int words = 0; words < 2; ++words) {
            const auto colon = rest.find(": ");
            const auto blank = rest.find(' ');
            if (colon == rest.npos) return {};
            if (blank > colon) {
                const auto when = text::clockText(rest.substr(0, colon));
                if (!when) return {};
                out->when = *when;
                out->text = rest.substr(colon + 2);
                return out;
            }
            rest = trimmed(rest.substr(blank));
        }
        return {};
    }
    return {};
}

/// "schedule", "ext4_map_blocks [ext4]": a function as the kernel prints it, with its module; empty: there is none.
text::StackCounts::Frame kernelFrame(std::string_view text)
{
    auto name = trimmed(text);
    text::StackCounts::Frame frame{.name = {}, .kind = record::Frame::Kind::Kernel};
    if (const auto open = name.rfind(" ["); open != name.npos && name.ends_with(']')) {
        frame.module = name.substr(open + 2, name.size() - open - 3);
        name = trimmed(name.substr(0, open));
    }
    if (const auto size = name.rfind("/0x"); size != name.npos) name = name.substr(0, size);
    frame.name = text::withoutOffset(name); // of option sym-offset
    return frame;
}
/// "vfs_read [mod](file=0x1)": without the list of arguments, which a kernel from 6.15 on prints.
std::string_view withoutList(std::string_view call) { return trimmed(call.substr(0, call.find('('))); }

/// "sys_close <-system_call_fastpath", or trace-cmd's "function:   sys_close <-- system_call_fastpath".
struct TracedFunction {
    std::string_view name, caller;
};
std::optional<TracedFunction> tracedFunction(std::string_view text)
{
    text = trimmed(text);
    constexpr std::string_view kEvent = "function:";
    if (text.starts_with(kEvent)) text = trimmed(text.substr(kEvent.size()));
    const auto arrow = text.find(" <-");
    if (arrow == text.npos || arrow == 0 || text.substr(0, arrow).find(": ") != text.npos) return {};
    auto caller = text.substr(arrow + 3);
    if (caller.starts_with('-')) caller.remove_prefix(1);
    TracedFunction out{withoutList(text.substr(0, arrow)), withoutList(caller)};
    return out.name.empty() || out.caller.empty() ? std::nullopt : std::optional(out);
}

/// A line of the tracer function_graph: " 0)  bash-1977  | + 12.871 us   |    vfs_read();", any of the columns absent.
/// Source: kernel/trace/trace_functions_graph.c
struct GraphLine {
    enum class Kind : std::uint8_t { Begin, End, Leaf, Comment, Switch, Arrow } kind = Kind::Comment;
    std::optional<std::int64_t> cpu, took; ///< ns
    std::string_view task, next;           ///< "bash-1977"; the task that runs from now on
    std::string_view text;                 ///< of a comment, what it says
    text::StackCounts::Frame function;     ///< of an end: its name is empty where the line does not say it
    std::uint32_t depth = 0;               ///< blanks before the call
};

/// Takes "0)" from the beginning of `text`.
void takeCpu(std::string_view& text, GraphLine& out)
{
    const auto from = trimmed(text);
    const auto end = from.find_first_not_of(kDigits);
    if (end == from.npos || end == 0 || end > 6 || from[end] != ')') return;
    out.cpu = text::integer(from.substr(0, end));
    text = from.substr(end + 1);
}
/// The columns in front of a call: the processor, the time, the task, flags of the moment, how long the call took.
bool takeColumn(std::string_view column, GraphLine& out)
{
    takeCpu(column, out);
    column = trimmed(column);
    if (column.empty()) return true;
    if (column.ends_with("==========>") || column.starts_with("<==========")) { // an interrupt begins or ends
        out.kind = GraphLine::Kind::Arrow;
        return true;
    }
    constexpr std::string_view kMarks = "+!#*@$", kFlags = ".0123456789abcdefghnpsxzABDEHLNPSXZ";
    if (kMarks.find(column.front()) != kMarks.npos) column = trimmed(column.substr(1));
    if (const auto took = text::duration(column)) return out.took = took, true;
    if (text::decimal(column, 9)) return true;
    if (const auto task = taskOf(column)) return out.task = task->task, true;
    return column.size() >= 4 && column.size() <= 8 && column.find_first_not_of(kFlags) == column.npos && column.find('.') != column.npos;
}
/// "vfs_read() {", "}", "} /* vfs_read */", "fput();", "/* a comment */" behind the columns. False: it is none of them.
bool takeCall(std::string_view text, GraphLine& out)
{
    out.depth = static_cast<std::uint32_t>(std::min<std::size_t>(text.find_first_not_of(' '), 1U << 20));
    text = trimmed(text);
    if (out.kind == GraphLine::Kind::Arrow) return text.empty();
    if (text.starts_with("/*")) {
        out.text = trimmed(text.substr(2, text.ends_with("*/") && text.size() >= 4 ? text.size() - 4 : text.npos));
        return text.ends_with("*/") || text.size() > 2;
    }
    const auto comment = text.rfind("/*");
    const auto said
        = comment != text.npos && text.ends_with("*/") ? trimmed(text.substr(comment + 2, text.size() - comment - 4)) : std::string_view();
    if (!said.empty()) text = trimmed(text.substr(0, comment)); // the name, and what it gave back: "= 0x0"
    if (text == "}") {
        out.kind = GraphLine::Kind::End;
        const auto name = said.starts_with('=') || said.starts_with("ret=") ? std::string_view() : said;
        const auto module = name.find(" [") != name.npos && name.find(" [") == name.find(' ') ? name.find(']') : name.npos;
        out.function = kernelFrame(name.substr(0, module == name.npos ? name.find_first_of(" (") : module + 1));
        return true;
    }
    const auto open = text.find('(');
    if (open == text.npos || open == 0 || (!text.ends_with('{') && !text.ends_with(';'))) return false;
    out.kind = text.ends_with('{') ? GraphLine::Kind::Begin : GraphLine::Kind::Leaf;
    out.function = kernelFrame(text.substr(0, open));
    return !out.function.name.empty();
}
std::optional<GraphLine> graphLine(std::string_view line)
{
    GraphLine out;
    auto rest = line;
    bool hasColumn = false;
    for (auto bar = rest.find('|'); bar != rest.npos && takeColumn(rest.substr(0, bar), out); bar = rest.find('|')) {
        rest.remove_prefix(bar + 1);
        hasColumn = true;
    }
    if (!hasColumn) takeCpu(rest, out);
    if (!hasColumn && !out.cpu) return {};
    if (const auto arrow = rest.find(" => "); !hasColumn && arrow != rest.npos) {
        const auto from = taskOf(rest.substr(0, arrow)), to = taskOf(rest.substr(arrow + 4));
        if (!from || !to) return {};
        out.kind = GraphLine::Kind::Switch;
        out.task = from->task;
        out.next = to->task;
        return out;
    }
    return takeCall(rest, out) ? std::optional(out) : std::nullopt;
}
/// " ------------------------------------------" around a switch of tasks.
bool isRuler(std::string_view line) { return line.size() >= 8 && line.find_first_not_of("-|") == line.npos; }
/// What stands between events and says nothing about them.
bool isBesideEvents(std::string_view line) { return trimmed(line).empty() || line.starts_with("cpus=") || line.starts_with("version ="); }
bool isKnown(std::string_view line)
{
    if (const auto event = tracedEvent(line)) return !eventIn(trimmed(event->text)).empty() || tracedFunction(event->text);
    return graphLine(line).has_value();
}

class FtraceReader {
public:
    explicit FtraceReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (takeOfTrace(trimmed(line))) return;
        endTrace();
        if (takeLoss(line) || isBesideEvents(line) || line.starts_with('#') || isRuler(trimmed(line))) return;
        if (const auto event = tracedEvent(line)) {
            if (!take(*event)) m_out.misunderstand(number, line);
        } else if (const auto graph = graphLine(line)) {
            take(*graph, {});
        } else if (!line.starts_with("CPU:") && !line.starts_with("CPU ")) {
            m_out.misunderstand(number, line);
        }
    }

    bool empty() const { return m_times.empty() && m_calls.empty() && m_functions.empty() && !m_pending && m_traced.empty(); }

    Result<> check() const
    {
        DSCOPE_CHECK(m_calls.check());
        DSCOPE_CHECK(m_functions.check());
        return m_traced.check();
    }

    Result<> put(text::Imported& out)
    {
        endTrace();
        addPending();
        DSCOPE_CHECK(m_calls.put(out));
        if (m_lost > 0)
            out.warn(
                "the trace lost events: " + text::counted(m_lost, "line says", "lines say") + " so, and calls around them are incomplete");
        if (m_userTraces > 0)
            out.warn(
                text::counted(m_userTraces, "stack of user code is", "stacks of user code are") + " left out: addresses without names");
        out.add(m_functions.take("calls"));
        out.add(m_traced.take("events"));
        m_times.put(out, "call");
        return {};
    }

private:
    bool take(const TracedEvent& event)
    {
        const auto text = trimmed(event.text);
        constexpr std::string_view kGraph = "funcgraph_", kKernelStack = "kernel_stack:";
        if (text.starts_with("<stack trace>") || text.starts_with(kKernelStack)) return beginTrace(event), true;
        if (text.starts_with("<user stack trace>") || text.starts_with("user_stack:")) return m_isUserTrace = true, ++m_userTraces, true;
        addPending();
        m_last = event.command;
        if (text.starts_with(kGraph)) {
            auto graph = graphLine(event.text.substr(std::min(event.text.find(':') + 1, event.text.size())));
            if (graph) take(*graph, event.task);
            return graph.has_value();
        }
        if (const auto function = tracedFunction(text)) {
            m_pending = {m_functions.numberOf({event.command}), m_functions.numberOf(kernelFrame(function->caller)),
                m_functions.numberOf(kernelFrame(function->name))};
            return true;
        }
        const auto name = eventIn(text);
        if (name.empty()) return false;
        m_times.count(std::string(event.command), name);
        constexpr std::string_view kEnter = "sys_enter_", kExit = "sys_exit_";
        if (name.starts_with(kEnter)) m_times.begin(event.tid, name.substr(kEnter.size()), event.when);
        if (name.starts_with(kExit)) m_times.end(event.tid, name.substr(kExit.size()), event.when);
        return true;
    }

    /// `task`: what the line says in front of its columns, if anything.
    void take(const GraphLine& line, std::string_view task)
    {
        if (line.kind == GraphLine::Kind::Arrow) return;
        if (line.kind == GraphLine::Kind::Switch) return switchTasks(line);
        const auto lane = laneOf(line.cpu, task.empty() ? line.task : task);
        const auto& f = line.function;
        if (line.kind == GraphLine::Kind::Comment) return takeComment(line.text);
        const auto frame = f.name.empty() ? std::nullopt : std::optional(m_calls.frame(f));
        if (line.kind == GraphLine::Kind::End) m_calls.end(lane, line.depth, line.took, frame);
        if (line.kind == GraphLine::Kind::Begin && frame) m_calls.begin(lane, line.depth, *frame);
        if (line.kind == GraphLine::Kind::Leaf && frame) m_calls.leaf(lane, line.depth, *frame, line.took);
        if (line.took && frame && line.kind != GraphLine::Kind::Begin) m_times.took(std::string(f.name), *line.took);
    }

    /// An event among the calls, or words of trace_printk().
    void takeComment(std::string_view text)
    {
        const auto name = eventIn(text);
        m_times.count("", name.empty() ? "trace_printk" : name);
    }

    std::uint32_t laneOf(std::optional<std::int64_t> cpu, std::string_view task)
    {
        if (task.empty()) {
            if (const auto at = m_running.find(cpu.value_or(-1)); at != m_running.end()) return at->second;
            return m_running[cpu.value_or(-1)] = m_calls.lane("cpu " + std::to_string(cpu.value_or(-1)));
        }
        const auto lane = m_calls.lane(keyOf(cpu, task));
        m_calls.name(lane, task.substr(0, task.rfind('-')));
        return lane;
    }

    static std::string keyOf(std::optional<std::int64_t> cpu, std::string_view task)
    {
        std::string key(task);
        if (key.ends_with("-0")) key += " on " + std::to_string(cpu.value_or(-1)); // each processor idles by itself
        return key;
    }

    void switchTasks(const GraphLine& line)
    {
        const auto cpu = line.cpu.value_or(-1);
        if (const auto at = m_running.find(cpu); at != m_running.end()) { // the first switch says who ran before
            m_calls.alias(at->second, keyOf(line.cpu, line.task));
            m_calls.name(at->second, line.task.substr(0, line.task.rfind('-')));
        }
        m_running[cpu] = laneOf(line.cpu, line.next);
    }

    /// "CPU:2 [LOST 17 EVENTS]": the open calls of that processor, or of the task on it, will not be closed.
    bool takeLoss(std::string_view line)
    {
        if (!line.starts_with("CPU:") && !line.starts_with("CPU ")) return false;
        if (line.find("LOST") == line.npos) return false;
        ++m_lost;
        const auto cpu = text::leadingInteger(trimmed(line.substr(4)));
        if (const auto at = m_running.find(cpu.value_or(-1)); cpu && at != m_running.end()) m_calls.forget(at->second);
        return true;
    }

    void beginTrace(const TracedEvent& event)
    {
        m_isTrace = true;
        m_last = event.command;
    }

    /// " => vfs_read": a frame of a stack, the innermost first; trace-cmd puts the address behind it.
    bool takeOfTrace(std::string_view line)
    {
        if ((!m_isTrace && !m_isUserTrace) || !line.starts_with("=> ")) return false;
        auto name = trimmed(line.substr(3));
        if (m_isUserTrace) return true;
        if (const auto address = name.rfind(" ("); address != name.npos && name.ends_with(')')) name = trimmed(name.substr(0, address));
        const auto frame = kernelFrame(name);
        if (!frame.name.empty()) m_trace.push_back((m_pending ? m_functions : m_traced).numberOf(frame));
        return true;
    }

    void endTrace()
    {
        if (m_isTrace && !m_trace.empty()) {
            auto& stacks = m_pending ? m_functions : m_traced;
            stacks.frame(m_last);
            for (auto frame = m_trace.rbegin(); frame != m_trace.rend(); ++frame)
                stacks.frame(*frame);
            stacks.add(1);
            m_pending.reset(); // the stack says more of the call
        }
        m_trace.clear();
        m_isTrace = m_isUserTrace = false;
    }

    void addPending()
    {
        if (!m_pending) return;
        m_functions.frames(*m_pending);
        m_functions.add(1);
        m_pending.reset();
    }

    text::Imported& m_out;
    text::CallTimes m_times;
    text::NestedCalls m_calls;
    text::StackCounts m_functions, m_traced;               ///< calls that the tracer function saw; other events that have a stack
    std::optional<std::array<std::uint32_t, 3>> m_pending; ///< a call whose stack may follow: command, caller, function
    std::map<std::int64_t, std::uint32_t> m_running;       ///< lanes by processor, where lines do not name the task
    std::vector<std::uint32_t> m_trace;                    ///< frames of a stack that is read, the innermost first
    std::string m_last;                                    ///< command of the event before
    std::uint64_t m_lost = 0, m_userTraces = 0;
    bool m_isTrace = false, m_isUserTrace = false;
};

class Ftrace final : public text::Importer {
public:
    std::string_view name() const override { return "ftrace"; }
    std::string_view summary() const override
    {
        return "the kernel's trace file, and what trace-cmd report prints: events, how long system calls took, and calls of the tracers "
               "function and function_graph";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        int good = 0, bad = 0;
        while (good + bad < 100 && lines.next(line)) {
            if (line.starts_with("# tracer: ")) return Guess::Yes;
            const auto isHeading = [&](std::string_view word) { return line.starts_with('#') && line.find(word) != line.npos; };
            if (isHeading("FUNCTION CALLS")) return Guess::Yes;
            if (isHeading("FUNCTION")) return Guess::No; // of uftrace
            if (isBesideEvents(line) || isRuler(trimmed(line)) || line.starts_with("#")) continue;
            (isKnown(line) ? good : bad) += 1;
        }
        return good > 1 && good > 9 * bad ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        FtraceReader reader(out);
        std::string_view line;
        while (lines.next(line)) {
            reader.line(line, lines.number());
            if (lines.number() % 4096 == 0) { DSCOPE_CHECK(reader.check()); }
        }
        if (reader.empty()) return out.nothing("there is no event and no call of a function in it");
        DSCOPE_CHECK(reader.put(out));
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_ftrace() { return std::make_unique<Ftrace>(); }
} // namespace dscope::importers
