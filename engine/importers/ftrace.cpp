#include "engine/text/call_times.h"
#include "engine/text/words.h"
namespace dscope::importers {
namespace {
using text::Guess;
using text::kDigits;
using text::trimmed;

/// "    bash-1977  [000] d..2. 17284.993652: sched_switch: prev_comm=...": one event.
struct TracedEvent {
    std::string_view command;
    std::string event;
    std::int64_t tid = 0, when = 0;
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
/// Source: Documentation/trace/ftrace.rst, "Output format"; trace-cmd-report(1), which leaves the flags out.
std::optional<TracedEvent> tracedEvent(std::string_view line)
{
    TracedEvent out;
    const auto cpu = line.find(" [");
    const auto cpuEnd = cpu == std::string_view::npos ? cpu : line.find(']', cpu);
    if (cpuEnd == std::string_view::npos || !text::isDigits(line.substr(cpu + 2, cpuEnd - cpu - 2))) return {};
    auto task = trimmed(line.substr(0, cpu));
    if (task.ends_with(')')) // the process, where option record-tgid is set: "bash-1977 (   1977)"
        task = trimmed(task.substr(0, task.rfind('(')));
    const auto dash = task.rfind('-');
    if (dash == std::string_view::npos || dash == 0 || !text::isDigits(task.substr(dash + 1))) return {};
    out.command = task.substr(0, dash);
    out.tid = text::integer(task.substr(dash + 1)).value_or(0);

    // Flags, where there are any, the time, the event.
    auto rest = trimmed(line.substr(cpuEnd + 1));
    for (int words = 0; words < 2; ++words) {
        const auto colon = rest.find(": ");
        const auto blank = rest.find(' ');
        if (colon == std::string_view::npos) return {};
        if (blank > colon) {
            const auto when = text::clockText(rest.substr(0, colon));
            if (!when) return {};
            out.when = *when;
            out.event = eventIn(trimmed(rest.substr(colon + 1)));
            return out.event.empty() ? std::nullopt : std::optional(out);
        }
        rest = trimmed(rest.substr(blank));
    }
    return {};
}

class FtraceReader {
public:
    explicit FtraceReader(text::Imported& out) : m_out(out) { }

    void line(std::string_view line, std::size_t number)
    {
        if (trimmed(line).empty() || line.starts_with('#') || line.starts_with("cpus=") || line.starts_with("CPU:")
            || line.starts_with("version ="))
            return;
        const auto event = tracedEvent(line);
        if (!event) return m_out.misunderstand(number, line);
        const auto& name = event->event;
        m_times.count(std::string(event->command), name);
        constexpr std::string_view kEnter = "sys_enter_", kExit = "sys_exit_";
        if (name.starts_with(kEnter)) m_times.begin(event->tid, name.substr(kEnter.size()), event->when);
        if (name.starts_with(kExit)) m_times.end(event->tid, name.substr(kExit.size()), event->when);
    }

    const text::CallTimes& times() const { return m_times; }

private:
    text::Imported& m_out;
    text::CallTimes m_times;
};

class Ftrace final : public text::Importer {
public:
    std::string_view name() const override { return "ftrace"; }
    std::string_view summary() const override
    {
        return "the kernel's trace file, and what trace-cmd report prints: events and how long system calls took";
    }

    Guess guess(std::string_view head) const override
    {
        text::Lines lines(head);
        std::string_view line;
        int good = 0, bad = 0;
        while (good + bad < 100 && lines.next(line)) {
            if (line.starts_with("# tracer: ")) return Guess::Yes;
            if (trimmed(line).empty() || line.starts_with('#') || line.starts_with("cpus=")) continue;
            (tracedEvent(line) ? good : bad) += 1;
        }
        return good > 1 && good > 9 * bad ? Guess::Yes : Guess::No;
    }

    Result<text::Imported> read(text::Lines& lines) const override
    {
        text::Imported out;
        FtraceReader reader(out);
        text::readAll(lines, reader);
        if (reader.times().empty()) return out.nothing("there is no event in it");
        reader.times().put(out, "call");
        return out;
    }
};
} // namespace

std::unique_ptr<text::Importer> make_ftrace() { return std::make_unique<Ftrace>(); }
} // namespace dscope::importers
